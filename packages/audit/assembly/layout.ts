/**
 * The layouts that format.ts describes, as classes without a header, so that code reads `step.length` instead of a load at an offset
 * (the instructions are the same). The host reads and writes them by the offsets; the end of this file checks that both agree, when the
 * module is compiled.
 */

import {
	ENTRY_AGENT,
	ENTRY_AGENT_END,
	ENTRY_BYTES,
	ENTRY_FORWARDED,
	ENTRY_FORWARDED_END,
	ENTRY_HOST,
	ENTRY_HOST_END,
	ENTRY_INDEX,
	ENTRY_IP,
	ENTRY_IP_END,
	ENTRY_LINE,
	ENTRY_LINE_END,
	ENTRY_METHOD,
	ENTRY_METHOD_END,
	ENTRY_OUTCOME,
	ENTRY_PAIR,
	ENTRY_PATH,
	ENTRY_PATH_END,
	ENTRY_REFERRER,
	ENTRY_REFERRER_END,
	ENTRY_TYPE,
	ENTRY_TYPE_END,
	ENTRY_SIZE,
	ENTRY_STATUS,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
	ENTRY_TIME,
	KEYS_HEADER,
	KEYS_LENGTHS,
	KEY_CHILD,
	KEY_FIELD,
	KEY_FIRST_BYTES,
	KEY_LENGTH,
	KEY_LINE,
	KEY_MASK,
	KEY_RANK,
	KEY_SIZE,
	KEY_TEXT,
	KEY_TWIN,
	LITERAL_FLAGS,
	LITERAL_GRAM_END,
	LITERAL_LENGTH,
	LITERAL_NEXT,
	LITERAL_SIZE,
	LITERAL_TEXT,
	SITE_SIZE,
	STEP_FIELD,
	STEP_FIRST_BYTES,
	STEP_FLAGS,
	STEP_LENGTH,
	STEP_MASK,
	STEP_SIZE,
	STEP_TEXT,
} from "./format";

/** A step of a log format: a field and the text that ends it. */
@unmanaged
export class Step {
	field: u32;
	flags: u32;
	text: u32;
	length: u32;
	/** The first eight bytes of the text, then zeros. */
	firstBytes: u64;
	/** Ones where `firstBytes` holds the text. */
	mask: u64;
}

/** The wanted keys of a JSON object; `count` Keys follow. */
@unmanaged
export class Keys {
	count: u32;
	/** Bit n: there is a key of n bytes; bit 63: of 63 or more. */
	lengths: u64;
}

/** A wanted key; see KEYS_HEADER in format.ts. */
@unmanaged
export class Key {
	text: u32;
	length: u32;
	/** The first eight bytes of the text, then zeros. */
	firstBytes: u64;
	/** Ones where `firstBytes` holds the text. */
	mask: u64;
	child: u32;
	field: u32;
	rank: u32;
	/** The number of the last line that had it, so that a duplicate key is noticed without clearing the tree for each line. */
	line: u32;
	twin: u32;
}

/** A literal of the host's index; see LITERAL_ in format.ts. */
@unmanaged
export class Literal {
	text: u32;
	length: u16;
	gramEnd: u16;
	next: u16;
	flags: u16;
}

/** The versions of a site's robots.txt: a range in the host's list of start times. */
@unmanaged
export class Site {
	firstVersion: u32;
	versions: u32;
}

/** The first and last time of a segment, in milliseconds since 1970, and the bytes of its responses. */
@unmanaged
export class Span {
	first: f64;
	last: f64;
	bytes: f64;
}

/** A line that the host counts; see ENTRY_ in format.ts. Addresses are valid until the buffer of lines changes. */
@unmanaged
export class LogEntry {
	pair: u32;
	status: u32;
	time: f64;
	outcome: i32;
	line: u32;
	lineEnd: u32;
	target: u32;
	targetEnd: u32;
	ip: u32;
	ipEnd: u32;
	index: u32;
	bytes: f64;
	path: u32;
	pathEnd: u32;
	forwarded: u32;
	forwardedEnd: u32;
	host: u32;
	hostEnd: u32;
	agent: u32;
	agentEnd: u32;
	method: u32;
	methodEnd: u32;
	referrer: u32;
	referrerEnd: u32;
	type: u32;
	typeEnd: u32;
}

if (
	offsetof<Step>() != STEP_SIZE ||
	offsetof<Step>("field") != STEP_FIELD ||
	offsetof<Step>("flags") != STEP_FLAGS ||
	offsetof<Step>("text") != STEP_TEXT ||
	offsetof<Step>("length") != STEP_LENGTH ||
	offsetof<Step>("firstBytes") != STEP_FIRST_BYTES ||
	offsetof<Step>("mask") != STEP_MASK ||
	offsetof<Keys>() != KEYS_HEADER ||
	offsetof<Keys>("lengths") != KEYS_LENGTHS ||
	offsetof<Key>() > <usize>KEY_SIZE ||
	offsetof<Key>("text") != KEY_TEXT ||
	offsetof<Key>("length") != KEY_LENGTH ||
	offsetof<Key>("firstBytes") != KEY_FIRST_BYTES ||
	offsetof<Key>("mask") != KEY_MASK ||
	offsetof<Key>("child") != KEY_CHILD ||
	offsetof<Key>("field") != KEY_FIELD ||
	offsetof<Key>("rank") != KEY_RANK ||
	offsetof<Key>("line") != KEY_LINE ||
	offsetof<Key>("twin") != KEY_TWIN ||
	offsetof<Literal>() != LITERAL_SIZE ||
	offsetof<Literal>("text") != LITERAL_TEXT ||
	offsetof<Literal>("length") != LITERAL_LENGTH ||
	offsetof<Literal>("gramEnd") != LITERAL_GRAM_END ||
	offsetof<Literal>("next") != LITERAL_NEXT ||
	offsetof<Literal>("flags") != LITERAL_FLAGS ||
	offsetof<Site>() != SITE_SIZE ||
	offsetof<LogEntry>() > <usize>ENTRY_SIZE ||
	offsetof<LogEntry>("pair") != ENTRY_PAIR ||
	offsetof<LogEntry>("time") != ENTRY_TIME ||
	offsetof<LogEntry>("outcome") != ENTRY_OUTCOME ||
	offsetof<LogEntry>("status") != ENTRY_STATUS ||
	offsetof<LogEntry>("line") != ENTRY_LINE ||
	offsetof<LogEntry>("lineEnd") != ENTRY_LINE_END ||
	offsetof<LogEntry>("target") != ENTRY_TARGET ||
	offsetof<LogEntry>("targetEnd") != ENTRY_TARGET_END ||
	offsetof<LogEntry>("ip") != ENTRY_IP ||
	offsetof<LogEntry>("ipEnd") != ENTRY_IP_END ||
	offsetof<LogEntry>("index") != ENTRY_INDEX ||
	offsetof<LogEntry>("bytes") != ENTRY_BYTES ||
	offsetof<LogEntry>("path") != ENTRY_PATH ||
	offsetof<LogEntry>("pathEnd") != ENTRY_PATH_END ||
	offsetof<LogEntry>("forwarded") != ENTRY_FORWARDED ||
	offsetof<LogEntry>("forwardedEnd") != ENTRY_FORWARDED_END ||
	offsetof<LogEntry>("host") != ENTRY_HOST ||
	offsetof<LogEntry>("hostEnd") != ENTRY_HOST_END ||
	offsetof<LogEntry>("agent") != ENTRY_AGENT ||
	offsetof<LogEntry>("agentEnd") != ENTRY_AGENT_END ||
	offsetof<LogEntry>("method") != ENTRY_METHOD ||
	offsetof<LogEntry>("methodEnd") != ENTRY_METHOD_END ||
	offsetof<LogEntry>("referrer") != ENTRY_REFERRER ||
	offsetof<LogEntry>("referrerEnd") != ENTRY_REFERRER_END ||
	offsetof<LogEntry>("type") != ENTRY_TYPE ||
	offsetof<LogEntry>("typeEnd") != ENTRY_TYPE_END
)
	ERROR("layout.ts and format.ts differ");
