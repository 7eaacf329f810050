/**
 * How a crawler chooses its group: which product tokens it goes by, and which user-agent lines of the file that was cut last name it
 * (RFC 9309 §2.2.1). One rule for the hosts in all languages, which call `readAgents` and `chooseLines` (docs/hosting.md, "Choosing
 * groups"). The layout of what is returned stands in format/records.ts.
 */
import { append, Buffer, clear } from "../bytes/memory";
import {
	AGENTS_ALONE,
	AGENTS_ANYWHERE,
	AGENTS_FAMILY,
	AGENTS_FIELDS,
	AGENTS_SPELLED,
	TOKEN_FIELDS,
} from "../format/records";
import { agentLine, agentLines, fileStart } from "../robots-txt/records";
import {
	equalAnyCase,
	isSpace,
	isTokenByte,
	runEnd,
	tokenStart,
	withoutVersion,
} from "../robots-txt/token";
import { OPEN, readSender, senderFrom, senderRow, senderTo } from "./header";
import {
	firstToken,
	flagsOf,
	nextToken,
	openNames,
	rowNamed,
	tokenEnd,
	WITHOUT_GLOBAL,
} from "./names";

/** What was read of the agents. */
@unmanaged
class Agents {
	count: u32;
	obeysGlobal: u32;
	/** Of the first text: its row in the table, -1 for none, and its token. */
	row: i32;
	from: usize;
	to: usize;
}

/** A token as it is spelled, and the part of it that is compared. */
@unmanaged
class Token {
	from: usize;
	to: usize;
	nameFrom: usize;
	nameTo: usize;
}

if (
	offsetof<Agents>() != 4 * AGENTS_FIELDS ||
	offsetof<Token>() != 4 * TOKEN_FIELDS
)
	ERROR("assembly/agents/identity.ts and assembly/format/records.ts differ");

/** Texts that name a crawler: of each a u32, its length, and its bytes. Behind them the copies of headers. */
export const texts = changetype<Buffer>(memory.data(12, 4));
/** Agents, and its tokens. */
const identity = changetype<Buffer>(memory.data(12, 4));
/** A count, and numbers of user-agent lines. */
const chosen = changetype<Buffer>(memory.data(12, 4));

const STAR: u32 = 42;

/** AGENTS_ flags of the agents that were read. */
let flags: u32 = 0;
let failed: bool = false;

/** What a text is: its row or -1, and its token. */
let row: i32 = -1;
let from: usize = 0;
let to: usize = 0;

/**
 * Reads `count` texts, most specific first, as product tokens or User-Agent headers; `agentFlags` are AGENTS_. Returns the address of
 * Agents, which holds until the next ones, or 0 when memory cannot grow, or for texts that go beyond what was placed.
 */
export function readAgents(count: u32, agentFlags: u32): usize {
	flags = agentFlags;
	failed = false;
	clear(identity);
	const end = texts.end;
	const head = append(identity, offsetof<Agents>());
	// Copies of headers have at most as many bytes as the texts.
	const copies = append(texts, end - texts.start + 1);
	const start = texts.start;
	const textsEnd = copies;
	texts.end = copies;
	if (!head || !copies || !openNames()) return 0;
	let obeysGlobal: u32 = 1;
	let firstRow: i32 = -1;
	let firstFrom: usize = 0;
	let firstTo: usize = 0;
	let at = start;
	for (let i: u32 = 0; i < count; i++) {
		if (at + 4 > textsEnd) return 0;
		const size: usize = load<u32>(at);
		at += 4;
		if (size > textsEnd - at) return 0;
		// Each header's copy stays, for its tokens.
		readText(at, at + size, textsEnd + (at - start));
		if (i == 0) {
			firstRow = row;
			firstFrom = from;
			firstTo = to;
			if (row >= 0 && flagsOf(row) & WITHOUT_GLOBAL) obeysGlobal = 0;
		}
		// With the table, Google's library still decides for those that are not in it.
		if (isGiven(firstRow)) addGiven(at, at + size);
		// Two or more names are the caller's own list of what to fall back to; the table adds nothing to a token.
		else if (count > 1 && isToken(at, at + size)) addToken(at, at + size);
		else addTokens();
		at += size;
	}
	if (flags & AGENTS_ALONE) obeysGlobal = 1;
	if (flags & AGENTS_FAMILY && beginsAsYandex()) {
		addFamily();
		obeysGlobal = 1;
	}
	if (failed) return 0;
	const agents = changetype<Agents>(identity.start);
	agents.count = <u32>tokenCount();
	agents.obeysGlobal = obeysGlobal;
	agents.row = firstRow;
	agents.from = firstFrom;
	agents.to = firstTo;
	return identity.start;
}

/** Whether names are compared as Google's library would. */
function isGiven(firstRow: i32): bool {
	return (flags & AGENTS_SPELLED) != 0 && (isTogether() || firstRow < 0);
}

/** The groups of all names count together. */
function isTogether(): bool {
	const both: u32 = AGENTS_SPELLED | AGENTS_ALONE;
	return (flags & both) == both;
}

/** A product token as it is; of other text, who sends it as a header. */
function readText(start: usize, end: usize, copy: usize): void {
	let first = start;
	let last = end;
	while (first < last && isSpace(load<u8>(first))) first++;
	while (first < last && isSpace(load<u8>(last - 1))) last--;
	row = rowNamed(first, last);
	from = start;
	to = end;
	if (row >= 0) return;
	if (isToken(start, end)) {
		// "Googlebot-Image-2" is Googlebot-Image, in what it falls back to as well.
		row = rowNamed(start, withoutVersion(start, end, end));
		return;
	}
	if (!readSender(start, end, copy)) failed = true;
	row = senderRow;
	from = senderFrom;
	to = senderTo;
}

function isToken(start: usize, end: usize): bool {
	return start != end && runEnd(start, end) == end;
}

function tokenCount(): usize {
	return (
		(identity.end - identity.start - offsetof<Agents>()) / offsetof<Token>()
	);
}

function tokenAt(number: usize): Token {
	return changetype<Token>(
		identity.start + offsetof<Agents>() + number * offsetof<Token>(),
	);
}

/** Adds a token, which is compared without what is around its name. */
function addToken(start: usize, end: usize): void {
	if (flags & AGENTS_SPELLED) {
		add(start, end, start, end);
		return;
	}
	const nameFrom = tokenStart(start, end);
	const nameTo = withoutVersion(nameFrom, runEnd(nameFrom, end), end);
	add(start, end, nameFrom, nameTo);
}

function add(start: usize, end: usize, nameFrom: usize, nameTo: usize): void {
	const address = append(identity, offsetof<Token>());
	if (!address) {
		failed = true;
		return;
	}
	const token = changetype<Token>(address);
	token.from = start;
	token.to = end;
	token.nameFrom = nameFrom;
	token.nameTo = nameTo;
}

/** The tokens of the text that was read: those of its row, or its own, and that of its family. */
function addTokens(): void {
	if (row < 0) {
		const start = from;
		const end = to;
		addToken(start, end);
		// Robots of Yandex that the table lacks ("YandexRenderResourcesBot") obey its group, as their siblings do.
		const isAlone = (flags & (AGENTS_FAMILY | AGENTS_ALONE)) != 0;
		if (!isAlone && isOfFamily(start, end)) addFamily();
		return;
	}
	for (let at = firstToken(row); at; at = nextToken(row)) {
		addToken(at, tokenEnd);
		if (flags & AGENTS_ALONE) return;
	}
}

/** "yandex", the name by which the operator's robots go that begin with it. */
const FAMILY = memory.data<u8>([89, 97, 110, 100, 101, 120]);
const FAMILY_SIZE: usize = 6;

/** Whether a token begins with the family's name, and is more than it. */
function isOfFamily(start: usize, end: usize): bool {
	return end - start > FAMILY_SIZE && equalAnyCase(start, FAMILY, FAMILY_SIZE);
}

function beginsAsYandex(): bool {
	for (let i: usize = 0; i < tokenCount(); i++) {
		const token = tokenAt(i);
		if (
			token.to - token.from >= FAMILY_SIZE &&
			equalAnyCase(token.from, FAMILY, FAMILY_SIZE)
		)
			return true;
	}
	return false;
}

function addFamily(): void {
	for (let i: usize = 0; i < tokenCount(); i++) {
		const token = tokenAt(i);
		if (
			token.to - token.from == FAMILY_SIZE &&
			equalAnyCase(token.from, FAMILY, FAMILY_SIZE)
		)
			return;
	}
	addToken(FAMILY, FAMILY + FAMILY_SIZE);
}

/** What Google's library would be given: a token as it is; text with a comment is a header, and stands for its token. */
function addGiven(start: usize, end: usize): void {
	let hasComment = false;
	for (let at = start; at < end; at++)
		if (load<u8>(at) == OPEN) {
			hasComment = true;
			break;
		}
	if (hasComment && row >= 0) {
		const first = firstToken(row);
		add(first, tokenEnd, first, tokenEnd);
	} else if (hasComment && runEnd(from, to) != from) {
		const name = runEnd(from, to);
		add(from, name, from, name);
	} else add(start, end, start, end);
}

/**
 * The user-agent lines of the file that was cut last by which the crawler goes that was read last, in file order: the first of its tokens
 * that has lines decides; with AGENTS_SPELLED and AGENTS_ALONE all of them. Without any, the lines for `*`. Returns the address of their count and their
 * numbers, or 0 when memory cannot grow. Linear for each token: a hostile file may have a million lines.
 */
export function chooseLines(): usize {
	clear(chosen);
	failed = false;
	append(chosen, 4);
	if (isTogether()) {
		addLines(0, tokenCount());
	} else {
		for (let i: usize = 0; i < tokenCount() && isNone(); i++) {
			const isNobody = tokenAt(i).nameFrom == tokenAt(i).nameTo;
			if (!isNobody || flags & AGENTS_SPELLED) addLines(i, i + 1);
		}
	}
	const agents = changetype<Agents>(identity.start);
	if (isNone() && agents.obeysGlobal) addLines(0, 0);
	if (failed || chosen.start == chosen.end) return 0;
	store<u32>(chosen.start, <u32>((chosen.end - chosen.start) >> 2) - 1);
	return chosen.start;
}

function isNone(): bool {
	return chosen.end - chosen.start <= 4;
}

/** Adds the lines that one of the tokens [first, last) names, or, of none, those for all crawlers. */
function addLines(first: usize, last: usize): void {
	const count = agentLines();
	for (let number: u32 = 0; number < count; number++) {
		const line = agentLine(number);
		const value = fileStart() + line.from;
		const end = fileStart() + line.to;
		const isGlobal = isStar(value, end);
		let isWanted = isGlobal;
		if (first != last) {
			isWanted = false;
			for (let i = first; i < last && !isGlobal && !isWanted; i++) {
				const token = tokenAt(i);
				const size = <u32>(token.nameTo - token.nameFrom);
				isWanted =
					flags & AGENTS_ANYWHERE
						? isAnywhere(token.nameFrom, size, value, end)
						: line.tokenEnd - line.tokenFrom == size &&
							equalAnyCase(fileStart() + line.tokenFrom, token.nameFrom, size);
			}
		}
		if (!isWanted) continue;
		const address = append(chosen, 4);
		if (address) store<u32>(address, number);
		else failed = true;
	}
}

/** Whether a value is `*`; as in Google's library, white space and more may follow. */
function isStar(value: usize, end: usize): bool {
	if (value == end || load<u8>(value) != STAR) return false;
	return end - value == 1 || isSpace(load<u8>(value, 1));
}

/** Whether one of the tokens in a value is the name: Yandex looks for its names anywhere in the line. */
function isAnywhere(name: usize, size: usize, value: usize, end: usize): bool {
	for (let at = value; at < end; ) {
		if (!isTokenByte(load<u8>(at))) {
			at++;
			continue;
		}
		const run = runEnd(at, end);
		if (
			withoutVersion(at, run, end) - at == size &&
			equalAnyCase(at, name, size)
		)
			return true;
		at = run;
	}
	return false;
}
