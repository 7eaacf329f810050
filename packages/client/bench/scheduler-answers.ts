/** More than are read at a time. */
const SLOTS = 1024;

/**
 * Answers of sites, whose bytes lie in buffers that are there from the beginning, and which have little else: what a network takes is no
 * garbage of robotrie's. Each is to be read before as many others are made as there are buffers.
 */
export class Answers {
	readonly #slots: Buffer[] = [];
	readonly #headers = new Map<number, Headers>();
	#made = 0;

	/** Files have `longest` bytes at most. */
	constructor(longest: number) {
		const all = Buffer.alloc(SLOTS * longest);
		for (let i = 0; i < SLOTS; i++)
			this.#slots.push(all.subarray(i * longest, (i + 1) * longest));
	}

	/** A file that holds for so many seconds. */
	of(file: Uint8Array, seconds: number): Response {
		const slot = this.#slots[this.#made++ % SLOTS] as Buffer;
		slot.set(file);
		const answer = {
			status: 200,
			headers: this.#headersFor(seconds),
			body: new Body(slot.subarray(0, file.length)),
		};
		// A client reads nothing else of it.
		return answer as unknown as Response;
	}

	#headersFor(seconds: number): Headers {
		let headers = this.#headers.get(seconds);
		if (!headers) {
			headers = new Headers({ "cache-control": `max-age=${seconds}` });
			this.#headers.set(seconds, headers);
		}
		return headers;
	}
}

/** A body in one chunk, and its reader. */
class Body {
	#chunk: Uint8Array | undefined;

	constructor(chunk: Uint8Array) {
		this.#chunk = chunk;
	}

	getReader(): this {
		return this;
	}

	async read(): Promise<{ done: boolean; value: Uint8Array | undefined }> {
		const value = this.#chunk;
		this.#chunk = undefined;
		return { done: value === undefined, value };
	}

	async cancel(): Promise<void> {}
}
