/**
 * The scan: judges the lines of an access log, which cut-lines.ts cuts into fields. It finds a line's class by the User-Agent header, the
 * version of robots.txt by host and time, and runs the program of both over the target. Lines of people only cost the fields and a look-up.
 * Anything new (a header that headers.ts does not know, a host, a pair without a program) is left to the host, which answers and calls again. Invariant: a line counts
 * when it has been judged, so that a line at which the scan stopped can be tried again.
 */
import { matchOne } from "../../../assembly/match/batch";
import {
	BLANK,
	cutBatch,
	cutForeign,
	CutLine,
	DIRECTIVE,
	FOREIGN,
	forgetCandidates,
	forgetLines,
	hasOption,
	nextLine,
	ODD,
	passLine,
	REQUEST,
	UNPARSED,
} from "./cut-lines";
import {
	addEntry,
	forgetEntries,
	forgetPaths,
	hasRoomForEntry,
	preparePaths,
} from "./entries";
import { endOf, readBytes, startOf } from "./fields";
import { forgetShapes, prepareHeaders, setShape, valueOfNew } from "./headers";
import {
	findHost,
	forgetTargets,
	hasRoom,
	isRobotsTxt,
	locateTarget,
	noTarget,
	prepareTargets,
	splitHost,
	target,
	trimBucket,
} from "./target";
import {
	candidate,
	enter,
	forget,
	hashOf,
	Interner,
	lookUp,
	open,
} from "./interner";
import {
	AGENT_FIRST_CLASS,
	COUNT_BLANK,
	COUNT_AGENTS,
	COUNT_LINES,
	COUNT_OUTSIDE,
	COUNT_PERSON,
	COUNT_UNPARSED,
	COUNT_WITHOUT_ROBOTS,
	COUNTERS,
	FIELD_AGENT,
	FIELD_HOST,
	HOST_FIRST_SITE,
	HOST_WITHOUT_ROBOTS,
	OPTION_BUCKET,
	OPTION_ESCAPED,
	OPTION_HOST_IN_TARGET,
	OPTION_SCHEMELESS,
	OPTION_TRANSCODED,
	OUTCOME_AGENTS,
	OUTCOME_INVALID,
	OUTCOME_OUTSIDE,
	OUTCOME_PERSON,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
	OUTCOME_WITHOUT_ROBOTS,
	SCAN_DIRECTIVE,
	SCAN_DONE,
	SCAN_FULL,
	SCAN_NEW_AGENT,
	SCAN_NEW_HOST,
	SCAN_NO_MEMORY,
	SCAN_NO_PROGRAM,
	SCAN_ODD,
	SCAN_TRANSCODE,
	SPAN_SIZE,
} from "./format";
import { Site, Span } from "./layout";
import {
	enterProgram,
	forgetPrograms,
	numberOf,
	pairOf,
	programOf,
} from "./program-table";
import { reserveScratch } from "../../../assembly/bytes/memory";

/** How many more unparsed lines get an entry; see `beginSegment`. */
let unparsedShown: u32 = 0;

/** Whether lines that are not judged also get entries. */
let listsAll: bool = false;

/** Whether the bytes of all responses are added up. */
let sumsBytes: bool = false;

/** Whether class 0 is that of people, whose requests are judged and get entries, but count as people's. */
let judgesPeople: bool = false;

/** The host's tables: sites, and start times of the versions of robots.txt. */
let sites: usize = 0;
let versionStarts: usize = 0;
/** The site of all lines (as HOST_), for formats without a host; 0 if the host of each line decides. */
let onlySite: u32 = 0;

const agents = changetype<Interner>(memory.data(offsetof<Interner>()));
const hosts = changetype<Interner>(memory.data(offsetof<Interner>()));
const counterList: usize = memory.data(COUNTERS * 4);
const spanOfLines = changetype<Span>(memory.data(SPAN_SIZE, 8));
/** Where the next line begins. */
let nextStart: usize = 0;
/** Class and version that lack a program. */
let classAtHand: u32 = 0;
let versionAtHand: u32 = 0;

const AGENT_BITS: u32 = 17;
const AGENT_ROOM: usize = 12 << 20;
const HOST_BITS: u32 = 14;
const HOST_ROOM: usize = 2 << 20;

const LF: u32 = 0x0a;

/** Allocates the tables; false if there is no memory. */
export function prepare(): bool {
	return (
		prepareTargets() &&
		forgetPrograms() &&
		open(agents, AGENT_BITS, AGENT_ROOM) &&
		open(hosts, HOST_BITS, HOST_ROOM) &&
		prepareHeaders() &&
		preparePaths()
	);
}

/** Sets the tables of sites and of start times (f64), and the site of all lines or 0. */
export function useSites(
	siteTable: usize,
	startTimes: usize,
	single: u32,
): void {
	sites = siteTable;
	versionStarts = startTimes;
	onlySite = single;
}

/** Whether all lines except blank ones get entries, or only judged ones. */
export function useEntries(all: bool): void {
	listsAll = all;
}

/** Whether the bytes of all responses are added up. */
export function useBytes(all: bool): void {
	sumsBytes = all;
}

/** Whether class 0 is that of people. */
export function usePeople(judged: bool): void {
	judgesPeople = judged;
}

/** Clears the counters. The next `unparsed` lines that cannot be parsed get an entry. */
export function beginSegment(unparsed: u32): void {
	forgetPaths();
	memory.fill(counterList, 0, COUNTERS * 4);
	spanOfLines.first = Infinity;
	spanOfLines.last = -Infinity;
	spanOfLines.bytes = 0;
	unparsedShown = unparsed;
	forgetLines();
}

/** Counts one line in a counter (COUNT_). */
function count(counter: u32): void {
	const at = counterList + ((<usize>counter) << 2);
	store<u32>(at, load<u32>(at) + 1);
}

/** Lines counted in the segment. */
function lines(): u32 {
	return load<u32>(counterList, COUNT_LINES * 4);
}

/** Enters a header. A table that is full is emptied: the headers of the log will come again. */
function enterAgent(from: usize, length: u32, value: u32): void {
	if (enter(agents, from, length, value)) return;
	forget(agents);
	forgetCandidates();
	// It has room for the longest line.
	enter(agents, from, length, value);
}

/** Gives the header in FIELD_AGENT a class; and to all that differ from it in digits of versions only, with `byShape`. */
export function setAgent(value: u32, byShape: bool): void {
	const from = startOf(FIELD_AGENT);
	const end = endOf(FIELD_AGENT);
	enterAgent(from, <u32>(end - from), value);
	if (byShape) setShape(from, end, value);
}

/** Gives the host in FIELD_HOST a site; false when the table is full. */
export function setHost(value: u32): bool {
	const from = startOf(FIELD_HOST);
	return enter(hosts, from, <u32>(endOf(FIELD_HOST) - from), value);
}

/** Gives the line that SCAN_TRANSCODE stopped at its text in the format; an empty one is a blank line. */
export function setLine(from: usize, end: usize): void {
	cutForeign(agents, from, end);
}

/** Forgets all headers: the host's classes or the format have changed. */
export function forgetAgents(): void {
	forget(agents);
	forgetShapes();
	forgetCandidates();
}

/** Empties the table of hosts, which is full. */
export function forgetHosts(): void {
	forget(hosts);
}

/** COUNTERS u32. */
export function counters(): usize {
	return counterList;
}

/** The times of the first and the last line of the period, and the bytes of all responses: three f64. */
export function span(): usize {
	return changetype<usize>(spanOfLines);
}

/** Where the next line begins. */
export function position(): usize {
	return nextStart;
}

/** After SCAN_NO_PROGRAM: the crawler's class, and the version of robots.txt. */
export function pendingClass(): u32 {
	return classAtHand;
}

export function pendingVersion(): u32 {
	return versionAtHand;
}

/** Gives the pending class a program for the pending version; false if there is no memory. */
export function setProgram(program: usize): bool {
	return enterProgram(classAtHand, versionAtHand, program);
}

/** Skips the directive at `position`, which counts as a blank line. */
export function skipDirective(): void {
	while (load<u8>(nextStart) != LF) nextStart++;
	nextStart++;
	forgetLines();
	count(COUNT_BLANK);
	count(COUNT_LINES);
}

/** The outcome of a program for the target. Running it overwrites the two bytes after the target, which may be the next line's: they are restored. */
function judge(program: usize): i32 {
	const start = target.start,
		end = target.end;
	if (start >= end) return OUTCOME_INVALID;
	if (isRobotsTxt()) return OUTCOME_ROBOTS_TXT;
	const bytes = load<u16>(end);
	const outcome = <i32>matchOne(program, start, end - start);
	store<u16>(end, bytes);
	return outcome;
}

/** Finds the target of a line, and its host if that depends on the target. */
function findTarget(line: CutLine): void {
	locateTarget(hasOption(OPTION_ESCAPED), line.isRootless);
	if (hasOption(OPTION_HOST_IN_TARGET)) findHost();
	if (hasOption(OPTION_SCHEMELESS)) splitHost();
	if (hasOption(OPTION_BUCKET)) trimBucket();
}

/** Adds an entry of a line that is not judged, if these are wanted. */
function addUnjudged(outcome: i32, line: CutLine): void {
	if (!listsAll) return;
	findTarget(line);
	addEntry(outcome, 0, line, lines());
}

/** Counts a line that could not be parsed; the first ones get entries, whose text the host keeps. */
function addUnparsed(line: CutLine): void {
	count(COUNT_UNPARSED);
	if (unparsedShown) unparsedShown--;
	else if (!listsAll) return;
	addEntry(OUTCOME_UNPARSED, 0, line, lines());
}

const NO_VERSION: u32 = u32.MAX_VALUE;

/** The version of a site's robots.txt that governs a time: the last one that has begun, NO_VERSION before the first. */
function versionOf(site: u32, time: f64): u32 {
	const entry = changetype<Site>(sites + <usize>site * offsetof<Site>());
	const first = entry.firstVersion;
	for (let version = first + entry.versions; version > first; ) {
		version--;
		const start = load<f64>(versionStarts + ((<usize>version) << 3));
		// The comparison is false for NaN: without times the last version applies.
		if (!(time < start)) return version;
	}
	return NO_VERSION;
}

/** The site of the line: HOST_FIRST_SITE and up, HOST_WITHOUT_ROBOTS, or 0 if the host has to say. */
function siteOf(): u32 {
	if (onlySite) return onlySite;
	const from = startOf(FIELD_HOST);
	const length = <u32>(endOf(FIELD_HOST) - from);
	const hash = hashOf(from, length);
	return lookUp(hosts, candidate(hosts, hash), hash, from, length);
}

/** Most bytes of a line's target; the host may make up to three bytes of one. */
function longestTarget(line: CutLine): usize {
	const length = line.end - line.start;
	return hasOption(OPTION_TRANSCODED) ? 3 * length + 16 : length;
}

/** Judges a line that was cut; anything but SCAN_DONE keeps it from counting, so that it can be tried again. */
function judgeLine(line: CutLine): i32 {
	// An entry of a line without a request has no target.
	noTarget();
	if (line.kind != REQUEST) {
		if (line.kind == DIRECTIVE) return SCAN_DIRECTIVE;
		if (line.kind == FOREIGN) return SCAN_TRANSCODE;
		if (line.kind == ODD) return SCAN_ODD;
		if (line.kind == UNPARSED) addUnparsed(line);
		else if (line.kind == BLANK) count(COUNT_BLANK);
		else {
			count(COUNT_OUTSIDE);
			addUnjudged(OUTCOME_OUTSIDE, line);
		}
		return SCAN_DONE;
	}
	const time = line.time;
	if (time < spanOfLines.first) spanOfLines.first = time;
	if (time > spanOfLines.last) spanOfLines.last = time;
	const header = startOf(FIELD_AGENT);
	const headerEnd = endOf(FIELD_AGENT);
	const length = <u32>(headerEnd - header);
	let agent = lookUp(agents, line.entry, line.hash, header, length);
	if (!agent) {
		agent = valueOfNew(header, headerEnd);
		if (!agent) return SCAN_NEW_AGENT;
		enterAgent(header, length, agent);
	}
	if (agent < <u32>AGENT_FIRST_CLASS) {
		count(COUNT_AGENTS + agent);
		if (sumsBytes) spanOfLines.bytes += readBytes();
		addUnjudged(OUTCOME_AGENTS - <i32>agent, line);
		return SCAN_DONE;
	}
	// From here on the line is a crawler's, or a person's whose requests are judged. The matcher may need scratch memory for escapes.
	if (!reserveScratch(longestTarget(line))) return SCAN_NO_MEMORY;
	findTarget(line);
	const agentClass = agent - <u32>AGENT_FIRST_CLASS;
	const isPerson = judgesPeople && agentClass == 0;
	const site = siteOf();
	if (site == 0) return SCAN_NEW_HOST;
	const version =
		site == <u32>HOST_WITHOUT_ROBOTS
			? NO_VERSION
			: versionOf(site - <u32>HOST_FIRST_SITE, line.time);
	if (version == NO_VERSION) {
		count(isPerson ? COUNT_PERSON : COUNT_WITHOUT_ROBOTS);
		if (sumsBytes) spanOfLines.bytes += readBytes();
		if (listsAll)
			addEntry(
				isPerson ? OUTCOME_PERSON : OUTCOME_WITHOUT_ROBOTS,
				agentClass,
				line,
				lines(),
			);
		return SCAN_DONE;
	}
	const pair = pairOf(agentClass, version);
	if (!pair) {
		classAtHand = agentClass;
		versionAtHand = version;
		return SCAN_NO_PROGRAM;
	}
	if (isPerson) count(COUNT_PERSON);
	if (sumsBytes) spanOfLines.bytes += readBytes();
	addEntry(judge(programOf(pair)), numberOf(pair), line, lines());
	return SCAN_DONE;
}

/**
 * Judges the lines in [from, end), which must end with a line feed. Returns a SCAN_ code; unless it is SCAN_DONE, the host answers and
 * calls again with `position`, the start of the line that is next.
 */
export function scanLog(from: usize, end: usize): i32 {
	forgetEntries();
	forgetTargets();
	nextStart = from;
	while (true) {
		for (let at = nextLine(); at; at = nextLine()) {
			const line = changetype<CutLine>(at);
			if (!hasRoomForEntry() || !hasRoom(longestTarget(line))) return SCAN_FULL;
			const reason = judgeLine(line);
			// Neither counted nor passed: the host answers, and the same line comes again.
			if (reason != SCAN_DONE) return reason;
			count(COUNT_LINES);
			nextStart = line.next;
			passLine();
		}
		if (nextStart >= end) return SCAN_DONE;
		cutBatch(agents, nextStart, end);
	}
}
