/**
 * From lines to rules: collects the rules of the groups that apply, with what the dialect adds (`gatherRules`, for index.ts), and reads
 * each pattern into a Rule (`readRule`, for compile.ts). A text in normal form may be longer than in the file: `textSizeOf` bounds what
 * reading writes, and the compiler makes that room beforehand.
 */
import { append, Buffer, clearFor } from "../bytes/memory";
import { storeVarint } from "../bytes/numbers";
import { copyForward, find } from "../bytes/scan";
import {
	COMPILE_EMPTY_INVERTS,
	COMPILE_GOOGLE,
	COMPILE_INDEX_DIRECTORY,
	COMPILE_ROBOTS_TXT,
	NO_SOURCE,
	RULE_ALLOW,
	RULE_ANCHORED,
	RULE_INPUT_SIZE,
	RULE_SUPREME,
	WILD_AFTER_SLASH,
	WILD_ANCHORED,
} from "../format/program";
import { RuleRecord, rules } from "../robots-txt/records";
import {
	copyPlain,
	countedLength,
	IN_QUERY,
	normalise,
	WHOLE,
} from "../url/normalise";
import {
	chooseNeedle,
	clearNeedle,
	KIND_NEVER,
	KIND_PREFIX,
	KIND_PREFIX_END,
	KIND_WILD,
	Rule,
	Wildcard,
} from "./rule";

/** A rule for the compiler: format/program.ts, RULE_INPUT_SIZE. */
@unmanaged
export class RuleInput {
	/** Offset of the pattern in the text. */
	from: u32;
	length: u32;
	/** RULE_ flags. */
	flags: u32;
	/** Number of the rule in the file, or NO_SOURCE. */
	source: u32;
}

/** The rules to compile: RuleInput, one after the other. */
export const inputs = changetype<Buffer>(memory.data(12, 4));

/** Memory could not grow. */
let failed: bool = false;

/** "/robots.txt" */
const ROBOTS_TXT = memory.data<u8>([
	0x2f, 0x72, 0x6f, 0x62, 0x6f, 0x74, 0x73, 0x2e, 0x74, 0x78, 0x74,
]);
const ROBOTS_TXT_LENGTH: u32 = 11;

/** "/index.htm" */
const INDEX_HTM = memory.data<u8>([
	0x2f, 0x69, 0x6e, 0x64, 0x65, 0x78, 0x2e, 0x68, 0x74, 0x6d,
]);
const INDEX_HTM_LENGTH: u32 = 10;
const SLASH: u32 = 0x2f;

/**
 * Collects the rules of groups that count as one, with what the dialect adds to them. `ranges` holds `count` pairs of u32, the first
 * rule of a group and the one after its last; `text` is the file. False when memory cannot grow, or for a pair that names other rules.
 */
export function gatherRules(
	text: usize,
	ranges: usize,
	count: u32,
	flags: u32,
): bool {
	const known = <u32>((rules.end - rules.start) / offsetof<RuleRecord>());
	let total: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const range = ranges + ((<usize>i) << 3);
		const first = load<u32>(range),
			end = load<u32>(range, 4);
		if (first > end || end > known) return false;
		total += end - first;
	}
	clearFor(inputs, <usize>total * RULE_INPUT_SIZE);
	failed = false;
	let emptyAllow: u32 = NO_SOURCE,
		emptyDisallow: u32 = NO_SOURCE;
	for (let range = ranges; range < ranges + ((<usize>count) << 3); range += 8) {
		const end = load<u32>(range, 4);
		for (let index = load<u32>(range); index < end; index++) {
			const rule = changetype<RuleRecord>(
				rules.start + <usize>index * offsetof<RuleRecord>(),
			);
			const length = rule.to - rule.from;
			if (length) {
				const flag: u32 = rule.allow ? RULE_ALLOW : 0;
				const address = inputs.end;
				// Most rules: there is room, so without a call.
				if (inputs.blockEnd - address >= <usize>RULE_INPUT_SIZE) {
					inputs.end = address + RULE_INPUT_SIZE;
					setInput(address, rule.from, length, flag, index);
				} else addInput(rule.from, length, flag, index);
				if (rule.allow && flags & COMPILE_INDEX_DIRECTORY)
					addDirectory(text, rule, index);
			} else if (flags & COMPILE_EMPTY_INVERTS) {
				addInput(rule.from, 0, rule.allow ? 0 : RULE_ALLOW, index);
			} else if (rule.allow) emptyAllow = min(emptyAllow, index);
			else emptyDisallow = min(emptyDisallow, index);
		}
	}
	// For Google's library an empty pattern matches with priority 0, which allows, whatever the rule's type.
	const empty = emptyAllow == NO_SOURCE ? emptyDisallow : emptyAllow;
	if (flags & COMPILE_GOOGLE && empty != NO_SOURCE)
		addInput(0, 0, RULE_ALLOW, empty);
	// RFC 9309 §2.2.2: crawlers may always fetch it.
	if (flags & COMPILE_ROBOTS_TXT && count)
		addInput(
			<u32>(ROBOTS_TXT - text),
			ROBOTS_TXT_LENGTH,
			RULE_ALLOW | RULE_ANCHORED | RULE_SUPREME,
			NO_SOURCE,
		);
	return !failed;
}

/** For Google's library "Allow: /dir/index.html" also allows "/dir/" itself. */
function addDirectory(text: usize, rule: RuleRecord, source: u32): void {
	const from = text + rule.from,
		to = text + rule.to;
	// Google's library looks from the last "/" on, and not at what follows ".htm": "/a/index.htmx" counts as well.
	let slash = to;
	while (slash > from && load<u8>(slash - 1) != SLASH) slash--;
	if (slash-- == from || slash + INDEX_HTM_LENGTH > to) return;
	if (memory.compare(slash, INDEX_HTM, INDEX_HTM_LENGTH)) return;
	addInput(
		rule.from,
		<u32>(slash + 1 - from),
		RULE_ALLOW | RULE_ANCHORED,
		source,
	);
}

/** The failure is noted, not returned: `gatherRules` asks once, at its end. */
function addInput(from: u32, length: u32, flags: u32, source: u32): void {
	const address = append(inputs, RULE_INPUT_SIZE);
	if (!address) {
		failed = true;
		return;
	}
	setInput(address, from, length, flags, source);
}

function setInput(
	address: usize,
	from: u32,
	length: u32,
	flags: u32,
	source: u32,
): void {
	const input = changetype<RuleInput>(address);
	input.from = from;
	input.length = length;
	input.flags = flags;
	input.source = source;
}

/** Reads patterns: from the text of a line to a Rule. */

/** How the rules of a file are read, and how far that is. */
@unmanaged
export class RuleReader {
	/** What the offsets of inputs count from. */
	text: usize;
	google: bool;
	/** "/a*$" is "/a", for precedence too. */
	ignoresStarDollar: bool;
	/** Byte classes of the normal form. */
	table: usize;
	/** Where the next text goes, in normal form. */
	out: usize;
	/** Some text can match a part of an escape: "%C", or "9" after a "*". */
	cutsEscapes: bool;
	/** In the current pattern: a "?" precedes the literal that is read next. */
	inQuery: bool;
	/** In the current pattern: some literal has two forms. */
	twoForms: bool;
}

/** No less than a RuleReader has. */
export const READER_SIZE: i32 = 24;

const STAR: u32 = 0x2a;
const QUESTION_MARK: u32 = 0x3f;
const DOLLAR: u32 = 0x24;
const PERCENT: u32 = 0x25;

/**
 * Bytes that `readRule` may write for patterns of so many bytes, of which `special` are none that `copyPlain` copies: a Wildcard;
 * literals in two forms, in which three bytes may stand for a special one; for each "*" the lengths of both.
 */
export function textSizeOf(patterns: u32, bytes: u64, special: u64): u64 {
	return bytes * 2 + special * 10 + <u64>patterns * (32 + offsetof<Wildcard>());
}

/** Fills in everything but the rank. */
export function readRule(
	rule: Rule,
	input: RuleInput,
	reader: RuleReader,
): void {
	const google = reader.google;
	const start = reader.text + input.from;
	const first: u32 = input.length ? load<u8>(start) : 0;
	const slashOrStar = first == SLASH || first == STAR;
	let end = start + input.length;
	let anchored = (input.flags & RULE_ANCHORED) != 0;
	rule.allow = <u8>(input.flags & RULE_ALLOW);
	rule.source = input.source;
	rule.kind = KIND_NEVER;
	if (input.length && !anchored && load<u8>(end - 1) == DOLLAR) {
		anchored = true;
		end--;
	}
	if (google) {
		// It never matches for Google's library: a path begins with "/". KIND_NEVER stays.
		if (input.length && !slashOrStar) return;
	} else {
		if (reader.ignoresStarDollar && end > start && load<u8>(end - 1) == STAR)
			anchored = false;
		// A trailing "*" is ignored, for precedence too.
		if (!anchored) while (end > start && load<u8>(end - 1) == STAR) end--;
	}
	// The length that decides which rule wins counts what the line has, "$" and every "*" included, in normal form.
	rule.length = anchored ? 1 : 0;
	rule.requiredByte = 0;
	const plainEnd = copyPlain(start, end, reader.out);
	// Most patterns are plain up to their end or their first "*", which `copyPlain` has then found on its way.
	const star =
		plainEnd < end && load<u8>(plainEnd) != STAR
			? find(STAR, plainEnd, end)
			: plainEnd;
	const missing = !google && !slashOrStar;
	readPrefix(rule, start, star, plainEnd == star, missing, reader);
	const wild = star < end;
	// "*$" at the end is no anchor: the star takes what is left.
	if (wild && load<u8>(end - 1) == STAR) anchored = false;
	const literals = wild ? countLiterals(star, end) : 0;
	if (literals) {
		reader.inQuery = find(QUESTION_MARK, start, star) < star;
		readTail(rule, star, end, anchored, literals, reader);
	} else rule.length += <u32>(end - star);
	// No rule of a file can be longer: "/robots.txt" is always allowed.
	if (input.flags & RULE_SUPREME) rule.length = u32.MAX_VALUE;
	// Such a pattern would be tried on every path, so it is looked for by a needle from its literals instead (entries.ts).
	rule.unanchored = literals && rule.prefixLength <= 1;
	const plainKind = anchored && !wild ? KIND_PREFIX_END : KIND_PREFIX;
	rule.kind = literals ? KIND_WILD : plainKind;
}

/**
 * The text up to the first "*"; with a "/" in front if that is `missing`. One that is `plain` is its own normal form, and stays where
 * it is.
 */
function readPrefix(
	rule: Rule,
	from: usize,
	to: usize,
	plain: bool,
	missing: bool,
	reader: RuleReader,
): void {
	let start = from,
		end = to;
	if (!plain || missing) {
		start = end = reader.out;
		if (missing) store<u8>(end++, SLASH);
		end = normalise(reader.table, from, from, to, end, WHOLE);
		reader.out = end;
	}
	rule.prefix = start;
	rule.prefixLength = <u32>(end - start);
	rule.length += plain
		? rule.prefixLength
		: countedLength(reader.table, start, end);
	noteCuts(start, end, false, reader);
}

/** What follows the prefix: `from` is the first "*". */
function readTail(
	rule: Rule,
	from: usize,
	end: usize,
	anchored: bool,
	literals: u32,
	reader: RuleReader,
): void {
	const wildcard = changetype<Wildcard>(reader.out);
	const start = reader.out + offsetof<Wildcard>();
	rule.wildcard = wildcard;
	wildcard.literals = literals;
	wildcard.tail = start;
	const flags =
		(anchored ? WILD_ANCHORED : 0) | (rule.prefixLength ? WILD_AFTER_SLASH : 0);
	store<u8>(start, flags);
	reader.out = storeVarint(start + 1, literals);
	reader.twoForms = false;
	clearNeedle(rule);
	while (from < end) {
		// `from` is a "*".
		rule.length++;
		const literal = from + 1;
		from = find(STAR, literal, end);
		// Several "*" in a row match what one does, but each counts for the length.
		if (literal < from) readLiteral(rule, literal, from, reader);
	}
	// A byte of one form need not be in the other, so that a test for it would refuse paths that match.
	if (reader.twoForms) {
		rule.requiredByte = 0;
		wildcard.laterByte = 0;
	}
	wildcard.tailLength = <u32>(reader.out - start);
}

/** Writes a literal: its length, twice, plus 1 if it has another form in the query; its text; length and text of that form. */
function readLiteral(
	rule: Rule,
	from: usize,
	to: usize,
	reader: RuleReader,
): void {
	const table = reader.table;
	// Room for the length, which is known afterwards.
	const written = reader.out + 5;
	const plain = copyPlain(from, to, written) == to;
	const end = plain
		? written + (to - from)
		: normalise(
				table,
				from,
				from,
				to,
				written,
				reader.inQuery ? IN_QUERY : WHOLE,
			);
	const size = end - written;
	rule.length += plain ? <u32>size : countedLength(table, written, end);
	noteCuts(written, end, true, reader);
	let differs = false;
	let otherSize: usize = 0;
	// A literal after a "*" may match in the path or in the query, whose normal forms differ. It has both unless a "?" of the pattern
	// precedes it, or they are the same.
	if (!reader.inQuery && !plain) {
		otherSize = normalise(table, from, from, to, end, IN_QUERY) - end;
		differs = otherSize != size || memory.compare(end, written, size) != 0;
	}
	if (!reader.inQuery) reader.inQuery = find(QUESTION_MARK, from, to) < to;
	const lengthAndForms = <u32>((size << 1) | (differs ? 1 : 0));
	const literal = storeVarint(reader.out, lengthAndForms);
	// Nearer to the front by at most four bytes, and the query form after it likewise.
	copyForward(written, size + otherSize, literal);
	let out = literal + size;
	let queryLiteral: usize = 0;
	if (differs) {
		reader.twoForms = true;
		memory.copy(out + 5, out, otherSize);
		queryLiteral = storeVarint(out, <u32>otherSize);
		memory.copy(queryLiteral, out + 5, otherSize);
		out = queryLiteral + otherSize;
	}
	reader.out = out;
	chooseNeedle(rule, literal, <u32>size, queryLiteral, <u32>otherSize);
}

/** Number of texts between "*"; if there is none, what is left is a prefix. */
function countLiterals(at: usize, end: usize): u32 {
	let count: u32 = 0;
	while (at < end) {
		const from = at + 1;
		at = find(STAR, from, end);
		if (from != at) count++;
	}
	return count;
}

/** Capital letters only: in normal form escapes have no others. */
function isHexDigit(byte: u32): bool {
	return byte - 0x30 < 10 || byte - 0x41 < 6;
}

/**
 * Notes whether a text may end or begin within an escape of a path ("%C" of "%C3"). Then the program needs the standard's normal form, in
 * which such a byte is an escape, instead of the shorter TABLE_BARE (compile.ts).
 */
function noteCuts(
	from: usize,
	to: usize,
	afterStar: bool,
	reader: RuleReader,
): void {
	if (from == to || reader.cutsEscapes) return;
	const last: u32 = load<u8>(to - 1);
	reader.cutsEscapes =
		last == PERCENT ||
		(to - from > 1 && load<u8>(to - 2) == PERCENT && isHexDigit(last)) ||
		(afterStar && isHexDigit(load<u8>(from)));
}
