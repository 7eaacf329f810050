/**
 * The index of a shard, one for each agent, and how it is written. run.ts uses it for an index in one file, and threads for the shards of a
 * folder. Its bytes depend on its entries alone.
 */
import type { Agent } from "robotrie";
import {
	concatenate,
	dialectRules,
	MOST_BYTES,
	nextTurn,
	OriginTable,
	snapshotChunks,
} from "robotrie/internal";
import { fillFile } from "../output/output-file.ts";
import type { CompileSettings } from "./compile-sites.ts";
import {
	entriesIn,
	programsIn,
	readEntries,
	type StoredEntries,
} from "./entries.ts";

/** The indexes of one shard, one for each agent. */
export class ShardTables {
	readonly #settings: CompileSettings;
	readonly #tables: readonly OriginTable[];

	constructor(settings: CompileSettings) {
		this.#settings = settings;
		const { googleMatching } = dialectRules(settings.dialect);
		this.#tables = settings.agents.map(() =>
			OriginTable.inOwnMemory(MOST_BYTES, googleMatching),
		);
	}

	/** Origins. */
	get size(): number {
		return this.#tables[0]?.size ?? 0;
	}

	/** Different programs of the first agent. */
	get programs(): number {
		return this.#tables[0]?.stats.programs ?? 0;
	}

	/** Takes entries; a later one of the same origin counts, and one that is moved is none. @throws {RobotrieError} limit-exceeded. */
	add(entries: Uint8Array): void {
		const tables = this.#tables;
		for (const { origin, programs } of entriesIn(entries)) {
			if (!programs) {
				for (const table of tables) table.delete(origin);
				continue;
			}
			let i = 0;
			for (const program of programsIn(programs))
				tables[i++]?.set(origin, program);
		}
	}

	/** The programs of an origin, as an entry has them. */
	programsOf(origin: string): Uint8Array | undefined {
		const programs: Uint8Array[] = [];
		for (const table of this.#tables) {
			const program = table.programOf(origin);
			if (!program) return undefined;
			programs.push(program);
		}
		return concatenate(programs);
	}

	/** The snapshot for an agent, as `RobotsIndex.snapshot` gives it; its bytes depend on nothing but the calls that were made. */
	async *snapshot(agentNumber: number): AsyncGenerator<Uint8Array> {
		const table = this.#tables[agentNumber] as OriginTable;
		const agent = this.#settings.agents[agentNumber] as Agent;
		const capture = table.capture(true);
		try {
			const head = { dialect: this.#settings.dialect, agent };
			const { size, stats } = table;
			for (const chunk of snapshotChunks(capture, head, size, stats.programs)) {
				yield chunk;
				await nextTurn();
			}
		} finally {
			capture.end();
		}
	}
}

/** A shard that is to be made, for each agent. Plain data. */
export interface ShardPlan {
	readonly entries: readonly StoredEntries[];
	/** Where it is written, agent by agent: to files that are there and empty. */
	readonly paths: readonly string[];
}

/** What came of it. */
export interface MadeShard {
	readonly origins: number;
	/** The size of each file. */
	readonly bytes: readonly number[];
}

/** Makes the indexes of a shard and writes them. @throws {Failure} */
export async function makeShard(
	{ entries, paths }: ShardPlan,
	settings: CompileSettings,
): Promise<MadeShard> {
	const tables = new ShardTables(settings);
	for (const stored of entries) {
		tables.add(readEntries(stored));
		await nextTurn();
	}
	const bytes: number[] = [];
	for (const [agentNumber, path] of paths.entries())
		bytes.push(await writeTables(tables, agentNumber, path, fillFile));
	return { origins: tables.size, bytes };
}

/** Writes the index for an agent; returns its bytes. @throws {Failure} */
export async function writeTables(
	tables: ShardTables,
	agentNumber: number,
	path: string,
	write: typeof fillFile,
): Promise<number> {
	let bytes = 0;
	async function* counted() {
		for await (const chunk of tables.snapshot(agentNumber)) {
			bytes += chunk.length;
			yield chunk;
		}
	}
	await write(path, counted());
	return bytes;
}
