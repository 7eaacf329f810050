/**
 * A run of `robotrie index`: reads all places, builds the index in a file or in a folder of shards, and says what it found. index-command.ts
 * calls it. The index before stays in force until the new one is whole; with several agents, each site is read once for all.
 */
import type { Agent, Dialect } from "robotrie";
import { agentList, count, duration } from "robotrie/internal";
import { IndexFolder } from "../index-files/index-folder.ts";
import { sizeOf } from "../index-files/shard-set.ts";
import { sizeOfInputs } from "../input/input.ts";
import { workersFor } from "../options/options.ts";
import { Failure, tell } from "../output/output.ts";
import { writeOutput } from "../output/output-file.ts";
import { StatusLine } from "../output/progress.ts";
import type { Schemes } from "../sites/records.ts";
import { type SiteTask, tasksOf } from "../sites/tasks.ts";
import {
	compileTasks,
	IndexBuilder,
	type IndexThreads,
	makeShards,
	ShardTables,
	startThreads,
	writeTables,
} from "./build.ts";
import {
	type CompiledSites,
	type CompileSettings,
	MOST_SHOWN,
	type RedirectCounts,
	type Remarks,
} from "./compile-sites.ts";
import { ShardLog } from "./entries.ts";

/** What `robotrie index` is to do. */
interface IndexRun {
	readonly places: readonly string[];
	/** An index for each agent, and where it is written. */
	readonly outputs: readonly { readonly agent: Agent; readonly path: string }[];
	/** Files of each index, in a folder; undefined for a file. */
	readonly shards: number | undefined;
	readonly dialect: Dialect;
	/** Bytes of a robots.txt that are read; undefined for the dialect's own limit. */
	readonly maxBytes: number | undefined;
	readonly schemes: Schemes;
	/** See `CompileSettings`. */
	readonly asOf: number | undefined;
	readonly workers: number | undefined;
	/** Bytes that shards may take while they are made. */
	readonly memory: number;
	readonly strict: boolean;
	readonly progress: boolean | undefined;
	readonly summary: boolean | undefined;
}

/** Builds indexes and writes them. @throws {Failure} */
export async function runIndex(run: IndexRun): Promise<void> {
	const settings: CompileSettings = {
		agents: run.outputs.map(({ agent }) => agent),
		shards: run.shards ?? 1,
		dialect: run.dialect,
		maxBytes: run.maxBytes,
		schemes: run.schemes,
		asOf: run.asOf,
	};
	const workers =
		run.workers ?? workersFor(sizeOfInputs(run.places), WORTH_A_THREAD);
	// Threads read and compile; writing a shard is theirs, too, so both use the same ones.
	const threads = workers > 1 ? startThreads(settings, workers) : undefined;
	try {
		if (run.shards === undefined) await inFiles(run, settings, threads);
		else await inFolders(run, run.shards, settings, threads);
	} finally {
		await threads?.end();
	}
}

/** An index for each agent, in a file. @throws {Failure} */
async function inFiles(
	run: IndexRun,
	settings: CompileSettings,
	threads: IndexThreads | undefined,
): Promise<void> {
	// One file: shards are tables in memory, written at the end.
	const tables = new ShardTables(settings);
	const builder = new IndexBuilder(settings, tables);
	const describe = () =>
		`${count(tables.size, "origin")}, ${count(tables.programs, "different program")}`;
	const found = await read(builder, run, settings, threads, describe);
	const places: string[] = [];
	for (const [agentNumber, { path }] of run.outputs.entries())
		places.push(
			placeOf(await writeTables(tables, agentNumber, path, writeOutput), path),
		);
	summarise(run, [describe(), places, found]);
}

/** An index for each agent, in a folder of shards. @throws {Failure} */
async function inFolders(
	run: IndexRun,
	shards: number,
	settings: CompileSettings,
	threads: IndexThreads | undefined,
): Promise<void> {
	// By path, as the temporary file may have had the first one opened already.
	const folders = new Map<string, IndexFolder>();
	const folderAt = async (path: string) => {
		const folder = folders.get(path) ?? (await IndexFolder.open(path));
		folders.set(path, folder);
		return folder;
	};
	const [{ path: first } = { path: "" }] = run.outputs;
	const log = new ShardLog(
		shards,
		Math.floor(run.memory / HELD),
		async () => (await folderAt(first)).path,
	);
	const describe = (origins: number) =>
		`${count(origins, "origin")} in ${count(shards, "shard")}`;
	try {
		const builder = new IndexBuilder(settings, log);
		const found = await read(builder, run, settings, threads, () =>
			describe(builder.entries),
		);
		const targets: IndexFolder[] = [];
		for (const { path } of run.outputs) targets.push(await folderAt(path));
		function* plans() {
			// Plans are made lazily: a shard's entries are read when it is made.
			for (let shard = 0; shard < shards; shard++)
				yield {
					entries: log.entriesOf(shard),
					paths: targets.map((folder) => folder.create(shard)),
				};
		}
		let total = 0;
		// One shard after the other in this thread, several at a time in threads.
		for await (const made of makeShards(plans(), settings, threads)) {
			const { origins, bytes } = made;
			total += origins;
			for (const [agentNumber, folder] of targets.entries())
				folder.add(origins, bytes[agentNumber] ?? 0);
		}
		const places: string[] = [];
		for (const [agentNumber, folder] of targets.entries()) {
			const agent = agentList(settings.agents[agentNumber] as Agent);
			// Committed once all shards are written, so that an index is whole or the old one.
			const bytes = await folder.commit({ agent, dialect: run.dialect });
			const sizes = folder.shards.map(sizeOf);
			const all = sizes.reduce((sum, size) => sum + size, 0);
			places.push(
				`${placeOf(bytes, folder.path)} (loaded: at most ${megabytes(all)}, the largest shard ${megabytes(Math.max(...sizes))})`,
			);
		}
		summarise(run, [describe(total), places, found]);
	} catch (error) {
		for (const folder of folders.values()) await folder.discard();
		throw error;
	} finally {
		await log.end();
	}
}

/** What was read. */
interface Found {
	readonly remarks: ShownRemarks;
	readonly redirects: RedirectCounts;
	/** It has no site. */
	readonly isEmpty: boolean;
}

/** Read once for all agents: parsing is the expensive part, and each file is parsed for all of them. */
async function read(
	builder: IndexBuilder,
	run: IndexRun,
	settings: CompileSettings,
	threads: IndexThreads | undefined,
	describe: () => string,
): Promise<Found> {
	const remarks = new ShownRemarks(new StatusLine(run.progress));
	const clock = new Clock(run.places);
	const tasks = allTasks(run.places);
	for await (const { task, sites } of compileTasks(tasks, settings, threads)) {
		await builder.add(sites);
		remarks.take(sites);
		// Shown by share of bytes, as records differ too much in size to count them.
		remarks.status.show(() => clock.text(task, describe()));
	}
	const isEmpty = builder.entries === 0;
	remarks.end(run.strict || isEmpty);
	// Most likely the wrong file was named, and the index before is worth more.
	const { others, later } = remarks;
	if (isEmpty && later > 0)
		throw new Failure(
			`no robots.txt that was recorded in time: ${count(later, "record")} are later than --as-of; nothing was written`,
		);
	if (isEmpty && others > 0)
		throw new Failure(
			`no robots.txt among ${count(others, "record")}; nothing was written`,
		);
	return { remarks, redirects: await builder.followRedirects(), isEmpty };
}

/** On stderr, and by default only where a person looks. */
function summarise(
	{ summary }: IndexRun,
	[what, places, found]: [string, readonly string[], Found],
): void {
	const { remarks, redirects, isEmpty } = found;
	if (isEmpty)
		tell(
			'warning: the input has no site, so the index is empty; "robotrie index --help" says what is read',
		);
	if (summary ?? process.stderr.isTTY)
		tell(`${what}: ${[...places, ...details(redirects, remarks)].join("; ")}`);
}

/** Places are read one after the other, so that the order of records is that of the arguments. */
async function* allTasks(places: readonly string[]): AsyncGenerator<SiteTask> {
	for (const place of places) yield* tasksOf(place);
}

/** Rounded up, as the number is for `--memory`. */
function megabytes(bytes: number): string {
	return `${Math.ceil(bytes / 2 ** 20).toLocaleString("en-US")} MiB`;
}

function placeOf(bytes: number, path: string): string {
	return `${count(bytes, "byte")} in ${path}`;
}

function details(
	{ followed, unanswered }: RedirectCounts,
	{ others, later, damages }: ShownRemarks,
) {
	// Redirects without an answer are worth a number: they allow everything.
	const redirects = followed + unanswered;
	const kinds = [...damages].sort(([a], [b]) => (a < b ? -1 : 1));
	const damaged = kinds.reduce((sum, [, number]) => sum + number, 0);
	return [
		...(redirects > 0
			? [
					`${count(redirects, "redirect")}, ${unanswered} of them without a recorded answer`,
				]
			: []),
		...(damaged > 0
			? [
					`${damaged.toLocaleString("en-US")} damaged ${damaged === 1 ? "body" : "bodies"} (${kinds.map(([kind, number]) => `${number.toLocaleString("en-US")} ${kind}`).join(", ")}), whose sites count as unreachable`,
				]
			: []),
		...(later > 0 ? [`${count(later, "later record")} skipped`] : []),
		...(others > 0 ? [`${count(others, "other record")} skipped`] : []),
	];
}

/**
 * Remarks about records, of which the first are shown. Of millions of records a few are shown, by
 * kind, so that a run ends with few lines.
 */
class ShownRemarks {
	readonly status: StatusLine;
	#faults = 0;
	#used = 0;
	#doubts = 0;
	/** Records that are about no robots.txt. */
	others = 0;
	/** Records after --as-of. */
	later = 0;
	/** Damaged bodies by their kind. */
	readonly damages = new Map<string, number>();

	constructor(status: StatusLine) {
		this.status = status;
	}

	take(sites: CompiledSites): void {
		const { faults, used, doubts, damages, others, later } = sites;
		this.#used += used;
		for (const [kind, number] of damages)
			this.damages.set(kind, (this.damages.get(kind) ?? 0) + number);
		this.#faults = this.#tell(faults, this.#faults);
		this.#doubts = this.#tell(doubts, this.#doubts);
		this.others += others;
		this.later += later;
	}

	#tell({ count, first }: Remarks, before: number): number {
		// Remarks replace the status line for a moment.
		for (const text of first.slice(0, Math.max(0, MOST_SHOWN - before))) {
			this.status.clear();
			tell(text);
		}
		return before + count;
	}

	/**
	 * With --strict, without any site, or where most records are faults, they are an error: the input is most likely another one than was
	 * meant, and an index of the rest would call those sites unknown. Otherwise a remark.
	 */
	end(strict: boolean): void {
		this.status.clear();
		const more = this.#doubts - MOST_SHOWN;
		if (more > 0)
			tell(
				`warning: ${count(more, "more file")} ${more === 1 ? "looks" : "look"} like no robots.txt`,
			);
		if (this.#faults === 0) return;
		const left = `${count(this.#faults, "site")} could not be read`;
		if (strict) throw new Failure(`${left}; nothing was written`);
		const all = this.#used + this.#faults;
		if (this.#faults > this.#used)
			throw new Failure(
				`${left}, more than half of ${all.toLocaleString("en-US")}; nothing was written`,
			);
		tell(`${left} and ${this.#faults === 1 ? "is" : "are"} left out`);
	}
}

/**
 * The share of the input that is read, and when all of it will be. Only where all sizes are known:
 * a guess would be wrong in both directions.
 */
class Clock {
	readonly #start = performance.now();
	/** What each place is of all; empty when that is not known. */
	readonly #shares: ReadonlyMap<string, number>;
	#place = "";
	/** Of the places before. */
	#before = 0;

	constructor(places: readonly string[]) {
		const sizes = places.map((place) => sizeOfInputs([place]));
		const total = sizes.reduce((sum, size) => sum + size, 0);
		this.#shares = new Map(
			sizes.includes(0)
				? []
				: places.map((place, i) => [place, (sizes[i] ?? 0) / total]),
		);
	}

	/** "42%, 1,000 origins in 16 shards, 3 s left" */
	text({ name, done }: SiteTask, description: string): string {
		if (name !== this.#place) {
			this.#before += this.#shares.get(this.#place) ?? 0;
			this.#place = name;
		}
		const share = this.#before + done * (this.#shares.get(name) ?? 0);
		if (share <= 0) return description;
		const seconds = (performance.now() - this.#start) / 1000;
		const left = duration((seconds * (1 - share)) / share);
		return `${Math.floor(Math.min(share, 1) * 100)}%, ${description}, ${left} left`;
	}
}

/** A thread takes 50 ms to start, and 20 MB. */
const WORTH_A_THREAD = 16 * 1024 * 1024;

/** Compiled sites that wait for their shard take a HELD-th of the memory; the shard itself takes another one. */
const HELD = 4;
