/**
 * Judges lines of one site. Each stretch is processed in several passes whose loops hardly branch: find the paths, list the candidates, run
 * their code. Line by line, where every path may or may not have code, mispredicted branches took a third more time on real paths, a fifth
 * more if most paths have code.
 *
 * index.ts calls `matchLines` and `matchOne`, the audit's module `matchOne`. The program must be verified, its visited set reserved, and
 * scratch reserved for the longest line. Bytes past the lines are read, and one is written if the last line feed is missing.
 */
import { scratch } from "../bytes/memory";
import { GOOGLE_SPECIALS, lacks, URL_SPECIALS } from "../bytes/scan";
import {
	FILTER_SIZE,
	H_ALWAYS,
	H_MAX_UNANCHORED,
	H_ONCE_ONLY,
	H_TABLE,
	H_UNANCHORED,
	HEADER_SIZE,
	JUMP_SHORT,
	MATCH_INVALID,
	TABLE_ESCAPED,
	TABLE_NONE,
	VERDICT_INVALID,
} from "../format/program";
import {
	candidatePositions,
	indexLines,
	indexPositions,
	isLong,
	lineEnds,
	LONGEST_LIST,
	positionCount,
	STRETCH,
} from "../url/lines";
import { locate } from "../url/url";
import {
	Candidate,
	closeSpans,
	copySlowResults,
	dropSpecial,
	isAllow,
	listKey,
	listShort,
	PathSpan,
	plainPath,
	readPaths,
	readSlowPaths,
	setCandidate,
	setSpan,
	shortSet,
	slotShift,
	slowSpans,
	slowSpansSize,
	SPAN_SIZE,
	spans,
	spansEnd,
} from "./path-spans";
import { isSettled, leavePath, runCandidates } from "./run";

const LF: u32 = 0x0a;

/** Candidates, at most two for every byte of a stretch: one for a key and one for a short entry. */
const candidates: usize = memory.data((LONGEST_LIST * 2 + 1) * 12);

function isGoogle(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_NONE;
}

/** The prefilter of a program, 0 without unanchored patterns. */
function filterOf(program: usize): usize {
	const offset = load<u32>(program, H_UNANCHORED);
	return offset ? program + offset : 0;
}

/** Whether URLs are compared in the standard's escaped form. */
function usesEscapedForm(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_ESCAPED;
}

/**
 * Matches one text like a line that may hold line ends. The encoded rank of the deciding rule, 0 if there is none,
 * MATCH_INVALID if the text is not a URL.
 */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	const google = isGoogle(program);
	const end = start + length;
	store<u8>(end, LF);
	const plain =
		!usesEscapedForm(program) &&
		lacks(google ? GOOGLE_SPECIALS : URL_SPECIALS, start, end);
	const path = plain ? plainPath(start, end, google) : 0;
	if (path) return matchPath(program, path, end);
	const pathEnd = locate(program, start, end, scratch);
	return pathEnd ? matchPath(program, scratch, pathEnd) : MATCH_INVALID;
}

/** The encoded rank of the best rule for the path [start, end), 0 when none matches; for what it must be like see `run` in run.ts. */
function matchPath(program: usize, start: usize, end: usize): u32 {
	const last = spans + SPAN_SIZE;
	setSpan(spans, start, end);
	closeSpans(last);
	matchPrefixes(program, spans, last);
	matchUnanchoredIn(program, spans, start, end);
	leavePath(program);
	return changetype<PathSpan>(spans).best;
}

/**
 * Judges the lines of [start, start + length) and writes a verdict byte for each at `to`; returns their number.
 * LF or CRLF ends a line, the last one may lack it.
 */
export function matchLines(
	program: usize,
	start: usize,
	length: usize,
	to: usize,
): u32 {
	if (length == 0) return 0;
	const google = isGoogle(program);
	const escaped = usesEscapedForm(program);
	const filter = filterOf(program);
	const always = load<u32>(program, H_ALWAYS);
	const table = program + HEADER_SIZE;
	const first = to;
	let end = start + length;
	if (load<u8>(end - 1) != LF) store<u8>(end++, LF);
	for (let from = start; from < end; ) {
		const lineCount = indexLines(from, end, google, escaped, filter);
		const last = spansEnd(lineCount);
		const listed = readPaths(from, last, google, always, table, candidates);
		// What was listed for the lines that are dropped here still runs: `copySlowResults` overwrites what comes of it.
		dropSpecial(last);
		runPrefixes(program, spans, last, listed);
		if (filter && isLong(from)) {
			const long = changetype<PathSpan>(spans);
			matchUnanchoredIn(program, spans, long.path, long.end);
		} else if (filter) {
			if (mayRepeat(program, lineCount)) dropSeen(spans, 0);
			matchUnanchored(program, filter, spans);
		}
		leavePath(program);
		if (slowSpansSize()) matchSlowLines(program, from);
		to = writeVerdicts(last, to);
		from = <usize>load<u32>(lineEnds() + ((<usize>lineCount - 1) << 2)) + 1;
	}
	return <u32>(to - first);
}

/**
 * Matches the lines on the slow path, once their paths are in normal form. Matching each as soon as it was in normal form took 5%
 * more, with all lines searched for literals twice.
 */
function matchSlowLines(program: usize, start: usize): void {
	const end = readSlowPaths(program, start);
	matchPrefixes(program, slowSpans, slowSpans + slowSpansSize());
	matchUnanchoredIn(program, slowSpans, scratch, end);
	leavePath(program);
	copySlowResults();
}

/** Runs the prefix code. The results of spans without a path are not used. */
function matchPrefixes(program: usize, first: usize, last: usize): void {
	const table = program + HEADER_SIZE;
	const shift = slotShift(table);
	const always = load<u32>(program, H_ALWAYS);
	let end = candidates;
	for (let span = first; span < last; span += SPAN_SIZE) {
		const path: usize = changetype<PathSpan>(span).path;
		changetype<PathSpan>(span).best = always;
		end = path ? listKey(table, shift, span, path + 1, end) : end;
	}
	runPrefixes(program, first, last, end);
}

/** Runs the code of the candidates for keys, which end at `end`, and that for short entries. */
function runPrefixes(
	program: usize,
	first: usize,
	last: usize,
	end: usize,
): void {
	const table = program + HEADER_SIZE;
	const short = load<u32>(table, JUMP_SHORT);
	if (short) {
		const set = shortSet(table);
		for (let span = first; span < last; span += SPAN_SIZE) {
			const path: usize = changetype<PathSpan>(span).path;
			end = path ? listShort(set, short, span, path + 1, end) : end;
		}
	}
	runCandidates(program, candidates, end);
}

/** Runs the code of unanchored patterns for paths in [from, to), whose spans are contiguous. */
function matchUnanchoredIn(
	program: usize,
	span: usize,
	from: usize,
	to: usize,
): void {
	const filter = filterOf(program);
	if (!filter) return;
	/** The span of the path that `seen` is about. */
	let seenIn: usize = 0;
	for (; from < to; from += STRETCH) {
		const end = min(from + STRETCH, to);
		const isWithin = <usize>changetype<PathSpan>(span).end >= end;
		// A stretch may hold several short paths or a part of a long one: only of one path alone can it be said that nothing is left to find.
		if (isWithin && isSettled(program, span)) continue;
		indexPositions(from, end, filter);
		if (isWithin && mayRepeat(program, 1)) {
			dropSeen(span, seenIn);
			seenIn = span;
		}
		span = matchUnanchored(program, filter, span);
	}
}

/**
 * Windows of a path where code has been run. Needles of a ONCE-only program have at most eight bytes, so the second time on a path
 * the same eight bytes change nothing. A path made to cost time repeats itself ("aaa…" has one window), and so do lists of parameters.
 */
const SEEN_SIZE: i32 = 8 * 256;
const seen: usize = memory.data(8 * 256);
/** Positions of a path from which on it pays to look for those that repeat others: few paths of real sites have as many. */
const MANY: u32 = 8;

/** Whether the listed positions are many for so many paths, and may repeat each other. */
function mayRepeat(program: usize, paths: u32): bool {
	return positionCount() > paths * MANY && load<u8>(program, H_ONCE_ONLY) != 0;
}

/**
 * Leaves out listed positions, from a span on, whose window was met before in their path; `seen` is about that of span `seenIn`. No window
 * begins with LF, which `seen` is filled with.
 */
function dropSeen(span: usize, seenIn: usize): void {
	let to = candidatePositions();
	let path: usize = changetype<PathSpan>(span).path;
	let end: usize = span == seenIn ? changetype<PathSpan>(span).end : 0;
	for (let list = to; load<u32>(list) != u32.MAX_VALUE; list += 4) {
		const at: usize = load<u32>(list);
		if (at >= end) {
			while (<usize>changetype<PathSpan>(span).end <= at) span += SPAN_SIZE;
			path = changetype<PathSpan>(span).path;
			end = changetype<PathSpan>(span).end;
			memory.fill(seen, <u8>LF, SEEN_SIZE);
		}
		// In the origin in front of a path no code is run.
		if (at < path) continue;
		const window = load<u64>(at);
		const known = seen + ((<usize>((window * 0x9e3779b97f4a7c15) >> 56)) << 3);
		const isNew = load<u64>(known) != window;
		store<u64>(known, window);
		store<u32>(to, <u32>at);
		to += (<usize>isNew) << 2;
	}
	store<u32>(to, u32.MAX_VALUE);
}

/** Runs the code of unanchored patterns at the listed positions that lie in paths, from a span on; returns the last one's span. */
function matchUnanchored(program: usize, filter: usize, span: usize): usize {
	const table = filter + FILTER_SIZE;
	const shift = slotShift(table);
	const short = load<u32>(table, JUMP_SHORT);
	const set = shortSet(table);
	let end = candidates;
	for (
		let list = candidatePositions();
		load<u32>(list) != u32.MAX_VALUE;
		list += 4
	) {
		const at: usize = load<u32>(list);
		end = listKey(table, shift, 0, at, end);
		if (short) end = listShort(set, short, 0, at, end);
	}
	// Keeps those in paths that can still improve, with their spans.
	const maxUnanchored = load<u32>(program, H_MAX_UNANCHORED);
	let last = candidates;
	for (let next = candidates; next < end; next += offsetof<Candidate>()) {
		const candidate = changetype<Candidate>(next);
		const at: usize = candidate.at;
		while (<usize>changetype<PathSpan>(span).end <= at) span += SPAN_SIZE;
		// Without a branch: written in any case, and kept if `last` moves.
		const wanted =
			usize(<usize>changetype<PathSpan>(span).path <= at) &
			usize(changetype<PathSpan>(span).best < maxUnanchored);
		setCandidate(last, span, candidate.code, at);
		last += wanted * offsetof<Candidate>();
	}
	runCandidates(program, candidates, last);
	return span;
}

/** Writes the verdicts of the spans up to `last` at `to` and returns their end. */
function writeVerdicts(last: usize, to: usize): usize {
	for (let span = spans; span < last; span += SPAN_SIZE) {
		const best = changetype<PathSpan>(span).best;
		store<u8>(to++, best == MATCH_INVALID ? VERDICT_INVALID : isAllow(best));
	}
	return to;
}
