/**
 * Judges lines and rows in one thread by a folder of shards, which are loaded when they are needed and unloaded when memory is used up, those
 * not used for the longest time first. `match` and `stream` use it, and each thread of `match` that owns some of the shards.
 */

import { closeSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ColumnOffsets, ColumnOptions, RobotsIndex } from "robotrie";
import { urlWithHost } from "#robotrie/common/urls";
import { SitesError } from "../files/errors.ts";
import { readIndex } from "./index-file.ts";
import {
	type Manifest,
	openShards,
	readManifest,
	type ShardFile,
} from "./index-folder.ts";
import { SortedColumn, SortedLines, shardOfUrl } from "./shard.ts";

/** An index in several files. Plain data, for any thread. */
export interface OpenFolder {
	readonly folder: string;
	readonly shards: readonly ShardFile[];
	/** The files of the shards, opened. */
	readonly files: readonly number[];
	/**
	 * Bytes of linear memory that loaded shards may take. The last one that was needed stays,
	 * whatever its size. All its files are open, however few fit into memory at a time.
	 */
	readonly memory: number;
}

/** Opens a folder that `robotrie index --shards` wrote. @throws {SitesError} */
export async function openFolder(
	folder: string,
	memory: number,
): Promise<OpenFolder & Pick<Manifest, "agent" | "dialect">> {
	return openManifest(folder, memory, await readManifest(folder));
}

/**
 * The same by a manifest that was read. Another index may have taken its place since, whose writer removes the files of this one: then
 * that index is opened. @throws {SitesError}
 */
export async function openManifest(
	folder: string,
	memory: number,
	manifest: Manifest,
): Promise<OpenFolder & Pick<Manifest, "agent" | "dialect">> {
	const { shards, agent, dialect } = manifest;
	try {
		const files = openShards(folder, manifest);
		return { folder, shards, agent, dialect, files, memory };
	} catch (error) {
		const now = await readManifest(folder);
		if (isDeepStrictEqual(now, manifest)) throw error;
		return openManifest(folder, memory, now);
	}
}

/** A file that one of several threads loads. Plain data. */
export interface SharedFile {
	readonly path: string;
	/** The number of the file, which is open. */
	readonly opened: number;
	/** The number of its origins, where that is known. */
	readonly origins?: number;
}

/** The files of a folder, with what their index says about them. */
export function filesOf({ folder, shards, files }: OpenFolder): SharedFile[] {
	return shards.map(({ file, origins }, i) => ({
		path: join(folder, file),
		opened: files[i] as number,
		origins,
	}));
}

/**
 * Whether all shards can surely be loaded at a time, once for all of so many threads. An estimate
 * on the safe side: `sizeOf` counts more than a loaded shard takes.
 */
export function fits({ shards, memory }: OpenFolder, workers: number): boolean {
	const more = (workers - 1) * THREAD;
	const size = shards.reduce((sum, shard) => sum + sizeOf(shard) + more, 0);
	return size <= memory;
}

/** Judges lines by an index in several files, which are loaded when they are needed. */
export class ShardSet {
	readonly #open: OpenFolder;
	/** Loaded shards, the one that was used last at the end. */
	readonly #loaded = new Map<number, RobotsIndex>();
	#sorted: SortedLines | undefined;
	/** Shards that were loaded, again and again those that were evicted. */
	loads = 0;

	constructor(open: OpenFolder) {
		this.#open = open;
	}

	/** A `Verdict` for every one of whole lines, as `RobotsIndex.matchLines` gives it. @throws {SitesError} */
	async matchLines(lines: Uint8Array): Promise<Uint8Array> {
		// Sorted once, so that the buffers grow to what a block needs.
		this.#sorted ??= new SortedLines(this.#open.shards.length);
		const sorted = this.#sorted;
		sorted.sort(lines);
		// Loaded shards first: each of them may be the one that a new one evicts.
		for (const shard of this.#inOrder(sorted.needed()))
			sorted.setVerdicts(
				shard,
				await this.matchShard(shard, sorted.linesOf(shard)),
			);
		return sorted.verdicts;
	}

	/** The same for lines of one shard. @throws {SitesError} */
	async matchShard(shard: number, lines: Uint8Array): Promise<Uint8Array> {
		return (await this.#load(shard)).matchLines(lines);
	}

	/**
	 * A `Verdict` for every row of a column, as `RobotsIndex.matchColumn` gives it.
	 * @throws {SitesError} @throws {RobotrieError} invalid-argument.
	 */
	async matchColumn(
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		{ into }: Pick<ColumnOptions, "into"> = {},
	): Promise<Uint8Array> {
		const sorted = new SortedColumn(offsets, bytes, this.#open.shards.length);
		for (const shard of this.#inOrder(sorted.needed())) {
			const index = await this.#load(shard);
			const rows = sorted.offsetsOf(shard);
			sorted.setVerdicts(shard, index.matchColumn(rows, sorted.bytes));
		}
		// Who gave an array gets it back, filled.
		into?.set(sorted.verdicts);
		return into ?? sorted.verdicts;
	}

	/** The shard of a URL's host. @throws {SitesError} @throws {RobotrieError} invalid-url. */
	async partFor(url: string): Promise<RobotsIndex> {
		const { shards } = this.#open;
		return this.#load(shardOfUrl(urlWithHost(url, "url"), shards.length));
	}

	/** Closes the files of the shards, which nobody else reads. */
	close(): void {
		for (const file of this.#open.files) closeSync(file);
	}

	/** Unloads all shards. */
	[Symbol.dispose](): void {
		this.#evict(-1);
	}

	/** Loaded shards come first: loading another one may unload them. */
	#inOrder(needed: readonly number[]): number[] {
		const [there, missing] = [true, false].map((is) =>
			needed.filter((shard) => this.#loaded.has(shard) === is),
		) as [number[], number[]];
		return [...there, ...missing];
	}

	async #load(shard: number): Promise<RobotsIndex> {
		const { folder, shards, files, memory } = this.#open;
		const known = this.#loaded.get(shard);
		if (known) {
			// Deleted and set again, which moves it to the end: a Map keeps the order of entry.
			this.#loaded.delete(shard);
			this.#loaded.set(shard, known);
			return known;
		}
		const about = shards[shard] as ShardFile;
		// Room is made before reading: an index is not useful until it is whole.
		this.#evict(memory - sizeOf(about));
		const path = join(folder, about.file);
		const index = await readIndex(path, files[shard]);
		// Otherwise it is not the file that the manifest means.
		if (index.size !== about.origins)
			throw new SitesError(
				"malformed",
				`cannot read the index ${path}: it has ${index.size} origins, not ${about.origins}`,
			);
		this.loads++;
		this.#loaded.set(shard, index);
		return index;
	}

	/** Unloads shards that were not used for the longest time until the others take no more than so many bytes. */
	#evict(most: number): void {
		let size = 0;
		// Sizes are summed anew, as an index's memory may have grown while it judged.
		for (const { byteLength } of this.#loaded.values()) size += byteLength;
		let isEvicted = false;
		for (const [shard, index] of this.#loaded) {
			if (size <= most) break;
			size -= index.byteLength;
			index[Symbol.dispose]();
			this.#loaded.delete(shard);
			isEvicted = true;
		}
		if (isEvicted) collectGarbage();
	}
}

/** What one more thread takes that judges by a shard. */
const THREAD = 2 * 1024 * 1024;

/** About the bytes of a shard in linear memory, on the safe side. */
export function sizeOf({ bytes, origins }: ShardFile): number {
	return bytes * 1.5 + origins * 32 + THREAD;
}

/** Evicting a shard frees its linear memory only when it is collected. */
let collect: (() => void) | undefined;

/** Else the memory of evicted shards would stay for as long as little else is allocated. */
function collectGarbage(): void {
	if (!collect) {
		setFlagsFromString("--expose-gc");
		// Bun has none.
		const found: unknown = runInNewContext("globalThis.gc");
		collect = typeof found === "function" ? () => found() : () => {};
	}
	collect();
}
