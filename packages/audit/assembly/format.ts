/**
 * What the log scanner (log.ts) and its host (packages/audit/src) agree on: constants only, as both compilers read this file. A number that
 * is also stored in states of audits (COUNT_) must never change its meaning.
 *
 * A log format is a list of steps, in the order of the fields. A step has STEP_SIZE bytes:
 *
 *      0  u32  field, FIELD_NONE to skip it
 *      4  u32  flags, STEP_
 *      8  u32  address of the text that ends the field
 *     12  u32  its length; 0 to take the rest of the line
 *     16       its first eight bytes, padded with zeros
 *     24       a mask of them
 *
 * A fixed beginning of lines is a step of FIELD_NONE with STEP_LEAD.
 */
export const STEP_SIZE = 32;
export const STEP_FIELD = 0;
export const STEP_FLAGS = 4;
export const STEP_TEXT = 8;
export const STEP_LENGTH = 12;
export const STEP_FIRST_BYTES = 16;
export const STEP_MASK = 24;
/** The text must be right here. */
export const STEP_LEAD = 1;
/** The text begins with a quote, and quotes after an odd number of backslashes belong to the field. */
export const STEP_QUOTED = 2;
/** The text begins the next field. */
export const STEP_KEEP = 4;
/** More spaces than that of the text may follow. */
export const STEP_BLANKS = 8;
/** The field may be quoted, with quotes in it doubled (a string of W3C's format). */
export const STEP_STRING = 16;
/** The field may be a list whose items end in ", ": a text right after a comma belongs to it. */
export const STEP_LIST = 32;
/** Of the last field: what ends the field before is not in it, so that a line with more fields than the format has is not of the format. */
export const STEP_WHOLE = 64;
/** Flags also hold the usual width of the field times STEP_WIDTH: a time always has it, a status nearly always. */
export const STEP_WIDTH = 256;
export const CLF_WIDTH = 26;
export const STATUS_WIDTH = 3;

/**
 * The wanted keys of a JSON object are a tree. Each object has a header of KEYS_HEADER bytes:
 *
 *      0  u32  number of keys; u32 zero
 *      8  u64  bit n: there is a key of n bytes; bit 63: of 63 or more
 *
 * and then its keys, KEY_SIZE bytes each:
 *
 *      0  u32  address of the text; u32 its length
 *      8       its first eight bytes, padded with zeros
 *     16       a mask of them
 *     24  u32  address of the wanted keys in its object, or 0
 *     28  u32  field, or 0
 *     32  u32  rank: of the keys of a field, the lowest one present counts; plus KEY_WHOLE for a key that contains dots, for which null
 *              does not mean absent
 *     36  u32  for the scanner's use
 *     40  u32  another field that the value is for, plus KEY_WHOLE times its rank
 */
export const KEYS_LENGTHS = 8;
export const KEYS_HEADER = 16;
export const KEY_SIZE = 48;
export const KEY_TEXT = 0;
export const KEY_LENGTH = 4;
export const KEY_FIRST_BYTES = 8;
export const KEY_MASK = 16;
export const KEY_CHILD = 24;
export const KEY_FIELD = 28;
export const KEY_RANK = 32;
export const KEY_LINE = 36;
export const KEY_TWIN = 40;
export const KEY_WHOLE = 256;

/** Fields of a line; all others are skipped. */
export const FIELD_NONE = 0;
export const FIELD_HOST = 1;
export const FIELD_IP = 2;
export const FIELD_TIME = 3;
/** The day, if the time is in two fields. */
export const FIELD_DATE = 4;
/** "GET /path HTTP/1.1" */
export const FIELD_REQUEST = 5;
/** Path, perhaps with a query, or an absolute URL. */
export const FIELD_TARGET = 6;
/** The query without its "?". */
export const FIELD_QUERY = 7;
export const FIELD_STATUS = 8;
export const FIELD_AGENT = 9;
/** Bytes of the response. */
export const FIELD_BYTES = 10;
/** The key of an object in a bucket, which FIELD_HOST is. */
export const FIELD_KEY = 11;
/** The list of addresses that proxies forward in X-Forwarded-For. */
export const FIELD_FORWARDED = 12;
/** Fields that are only cut where somebody asks for them (`withoutDetails` in formats/formats.ts). */
export const FIELD_METHOD = 13;
export const FIELD_REFERRER = 14;
/** The content type of the response, another one of these. */
export const FIELD_TYPE = 15;
export const FIELD_COUNT = 16;

/** How times are written. */
export const TIME_NONE = 0;
/** 10/Oct/2000:13:55:36 -0700 */
export const TIME_CLF = 1;
/** RFC 3339, also with a space for the "T", and without an offset, which means UTC. */
export const TIME_ISO = 2;
/** Seconds since 1970, perhaps with a fraction; more than 11 digits are milli-, micro- or nanoseconds. */
export const TIME_EPOCH = 3;
/** FIELD_DATE 2000-10-10, FIELD_TIME 13:55:36, UTC (W3C Extended Log File Format). */
export const TIME_SPLIT = 4;
/** The usual forms of TIME_CLF, TIME_ISO and TIME_EPOCH in JSON; anything that readers disagree about is left to the host. */
export const TIME_USUAL = 5;
/** 10/Oct/2000:13:55:36.123, perhaps without the fraction, perhaps with an offset as in TIME_CLF, UTC without one; a space may be for the colon. */
export const TIME_HAPROXY = 6;
/** Tue Oct 10 13:55:36 2000, UTC, as ctime() in C writes it. */
export const TIME_CTIME = 7;

// Options of a format.
/** Lines that begin with "#" are directives. */
export const OPTION_DIRECTIVES = 1;
/** Backslashes in targets escape: \" \\ \xHH. */
export const OPTION_ESCAPED = 2;
/** The host is that of the target, an absolute URL. */
export const OPTION_HOST_IN_TARGET = 4;
/** The host rewrites lines. */
export const OPTION_TRANSCODED = 8;
/** With OPTION_TRANSCODED: lines are JSON objects, and the host only gets unusual ones. */
export const OPTION_JSON = 16;
/** Targets may lack their first slash. */
export const OPTION_ROOTLESS = 32;
/** The host is a bucket, and paths may begin with its name (AWS S3). */
export const OPTION_BUCKET = 64;
/** FIELD_IP has to look like an address or a host name (assembly/columns.ts); other lines are odd. */
export const OPTION_ADDRESS = 128;
/** With OPTION_ADDRESS: a host name counts only if the field after it is "-", so that a column more in front is noticed. */
export const OPTION_IDENT = 256;
/** FIELD_BYTES ends the line: quoted fields after it are headers of another format. */
export const OPTION_NO_HEADERS = 512;
/** The host is asked about odd lines: those that cannot be cut, too. */
export const OPTION_ASKS = 1024;
/** Targets are URLs without their scheme, and the host is theirs: "shop.example/a". */
export const OPTION_SCHEMELESS = 2048;

/** Why `scanLog` returned. */
export const SCAN_DONE = 0;
/** The User-Agent header at FIELD_AGENT has no class yet. */
export const SCAN_NEW_AGENT = 1;
/** The host at FIELD_HOST has no site yet. */
export const SCAN_NEW_HOST = 2;
/** The class has no program for this version of robots.txt: see `pendingClass`, `pendingVersion`, `setProgram`. */
export const SCAN_NO_PROGRAM = 3;
/** There is no room for more entries. */
export const SCAN_FULL = 4;
/** A directive, from `position` to its line's end, which the host has to skip. */
export const SCAN_DIRECTIVE = 5;
/** Memory cannot grow. */
export const SCAN_NO_MEMORY = 6;
/** The host has to rewrite the line at `position`: see `setLine`. */
export const SCAN_TRANSCODE = 7;
/** The line at `position` is odd: the host sets another format, or says with `settleLine` what it counts as. */
export const SCAN_ODD = 8;

/** What the host says about a header; numbers of classes begin at AGENT_FIRST_CLASS. */
export const AGENT_PERSON = 1;
export const AGENT_MISSING = 2;
export const AGENT_LEFT_OUT = 3;
export const AGENT_FIRST_CLASS = 4;

/**
 * The host's index of literals (who/literals.ts), which headers.ts looks for in headers that the scan has not met: GRAM_SLOTS numbers of
 * literals, u16 each, 0 for none; then the literals from number 1 on, LITERAL_SIZE bytes each; then their texts in lower case.
 *
 *      0  u32  offset of the text in the index
 *      4  u16  its length
 *      6  u16  where the gram that it is found by ends in it
 *      8  u16  number of the next literal of the slot, 0 for none
 *     10  u16  LITERAL_DIGITS or 0
 *
 * A gram is a number of GRAM bytes, the first one highest; its slot is (gram ^ (gram >> GRAM_SHIFT)) modulo GRAM_SLOTS.
 */
export const GRAM = 3;
export const GRAM_SHIFT = 10;
export const GRAM_SLOTS = 65_536;
export const LITERAL_TEXT = 0;
export const LITERAL_LENGTH = 4;
export const LITERAL_GRAM_END = 6;
export const LITERAL_NEXT = 8;
export const LITERAL_FLAGS = 10;
export const LITERAL_SIZE = 12;
/** It belongs to an expression that tells one digit from another. */
export const LITERAL_DIGITS = 1;

/** What the host says bytes of headers are read as; READING_UNPLAIN for those of headers that must be decoded first. */
export const READINGS_SIZE = 256;
export const READING_UNPLAIN = 0x80;

/** What the host says about a host name: site numbers begin at HOST_FIRST_SITE. */
export const HOST_WITHOUT_ROBOTS = 1;
export const HOST_FIRST_SITE = 2;

/** A site in the table of sites: u32 index of the first version of its robots.txt, u32 number of versions. */
export const SITE_SIZE = 8;

/** Counters, u32 each. Their order is stored in states of audits. */
export const COUNT_LINES = 0;
export const COUNT_UNPARSED = 1;
/** Blank lines and directives. */
export const COUNT_BLANK = 2;
export const COUNT_OUTSIDE = 3;
/** Plus an AGENT_ number below AGENT_FIRST_CLASS. */
export const COUNT_AGENTS = 3;
export const COUNT_PERSON = 4;
export const COUNT_MISSING = 5;
export const COUNT_LEFT_OUT = 6;
export const COUNT_WITHOUT_ROBOTS = 7;
export const COUNTERS = 8;

/** The times of the first and the last line of the period, f64 each, Infinity and -Infinity without; and the bytes of all responses, f64. */
export const SPAN_SIZE = 24;

/** A log entry: a line of a crawler, or one of the first lines that could not be parsed; if asked for, any line but blank ones. Addresses are u32. */
export const ENTRY_SIZE = 112;
/** u32: the pair of a class of crawlers and a version of robots.txt, numbered from 0 as the host entered them. */
export const ENTRY_PAIR = 0;
/** u32: 0 without. */
export const ENTRY_STATUS = 4;
/** f64: milliseconds since 1970, NaN without. */
export const ENTRY_TIME = 8;
/** i32: the encoded rank of the deciding rule, 0 for none, or one of OUTCOME_. */
export const ENTRY_OUTCOME = 16;
export const ENTRY_LINE = 20;
export const ENTRY_LINE_END = 24;
export const ENTRY_TARGET = 28;
export const ENTRY_TARGET_END = 32;
export const ENTRY_IP = 36;
export const ENTRY_IP_END = 40;
/** u32: the number of the line in the segment, from 0. */
export const ENTRY_INDEX = 44;
/** f64: bytes of the response, 0 if the line does not say. */
export const ENTRY_BYTES = 48;
/** u32: of a disallowed target, and of an allowed one if these are wanted, the number of its path, in the order of the segment from 1; 0 when there is no room for more paths. */
export const ENTRY_PATH = 56;
/** The end of the path that begins at ENTRY_TARGET: before the query, and after at most LONGEST_PATH bytes. */
export const ENTRY_PATH_END = 60;
export const ENTRY_FORWARDED = 64;
export const ENTRY_FORWARDED_END = 68;
export const ENTRY_HOST = 72;
export const ENTRY_HOST_END = 76;
/** The User-Agent header as the log has it. */
export const ENTRY_AGENT = 80;
export const ENTRY_AGENT_END = 84;
export const ENTRY_METHOD = 88;
export const ENTRY_METHOD_END = 92;
export const ENTRY_REFERRER = 96;
export const ENTRY_REFERRER_END = 100;
export const ENTRY_TYPE = 104;
export const ENTRY_TYPE_END = 108;

/** No request, or its target is not a URL. */
export const OUTCOME_INVALID = -1;
export const OUTCOME_ROBOTS_TXT = -2;
export const OUTCOME_UNPARSED = -3;
/** This and the following only if all lines get entries. The pair is the class here. */
export const OUTCOME_WITHOUT_ROBOTS = -4;
export const OUTCOME_OUTSIDE = -5;
/** Minus an AGENT_ number below AGENT_FIRST_CLASS. */
export const OUTCOME_AGENTS = -5;
export const OUTCOME_PERSON = -6;
export const OUTCOME_MISSING = -7;
export const OUTCOME_LEFT_OUT = -8;

/** Bytes of a path that are counted by; longer paths that begin alike are one. */
export const LONGEST_PATH = 256;

export const ENTRY_CAPACITY = 4096;
