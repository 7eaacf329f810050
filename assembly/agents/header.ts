/**
 * Who sends a User-Agent header, by the header's structure (RFC 9110 §10.1.5): a known crawler, or what else names itself. identity.ts calls
 * `readSender`. Headers come from strangers: one pass, linear in their length (test/long-headers.test.ts).
 */
import { append, Buffer, clear } from "../bytes/memory";
import {
	equalAnyCase,
	isLetter,
	isSpace,
	lowerCase,
	runEnd,
	SLASH,
	SPACE,
	tokenStart,
	withoutVersion,
} from "../robots-txt/token";
import { foundFrom, foundTo, rowIn } from "./names";

export const OPEN: u32 = 40;
const CLOSE: u32 = 41;
const PLUS: u32 = 43;
const COMMA: u32 = 44;
const HYPHEN: u32 = 45;
const COLON: u32 = 58;
const SEMICOLON: u32 = 59;
const AT: u32 = 64;
const BACKSLASH: u32 = 92;

/**
 * A stretch of a header between parentheses, semicolons and commas. The product is what a header says first; comments say what it runs
 * on, and sometimes what it is.
 */
@unmanaged
class Phrase {
	/** Its words with a space between two, without addresses and without what follows "like". */
	from: usize;
	to: usize;
	/** Of the parentheses around it; 0 for products. */
	depth: u32;
	/** Number of the "compatible;" that it follows, 0 for none. */
	compatible: u32;
	/** It holds a web or mail address. */
	hasAddress: bool;
}

const phrases = changetype<Buffer>(memory.data(12, 4));
/** Where the words of phrases go. */
let clean: usize = 0;

/** No depth is that deep. */
const NONE: u32 = u32.MAX_VALUE;
let depth: u32 = 0;
/** Depth at which "like" was read, as long as it counts. */
let likeDepth: u32 = NONE;
let compatibles: u32 = 0;
/** Depth at which "compatible" was read, as long as it counts. */
let compatibleDepth: u32 = NONE;
/** The phrase that is being read. */
let open: Phrase | null = null;
let failed: bool = false;

/** Who sends the header: the row of a known crawler or -1, and its token, empty if there is none. */
export let senderRow: i32 = -1;
export let senderFrom: usize = 0;
export let senderTo: usize = 0;

/** Words stand in lower case, each with a space behind it; a list ends with a dot. */
type Words = string;

/** Of comments that tell a system, a language or a state: a phrase that begins so is about the machine, whatever follows. */
const PLATFORM_STARTS: Words =
	"windows win32 win64 win9 winnt wow64 linux x11 macintosh mac_ intel ppc android iphone ipad ipod cpu cros rv: .";
const PLATFORM_WORDS: Words = "mac u i n .";
/** Those that call themselves "compatible" are no crawlers: MSIE and Mozilla say it about themselves. */
const COMPATIBLE_BROWSERS: Words = "msie mozilla .";
/** Products of browsers, which may stand in front of a crawler's comment. */
const BROWSERS: Words =
	"mozilla applewebkit khtml gecko chrome chromium headlesschrome safari mobile version firefox edg edge edga edgios opr opera trident presto samsungbrowser ubuntu .";
/** What robots call themselves. A word is a robot's if it ends with one of these, not if it only contains them. */
const ROBOTS: Words = "bot crawler spider fetcher scraper archiver .";
/** CUBOT makes telephones. */
const TELEPHONES: Words = "cubot .";
const COMPATIBLE: Words = "compatible .";
const LIKE: Words = "like .";
const WITH: Words = "with .";
const MOZILLA: Words = "mozilla .";
const HTTP: Words = "http:// https:// .";
const WWW: Words = "www. +www. .";

/**
 * Length of the first word of a list that [from, to) begins with, in any case, or, when `whole`, is; 0 for none. The lists are constants,
 * two bytes a character; the character in front of the end is a space.
 */
function wordOf(list: Words, from: usize, to: usize, whole: bool): usize {
	let word = changetype<usize>(list);
	const end = word + ((<usize>list.length) << 1) - 2;
	while (word < end) {
		let at = from;
		while (
			at < to &&
			load<u16>(word) != SPACE &&
			lowerCase(load<u8>(at)) == load<u16>(word)
		) {
			at++;
			word += 2;
		}
		if (load<u16>(word) == SPACE && (!whole || at == to)) return at - from;
		while (load<u16>(word) != SPACE) word += 2;
		word += 2;
	}
	return 0;
}

/**
 * Reads the header [from, to) and says who sends it, in `senderRow` and the others; tokens lie in the header's copy at `copy`, which needs a
 * byte more than the header. False when memory cannot grow.
 *
 * A known crawler as the first product, what "compatible;" introduces in any place, the first product, or, as "Mozilla" says nothing, what
 * looks like a robot among products and then in comments. Structure decides before lists: whatever a header calls itself, its first product
 * is who it is.
 */
export function readSender(from: usize, to: usize, copy: usize): bool {
	clear(phrases);
	clean = copy;
	depth = 0;
	likeDepth = compatibleDepth = NONE;
	compatibles = 0;
	open = null;
	failed = false;
	split(from, to);
	if (failed) return false;
	findSender();
	// A name with a version behind "-" goes on in the header, not in its token.
	if (senderRow < 0) senderRow = rowIn(senderFrom, senderTo);
	return true;
}

/**
 * Splits a header into products and comments (RFC 9110 §10.1.5 and §5.6.5) in one pass. Comments nest to any depth, a backslash makes the
 * next character an ordinary one, and a closing parenthesis may be missing.
 */
function split(from: usize, to: usize): void {
	let start = from;
	let isUrl = false;
	for (let at = from; at < to; at++) {
		const byte: u32 = load<u8>(at);
		if (byte == BACKSLASH) at++;
		else if (byte == COLON) {
			// Only "://" makes a colon the beginning of an address; "rv:11" is one word.
			if (at + 2 < to && load<u8>(at, 1) == SLASH && load<u8>(at, 2) == SLASH) {
				isUrl = true;
				at += 2;
			}
		} else {
			const isBlank = isSpace(byte);
			const isSeparator = byte == OPEN || byte == CLOSE || byte == SEMICOLON;
			// A comma within an address belongs to it.
			if (!isBlank && !isSeparator && !(byte == COMMA && !isUrl)) continue;
			if (at > start) addWord(start, at);
			if (!isBlank) separate(byte);
			start = at + 1;
			isUrl = false;
		}
	}
	if (start < to) addWord(start, to);
	separate(SEMICOLON);
}

/** Takes a parenthesis, a semicolon or a comma. */
function separate(byte: u32): void {
	if (byte == SEMICOLON || byte == COMMA) readCompatible();
	// In a comment, what follows "like" may have a comment of its own. A comment within a comparison is part of the comparison.
	const ends = byte != OPEN || depth == 0;
	if (ends && depth == likeDepth) likeDepth = NONE;
	if (byte == OPEN) depth++;
	if (byte == CLOSE && depth > 0) depth--;
	if (depth < compatibleDepth) compatibleDepth = NONE;
	open = null;
}

function addWord(from: usize, to: usize): void {
	if (depth >= likeDepth) {
		// Of products, "like" leaves out the next one only.
		if (depth == 0) likeDepth = NONE;
		return;
	}
	let phrase = open;
	// "(compatible AcmeBot/1.0)", but not "(compatible with AcmeBot)".
	if (phrase && hasOneWord(phrase) && readCompatible()) {
		phrase = open = null;
		if (wordOf(WITH, from, to, true)) {
			compatibleDepth = NONE;
			likeDepth = depth;
			return;
		}
	}
	// Phrases are opened by their first word, so that empty ones do not exist.
	if (!phrase) phrase = openPhrase();
	if (!phrase) return;
	const isEmpty = phrase.to == phrase.from;
	let start = phrase.to;
	if (!isEmpty) store<u8>(start++, SPACE);
	let end = start;
	for (; from < to; from++) {
		if (load<u8>(from) == BACKSLASH && from + 1 < to) from++;
		store<u8>(end++, load<u8>(from));
	}
	// What a header begins with is a product even if it looks like an address ("www.example.com").
	const isFirst =
		isEmpty && depth == 0 && changetype<usize>(phrase) == phrases.start;
	const address = addressIn(start, end, isFirst);
	if (address) {
		phrase.hasAddress = true;
		end = address;
		if (end > start && load<u8>(end - 1) == PLUS) end--;
	}
	if (wordOf(LIKE, start, end, true)) likeDepth = depth;
	else if (end > start) {
		phrase.to = end;
		clean = end;
	}
}

/** Where an address begins in a word, 0 without; in the first word of a header only a web address is one. */
function addressIn(from: usize, to: usize, isFirst: bool): usize {
	if (!isFirst) {
		if (wordOf(WWW, from, to, false)) return from;
		for (let at = from; at < to; at++) if (load<u8>(at) == AT) return from;
	}
	for (let at = from; at + 6 < to; at++)
		if ((load<u8>(at) | 32) == 104 && wordOf(HTTP, at, to, false)) return at;
	return 0;
}

function hasOneWord(phrase: Phrase): bool {
	return (
		phrase.from != phrase.to && wordEnd(phrase.from, phrase.to) == phrase.to
	);
}

/** Whether the word read last is "compatible", perhaps in quotes, which then counts from here on. */
function readCompatible(): bool {
	const phrase = open;
	if (!phrase) return false;
	let from = phrase.to;
	while (from > phrase.from && load<u8>(from - 1) != SPACE) from--;
	let at = from;
	// Quotes and plus signs.
	while (at < phrase.to) {
		const byte: u32 = load<u8>(at);
		if (byte != 34 && byte != 39 && byte != PLUS) break;
		at++;
	}
	let to = phrase.to;
	if (to > at && load<u8>(to - 1) == COLON) to--;
	if (!wordOf(COMPATIBLE, at, to, true)) return false;
	phrase.to = from > phrase.from ? from - 1 : from;
	clean = phrase.to;
	compatibles++;
	compatibleDepth = depth;
	return true;
}

function openPhrase(): Phrase | null {
	const address = append(phrases, offsetof<Phrase>());
	if (!address) {
		failed = true;
		return null;
	}
	const phrase = changetype<Phrase>(address);
	// A phrase that is done keeps its bytes; nothing else stands behind them.
	phrase.from = phrase.to = clean;
	phrase.depth = depth;
	phrase.compatible = depth >= compatibleDepth ? compatibles : 0;
	phrase.hasAddress = false;
	open = phrase;
	return phrase;
}

function wordEnd(from: usize, to: usize): usize {
	while (from < to && load<u8>(from) != SPACE) from++;
	return from;
}

function setSender(row: i32, from: usize, to: usize): void {
	senderRow = row;
	senderFrom = from;
	senderTo = to;
}

/** The token that a word begins with, see token.ts. */
let tokenFrom: usize = 0;
let tokenTo: usize = 0;

function readToken(from: usize, to: usize): void {
	tokenFrom = tokenStart(from, to);
	tokenTo = withoutVersion(tokenFrom, runEnd(tokenFrom, to), to);
}

function findSender(): void {
	const end = phrases.end;
	setSender(-1, 0, 0);
	if (phrases.start != end) {
		const first = changetype<Phrase>(phrases.start);
		if (first.depth == 0) readBeginning(first);
	}
	if (senderRow >= 0) return;
	const from = senderFrom;
	const to = senderTo;
	// "compatible;" introduces a name, wherever it stands, so it goes before a bare product.
	if (findCompatible()) return;
	setSender(-1, from, to);
	// "Mozilla" is in nearly every header and says nothing.
	if (from != to && !wordOf(MOZILLA, from, to, true)) return;
	if (findRobot(false) || findRobot(true) || findByAddress()) return;
	setSender(-1, from, to);
}

/** The sender that a phrase begins with; its name ends with a version ("Sogou web spider/4.0"). */
function readBeginning(phrase: Phrase): void {
	let end = phrase.from;
	while (end < phrase.to && load<u8>(end) != SLASH) end++;
	const row = rowIn(phrase.from, wordEnd(end, phrase.to));
	readToken(phrase.from, wordEnd(phrase.from, phrase.to));
	setSender(row, tokenFrom, tokenTo);
}

/** Two runs of "compatible" may be in one header; each is read by itself. */
function findCompatible(): bool {
	let run: u32 = 0;
	let isBrowser = false;
	for (let at = phrases.start; at < phrases.end; at += offsetof<Phrase>()) {
		const phrase = changetype<Phrase>(at);
		if (phrase.compatible == 0 || phrase.from == phrase.to) continue;
		if (phrase.compatible != run) isBrowser = false;
		run = phrase.compatible;
		if (isCompatibleBrowser(phrase)) {
			isBrowser = true;
		} else if (isBrowser) {
			if (isRobot(phrase)) return true;
		} else if (!isPlatform(phrase)) {
			readBeginning(phrase);
			if (senderRow >= 0 || senderFrom != senderTo) return true;
		}
	}
	return false;
}

/** "MSIE 6.0" and "Mozilla/4.0", but not "Mozilla-Tabstack/1.0". */
function isCompatibleBrowser(phrase: Phrase): bool {
	const length = wordOf(COMPATIBLE_BROWSERS, phrase.from, phrase.to, false);
	const end = phrase.from + length;
	return length != 0 && (end == phrase.to || load<u8>(end) != HYPHEN);
}

/** Whether a phrase is about the machine, by its first word: a system, or a language ("en", "pt-BR"). */
function isPlatform(phrase: Phrase): bool {
	const from = phrase.from;
	const to = wordEnd(from, phrase.to);
	if (wordOf(PLATFORM_STARTS, from, to, false)) return true;
	if (wordOf(PLATFORM_WORDS, from, to, true)) return true;
	const size = to - from;
	if (size != 2 && size != 5) return false;
	if (!isLetter(load<u8>(from)) || !isLetter(load<u8>(from, 1))) return false;
	if (size == 2) return true;
	const mark: u32 = load<u8>(from, 2);
	return (
		(mark == HYPHEN || mark == 95) &&
		isLetter(load<u8>(from, 3)) &&
		isLetter(load<u8>(from, 4))
	);
}

/** The first known crawler, or word that looks like a robot's name, among products or in comments. */
function findRobot(inComments: bool): bool {
	for (let at = phrases.start; at < phrases.end; at += offsetof<Phrase>()) {
		const phrase = changetype<Phrase>(at);
		if (phrase.depth > 0 == inComments && isRobot(phrase)) return true;
	}
	return false;
}

function isRobot(phrase: Phrase): bool {
	const row = rowIn(phrase.from, phrase.to);
	for (let from = phrase.from; from < phrase.to; ) {
		const to = wordEnd(from, phrase.to);
		if (row >= 0 && foundFrom < to) break;
		if (isRobotWord(from, to)) {
			setSender(-1, tokenFrom, tokenTo);
			if (wordOf(ROBOTS, tokenFrom, tokenTo, true)) readLongName(phrase, from);
			return true;
		}
		from = to + 1;
	}
	if (row < 0) return false;
	setSender(row, foundFrom, foundTo);
	return true;
}

/** Whether a word names a robot, whose token is then in `tokenFrom`, `tokenTo`. */
function isRobotWord(from: usize, to: usize): bool {
	readToken(from, to);
	if (tokenFrom == tokenTo || wordOf(TELEPHONES, tokenFrom, tokenTo, false))
		return false;
	for (let at = from; at < to && load<u8>(at) != SLASH; at++) {
		const length = wordOf(ROBOTS, at, to, false);
		if (length && isOneCase(at + 1, length - 1)) {
			const isUpper = load<u8>(at, 1) < 97;
			if (isUpper && load<u8>(at) >= 97) continue;
			if (at + length == to || load<u8>(at + length) - 97 >= 26) return true;
		}
	}
	return false;
}

/** Whether letters are all small or all capital. */
function isOneCase(from: usize, length: usize): bool {
	const first = load<u8>(from) & 32;
	for (let i: usize = 1; i < length; i++)
		if ((load<u8>(from + i) & 32) != first) return false;
	return true;
}

/** A name of several words whose last one says no more than "Bot" ("Speedy Spider", "AI Bot/1.0") begins with the first of them, as in robots.txt. */
function readLongName(phrase: Phrase, word: usize): void {
	if (isPlatform(phrase)) return;
	while (word > phrase.from) {
		let from = word - 1;
		while (from > phrase.from && load<u8>(from - 1) != SPACE) from--;
		const to = word - 1;
		if (runEnd(from, to) != to || !isOwnProduct(from, to)) return;
		readToken(from, to);
		setSender(-1, tokenFrom, tokenTo);
		word = from;
	}
}

/**
 * The product that an address for questions follows, or else the one in front of it in a comment. An address of a page about the crawler is
 * as good as a name; what it follows is who it is.
 */
function findByAddress(): bool {
	let from: usize = 0;
	let to: usize = 0;
	let hasComment = false;
	for (let at = phrases.start; at < phrases.end; at += offsetof<Phrase>()) {
		const phrase = changetype<Phrase>(at);
		const isEmpty = phrase.from == phrase.to;
		if (phrase.depth == 0) {
			if (!isEmpty) {
				let word = phrase.to;
				while (word > phrase.from && load<u8>(word - 1) != SPACE) word--;
				readToken(word, phrase.to);
				from = tokenFrom;
				to = tokenTo;
			}
			hasComment = false;
		} else if (hasVersion(phrase)) {
			hasComment = !isPlatform(phrase);
			if (hasComment) readBeginning(phrase);
		} else if (!isEmpty && !phrase.hasAddress) hasComment = false;
		if (!phrase.hasAddress) continue;
		if (isOwnProduct(from, to)) {
			setSender(-1, from, to);
			return true;
		}
		if (hasComment && isOwnProduct(senderFrom, senderTo)) return true;
	}
	return false;
}

function hasVersion(phrase: Phrase): bool {
	for (let at = phrase.from; at < phrase.to; at++)
		if (load<u8>(at) == SLASH) return true;
	return false;
}

/** Whether a token has a letter and is no browser's. */
function isOwnProduct(from: usize, to: usize): bool {
	if (wordOf(BROWSERS, from, to, true)) return false;
	for (let at = from; at < to; at++) if (isLetter(load<u8>(at))) return true;
	return false;
}
