/**
 * `openIndex`: an index on the disk, a file or a folder of shards, as one object. A file is loaded whole; shards are loaded when a URL needs
 * them and unloaded when memory is used up, those not used for the longest time first.
 */

import { join } from "node:path";
import type { Agent, ColumnOffsets, Dialect, RobotsIndex } from "robotrie";
import {
	check,
	checkOptions,
	type OptionTable,
	urlTexts,
} from "#robotrie/common/arguments";
import { number, textKind } from "#robotrie/common/kinds";
import { originOf, urlWithHost } from "#robotrie/common/urls";
import { SitesError } from "./files/errors.ts";
import { isFolder } from "./files/stat.ts";
import {
	type FactsFile,
	factsIn,
	factsOf,
	type SiteFacts,
} from "./indexing/facts.ts";
import { readIndex } from "./shards/index-file.ts";
import { shardOfUrl } from "./shards/shard.ts";
import { openFolder, ShardSet } from "./shards/shard-set.ts";

/** Which sites `SiteIndex.sites` gives. */
export interface SitesOptions {
	/** Only those whose answer was recorded before, in milliseconds since 1970, or at a time that nobody knows: those that are stale. */
	readonly before?: number | undefined;
}

const sitesOptions: OptionTable<SitesOptions> = {
	before: number(Number.NEGATIVE_INFINITY),
};

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
 * @example
 * const sites = await openIndex("sites.index");
 * const part = await sites.partFor("https://example.com/");
 * part.isAllowed("https://example.com/private/"); // false
 */
export class SiteIndex {
	/** The crawler. */
	readonly agent: Agent;
	/** The dialect that its files were read in. */
	readonly dialect: Dialect;
	/** Origins. */
	readonly size: number;
	/** Files it consists of: 1, or as many as there are shards. */
	readonly shards: number;
	readonly #judge: RobotsIndex | ShardSet;
	/** Files of facts, shard by shard. */
	readonly #facts: readonly FactsFile[] | undefined;

	/** @internal */
	constructor(
		judge: RobotsIndex | ShardSet,
		about: Pick<SiteIndex, "agent" | "dialect" | "size" | "shards">,
		facts?: readonly FactsFile[],
	) {
		this.#judge = judge;
		this.#facts = facts;
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

	/**
	 * What the answers said besides rules, site by site: status, time, Crawl-delay, sitemaps. In the order of shards, then of origins. An update
	 * meanwhile ends it with an error: open the index anew.
	 * @throws {SitesError} unreadable; malformed: the index was built without `facts`.
	 * @example
	 * const sites = await openIndex("sites");
	 * const lastWeek = Date.now() - 7 * 24 * 3_600_000;
	 * for (const { origin } of sites.sites({ before: lastWeek })) console.log(origin);
	 */
	*sites(options: SitesOptions = {}): Generator<SiteFacts> {
		checkOptions("sites", options, sitesOptions);
		const { before = Number.POSITIVE_INFINITY } = options;
		for (const file of this.#files())
			for (const facts of factsIn(file))
				if (facts.time === undefined || facts.time < before) yield facts;
	}

	/** What the answer for the site of a URL said; undefined for one that the index does not hold. @throws {RobotrieError} invalid-url. @throws {SitesError} As `sites`. */
	siteOf(url: string): SiteFacts | undefined {
		const parsed = urlWithHost(url, "url");
		const files = this.#files();
		const file = files[shardOfUrl(parsed, files.length)] as FactsFile;
		return factsOf(file, originOf(parsed));
	}

	#files(): readonly FactsFile[] {
		if (this.#facts) return this.#facts;
		throw new SitesError(
			"malformed",
			"the index was built without facts, so it holds nothing but rules",
		);
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
	const facts = shards.flatMap(({ facts }, shard) =>
		facts
			? [{ path: join(path, facts.file), shard, shards: shards.length }]
			: [],
	);
	const hasFacts = facts.length === shards.length;
	return new SiteIndex(new ShardSet(open), about, hasFacts ? facts : undefined);
}
