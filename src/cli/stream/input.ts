import { Failure } from "../output/failure.ts";

/** Reads given numbers of bytes from chunks of any size. */
export class ByteReader {
	readonly #chunks: AsyncIterator<Uint8Array>;
	#chunk: Uint8Array = new Uint8Array();

	constructor(chunks: AsyncIterable<Uint8Array>) {
		this.#chunks = chunks[Symbol.asyncIterator]();
	}

	/** Whether no byte is left. */
	async atEnd(): Promise<boolean> {
		while (this.#chunk.length === 0) {
			const next = await this.#chunks.next();
			if (next.done) return true;
			this.#chunk = next.value;
		}
		return false;
	}

	/** The next `size` bytes, behind `room` bytes that are left free. @throws {Failure} When there are fewer. */
	async read(size: number, room = 0): Promise<Uint8Array> {
		// Pages that no chunk reaches take no memory, whatever length a header claims.
		const bytes = Buffer.allocUnsafeSlow(room + size);
		let at = room;
		for await (const chunk of this.chunks(size)) {
			bytes.set(chunk, at);
			at += chunk.length;
		}
		return bytes;
	}

	/** The next `size` bytes as they come. @throws {Failure} When there are fewer. */
	async *chunks(size: number): AsyncGenerator<Uint8Array> {
		let left = size;
		while (left > 0) {
			if (await this.atEnd())
				throw new Failure(
					`the input ends after ${size - left} of ${size} bytes`,
				);
			const part = this.#chunk.subarray(0, left);
			this.#chunk = this.#chunk.subarray(part.length);
			left -= part.length;
			yield part;
		}
	}
}
