/** A stretch of a User-Agent header between parentheses, semicolons and commas. */
export interface Part {
	/** Without addresses, and without what follows "like". */
	readonly words: string[];
	/** Of the parentheses around it; 0 for products. */
	readonly depth: number;
	/** Number of the "compatible;" that it follows, 0 for none. */
	readonly compatible: number;
	/** It holds a web or mail address. */
	hasAddress: boolean;
}

/**
 * Splits a header into products and comments (RFC 9110 §10.1.5 and §5.6.5) in one pass. Comments nest to any depth, a
 * backslash makes the next character an ordinary one, and a closing parenthesis may be missing.
 */
export function partsOf(header: string): readonly Part[] {
	const splitter = new Splitter();
	let start = 0;
	let isUrl = false;
	for (let at = 0; at < header.length; at++) {
		const kind = kindAt(header, at);
		if (kind === PLAIN) continue;
		if (kind === ESCAPE) at++;
		else if (kind === COLON) {
			if (!header.startsWith("//", at + 1)) continue;
			isUrl = true;
			at += 2;
		} else if (kind !== COMMA || !isUrl) {
			if (at > start) splitter.word(unescaped(header.slice(start, at)));
			if (kind !== SPACE) splitter.separate(header[at] as string);
			start = at + 1;
			isUrl = false;
		}
	}
	if (start < header.length) splitter.word(unescaped(header.slice(start)));
	splitter.separate(";");
	return splitter.parts;
}

/** Kinds of characters. */
const PLAIN = 0;
const SPACE = 1;
const SEPARATOR = 2;
const COMMA = 3;
const ESCAPE = 4;
const COLON = 5;

const ASCII = 128;
const kinds = Uint8Array.from({ length: ASCII }, (_, code) => {
	const char = String.fromCharCode(code);
	if (/\s/.test(char)) return SPACE;
	if ("();".includes(char)) return SEPARATOR;
	return char === ","
		? COMMA
		: char === "\\"
			? ESCAPE
			: char === ":"
				? COLON
				: PLAIN;
});

function kindAt(header: string, at: number): number {
	const code = header.charCodeAt(at);
	if (code < ASCII) return kinds[code] as number;
	return /\s/.test(header[at] as string) ? SPACE : PLAIN;
}

const URL_START = /https?:\/\//i;

/** Where a web address begins in a word, -1 without. */
function urlIn(word: string): number {
	return word.includes("://") ? word.search(URL_START) : -1;
}

/** Where an address begins in a word, -1 without. */
function addressIn(word: string): number {
	const isWww = word.includes(".") && /^\+?www\./i.test(word);
	return isWww || word.includes("@") ? 0 : urlIn(word);
}

function unescaped(word: string): string {
	return word.includes("\\") ? word.replace(/\\(.)/gs, "$1") : word;
}

const COMPATIBLE = "compatible";
const isCompatible = new RegExp(`^["'+]*${COMPATIBLE}:?$`, "i");

/** No depth is that deep. */
const NONE = Number.POSITIVE_INFINITY;

class Splitter {
	readonly parts: Part[] = [];
	#depth = 0;
	#part: Part | undefined;
	/** Depth at which "like" was read, as long as it counts. */
	#likeDepth = NONE;
	#compatibles = 0;
	/** Depth at which "compatible" was read, as long as it counts. */
	#compatibleDepth = NONE;

	/** Takes a parenthesis, a semicolon or a comma. */
	separate(char: string): void {
		if (char === ";" || char === ",") this.#readCompatible();
		// In a comment, what follows "like" may have a comment of its own.
		const ends = char !== "(" || this.#depth === 0;
		if (ends && this.#depth === this.#likeDepth) this.#likeDepth = NONE;
		if (char === "(") this.#depth++;
		if (char === ")" && this.#depth > 0) this.#depth--;
		if (this.#depth < this.#compatibleDepth) this.#compatibleDepth = NONE;
		this.#part = undefined;
	}

	word(text: string): void {
		if (this.#depth >= this.#likeDepth) {
			// Of products, "like" leaves out the next one only.
			if (this.#depth === 0) this.#likeDepth = NONE;
			return;
		}
		// "(compatible AcmeBot/1.0)", but not "(compatible with AcmeBot)".
		if (this.#part?.words.length === 1 && this.#readCompatible()) {
			this.#part = undefined;
			if (text.toLowerCase() === "with") {
				this.#compatibleDepth = NONE;
				this.#likeDepth = this.#depth;
				return;
			}
		}
		this.#part ??= this.#open();
		const { words } = this.#part;
		// What a header begins with is a product even if it looks like an address ("www.example.com").
		const isFirst = this.parts.length === 1 && words.length === 0;
		const address =
			isFirst && this.#depth === 0 ? urlIn(text) : addressIn(text);
		if (address >= 0) this.#part.hasAddress = true;
		const own = address >= 0 ? text.slice(0, address).replace(/\+$/, "") : text;
		if (own.length === 4 && /^like$/i.test(own)) this.#likeDepth = this.#depth;
		else if (own !== "") words.push(own);
	}

	/** Whether the word read last is "compatible", which then counts from here on. */
	#readCompatible(): boolean {
		const words = this.#part?.words;
		const word = words?.[words.length - 1] ?? "";
		if (!words || word.length < COMPATIBLE.length || !isCompatible.test(word))
			return false;
		words.pop();
		this.#compatibles++;
		this.#compatibleDepth = this.#depth;
		return true;
	}

	#open(): Part {
		const compatible =
			this.#depth >= this.#compatibleDepth ? this.#compatibles : 0;
		const part = {
			words: [],
			depth: this.#depth,
			compatible,
			hasAddress: false,
		};
		this.parts.push(part);
		return part;
	}
}
