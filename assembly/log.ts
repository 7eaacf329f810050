/**
 * Judges the lines of an access log: cuts each into fields, tells by its User-Agent header whose it is, and runs that
 * crawler's program over the target. People's lines cost the fields and one look-up; what is new (a header, a host, a
 * crawler without a program) is left to the host, which answers and calls again.
 */
import { matchOne } from "./batch";
import { lineFeeds } from "./blocks";
import {
	cut,
	endOf,
	NO_STATUS,
	readStatus,
	startOf,
	useSteps,
} from "./log-fields";
import {
	findHost,
	forgetTargets,
	hasRoom,
	isRobotsTxt,
	locateTarget,
	noTarget,
	prepareTargets,
	target,
	targetEnd,
} from "./log-target";
import {
	enter,
	forget,
	Interner,
	open,
	slotNear,
	slotOf,
	valueOf,
} from "./intern";
import {
	AGENT_FIRST_CLASS,
	COUNT_BLANK,
	COUNT_LEFT_OUT,
	COUNT_LINES,
	COUNT_MISSING,
	COUNT_OUTSIDE,
	COUNT_PERSON,
	COUNT_UNPARSED,
	COUNT_WITHOUT_ROBOTS,
	COUNTERS,
	AGENT_LEFT_OUT,
	AGENT_MISSING,
	AGENT_PERSON,
	FIELD_AGENT,
	FIELD_DATE,
	FIELD_HOST,
	FIELD_IP,
	FIELD_TIME,
	HOST_FIRST_SITE,
	HOST_WITHOUT_ROBOTS,
	OPTION_DIRECTIVES,
	OPTION_ESCAPED,
	OPTION_HOST_IN_TARGET,
	OUTCOME_INVALID,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
	R_CLASS,
	R_INDEX,
	R_IP,
	R_IP_END,
	R_LINE,
	R_LINE_END,
	R_OUTCOME,
	R_ROW,
	R_STATUS,
	R_TARGET,
	R_TARGET_END,
	R_TIME,
	RECORD_CAPACITY,
	RECORD_SIZE,
	SCAN_DIRECTIVE,
	SCAN_DONE,
	SCAN_FULL,
	SCAN_NEW_AGENT,
	SCAN_NEW_HOST,
	SCAN_NO_MEMORY,
	SCAN_NO_PROGRAM,
	SITE_SIZE,
} from "./log-format";
import { readTime, time } from "./log-time";
import { reserveScratch } from "./memory";

/** What the host fills in before it scans; see `configure`. */
let timeKind: i32 = 0;
let options: u32 = 0;
let since: f64 = -Infinity;
let until: f64 = Infinity;
let unparsedShown: u32 = 0;

/** Sites, start times of rows and programs, tables of the host's. */
let sites: usize = 0;
let starts: usize = 0;
let programs: usize = 0;
let classCapacity: u32 = 0;
/** The site of lines whose format has no host, HOST_FIRST_SITE and so on, or 0 where hosts count. */
let onlySite: u32 = 0;

const agents = changetype<Interner>(memory.data(28));
const hosts = changetype<Interner>(memory.data(28));
export const counters: usize = memory.data(COUNTERS * 4);
export const records: usize = memory.data(RECORD_CAPACITY * RECORD_SIZE);
export let recordCount: u32 = 0;
/** Where the next line begins. */
export let position: usize = 0;
export let pendingClass: u32 = 0;
export let pendingRow: u32 = 0;

const AGENT_BITS: u32 = 17;
const AGENT_ROOM: usize = 12 << 20;
const HOST_BITS: u32 = 14;
const HOST_ROOM: usize = 2 << 20;

const LF: u32 = 0x0a;
const HASH: u32 = 0x23;

/** Room for the tables; false when there is no memory. */
export function prepare(): bool {
	const isReady =
		prepareTargets() &&
		open(agents, AGENT_BITS, AGENT_ROOM) &&
		open(hosts, HOST_BITS, HOST_ROOM);
	lastAgent = agents.slots;
	return isReady;
}

export function useFormat(
	stepList: usize,
	count: u32,
	kind: i32,
	optionBits: u32,
): void {
	useSteps(stepList, count);
	timeKind = kind;
	options = optionBits;
}

export function usePeriod(from: f64, to: f64): void {
	since = from;
	until = to;
}

export function useSites(
	siteTable: usize,
	rowStarts: usize,
	single: u32,
): void {
	sites = siteTable;
	starts = rowStarts;
	onlySite = single;
}

export function usePrograms(table: usize, capacity: u32): void {
	programs = table;
	classCapacity = capacity;
}

/** Clears the counters; of lines that cannot be parsed, so many get a record from now on. */
export function beginSegment(unparsed: u32): void {
	memory.fill(counters, 0, COUNTERS * 4);
	unparsedShown = unparsed;
}

function count(counter: i32): void {
	const at = counters + ((<usize>counter) << 2);
	store<u32>(at, load<u32>(at) + 1);
}

/** Gives the header in FIELD_AGENT a class; false when the table is full. */
export function setAgent(value: u32): bool {
	const from = startOf(FIELD_AGENT);
	return enter(agents, from, <u32>(endOf(FIELD_AGENT) - from), value);
}

/** Gives the host in FIELD_HOST a site; false when the table is full. */
export function setHost(value: u32): bool {
	const from = startOf(FIELD_HOST);
	return enter(hosts, from, <u32>(endOf(FIELD_HOST) - from), value);
}

export function forgetAgents(): void {
	forget(agents);
}

/** The slot of the last line's header, perhaps a free one; it stays where it is. */
let lastAgent: usize = 0;

export function forgetHosts(): void {
	forget(hosts);
}

/** Passes over the directive at `position`, which counts as a blank line. */
export function skipDirective(): void {
	while (load<u8>(position) != LF) position++;
	position++;
	count(COUNT_BLANK);
	count(COUNT_LINES);
}

/** What a crawler's program says about the target. The two octets behind it give way to a line feed and a verdict meanwhile. */
function judge(program: usize): i32 {
	if (target >= targetEnd) return OUTCOME_INVALID;
	if (isRobotsTxt()) return OUTCOME_ROBOTS_TXT;
	const octets = load<u16>(targetEnd);
	const outcome = <i32>matchOne(program, target, targetEnd - target);
	store<u16>(targetEnd, octets);
	return outcome;
}

function record(
	outcome: i32,
	agentClass: u32,
	row: u32,
	status: u32,
	line: usize,
	end: usize,
): void {
	const to = records + <usize>recordCount * <usize>RECORD_SIZE;
	store<u32>(to, agentClass, R_CLASS);
	store<u32>(to, row, R_ROW);
	store<f64>(to, time, R_TIME);
	store<i32>(to, outcome, R_OUTCOME);
	store<u32>(to, status, R_STATUS);
	store<u32>(to, <u32>line, R_LINE);
	store<u32>(to, <u32>end, R_LINE_END);
	store<u32>(to, <u32>target, R_TARGET);
	store<u32>(to, <u32>targetEnd, R_TARGET_END);
	store<u32>(to, <u32>startOf(FIELD_IP), R_IP);
	store<u32>(to, <u32>endOf(FIELD_IP), R_IP_END);
	store<u32>(to, load<u32>(counters, COUNT_LINES * 4), R_INDEX);
	recordCount++;
}

function recordUnparsed(line: usize, end: usize): void {
	count(COUNT_UNPARSED);
	if (!unparsedShown) return;
	unparsedShown--;
	record(OUTCOME_UNPARSED, 0, 0, 0, line, end);
}

const NO_ROW: u32 = u32.MAX_VALUE;

/** The row of a site that holds at `time`: of those that have begun the last, NO_ROW before the first. */
function rowOf(site: u32): u32 {
	const entry = sites + <usize>site * <usize>SITE_SIZE;
	const first = load<u32>(entry);
	for (let row = first + load<u32>(entry, 4); row > first; ) {
		row--;
		const start = load<f64>(starts + ((<usize>row) << 3));
		// Times are missing in some formats; then the last holds.
		if (!(time < start)) return row;
	}
	return NO_ROW;
}

/** The site of the line, HOST_FIRST_SITE and up, or HOST_WITHOUT_ROBOTS; 0 when the host has to say. */
function siteOf(): u32 {
	if (onlySite) return onlySite;
	const from = startOf(FIELD_HOST);
	return valueOf(slotOf(hosts, from, <u32>(endOf(FIELD_HOST) - from)));
}

/** Judges the line [line, end); anything but SCAN_DONE keeps it from counting, so that it can be tried again. */
function scanLine(line: usize, end: usize): i32 {
	if (line == end) {
		count(COUNT_BLANK);
		return SCAN_DONE;
	}
	if (load<u8>(line) == HASH && options & OPTION_DIRECTIVES)
		return SCAN_DIRECTIVE;
	noTarget();
	const status = cut(line, end) ? readStatus() : NO_STATUS;
	if (
		status == NO_STATUS ||
		!readTime(
			timeKind,
			startOf(FIELD_TIME),
			endOf(FIELD_TIME),
			startOf(FIELD_DATE),
			endOf(FIELD_DATE),
		)
	) {
		recordUnparsed(line, end);
		return SCAN_DONE;
	}
	if (time < since || time >= until) {
		count(COUNT_OUTSIDE);
		return SCAN_DONE;
	}
	const header = startOf(FIELD_AGENT);
	// Requests of one client come in bursts: half of the headers are those of the line before.
	lastAgent = slotNear(
		agents,
		lastAgent,
		header,
		<u32>(endOf(FIELD_AGENT) - header),
	);
	const agent = valueOf(lastAgent);
	if (agent < <u32>AGENT_FIRST_CLASS) {
		if (agent == <u32>AGENT_PERSON) count(COUNT_PERSON);
		else if (agent == <u32>AGENT_MISSING) count(COUNT_MISSING);
		else if (agent == <u32>AGENT_LEFT_OUT) count(COUNT_LEFT_OUT);
		else return SCAN_NEW_AGENT;
		return SCAN_DONE;
	}
	locateTarget((options & OPTION_ESCAPED) != 0);
	if (options & OPTION_HOST_IN_TARGET) findHost();
	const site = siteOf();
	if (site == 0) return SCAN_NEW_HOST;
	const row =
		site == <u32>HOST_WITHOUT_ROBOTS
			? NO_ROW
			: rowOf(site - <u32>HOST_FIRST_SITE);
	if (row == NO_ROW) {
		count(COUNT_WITHOUT_ROBOTS);
		return SCAN_DONE;
	}
	const agentClass = agent - <u32>AGENT_FIRST_CLASS;
	const program: usize = load<u32>(
		programs + ((<usize>(row * classCapacity + agentClass)) << 2),
	);
	if (!program) {
		pendingClass = agentClass;
		pendingRow = row;
		return SCAN_NO_PROGRAM;
	}
	record(judge(program), agentClass, row, status, line, end);
	return SCAN_DONE;
}

/**
 * Judges lines from `position` on, up to `end`, where a line feed must stand in front of it. Returns a SCAN_ code; with
 * anything but SCAN_DONE, `position` is at the line that is next.
 */
export function scanLog(from: usize, end: usize): i32 {
	position = from;
	recordCount = 0;
	forgetTargets();
	let block = from;
	let feeds = lineFeeds(block);
	while (position < end) {
		// 64 octets at a time: a search of its own for each line end takes three times as long.
		while (!feeds) {
			block += 64;
			feeds = lineFeeds(block);
		}
		const feed = block + <usize>ctz(feeds);
		feeds &= feeds - 1;
		let lineEnd = feed;
		if (lineEnd > position && load<u8>(lineEnd - 1) == 0x0d) lineEnd--;
		if (recordCount == <u32>RECORD_CAPACITY || !hasRoom(feed - position))
			return SCAN_FULL;
		if (!reserveScratch(lineEnd - position)) return SCAN_NO_MEMORY;
		const reason = scanLine(position, lineEnd);
		if (reason != SCAN_DONE) return reason;
		count(COUNT_LINES);
		position = feed + 1;
	}
	return SCAN_DONE;
}
