/**
 * `openIndex`: an index on the disk, a file or a folder of shards, as one object. A file is loaded whole; shards are loaded when a URL needs
 * them and unloaded when memory is used up, those not used for the longest time first.
 */
import type { Agent, ColumnOffsets, Dialect, RobotsIndex } from "robotrie";
import {
	check,
	checkOptions,
	number,
	type OptionTable,
	textKind,
	urlTexts,
} from "robotrie/internal";
import { readIndex } from "./shards/index-file.ts";
import { isFolder, openFolder, ShardSet } from "./shards/shard-set.ts";

/** Options of `openIndex`. */
export interface OpenOptions {
	/** Bytes that loaded shards may take; the one that was needed last stays, whatever its size. Default 1 GiB. A file is loaded whole. */
	readonly memory?: number | undefined;
}

const openOptions: OptionTable<OpenOptions> = {
	memory: number(0),
};

const MEMORY = 2 ** 30;

/**
 * An index on the disk. If another one takes its place, this one goes on to answer as before: its files stay open.
 */
export class SiteIndex {
	/** The crawler. */
	readonly agent: Agent;
	readonly dialect: Dialect;
	/** Origins. */
	readonly size: number;
	/** Files it consists of: 1, or as many as there are shards. */
	readonly shards: number;
	readonly #judge: RobotsIndex | ShardSet;

	/** @internal */
	constructor(
		judge: RobotsIndex | ShardSet,
		about: Pick<SiteIndex, "agent" | "dialect" | "size" | "shards">,
	) {
		this.#judge = judge;
		this.agent = about.agent;
		this.dialect = about.dialect;
		this.size = about.size;
		this.shards = about.shards;
	}

	/**
	 * A `Verdict` for each of newline-separated lines, as `RobotsIndex.matchLines` gives it. One call at a time: with shards, a call may
	 * unload what another one uses.
	 * @throws {SitesError} unreadable or malformed: a shard cannot be loaded.
	 */
	async matchLines(lines: Uint8Array): Promise<Uint8Array> {
		return this.#judge.matchLines(lines);
	}

	/** A `Verdict` for each URL, as `RobotsIndex.matchMany` gives it. @throws {SitesError} As `matchLines`. */
	async matchMany(urls: readonly string[]): Promise<Uint8Array> {
		if (!(this.#judge instanceof ShardSet)) return this.#judge.matchMany(urls);
		const texts = urlTexts(urls).map((url) => Buffer.from(url));
		const offsets = new Int32Array(texts.length + 1);
		for (const [i, { length }] of texts.entries())
			offsets[i + 1] = (offsets[i] as number) + length;
		return this.#judge.matchColumn(offsets, Buffer.concat(texts));
	}

	/** A `Verdict` for each row of a column, as `RobotsIndex.matchColumn` gives it. @throws {SitesError} As `matchLines`. */
	async matchColumn(
		offsets: ColumnOffsets,
		bytes: Uint8Array,
	): Promise<Uint8Array> {
		return this.#judge.matchColumn(offsets, bytes);
	}

	/**
	 * The part of the index that has the sites of a URL's host, for all other calls of `RobotsIndex`: `isAllowed`, `explain`, `has` … It holds
	 * until the next call of this object, which may unload it.
	 * @throws {RobotrieError} invalid-url.
	 * @throws {SitesError} As `matchLines`.
	 */
	async partFor(url: string): Promise<RobotsIndex> {
		return this.#judge instanceof ShardSet
			? this.#judge.partFor(url)
			: this.#judge;
	}

	/** Frees its memory and closes its files. It cannot be used afterwards. */
	[Symbol.dispose](): void {
		this.#judge[Symbol.dispose]();
		if (this.#judge instanceof ShardSet) this.#judge.close();
	}
}

/**
 * Opens an index that `buildIndex` or `robotrie index` wrote.
 * @param path A file, or a folder of shards.
 * @throws {SitesError} unreadable; malformed: it is not an index, or was changed.
 * @example
 * const sites = await openIndex("sites.index");
 * await sites.matchMany(["https://example.com/private/"]); // [0]
 */
export async function openIndex(
	path: string,
	options: OpenOptions = {},
): Promise<SiteIndex> {
	check("path", path, textKind);
	checkOptions("openIndex", options, openOptions);
	if (!isFolder(path)) {
		const index = await readIndex(path);
		const { agent, dialect, size } = index;
		return new SiteIndex(index, { agent, dialect, size, shards: 1 });
	}
	const open = await openFolder(path, options.memory ?? MEMORY);
	const size = open.shards.reduce((sum, { origins }) => sum + origins, 0);
	const { agent, dialect, shards } = open;
	const about = { agent, dialect, size, shards: shards.length };
	return new SiteIndex(new ShardSet(open), about);
}
