/** The checksum of what is stored: matchers, indexes, and the states of audits. It never changes. */

/**
 * Hash of bytes, FNV-1a over 32-bit words and then the bytes that are left: tells damage, not
 * malice. Words go in turn to four hashes that are hashed in the end: a multiplication need not
 * wait for the one before, which halves the time. Written for speed, as a snapshot of a gigabyte is
 * hashed when it is written and when it is read.
 */
export class Checksum {
	readonly #lanes = new Int32Array(4).fill(BASIS);
	/** Bytes of a block that is not full, and how many there are. */
	readonly #rest = new Uint8Array(BLOCK);
	#restSize = 0;

	/** Goes on with more bytes. */
	add(bytes: Uint8Array): void {
		let from = 0;
		// A block is filled first, so that the result does not depend on how the bytes were cut.
		if (this.#restSize > 0) {
			from = Math.min(BLOCK - this.#restSize, bytes.length);
			this.#rest.set(bytes.subarray(0, from), this.#restSize);
			this.#restSize += from;
			if (this.#restSize < BLOCK) return;
			this.#addBlocks(this.#rest);
		}
		const end = bytes.length - ((bytes.length - from) % BLOCK);
		this.#addBlocks(bytes.subarray(from, end));
		this.#rest.set(bytes.subarray(end));
		this.#restSize = bytes.length - end;
	}

	#addBlocks(bytes: Uint8Array): void {
		// Little-endian words, aligned or not.
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
		const lanes = this.#lanes;
		let [a = 0, b = 0, c = 0, d = 0] = lanes;
		for (let at = 0; at < bytes.length; at += BLOCK) {
			// Four independent chains, as a multiplication takes several cycles until the next may use
			// it.
			a = mix(a ^ view.getInt32(at, true));
			b = mix(b ^ view.getInt32(at + 4, true));
			c = mix(c ^ view.getInt32(at + 8, true));
			d = mix(d ^ view.getInt32(at + 12, true));
		}
		lanes.set([a, b, c, d]);
	}

	/** The hash of all bytes so far, an unsigned number of 32 bits. */
	get value(): number {
		// The four hashes are one, then the bytes that fill no block.
		let value = this.#lanes.reduce((sum, lane) => mix(sum ^ lane));
		for (const byte of this.#rest.subarray(0, this.#restSize))
			value = mix(value ^ byte);
		return value >>> 0;
	}
}

/** The hash of bytes that are all there. */
export function checksum(bytes: Uint8Array): number {
	const sum = new Checksum();
	sum.add(bytes);
	return sum.value;
}

const BLOCK = 16;
const BASIS = 0x811c9dc5;

/** FNV's step, and its upper bits brought down: a product alone carries nothing from a word's upper bytes to lower ones. */
function mix(value: number): number {
	const product = Math.imul(value, 0x01000193);
	return product ^ (product >>> 15);
}
