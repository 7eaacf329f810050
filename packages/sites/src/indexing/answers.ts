/**
 * Recorded answers compiled for an engine that sorts, joins and divides them itself (integrations/spark), by way of `robotrie stream`: `compileAnswers`
 * reads a part of the input, and `ShardMaker` makes a shard of what the engine found to count. What a record means is decided where
 * `buildIndex` decides it (records.ts, compile-sites.ts). The engine does what build.ts does with all of them in one process: of an origin the last
 * record counts, with `asOf` the newest, and redirects are followed as `Redirects` follows them; conformance/recorded.jsonl holds both to that.
 */
import { type Access, RobotrieError } from "robotrie";
import { concatenate } from "#robotrie/common/chunks";
import type { Row } from "../records/records.ts";
import { type SiteTask, type SourceStream, tasksOf } from "../records/tasks.ts";
import { compileTasks, ShardTables } from "./build.ts";
import {
	type CompiledSites,
	type CompileSettings,
	placeOf,
	type Remarks,
	statePrograms,
} from "./compile-sites.ts";
import { EntryWriter, entriesIn } from "./entries.ts";

/** Rows of a table that another program has read. */
export interface RecordedRows {
	/** For messages. */
	readonly name: string;
	readonly rows: Iterable<Row>;
	/** The number of the first row. */
	readonly first: number;
}

/** What a record says. Of several with the same key the last one counts, with `asOf` the newest. */
export interface AnswerRow {
	/** An origin, or the URL of an answer at another path than /robots.txt, which a redirect may lead to. */
	readonly key: string;
	readonly isOrigin: boolean;
	readonly shard: number;
	/** With `asOf`: milliseconds since 1970. */
	readonly time: number | undefined;
	/** The key that it redirects to; null: nowhere; undefined: it does not redirect. */
	readonly target: string | null | undefined;
	/** A compact program for each agent, concatenated; undefined if it redirects. */
	readonly programs: Uint8Array | undefined;
}

/** What became of records that are no rows. */
export interface AnswerCounts {
	used: number;
	others: number;
	later: number;
	readonly faults: Remarks;
	readonly doubts: Remarks;
}

/** Reads and compiles a part of the input. @throws {SitesError} When it cannot be read at all. */
export async function compileAnswers(
	source: SourceStream | RecordedRows,
	settings: CompileSettings,
): Promise<{ readonly rows: AnswerRow[]; readonly counts: AnswerCounts }> {
	const rows: AnswerRow[] = [];
	const counts: AnswerCounts = {
		used: 0,
		others: 0,
		later: 0,
		faults: { count: 0, first: [] },
		doubts: { count: 0, first: [] },
	};
	const tasks = "rows" in source ? rowTask(source) : tasksOf(source);
	for await (const { sites } of compileTasks(tasks, settings)) {
		rows.push(...rowsOf(sites));
		counts.used += sites.used;
		counts.others += sites.others;
		counts.later += sites.later;
		for (const kind of ["faults", "doubts"] as const) {
			counts[kind].count += sites[kind].count;
			counts[kind].first.push(...sites[kind].first);
		}
	}
	return { rows, counts };
}

async function* rowTask(rows: RecordedRows): AsyncGenerator<SiteTask> {
	yield { kind: "rows", done: 1, ...rows };
}

/** The rows of a task, those of an origin in their order: each has the time of the last one, which is the newest. */
function* rowsOf({
	entries: { bytes, ends },
	moves,
	targets,
	times,
}: CompiledSites): Generator<AnswerRow> {
	const leadsTo = (target: string | null) => target && placeOf(target);
	for (const [shard, end] of ends.entries()) {
		const from = shard === 0 ? 0 : ends[shard - 1];
		for (const { origin: key, programs } of entriesIn(
			bytes.subarray(from, end),
		)) {
			const target = programs ? undefined : (moves.get(key)?.target ?? null);
			yield {
				...{ key, isOrigin: true, shard, time: times.get(key), programs },
				target: target === undefined ? undefined : leadsTo(target),
			};
		}
	}
	for (const answer of targets) {
		const { url: key, time } = answer;
		const isMoved = "target" in answer;
		yield {
			...{ key, isOrigin: false, shard: 0 },
			time: Number.isNaN(time) ? undefined : time,
			target: isMoved ? leadsTo(answer.target) : undefined,
			programs: isMoved ? undefined : answer.programs,
		};
	}
}

/** Makes the indexes of a shard. It never runs the programs that it is given: whoever loads the index verifies them. */
export class ShardMaker {
	readonly #settings: CompileSettings;
	readonly #tables: ShardTables;
	readonly #entries = new EntryWriter(1);

	constructor(settings: CompileSettings) {
		this.#settings = settings;
		this.#tables = new ShardTables(settings);
	}

	/**
	 * Sets the rules of an origin: those of an `AnswerRow`, or what a redirect means whose answer is not there.
	 * @throws {RobotrieError} invalid-argument: the programs are not those of as many agents; limit-exceeded.
	 */
	set(origin: string, rules: Uint8Array | Access): void {
		const { agents, dialect } = this.#settings;
		const programs =
			typeof rules === "string" ? statePrograms(rules, agents, dialect) : rules;
		if (!areWhole(programs, agents.length))
			throw new RobotrieError(
				"invalid-argument",
				`the rules of ${JSON.stringify(origin)} are not what a build gave for ${agents.length} crawlers`,
			);
		this.#entries.add(0, origin, programs);
		if (this.#entries.size > MOST_HELD) this.#flush();
	}

	/** A snapshot for each agent. */
	async snapshots(): Promise<Uint8Array[]> {
		this.#flush();
		const found: Uint8Array[] = [];
		for (const number of this.#settings.agents.keys()) {
			const chunks: Uint8Array[] = [];
			for await (const chunk of this.#tables.snapshot(number))
				chunks.push(chunk.slice());
			found.push(concatenate(chunks));
		}
		return found;
	}

	#flush(): void {
		this.#tables.add(this.#entries.take().bytes);
	}
}

/** Bytes of entries that are added to the tables at once. */
const MOST_HELD = 1024 * 1024;
/** Bytes of a program's length, which it begins with. */
const LENGTH = 3;

/** Whether bytes are so many programs, by their lengths. */
function areWhole(programs: Uint8Array, agents: number): boolean {
	const bytes = Buffer.from(
		programs.buffer,
		programs.byteOffset,
		programs.length,
	);
	let count = 0;
	for (let at = 0; at < bytes.length; count++) {
		if (at + LENGTH > bytes.length) return false;
		const length = bytes.readUIntLE(at, LENGTH);
		if (length < LENGTH) return false;
		at += length;
		if (at > bytes.length) return false;
	}
	return count === agents;
}
