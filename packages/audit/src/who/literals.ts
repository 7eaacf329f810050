/**
 * Finds which of very many literals stand in a text that is given as bytes. classify.ts makes one index of what all names of crawlers need,
 * and asks it for each User-Agent header that the scanner's module does not know; the module (assembly/headers.ts) has a copy.
 */

import {
	GRAM,
	GRAM_SHIFT,
	GRAM_SLOTS,
	LITERAL_FLAGS,
	LITERAL_GRAM_END,
	LITERAL_LENGTH,
	LITERAL_NEXT,
	LITERAL_SIZE,
	LITERAL_TEXT,
} from "../../assembly/format.ts";

/** Bits of a gram that stand for a character. */
const GRAM_BITS = 8;
const GRAM_MASK = 2 ** (GRAM * GRAM_BITS) - 1;

/** One look at a gram's slot rejects nearly all texts that are no literals. */
function slotOf(gram: number): number {
	return (gram ^ (gram >> GRAM_SHIFT)) & (GRAM_SLOTS - 1);
}

/** A literal of an index, and what it stands for. */
interface Literal<T> {
	/** Its characters in lower case; all are ASCII. */
	readonly codes: Uint8Array;
	/** Where the gram that it is found by ends in it. */
	readonly gramEnd: number;
	/** Its number in the order of `add`. */
	readonly order: number;
	readonly value: T;
}

const encoder = new TextEncoder();

/** What `LiteralIndex` reads a byte as: letters of ASCII in lower case, all other bytes as they are. */
export const LOWER_CASE: Uint8Array = /* @__PURE__ */ Uint8Array.from(
	{ length: 256 },
	(_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte),
);

/** What most headers hold. A literal is found by a gram whose slot is not one of these, if it has one: the first gram cost twice the time. */
const USUAL =
	"mozilla/5.0 (windows nt 10.0; win64; x64; rv:109.0) applewebkit/537.36 605.1.15 (khtml, like gecko) gecko/20100101 firefox/ chrome/ safari/ edg/ mobile/15e148 version/ (macintosh; intel mac os x 10_15_7) (x11; ubuntu; linux x86_64) (linux; android 10; k) build/ samsungbrowser/ (iphone; cpu iphone os 17_0 like mac os x) (compatible; +http://www. https:// .com/ .html)";

/**
 * Finds which of very many texts, each with a value, stand in a text given as bytes, in one pass: a rolling gram of three bytes, a look into
 * a sieve, and a comparison for the few that pass it. On bytes, so that an audit need not make a string of a header in which nothing is.
 */
export class LiteralIndex<T> {
	/** For each gram the place of its literals in `#lists`, 0 for none. Grams may share a slot: literals are compared in whole. */
	readonly #sieve = new Uint16Array(GRAM_SLOTS);
	readonly #lists: Literal<T>[][] = [[]];
	#size = 0;
	/** The literals that `find` has met and their places; kept, as most calls would allocate them. */
	readonly #found: Literal<T>[] = [];
	readonly #places: number[] = [];

	/** @param literal Three characters of ASCII or more, in lower case. */
	add(literal: string, value: T): void {
		const codes = encoder.encode(literal);
		const slots = slotsOf(codes);
		usualSlots ??= new Set(slotsOf(encoder.encode(USUAL)));
		const usual = usualSlots;
		const unusual = slots.findIndex((slot) => !usual.has(slot));
		const at = Math.max(unusual, 0);
		const slot = slots[at] as number;
		const list = this.#sieve[slot] as number;
		const gramEnd = at + GRAM - 1;
		const one = { codes, gramEnd, order: this.#size++, value };
		// Several literals may have the same gram.
		if (list !== 0) this.#lists[list]?.push(one);
		else this.#sieve[slot] = this.#lists.push([one]) - 1;
	}

	/**
	 * The index for the scanner's module; see GRAM_SLOTS in assembly/format.ts.
	 * @param flagsOf LITERAL_ flags of a value.
	 */
	block(flagsOf: (value: T) => number): Uint8Array {
		const all = this.#lists.flat();
		const texts = GRAM_SLOTS * 2 + all.length * LITERAL_SIZE;
		const size = all.reduce((sum, { codes }) => sum + codes.length, texts);
		const block = new Uint8Array(size);
		const view = new DataView(block.buffer);
		// Numbers of the literals as they stand in `all`, from 1 on.
		let number = 1;
		const firsts = this.#lists.map(({ length }) => {
			number += length;
			return number - length;
		});
		for (const [slot, list] of this.#sieve.entries())
			if (list !== 0) view.setUint16(slot * 2, firsts[list] as number, true);
		let at = GRAM_SLOTS * 2;
		let text = texts;
		for (const [list, literals] of this.#lists.entries())
			for (const [index, { codes, gramEnd, value }] of literals.entries()) {
				const isLast = index === literals.length - 1;
				const next = isLast ? 0 : (firsts[list] as number) + index + 1;
				view.setUint32(at + LITERAL_TEXT, text, true);
				view.setUint16(at + LITERAL_LENGTH, codes.length, true);
				view.setUint16(at + LITERAL_GRAM_END, gramEnd, true);
				view.setUint16(at + LITERAL_NEXT, next, true);
				view.setUint16(at + LITERAL_FLAGS, flagsOf(value), true);
				block.set(codes, text);
				at += LITERAL_SIZE;
				text += codes.length;
			}
		return block;
	}

	/**
	 * Values of the literals in a text, each once, in the order of their first place, then of `add`.
	 * @param fold What each byte is read as; LOWER_CASE, or a table like it.
	 */
	find(bytes: Uint8Array, fold: Uint8Array = LOWER_CASE): readonly T[] {
		const found = this.#found;
		const places = this.#places;
		let count = 0;
		let gram = 0;
		const sieve = this.#sieve;
		for (let end = 0; end < bytes.length; end++) {
			// The gram that ends here.
			gram =
				((gram << GRAM_BITS) ^ (fold[bytes[end] as number] as number)) &
				GRAM_MASK;
			const list = sieve[slotOf(gram)] as number;
			if (list === 0) continue;
			for (const literal of this.#lists[list] as Literal<T>[]) {
				const at = end - literal.gramEnd;
				if (!stands(literal.codes, bytes, at, fold)) continue;
				// Sorted as they come: there are few.
				let place = count++;
				for (; place > 0; place--) {
					const before = found[place - 1] as Literal<T>;
					const beforeAt = places[place - 1] as number;
					if (
						beforeAt < at ||
						(beforeAt === at && before.order < literal.order)
					)
						break;
					found[place] = before;
					places[place] = beforeAt;
				}
				found[place] = literal;
				places[place] = at;
			}
		}
		if (count === 0) return NOTHING;
		const values: T[] = [];
		for (let i = 0; i < count; i++) {
			const { value } = found[i] as Literal<T>;
			if (!values.includes(value)) values.push(value);
		}
		return values;
	}
}

const NOTHING: readonly never[] = [];

/** The slots of the grams of a text, in their order. */
function slotsOf(codes: Uint8Array): number[] {
	const slots: number[] = [];
	let gram = 0;
	for (const [at, code] of codes.entries()) {
		gram = ((gram << GRAM_BITS) ^ code) & GRAM_MASK;
		if (at >= GRAM - 1) slots.push(slotOf(gram));
	}
	return slots;
}

/** Made when the first literal is added, as most programs look for none. */
let usualSlots: ReadonlySet<number> | undefined;

/** Whether a literal stands in a text at a place, which may be before its beginning. */
function stands(
	codes: Uint8Array,
	bytes: Uint8Array,
	at: number,
	fold: Uint8Array,
): boolean {
	if (at < 0 || at + codes.length > bytes.length) return false;
	for (let i = 0; i < codes.length; i++)
		if (codes[i] !== fold[bytes[at + i] as number]) return false;
	return true;
}
