import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { concatenate } from "robotrie/internal";
import { draftName, removeLeftDrafts } from "../output/draft.ts";
import { Failure, systemReason } from "../output/failure.ts";
import { bytesOfShard, entriesIn, type ShardedEntries } from "./entries.ts";

/** A part of the temporary file, which is open. Its number holds for all threads. */
interface Extent {
	readonly path: string;
	readonly file: number;
	readonly at: number;
	readonly length: number;
}

/** Entries of a shard: whole ones, in memory or in the temporary file. */
export type LogPart = Uint8Array<ArrayBuffer> | Extent;

/** The entries of a part. @throws {Failure} When the file cannot be read. */
export function readPart(part: LogPart): Uint8Array {
	if (part instanceof Uint8Array) return part;
	const { path, file, at, length } = part;
	const bytes = new Uint8Array(length);
	try {
		for (let done = 0; done < length; ) {
			const read = readSync(file, bytes, done, length - done, at + done);
			if (read === 0)
				throw new Failure(`the temporary file ${path} was cut off`);
			done += read;
		}
	} catch (error) {
		throw failed("read", path, error);
	}
	return bytes;
}

/** Entries by shard, in the order in which they came. What is too much for memory lies in a temporary file. */
export class ShardLog {
	readonly #shards: number;
	/** Bytes that are kept in memory. */
	readonly #most: number;
	/** Where the file is made. */
	readonly #folder: () => Promise<string>;
	#held: ShardedEntries[] = [];
	#heldSize = 0;
	#file: TemporaryFile | undefined;
	/** For each shard what lies in the file. */
	readonly #extents: Extent[][];

	constructor(shards: number, most: number, folder: () => Promise<string>) {
		this.#shards = shards;
		this.#most = most;
		this.#folder = folder;
		this.#extents = Array.from({ length: shards }, () => []);
	}

	/** @throws {Failure} When the file cannot be written. */
	async add(entries: ShardedEntries): Promise<void> {
		this.#held.push(entries);
		this.#heldSize += entries.bytes.length;
		if (this.#heldSize > this.#most) await this.#spill();
	}

	async #spill(): Promise<void> {
		this.#file ??= await TemporaryFile.in(await this.#folder());
		for (let shard = 0; shard < this.#shards; shard++) {
			const parts = this.#held.map((entries) => bytesOfShard(entries, shard));
			const bytes = concatenate(parts);
			if (bytes.length === 0) continue;
			this.#extents[shard]?.push(await this.#file.append(bytes));
		}
		this.#held = [];
		this.#heldSize = 0;
	}

	/** The entries of a shard, in their order. */
	partsOf(shard: number): readonly LogPart[] {
		const held = this.#held.map((entries) => bytesOfShard(entries, shard));
		return [...(this.#extents[shard] ?? []), ...held];
	}

	/** The programs of some origins of a shard; of those that it does not have, none. @throws {Failure} When the file cannot be read. */
	programsOf(
		shard: number,
		origins: ReadonlySet<string>,
	): ReadonlyMap<string, Uint8Array> {
		const found = new Map<string, Uint8Array>();
		for (const part of this.partsOf(shard))
			for (const { origin, programs } of entriesIn(readPart(part)))
				if (programs && origins.has(origin))
					found.set(origin, programs.slice());
		return found;
	}

	/** Removes the file. */
	async end(): Promise<void> {
		this.#held = [];
		await this.#file?.remove();
	}
}

/** A file without a name, which is gone when the process ends, however it does. */
class TemporaryFile {
	readonly #path: string;
	readonly #handle: FileHandle;
	#size = 0;

	private constructor(path: string, handle: FileHandle) {
		this.#path = path;
		this.#handle = handle;
	}

	/** @throws {Failure} */
	static async in(folder: string): Promise<TemporaryFile> {
		// A name that drafts have: the next run removes it, should it stay.
		await removeLeftDrafts(folder);
		const path = join(folder, draftName());
		try {
			const handle = await open(path, "wx+", 0o600);
			const file = new TemporaryFile(path, handle);
			// Not every system removes the name of a file that is open.
			await rm(path, { force: true }).catch(() => {});
			return file;
		} catch (error) {
			throw failed("write", path, error);
		}
	}

	/** @throws {Failure} */
	async append(bytes: Uint8Array): Promise<Extent> {
		const at = this.#size;
		const { length } = bytes;
		const path = this.#path;
		try {
			for (let done = 0; done < length; ) {
				const { bytesWritten } = await this.#handle.write(
					bytes,
					done,
					length - done,
					at + done,
				);
				done += bytesWritten;
			}
		} catch (error) {
			throw failed("write", path, error);
		}
		this.#size += length;
		return { path, file: this.#handle.fd, at, length };
	}

	async remove(): Promise<void> {
		await this.#handle.close().catch(() => {});
		await rm(this.#path, { force: true }).catch(() => {});
	}
}

function failed(what: string, path: string, error: unknown): unknown {
	const reason = systemReason(error);
	return reason === undefined
		? error
		: new Failure(`cannot ${what} the temporary file ${path}: ${reason}`);
}
