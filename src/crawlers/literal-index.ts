/** Characters of a gram, and the bits of a number that stand for each. */
export const GRAM = 3;
const GRAM_BITS = 8;
const GRAM_MASK = 2 ** (GRAM * GRAM_BITS) - 1;
/** Grams that no literal begins with are told by one look at a small table, which nearly all are. */
const SIEVE = 2 ** 16;

function sieveIndex(gram: number): number {
	return (gram ^ (gram >> 10)) % SIEVE;
}

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

	/** Whether one of the literals stands in a text, in any case. */
	finds(text: string): boolean {
		return this.find(text.toLowerCase()).size > 0;
	}

	/** Values of the literals in a text, which is in lower case. */
	find(lower: string): ReadonlySet<T> {
		const found = new Set<T>();
		let gram = 0;
		for (let end = 0; end < lower.length; end++) {
			gram = ((gram << GRAM_BITS) ^ lower.charCodeAt(end)) & GRAM_MASK;
			if (this.#sieve[sieveIndex(gram)] === 0) continue;
			const at = end - GRAM + 1;
			for (const { literal, value } of this.#byGram.get(gram) ?? [])
				if (lower.startsWith(literal, at)) found.add(value);
		}
		return found;
	}
}
