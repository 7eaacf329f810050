/**
 * The output of the tokeniser for a robots.txt: three lists of records. Fields have 32 bits, offsets count from the file's first
 * byte. The host reads them as Int32Array; rules are compiled from where they are. At the end what is read of a crawler's names, which
 * chooses among the records.
 *
 *     User-agent: a     agent  [from, to, tokenEnd, line, 0, tokenFrom]    to rule 0
 *     Disallow: /x      rule   [from, to, 0, line]
 *     Crawl-delay: 2    other  [OTHER_FIELD, nameFrom, nameTo, from, to, line, 1, 1]
 */

/** Rule: value from, value to, 1 for allow, line. */
export const RULE_FIELDS = 4;
export const RULE_FROM = 0;
export const RULE_TO = 1;
export const RULE_IS_ALLOW = 2;
export const RULE_LINE = 3;

/**
 * User-agent line: value from, value to, end of its product token, line, number of rules before it, start of its product token
 * (assembly/robots-txt/token.ts).
 */
export const AGENT_FIELDS = 6;
export const AGENT_FROM = 0;
export const AGENT_TO = 1;
export const AGENT_TOKEN_END = 2;
export const AGENT_LINE = 3;
export const AGENT_FIRST_RULE = 4;
export const AGENT_TOKEN_FROM = 5;

/** Other line or diagnostic: kind, name from, name to, value from, value to, line, number of user-agent lines before it, FIELD_ code. */
export const OTHER_FIELDS = 8;
export const OTHER_KIND = 0;
export const OTHER_NAME_FROM = 1;
export const OTHER_NAME_TO = 2;
export const OTHER_FROM = 3;
export const OTHER_TO = 4;
export const OTHER_LINE = 5;
export const OTHER_AGENTS = 6;
/** The field that lenient readers take the name for. */
export const OTHER_MEANT = 7;

/** Fields that matter to rules and groups. */
export const FIELD_OTHER = 0;
export const FIELD_AGENT = 1;
export const FIELD_ALLOW = 2;
export const FIELD_DISALLOW = 3;
export const FIELD_SITEMAP = 4;

/** Kinds of other records. A line can have several: diagnostics about its form, then its content. */
export const OTHER_FIELD = 0;
export const OTHER_SITEMAP = 1;
/** A rule in front of all user-agent lines. */
export const OTHER_ALLOW_OUTSIDE = 2;
export const OTHER_DISALLOW_OUTSIDE = 3;
/** The line has no colon; the name is the whole line. */
export const OTHER_NO_COLON = 4;
/** There is no name before the colon; the name is the whole line. */
export const OTHER_NO_NAME = 5;
/** A known misspelling that the dialect reads as the field. */
export const OTHER_MISSPELLED = 6;
export const OTHER_NUL = 7;
export const OTHER_TRUNCATED = 8;

/** How lines are read: flags of `tokenise`, see DialectRules. */
export const READ_LENIENT = 1;
export const READ_NUL_ENDS_LINE = 2;
/** Product tokens have no digits; nothing in front of one is skipped, no version cut off. */
export const READ_LETTERS_ONLY = 4;

/** Bytes of a line, white space and comment aside. Longer ones are refused: they would become text that JavaScript cannot hold. */
export const MAX_LINE_BYTES = 16777216;

/**
 * `tokenise` returns the address of these u32 fields: address and number of records for each list, the number of lines, and number
 * and length of the first line longer than MAX_LINE_BYTES, 0 if there is none.
 */
export const LISTS_RULES = 0;
export const LISTS_RULE_COUNT = 1;
export const LISTS_AGENTS = 2;
export const LISTS_AGENT_COUNT = 3;
export const LISTS_OTHERS = 4;
export const LISTS_OTHER_COUNT = 5;
export const LISTS_LINES = 6;
export const LISTS_LONG_LINE = 7;
export const LISTS_LONG_BYTES = 8;
export const LISTS_FIELDS = 9;

/** How names of crawlers are read, flags of `readAgents`: they are compared as they are given, uncut (Google's library). */
export const AGENTS_SPELLED = 1;
/** A line names every token in it (Yandex's document). */
export const AGENTS_ANYWHERE = 2;
/** Names that begin with "Yandex" fall back to it, and obey groups for `*` (Yandex's document of 2013). */
export const AGENTS_FAMILY = 4;
/** The table of crawlers adds no tokens, and groups for `*` hold for all. With AGENTS_SPELLED the groups of all names count together. */
export const AGENTS_ALONE = 8;

/**
 * `readAgents` returns the address of these u32 fields: number of tokens, 1 if groups for `*` hold, the first text's row in the table (all
 * bits: none), and its token's place.
 */
export const AGENTS_COUNT = 0;
export const AGENTS_GLOBAL = 1;
export const AGENTS_ROW = 2;
export const AGENTS_FROM = 3;
export const AGENTS_TO = 4;
export const AGENTS_FIELDS = 5;

/** Then for each token: where it stands as it is spelled, and where the part of it that is compared, from and to. */
export const TOKEN_FIELDS = 4;
export const TOKEN_FROM = 0;
export const TOKEN_TO = 1;
export const TOKEN_NAME_FROM = 2;
export const TOKEN_NAME_TO = 3;
