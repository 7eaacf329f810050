import type { CompiledSites, CompileSettings } from "./compile-sites.ts";
import type { ShardedEntries } from "./entries.ts";
import { type RedirectCounts, Redirects } from "./redirects.ts";
import { ShardLog } from "./shard-log.ts";
import type { ShardTables } from "./shard-tables.ts";

/** Takes compiled sites to where they belong, and follows redirects among them. */
export class IndexBuilder {
	readonly #redirects: Redirects;
	/** The only shard, or what keeps the entries of several. */
	readonly #to: ShardTables | ShardLog;
	/** Entries that have come, redirects included; an origin may have several. */
	entries = 0;

	constructor(settings: CompileSettings, to: ShardTables | ShardLog) {
		this.#redirects = new Redirects(settings);
		this.#to = to;
	}

	/** Takes the sites of a task; a later one of the same origin counts. @throws {Failure} */
	async add(sites: CompiledSites): Promise<void> {
		this.#redirects.add(sites);
		await this.#add(sites.entries);
		this.entries += sites.entries.count;
	}

	async #add(entries: ShardedEntries): Promise<void> {
		if (this.#to instanceof ShardLog) await this.#to.add(entries);
		else this.#to.add(entries.bytes);
	}

	/** Gives redirects, once all sites have been added, the answer of their target. @throws {Failure} */
	async followRedirects(): Promise<RedirectCounts> {
		const counts: RedirectCounts = { followed: 0, unanswered: 0 };
		const some = this.#redirects.follow(
			(shard, origins) => this.#programsOf(shard, origins),
			counts,
		);
		for (const entries of some) await this.#add(entries);
		return counts;
	}

	#programsOf(
		shard: number,
		origins: ReadonlySet<string>,
	): ReadonlyMap<string, Uint8Array> {
		if (this.#to instanceof ShardLog)
			return this.#to.programsOf(shard, origins);
		const found = new Map<string, Uint8Array>();
		for (const origin of origins) {
			const programs = this.#to.programsOf(origin);
			if (programs) found.set(origin, programs);
		}
		return found;
	}
}
