/**
 * Names of query parameters as bytes, to be looked up byte for byte in a URL. A hash table over bytes: a Map would
 * need a string for every parameter, which takes longer than everything else.
 */
export class NameTable {
	readonly #bytes: Uint8Array;
	/** Three numbers a slot: hash, where the name ends in `bytes`, its length; length -1 for an empty slot. */
	readonly #slots: Int32Array;
	readonly #values: Int32Array;
	readonly #mask: number;

	/** Names are distinct; values are theirs, from 0 on. */
	constructor(names: readonly Uint8Array[]) {
		this.#bytes = new Uint8Array(
			names.reduce((size, { length }) => size + length, 0),
		);
		// At most half of the slots are taken.
		const size = 2 << (32 - Math.clz32(names.length));
		this.#mask = size - 1;
		this.#slots = new Int32Array(size * 3).fill(-1);
		this.#values = new Int32Array(size);
		let end = 0;
		names.forEach((name, value) => {
			this.#bytes.set(name, end);
			end += name.length;
			const hash = hashOf(name, 0, name.length);
			let slot = hash & this.#mask;
			while (this.#slots[slot * 3 + 2] !== -1) slot = (slot + 1) & this.#mask;
			this.#slots.set([hash, end, name.length], slot * 3);
			this.#values[slot] = value;
		});
	}

	/** The value of the name in bytes [from, to), whose hash is given; -1 if the table does not have it. */
	find(bytes: Uint8Array, from: number, to: number, hash: number): number {
		const slots = this.#slots;
		for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
			const length = slots[slot * 3 + 2] as number;
			if (length < 0) return -1;
			if (
				slots[slot * 3] === hash &&
				length === to - from &&
				this.#equals(bytes, from, to, slots[slot * 3 + 1] as number)
			)
				return this.#values[slot] as number;
		}
	}

	#equals(bytes: Uint8Array, from: number, to: number, end: number): boolean {
		const shift = end - to;
		for (let at = from; at < to; at++)
			if (bytes[at] !== this.#bytes[at + shift]) return false;
		return true;
	}
}

/** Chosen anew by every process, so that nobody can write names that all fall into one slot. */
export const HASH_SEED: number = Math.floor(Math.random() * 2 ** 31);
const MULTIPLIER = Math.floor(Math.random() * 2 ** 31) | 1;

/** The hash of some bytes and one more. */
export function hashStep(hash: number, byte: number): number {
	const mixed = Math.imul(hash ^ byte, MULTIPLIER);
	return mixed ^ (mixed >>> 15);
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
	let hash = HASH_SEED;
	for (let at = from; at < to; at++) hash = hashStep(hash, bytes[at] as number);
	return hash;
}
