import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, systemReason } from "../output/failure.ts";

/** What follows is another file in the place of the one before, or was written after that was emptied. */
export const RESTARTED: unique symbol = Symbol("restarted");

/** Milliseconds between two looks at a file. */
const PERIOD = 200;
const CHUNK = 256 * 1024;
/** By its first bytes a log is told from what was written after it was emptied. */
const FIRST_BYTES = 128;

/**
 * The bytes of a growing file as they come, until the signal says so; what is there by then comes, too. Log rotation may rename the file and
 * make a new one, or copy and empty it.
 * @throws {Failure} When it cannot be read.
 */
export async function* followFile(
	path: string,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array | typeof RESTARTED> {
	let file: FollowedFile | undefined;
	try {
		file = await FollowedFile.open(path);
		for (;;) {
			const isLast = signal.aborted;
			if (await file.isCut()) {
				file.rewind();
				yield RESTARTED;
			}
			yield* file.rest();
			if (isLast) return;
			const successor = await file.successor();
			if (successor) {
				// What was written to the old one in between.
				yield* file.rest();
				await file.replace(successor);
				yield RESTARTED;
			} else await sleep(PERIOD, undefined, { signal }).catch(() => {});
		}
	} catch (error) {
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		throw new Failure(`cannot read ${path}: ${reason}`);
	} finally {
		await file?.close();
	}
}

class FollowedFile {
	readonly #path: string;
	#handle: FileHandle;
	/** Bytes read so far, and the first ones of these. */
	#at = 0;
	#first = Buffer.alloc(0);
	readonly #buffer = Buffer.alloc(CHUNK);

	private constructor(path: string, handle: FileHandle) {
		this.#path = path;
		this.#handle = handle;
	}

	static async open(path: string): Promise<FollowedFile> {
		return new FollowedFile(path, await open(path, "r"));
	}

	/** What has not been read yet. */
	async *rest(): AsyncGenerator<Uint8Array> {
		for (;;) {
			const bytes = await this.#read(this.#at, CHUNK);
			if (bytes.length === 0) return;
			if (this.#first.length < FIRST_BYTES)
				this.#first = Buffer.concat([this.#first, bytes]).subarray(
					0,
					FIRST_BYTES,
				);
			this.#at += bytes.length;
			yield bytes;
		}
	}

	/** A copy of the file's bytes at a place. */
	async #read(at: number, size: number): Promise<Uint8Array> {
		const { bytesRead } = await this.#handle.read(this.#buffer, 0, size, at);
		return new Uint8Array(this.#buffer.subarray(0, bytesRead));
	}

	/** Whether it was emptied since it was read. */
	async isCut(): Promise<boolean> {
		const { size } = await this.#handle.stat();
		if (size < this.#at) return true;
		const first = await this.#read(0, this.#first.length);
		return !this.#first.equals(first);
	}

	rewind(): void {
		this.#at = 0;
		this.#first = Buffer.alloc(0);
	}

	/** The file that has taken its place, once something is written there: before that, the old one may still grow. */
	async successor(): Promise<FileHandle | undefined> {
		const own = await this.#handle.stat();
		const found = await stat(this.#path).catch(() => undefined);
		if (!found || found.size === 0) return undefined;
		if (found.ino === own.ino && found.dev === own.dev) return undefined;
		return open(this.#path, "r").catch(() => undefined);
	}

	async replace(successor: FileHandle): Promise<void> {
		await this.#handle.close();
		this.#handle = successor;
		this.rewind();
	}

	close(): Promise<void> {
		return this.#handle.close();
	}
}
