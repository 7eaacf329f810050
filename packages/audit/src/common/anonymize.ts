/**
 * Anonymizer: what takes the place of the addresses of clients in everything that leaves a scanner. EntryTexts and RowWriter call it, so that
 * segments, states, reports and rows only ever contain its names. It comes last: verifying, classifying and judging need the real fields.
 * What must hold: no text that `isAddress` accepts leaves it, but for networks' own addresses, and one address has one name.
 */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import {
	addressParts,
	isAddress,
	networkOf,
	withoutPort,
} from "./addresses.ts";

/** How addresses are replaced. Plain data, so that it can be sent to other threads. */
export interface AnonymizeSettings {
	/** Addresses are hashed with this key; undefined: they are cut to their networks. */
	readonly key: string | undefined;
}

/** Takes the place of what contains an address but is none, such as a host name in place of the client's address. */
const REMOVED = "(address)";

/** What a byte may be escaped by: percent signs, once or several times, and the escapes of logs and of JSON. */
const SIGN = String.raw`(?:%(?:25)*|\\x|\\u00)`;
/** The codes of digits, "." and ":", and of the letters of hexadecimal digits. */
const CODE = "(?:3[0-9aA]|2[eE]|[46][1-6])";

/**
 * Runs of what addresses are written in, escaped or not. Any other escape is matched too, and left alone, so that its digits do not become
 * part of the run after it.
 */
const RUNS = new RegExp(
	`${SIGN}(?!${CODE})[0-9a-fA-F]{2}|(?:[0-9a-fA-F:.]|${SIGN}${CODE})+`,
	"g",
);
const ESCAPED = new RegExp(`${SIGN}(${CODE})`, "g");

/** Four or more numbers with dots between them. A search that began within a number would take quadratic time on digits alone. */
const DOTTED = /(?<!\d)\d+(?:\.\d+){3,}/g;
/** Host names of clients contain their addresses like this. */
const DASHED = /(?<!\d)\d{1,3}([-_])\d{1,3}(?:\1\d{1,3}){2}(?!\d)/g;

/** No client has such an address, but browsers have such versions: Chrome/120.0.0.0. */
const VERSION = /^\d+\.0\.0\.0$/;

/** Characters of the longest address: IPv6 with an IPv4 address at its end. Longer texts are not looked at, as a header may have a megabyte. */
const LONGEST = 45;

/** Names that are remembered, as a crawler's address comes again and again. All are forgotten beyond. */
const MAX_REMEMBERED = 50_000;

/** Hexadecimal digits of a hash. Those of two addresses of one network are equal once in 2 ** 48. */
const DIGITS = 12;

/** Makes the names of addresses, and replaces addresses in texts. */
export class Anonymizer {
	readonly #key: Uint8Array | undefined;
	readonly #names = new Map<string, string>();

	constructor({ key }: AnonymizeSettings) {
		this.#key = key === undefined ? undefined : new TextEncoder().encode(key);
	}

	/** "cut", or a text that is the same for the same key and says nothing about it. */
	get method(): string {
		return this.#key
			? `hashed with the key ${this.#hash([...KEY_TAG])}`
			: "cut";
	}

	/**
	 * The name of an address: "192.0.2.0/24" if it is cut. Hashed, it is that of its network followed by its own, as in
	 * "ip4-0f1e2d3c4b5a-a5b4c3d2e1f0", so that networks can be counted (`networkOf`). Two notations of an address have one name.
	 */
	address(text: string): string {
		let name = this.#names.get(text);
		if (name === undefined) {
			name = this.#key ? this.#hashed(text) : networkOf(text);
			if (this.#names.size >= MAX_REMEMBERED) this.#names.clear();
			this.#names.set(text, name);
		}
		return name;
	}

	#hashed(text: string): string {
		const { width, network, bytes } = addressParts(text);
		return `ip${width === 32 ? 4 : 6}-${this.#hash(network)}-${this.#hash(bytes)}`;
	}

	/** The name of an address's network. */
	network(text: string): string {
		return networkOf(this.address(text));
	}

	#hash(bytes: readonly number[]): string {
		const code = hmac(sha256, this.#key as Uint8Array, Uint8Array.from(bytes));
		return bytesToHex(code).slice(0, DIGITS);
	}

	/** A text in which each address is replaced by its name. It removes too much rather than too little. */
	text(text: string): string {
		return text
			.replace(RUNS, (run, at: number) => {
				const plain = run.replace(ESCAPED, (_, code: string) =>
					String.fromCharCode(Number.parseInt(code, 16)),
				);
				const isWord =
					!/\w/.test(text[at - 1] ?? "") &&
					!/\w/.test(text[at + run.length] ?? "");
				const replaced = this.#run(plain, isWord);
				return replaced === plain ? run : replaced;
			})
			.replace(DASHED, (found) => {
				const address = found.replace(/\D/g, ".");
				return isAddress(address) ? this.#inText(address) : found;
			});
	}

	/** A run without its addresses; `isWord` if no letter is next to it. */
	#run(run: string, isWord: boolean): string {
		const groups = run.split(":");
		const filled = groups.filter((group) => group !== "").length;
		const isOpen = run.includes("::");
		// A time of day has three groups, one with its day four; "std::vector" has an address in it that no client has.
		const isVersion6 =
			groups.length > 4 || (isOpen && (filled > 2 || isWord || /\d/.test(run)));
		if (isVersion6) {
			const [from, to] = withoutMarks(run);
			const inner = run.slice(from, to);
			if (inner.length <= LONGEST && isAddress(inner))
				return run.slice(0, from) + this.#inText(inner) + run.slice(to);
			if (groups.length > 4 || filled > 0) return REMOVED;
		}
		return run.replace(DOTTED, (numbers) => {
			if (isAddress(numbers)) return this.#inText(numbers);
			const parts = numbers.split(".");
			// The first number may end in one of an address, and the last one begin with one.
			const isLike = parts.some(
				(_, at) =>
					at + 3 < parts.length &&
					parts.slice(at + 1, at + 3).every((part) => Number(part) < 256),
			);
			return isLike ? REMOVED : numbers;
		});
	}

	/** What stands for an address within a text: without a slash, which would change a path. */
	#inText(address: string): string {
		if (VERSION.test(address)) return address;
		return this.address(address).replace(/\/\d+$/, "");
	}

	/** The same for bytes of any encoding in which ASCII is ASCII. */
	bytes(bytes: Uint8Array): Uint8Array {
		const text = latin1(bytes);
		const replaced = this.text(text);
		return replaced === text ? bytes : bytesOf(replaced);
	}

	/** The names of the addresses in a field that has nothing else. Host names are left out: they often contain the address. */
	field(bytes: Uint8Array): Uint8Array {
		const names = itemsOf(bytes).filter(isAddress);
		return bytesOf(names.map((item) => this.address(item)).join(", "));
	}

	/** A line of a log, given its field with the client's address, which may be a host name. */
	line(line: Uint8Array, field: Uint8Array): Uint8Array {
		const text = latin1(line);
		const isHost = itemsOf(field).some(
			(item) => !isAddress(item) && /[.:]/.test(item),
		);
		return bytesOf(
			this.text(isHost ? text.replaceAll(latin1(field), REMOVED) : text),
		);
	}
}

/** Where a run begins and ends without the marks around an address: the end of a sentence, "ip:" before it. */
function withoutMarks(run: string): readonly [from: number, to: number] {
	let from = 0;
	let to = run.length;
	while (run[from] === ".") from++;
	while (to > from && run[to - 1] === ".") to--;
	if (run[from] === ":" && run[from + 1] !== ":") from++;
	if (run[to - 1] === ":" && run[to - 2] !== ":") to--;
	return [from, to];
}

/** What is hashed to name a key; no address has as many bytes. */
const KEY_TAG = new TextEncoder().encode("robotrie: name of a key");

/** The items of a list of addresses, without their ports. */
function itemsOf(bytes: Uint8Array): string[] {
	return latin1(bytes)
		.split(/[\s,"+]+/)
		.map(withoutPort)
		.filter((item) => item !== "");
}

// A character for each byte. TextDecoder's "latin1" is windows-1252, which has no way back.
function latin1(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return text;
}

function bytesOf(text: string): Uint8Array {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
