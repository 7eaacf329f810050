import { nextTurn } from "robotrie/internal";
import { fillFile } from "../output/output-file.ts";
import type { CompileSettings } from "./compile-sites.ts";
import { type LogPart, readPart } from "./shard-log.ts";
import { ShardTables } from "./shard-tables.ts";

/** A shard that is to be made, for each agent. Plain data. */
export interface ShardPlan {
	/** Its entries. */
	readonly parts: readonly LogPart[];
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
	{ parts, paths }: ShardPlan,
	settings: CompileSettings,
): Promise<MadeShard> {
	const tables = new ShardTables(settings);
	for (const part of parts) {
		tables.add(readPart(part));
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
