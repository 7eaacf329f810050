/** Characters of a gram, and the bits of a number that stand for each. */
const GRAM = 3;
const GRAM_BITS = 8;
const GRAM_MASK = 2 ** (GRAM * GRAM_BITS) - 1;
/** Grams that no literal begins with are told by one look at a small table, which nearly all are. */
const SIEVE = 2 ** 16;

function sieveIndex(gram: number): number {
	return (gram ^ (gram >> 10)) % SIEVE;
}

/**
 * Plain texts in lower case, of which every match of an expression holds one, whatever the case; undefined where no
 * such text is certain, or one is too short to be looked up.
 */
export function literalsOf(pattern: string): readonly string[] | undefined {
	if (/\\[ux\d]/.test(pattern)) return undefined;
	let text = pattern
		.replace(/\\[a-z]/gi, "\0")
		.replace(/\\(.)/g, (_, character: string) =>
			String.fromCharCode(ESCAPED + character.charCodeAt(0)),
		)
		.replace(/\[[^\]]*\]/g, "\0");
	for (let before = ""; before !== text; ) {
		before = text;
		text = text.replace(/\([^()]*\)/g, "\0");
	}
	const literals = text
		.replace(/.(?:[*?+]|\{[^}]*\})/gs, "\0")
		.replace(/[.^$?]/g, "\0")
		.split("|")
		.map((alternative) =>
			alternative
				.split("\0")
				.reduce((a, b) => (b.length > a.length ? b : a), "")
				.replace(/[\ue000-\ue07f]/g, (character) =>
					String.fromCharCode(character.charCodeAt(0) - ESCAPED),
				)
				.toLowerCase(),
		);
	return literals.every(({ length }) => length >= GRAM) ? literals : undefined;
}

/** Escaped characters stand here until all that means something is gone. */
const ESCAPED = 0xe000;

/** Finds which of very many texts, each with a value, stand in another one, in one pass. */
export class LiteralIndex<T> {
	readonly #byGram = new Map<number, { literal: string; value: T }[]>();
	readonly #sieve = new Uint8Array(SIEVE);

	/** @param literal Three characters or more, in lower case. */
	add(literal: string, value: T): void {
		let gram = 0;
		for (let at = 0; at < GRAM; at++)
			gram = ((gram << GRAM_BITS) ^ literal.charCodeAt(at)) & GRAM_MASK;
		this.#sieve[sieveIndex(gram)] = 1;
		const known = this.#byGram.get(gram) ?? [];
		known.push({ literal, value });
		this.#byGram.set(gram, known);
	}

	/** Values of the literals in a text, which is in lower case; one for each place where it stands. */
	find(lower: string): T[] {
		const found: T[] = [];
		let gram = 0;
		for (let end = 0; end < lower.length; end++) {
			gram = ((gram << GRAM_BITS) ^ lower.charCodeAt(end)) & GRAM_MASK;
			if (this.#sieve[sieveIndex(gram)] === 0) continue;
			const at = end - GRAM + 1;
			for (const { literal, value } of this.#byGram.get(gram) ?? [])
				if (lower.startsWith(literal, at)) found.push(value);
		}
		return found;
	}
}
