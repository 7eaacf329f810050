/**
 * From tasks to shards, for `robotrie index`: sites are compiled and shards made, here or in threads, in the order of the input, so that the
 * index has the same bytes with any number of threads. run.ts calls it; what the threads do (`start`) is at the end. Sites arrive where they
 * belong, in the only shard or among the entries of several, before redirects among them are followed.
 */
import type { Agent } from "robotrie";
import { OriginTable, snapshotChunks } from "robotrie/internal";
import { concatenate } from "#robotrie/common/chunks";
import { nextTurn } from "#robotrie/common/steps";
import { fillFile } from "../files/output-file.ts";
import type { SiteTask } from "../records/tasks.ts";
import { readFileInto } from "../shards/index-file.ts";
import {
	inOrder,
	moved,
	ownBuffer,
	serve,
	Threads,
} from "../threads/threads.ts";
import {
	type CompiledSites,
	type CompileSettings,
	isOlder,
	type RedirectCounts,
	Redirects,
	SiteCompiler,
} from "./compile-sites.ts";
import {
	entriesIn,
	programsIn,
	readEntries,
	type ShardedEntries,
	ShardLog,
	type StoredEntries,
	withoutOrigins,
} from "./entries.ts";
import { type FactsFile, type Move, ShardFacts, type Target } from "./facts.ts";

/** Threads that compile sites and make shards. */
export type IndexThreads = Threads<typeof start>;

/** Started once for both kinds of work, as starting a thread takes 50 ms. */
export function startThreads(
	settings: CompileSettings,
	count: number,
): IndexThreads {
	// The program lies beside the file of dist that this is part of.
	const program = new URL("./build-worker.js", import.meta.url);
	return new Threads<typeof start>(program, count, settings);
}

/** Tasks under way for each thread: one that it compiles, one that waits for it, and one whose sites wait for their turn. */
const AHEAD = 3;

/**
 * Tasks and their sites, in order. Results come in the order of tasks, with threads or without:
 * that order decides which record of an origin is the last.
 * @throws {SitesError} When a task cannot be read at all.
 */
export async function* compileTasks(
	tasks: AsyncIterable<SiteTask>,
	settings: CompileSettings,
	threads?: IndexThreads,
): AsyncGenerator<{ readonly task: SiteTask; readonly sites: CompiledSites }> {
	const compiler = new SiteCompiler(settings);
	const here = (task: SiteTask) => compiler.run(task);
	const run = threads
		? (task: SiteTask) =>
				// Blocks of WARC files may be read again. Compiled bytes come back in a buffer of their
				// own, which is moved.
				threads.run(
					"compile",
					task,
					task.kind === "lines" ? ownBuffer(task.lines) : [],
				)
		: here;
	const ahead = threads ? AHEAD * threads.count : 1;
	yield* joined(inOrder(tasks, ahead, run), here);
}

/**
 * Blocks of a WARC file that seemed to end with a record and do not are read again together with
 * the next ones, whose own results do not count: they began within a record. This happens only
 * where a site put bytes into its answer that look like a record's beginning, so rereading need not
 * be fast, only bounded.
 */
async function* joined(
	results: AsyncIterable<{ item: SiteTask; result: CompiledSites }>,
	run: (task: SiteTask) => Promise<CompiledSites>,
): AsyncGenerator<{ readonly task: SiteTask; readonly sites: CompiledSites }> {
	/** What a block left of a record, and the blocks that were added since. */
	let rest: Uint8Array[] = [];
	let offset = 0;
	let isLost = false;
	for await (const { item, result } of results) {
		let task = item;
		let sites = result;
		if (task.kind === "warc") {
			if (isLost) {
				isLost = !task.isLast;
				continue;
			}
			if (rest.length > 0) {
				rest.push(task.bytes);
				const [first = task.bytes] = rest;
				// Doubled each time, or a long record would be read again and again. Doubling bounds the
				// work: each byte is read again at most about once.
				const size = rest.reduce((sum, { length }) => sum + length, 0);
				if (!task.isLast && size < 2 * first.length) continue;
				task = { ...task, bytes: concatenate(rest), offset };
				sites = await run(task);
				rest = [];
			}
			const { end } = sites;
			if (end && end.rest >= 0) {
				rest = [task.bytes.subarray(end.rest)];
				offset = task.offset + end.rest;
			}
			// A block that lost its way makes the ones after it meaningless, up to the end of the file.
			isLost = end?.isLost === true && !task.isLast;
		}
		yield { task, sites };
	}
}

/** Shards that are made and written, in their order. @throws {SitesError} */
export async function* makeShards(
	plans: Iterable<ShardPlan>,
	settings: CompileSettings,
	threads?: IndexThreads,
): AsyncGenerator<MadeShard> {
	const run = threads
		? ({ entries, ...plan }: ShardPlan) => {
				// Copies: a view would be sent with all of its buffer. Entries in memory are slices of
				// larger buffers.
				const copies = entries.map((stored) =>
					stored instanceof Uint8Array ? stored.slice() : stored,
				);
				const buffers = copies.flatMap((stored) =>
					stored instanceof Uint8Array ? ownBuffer(stored) : [],
				);
				return threads.run("make", { ...plan, entries: copies }, buffers);
			}
		: (plan: ShardPlan) => makeShard(plan, settings);
	const made = inOrder(plans, threads?.count ?? 1, run);
	for await (const { result } of made) yield result;
}

/** What an update knows of the index before it. */
export interface BeforeUpdate {
	readonly moves: ReadonlyMap<string, Move>;
	readonly targets: Iterable<Target>;
	/** When answers were recorded, where dates matter. */
	readonly times: ReadonlyMap<string, number>;
	/** The programs of some origins of a shard; of those that it does not have, none. */
	readonly programsOf: (
		shard: number,
		origins: readonly string[],
	) => Promise<ReadonlyMap<string, Uint8Array>>;
}

/**
 * Takes compiled sites to where they belong, and follows redirects among them. A redirect's target
 * may come after it in the input, or in another shard, so redirects wait until all sites are there.
 */
export class IndexBuilder {
	readonly #redirects: Redirects;
	/** The only shard, or what keeps the entries of several. */
	readonly #to: ShardTables | ShardLog;
	/** Entries that have come, redirects included; an origin may have several. */
	entries = 0;
	/** When the answer of an origin was recorded that counts so far. Only where dates matter: some 100 bytes an origin. */
	readonly #times = new Map<string, number>();
	readonly #before: BeforeUpdate | undefined;

	// One of two places, by the number of shards: tables at once, or a log of entries that are
	// divided later.
	constructor(
		settings: CompileSettings,
		to: ShardTables | ShardLog,
		before?: BeforeUpdate,
	) {
		this.#redirects = new Redirects(settings);
		this.#to = to;
		this.#before = before;
		if (!before) return;
		this.#redirects.begin(before.moves, before.targets);
		for (const [origin, time] of before.times) this.#times.set(origin, time);
	}

	/** Answers at other paths that redirects may lead to. */
	get targets(): Iterable<Target> {
		return this.#redirects.targets;
	}

	/** Takes the sites of a task; a later one of the same origin counts. @throws {SitesError} */
	async add(all: CompiledSites): Promise<void> {
		// Counted with duplicates, as that is what was read.
		this.entries += all.entries.count;
		const sites = { ...all, entries: this.#newest(all) };
		this.#redirects.add(sites);
		await this.#add(sites.entries);
	}

	/** The entries of a task without those of origins that have a newer answer already; all of them where dates do not matter. */
	#newest({ entries, times }: CompiledSites): ShardedEntries {
		const older = new Set<string>();
		for (const [origin, time] of times)
			if (isOlder(time, this.#times.get(origin))) older.add(origin);
			else this.#times.set(origin, time);
		return older.size === 0 ? entries : withoutOrigins(entries, older);
	}

	async #add(entries: ShardedEntries): Promise<void> {
		if (this.#to instanceof ShardLog) await this.#to.add(entries);
		else this.#to.add(entries.bytes);
	}

	/** Gives redirects, once all sites have been added, the answer of their target. @throws {SitesError} */
	async followRedirects(): Promise<RedirectCounts> {
		// Redirects become entries like others, so that a later `add` of the same origin is what
		// counts.
		const counts: RedirectCounts = { followed: 0, unanswered: 0 };
		const some = this.#redirects.follow(
			(shard, origins) => this.#programsOf(shard, origins),
			counts,
		);
		for await (const entries of some) await this.#add(entries);
		return counts;
	}

	async #programsOf(
		shard: number,
		origins: ReadonlySet<string>,
	): Promise<ReadonlyMap<string, Uint8Array>> {
		// The last entry of an origin counts, so entries are read in their order.
		if (this.#to instanceof ShardLog) {
			const found = new Map(this.#to.programsOf(shard, origins));
			const missing = [...origins].filter((origin) => !found.has(origin));
			const before = this.#before;
			if (before && missing.length > 0)
				for (const [origin, programs] of await before.programsOf(
					shard,
					missing,
				))
					found.set(origin, programs);
			return found;
		}
		const found = new Map<string, Uint8Array>();
		for (const origin of origins) {
			const programs = this.#to.programsOf(origin);
			if (programs) found.set(origin, programs);
		}
		return found;
	}
}

/**
 * The indexes of one shard, one for each agent. One table per agent, with the same origins in the
 * same order: an entry has the programs of all agents.
 */
export class ShardTables {
	/** What it is compiled for. */
	readonly settings: CompileSettings;
	readonly #tables: readonly OriginTable[];
	/** What is known of origins, where that is kept. */
	readonly facts = new ShardFacts();

	constructor(settings: CompileSettings) {
		this.settings = settings;
		// A snapshot of this table has the bytes that a RobotsIndex would write, whatever way the sites
		// came.
		this.#tables = settings.agents.map(() =>
			OriginTable.inOwnMemory(settings.dialect),
		);
	}

	/** The rules of a file, which says whose they are and how they were read. @throws {SitesError} */
	static async of(
		path: string,
		about: Omit<CompileSettings, "agents" | "dialect">,
	): Promise<ShardTables> {
		let found: ShardTables | undefined;
		await readFileInto(({ agent, dialect }) => {
			found = new ShardTables({ ...about, agents: [agent], dialect });
			return found.#tables[0] as OriginTable;
		}, path);
		return found as ShardTables;
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
		for (const { origin, programs, facts } of entriesIn(entries)) {
			// An entry of a redirect that was followed says nothing new of its origin.
			if (facts.length > 0)
				this.facts.set(origin, Buffer.from(facts).toString());
			// A moved origin is taken out again; its redirect is followed at the end.
			if (!programs) {
				for (const table of tables) table.delete(origin);
				continue;
			}
			let i = 0;
			for (const program of programsIn(programs))
				tables[i++]?.set(origin, program);
		}
	}

	/** Begins with the rules of a file, which are the only crawler's. @throws {SitesError} */
	async begin(path: string): Promise<void> {
		const [table] = this.#tables as [OriginTable];
		await readFileInto(() => table, path);
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

	/**
	 * The snapshot for an agent, as `RobotsIndex.snapshot` gives it; its bytes depend on nothing but
	 * the calls that were made. Captured first, so that the index can be read while it is written.
	 */
	async *snapshot(agentNumber: number): AsyncGenerator<Uint8Array> {
		const table = this.#tables[agentNumber] as OriginTable;
		const agent = this.settings.agents[agentNumber] as Agent;
		const capture = table.capture(true);
		try {
			const head = { dialect: this.settings.dialect, agent };
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

/**
 * A shard that is to be made, for each agent. Plain data, as a thread may do it:
 * entries in memory, or where they lie in the temporary file.
 */
export interface ShardPlan {
	readonly entries: readonly StoredEntries[];
	/** Where it is written, agent by agent: to files that are there and empty. */
	readonly paths: readonly string[];
	/** Where facts are written, if they are kept, and answers at other paths that belong to them. */
	readonly facts?: {
		readonly path: string;
		readonly targets: readonly Target[];
	};
	/** The shard that is updated. */
	readonly old?: OldShard;
}

/** The files of a shard that is updated. */
export interface OldShard {
	readonly path: string;
	readonly facts: FactsFile;
}

/** What came of it. */
export interface MadeShard {
	readonly origins: number;
	/** The size of each file. */
	readonly bytes: readonly number[];
	/** The size of the facts; 0 where they are not kept. */
	readonly factBytes: number;
}

/**
 * Makes the indexes of a shard and writes them. The file exists and is empty, so a thread writes to
 * a name that the main thread knows and can remove.
 * @throws {SitesError}
 */
export async function makeShard(
	{ entries, paths, facts, old }: ShardPlan,
	settings: CompileSettings,
): Promise<MadeShard> {
	const tables = new ShardTables(settings);
	if (old) {
		await tables.begin(old.path);
		tables.facts.read(old.facts);
	}
	for (const stored of entries) {
		tables.add(readEntries(stored));
		// Timers and signals get a turn: a shard may take seconds.
		await nextTurn();
	}
	const bytes: number[] = [];
	for (const [agentNumber, path] of paths.entries())
		bytes.push(await writeTables(tables, agentNumber, path, fillFile));
	let factBytes = 0;
	if (facts) {
		for (const target of facts.targets) tables.facts.add(target);
		const lines = tables.facts.toBytes();
		await fillFile(facts.path, [lines]);
		factBytes = lines.length;
	}
	return { origins: tables.size, bytes, factBytes };
}

/** Writes the index for an agent; returns its bytes. @throws {SitesError} */
export async function writeTables(
	tables: ShardTables,
	agentNumber: number,
	path: string,
	write: typeof fillFile,
): Promise<number> {
	let bytes = 0;
	async function* counted() {
		// Counted here, as a file's size is not known to the writer.
		for await (const chunk of tables.snapshot(agentNumber)) {
			bytes += chunk.length;
			yield chunk;
		}
	}
	await write(path, counted());
	return bytes;
}

/**
 * What a thread does: compiles the sites of a task, in buffers that are kept for the next one, or
 * makes a shard and writes it. Nothing of a thread's compiler outlives a task but its buffers.
 */
const start = (settings: CompileSettings) => {
	const compiler = new SiteCompiler(settings);
	return {
		async compile(task: SiteTask) {
			const sites = await compiler.run(task);
			return moved(sites, [sites.entries.bytes.buffer]);
		},
		make: (plan: ShardPlan) => makeShard(plan, settings),
	};
};

export default serve(start);
