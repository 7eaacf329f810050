/**
 * `buildIndex`: reads recorded answers, builds the index in a file or in a folder of shards, and says what it found. The index before stays in
 * force until the new one is whole; with several crawlers, each site is read once for all.
 */
import {
	type Agent,
	type Dialect,
	dialectNames,
	RobotrieError,
} from "robotrie";

import { agentKind, agentList } from "#robotrie/common/agents";
import {
	check,
	checkOptions,
	isRecord,
	type Kind,
	type OptionTable,
	parseUrl,
} from "#robotrie/common/arguments";
import {
	chunksKind,
	flagKind,
	functionKind,
	list,
	number,
	oneOf,
	wholeNumber,
} from "#robotrie/common/kinds";
import { count } from "#robotrie/common/wording";
import { endOfTime } from "../files/dates.ts";
import { SitesError } from "../files/errors.ts";
import { writeFile } from "../files/output-file.ts";
import { type SiteTask, type Source, tasksOf } from "../records/tasks.ts";
import {
	IndexFolder,
	MOST_SHARDS,
	schemesKind,
} from "../shards/index-folder.ts";
import { shardOfUrl } from "../shards/shard.ts";
import { sizeOf } from "../shards/shard-set.ts";
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
import type { Target } from "./facts.ts";

/** An index to be built: for which crawler, and where it is written. */
export interface IndexTarget {
	/** A product token, or several, the most specific first. */
	readonly agent: Agent;
	/** A file, or with `shards` a folder. What is there stays in force until the new index is whole. */
	readonly path: string;
}

/** How far a build is. */
export interface BuildProgress {
	/** The source that is being read. */
	readonly name: string;
	/** The share of it that is read, from 0 to 1; 0 for a stream, whose end is not known. */
	readonly done: number;
	/** Origins so far; with `shards`, one that came twice counts twice. */
	readonly origins: number;
	/** Different rules so far; undefined with `shards`. */
	readonly programs: number | undefined;
}

/** How recorded answers are read. */
export interface ReadingOptions {
	/** How robots.txt files are read. Default "rfc9309". */
	readonly dialect?: Dialect | undefined;
	/** Bytes of a robots.txt that are read. Default: the dialect's own limit. */
	readonly maxBytes?: number | undefined;
	/** What the hosts of a folder's files stand for. Default both. */
	readonly schemes?: readonly ("http" | "https")[] | undefined;
	/**
	 * Of several answers of an origin the newest up to then counts, by the date of its record, and not the last of the input. Milliseconds since
	 * 1970, a Date, or text: a day such as "2026-03-01", up to its end in UTC, or a time such as "2026-03-01T12:00:00Z".
	 */
	readonly asOf?: Date | number | string | undefined;
	/** Threads that read and compile. Default 1: this one. Another one pays off from about 16 MiB of input on. */
	readonly workers?: number | undefined;
	/** Bytes that compiled sites may take before they wait in a temporary file, and a shard that is made. Default 1 GiB. */
	readonly memory?: number | undefined;
	/** Whether nothing is written if any record cannot be used. */
	readonly strict?: boolean | undefined;
	/** Called with a sentence about a record that cannot be used, or is hardly a robots.txt: the first five of each kind, then how many more. */
	readonly onRemark?: ((text: string) => void) | undefined;
	/** Called after each part of a source, a megabyte or so. */
	readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
}

/** Options of `buildIndex`. */
export interface BuildOptions extends ReadingOptions {
	/** Writes a folder of so many files, from 1 to 4096, in place of one file: sites divided by `shardOf` their host. */
	readonly shards?: number | undefined;
	/**
	 * With `shards`, and for one crawler: whether to keep what the answers said besides rules, as `SiteIndex.sites` gives it. `updateIndex` needs
	 * it. Some 7 bytes an origin on disk, and more where origins have sitemaps of their own. Default false.
	 */
	readonly facts?: boolean | undefined;
}

/** An index that was written. */
export interface WrittenIndex extends IndexTarget {
	/** Bytes of all its files. */
	readonly bytes: number;
	/** Bytes that all shards, and the largest one, take in memory at most; undefined for a file. */
	readonly memory:
		| { readonly all: number; readonly largest: number }
		| undefined;
}

/** What became of a source's records. */
export interface BuildReport {
	/** Origins in each index. */
	readonly origins: number;
	/** Different rules of the first crawler; undefined with `shards`. */
	readonly programs: number | undefined;
	/** In the order of the targets. */
	readonly written: readonly WrittenIndex[];
	/** Numbers of records. */
	readonly records: {
		/** Those that say something about a site. */
		readonly used: number;
		/** Those that cannot be used. */
		readonly faults: number;
		/** Those of a WARC file that are about something else. */
		readonly others: number;
		/** Those after `asOf`. */
		readonly later: number;
		/** Bodies that are hardly a robots.txt; they are used. */
		readonly doubts: number;
	};
	/** Damaged bodies by what is wrong with them; their sites count as unreachable. */
	readonly damages: ReadonlyMap<string, number>;
	/** Redirects that took the answer recorded for their target, and those whose target has none. */
	readonly redirects: Readonly<RedirectCounts>;
}

const workerKind = wholeNumber(1, 64);
/** What a folder's hosts stand for by default. */
export const BOTH = ["https", "http"] as const;
/** One GiB, as robotrie index has. */
export const MEMORY = 2 ** 30;

const asOfKind: Kind = {
	text: 'a Date, a number of milliseconds, a day such as "2026-03-01" or a time such as "2026-03-01T12:00:00Z"',
	accepts: (value) => !Number.isNaN(timeFor(value)),
};

export const timeFor = (value: unknown): number => {
	if (typeof value === "string") return endOfTime(value);
	if (value instanceof Date) return value.getTime();
	return typeof value === "number" ? value : Number.NaN;
};

export const readingOptions: OptionTable<ReadingOptions> = {
	dialect: oneOf(dialectNames),
	maxBytes: number(0, Number.POSITIVE_INFINITY, "of bytes"),
	schemes: schemesKind,
	asOf: asOfKind,
	workers: workerKind,
	memory: number(1, Number.MAX_SAFE_INTEGER),
	strict: flagKind,
	onRemark: functionKind,
	onProgress: functionKind,
};

const buildOptions: OptionTable<BuildOptions> = {
	...readingOptions,
	shards: wholeNumber(1, MOST_SHARDS),
	facts: flagKind,
};

const targetKind: Kind = {
	text: "an object with an agent and a path",
	accepts: (value) =>
		isRecord(value) &&
		agentKind.accepts(value.agent) &&
		typeof value.path === "string" &&
		value.path !== "",
};

export const sourcesKind = list(
	{
		text: "a source",
		accepts: (value) =>
			typeof value === "string" ||
			(isRecord(value) &&
				typeof value.name === "string" &&
				chunksKind.accepts(value.chunks)),
	},
	"paths and streams",
);

/**
 * Builds an index of recorded answers and writes it: `RobotsIndex.load`, `openIndex` and `robotrie match --index` read it. Sources are read in
 * their order; if an origin comes twice, the later record counts. What each kind of source looks like: docs/many-sites.md. A redirect takes
 * the answer that is recorded for its target, over at most five hops (RFC 9309 §2.3.1.2); without one, its URLs are `later`.
 *
 * Until it resolves, an index before it stays as it was; if the process ends, half-written files are removed, for which it listens to SIGINT,
 * SIGTERM and SIGHUP meanwhile, unless somebody else does.
 * @param sources A source or several: WARC files (`npm install warcio`), Parquet, JSON lines, folders of robots.txt files, streams.
 * @param targets The crawler and the path of the index; for several crawlers, one of each. Sites are read and parsed once for all.
 * @throws {RobotrieError} invalid-argument; limit-exceeded: rules of more than 1 GiB in one file, which `shards` divides; missing-package.
 * @throws {SitesError} unreadable, malformed, unusable or unwritable. Nothing was written.
 * @example
 * const robots = { name: "mine", chunks: [new TextEncoder().encode('{"origin": "https://example.net", "robots": ""}')] };
 * const { origins } = await buildIndex(robots, { agent: "ExampleBot", path: "mine.index" });
 * origins; // 1
 */
export async function buildIndex(
	sources: Source | readonly Source[],
	targets: IndexTarget | readonly IndexTarget[],
	options: BuildOptions = {},
): Promise<BuildReport> {
	const all = (Array.isArray(sources) ? sources : [sources]) as Source[];
	const to = (Array.isArray(targets) ? targets : [targets]) as IndexTarget[];
	check("sources", all, sourcesKind);
	check("targets", to, list(targetKind, "objects with an agent and a path"));
	checkOptions("buildIndex", options, buildOptions);
	if (options.facts && (options.shards === undefined || to.length !== 1))
		throw new RobotrieError(
			"invalid-argument",
			"facts needs shards, and a single target",
		);
	const run: Run = {
		sources: all,
		targets: to,
		options,
		settings: {
			agents: to.map(({ agent }) => agent),
			shards: options.shards ?? 1,
			dialect: options.dialect ?? dialectNames[0],
			maxBytes: options.maxBytes,
			schemes: options.schemes ?? BOTH,
			asOf: options.asOf === undefined ? undefined : timeFor(options.asOf),
			facts: options.facts,
		},
	};
	const { workers = 1 } = options;
	// Threads read and compile; writing a shard is theirs, too, so both use the same ones.
	const threads = workers > 1 ? startThreads(run.settings, workers) : undefined;
	try {
		return options.shards === undefined
			? await inFiles(run, threads)
			: await inFolders(run, options.shards, threads);
	} finally {
		await threads?.end();
	}
}

/** What a build is to do. */
export interface Run {
	readonly sources: readonly Source[];
	readonly targets: readonly IndexTarget[];
	readonly settings: CompileSettings;
	readonly options: BuildOptions;
}

/** An index for each crawler, in a file. @throws {SitesError} */
async function inFiles(
	run: Run,
	threads: IndexThreads | undefined,
): Promise<BuildReport> {
	// One file: shards are tables in memory, written at the end.
	const tables = new ShardTables(run.settings);
	const builder = new IndexBuilder(run.settings, tables);
	const found = await read(builder, run, threads, () => ({
		origins: tables.size,
		programs: tables.programs,
	}));
	const written: WrittenIndex[] = [];
	for (const [agentNumber, target] of run.targets.entries()) {
		const bytes = await writeTables(
			tables,
			agentNumber,
			target.path,
			writeFile,
		);
		written.push({ ...target, bytes, memory: undefined });
	}
	const { size: origins, programs } = tables;
	return { ...found, origins, programs, written };
}

/** An index for each crawler, in a folder of shards. @throws {SitesError} */
async function inFolders(
	run: Run,
	shards: number,
	threads: IndexThreads | undefined,
): Promise<BuildReport> {
	const { targets, settings } = run;
	const { memory = MEMORY } = run.options;
	// By path, as the temporary file may have had the first one opened already.
	const folders = new Map<string, IndexFolder>();
	const folderAt = async (path: string) => {
		const folder = folders.get(path) ?? (await IndexFolder.open(path));
		folders.set(path, folder);
		return folder;
	};
	const [{ path: first } = { path: "" }] = targets;
	const log = new ShardLog(
		shards,
		Math.floor(memory / HELD),
		async () => (await folderAt(first)).path,
	);
	try {
		const builder = new IndexBuilder(settings, log);
		const found = await read(builder, run, threads, () => ({
			origins: builder.entries,
			programs: undefined,
		}));
		const into: IndexFolder[] = [];
		for (const { path } of targets) into.push(await folderAt(path));
		const targetsOf = byShard(builder.targets, shards);
		function* plans() {
			// Plans are made lazily: a shard's entries are read when it is made.
			for (let shard = 0; shard < shards; shard++)
				yield {
					entries: log.entriesOf(shard),
					paths: into.map((folder) => folder.create(shard)),
					...(settings.facts && into[0]
						? {
								facts: {
									path: into[0].create(shard, "facts"),
									targets: targetsOf.get(shard) ?? [],
								},
							}
						: {}),
				};
		}
		let origins = 0;
		// One shard after the other in this thread, several at a time in threads.
		for await (const made of makeShards(plans(), settings, threads)) {
			origins += made.origins;
			for (const [agentNumber, folder] of into.entries())
				folder.add(
					made.origins,
					made.bytes[agentNumber] ?? 0,
					settings.facts ? made.factBytes : undefined,
				);
		}
		const written: WrittenIndex[] = [];
		for (const [agentNumber, folder] of into.entries()) {
			const target = targets[agentNumber] as IndexTarget;
			const agent = agentList(target.agent);
			const { dialect, maxBytes } = settings;
			const { schemes } = run.options;
			// Committed once all shards are written, so that an index is whole or the old one.
			const about = { agent, dialect, maxBytes, schemes };
			const bytes = await folder.commit(about);
			const sizes = folder.shards.map(sizeOf);
			const all = sizes.reduce((sum, size) => sum + size, 0);
			const largest = Math.max(...sizes);
			written.push({ ...target, bytes, memory: { all, largest } });
		}
		return { ...found, origins, programs: undefined, written };
	} catch (error) {
		for (const folder of folders.values()) await folder.discard();
		throw error;
	} finally {
		await log.end();
	}
}

/** Answers at other paths by the shard that keeps them, which is that of their host. */
export function byShard(
	targets: Iterable<Target>,
	shards: number,
): ReadonlyMap<number, readonly Target[]> {
	const found = new Map<number, Target[]>();
	for (const target of targets) {
		const url = parseUrl(target.url);
		const shard = url ? shardOfUrl(url, shards) : 0;
		const some = found.get(shard) ?? [];
		found.set(shard, some);
		some.push(target);
	}
	return found;
}

/** What was read. */
export type Found = Pick<BuildReport, "records" | "damages" | "redirects">;

/** Read once for all crawlers: parsing is the expensive part, and each file is parsed for all of them. */
export async function read(
	builder: IndexBuilder,
	{ sources, settings, options }: Omit<Run, "targets">,
	threads: IndexThreads | undefined,
	state: () => Pick<BuildProgress, "origins" | "programs">,
): Promise<Found> {
	const { onRemark, onProgress, strict = false } = options;
	const remarks = new RecordCounts(onRemark);
	const tasks = allTasks(sources);
	for await (const { task, sites } of compileTasks(tasks, settings, threads)) {
		await builder.add(sites);
		remarks.take(sites);
		const { name, done } = task;
		onProgress?.({ name, done, ...state() });
	}
	const isEmpty = builder.entries === 0;
	remarks.end(strict || isEmpty);
	// Most likely the wrong file was named, and the index before is worth more.
	const { others, later } = remarks.counts;
	if (isEmpty && later > 0)
		throw unusable(
			`no robots.txt that was recorded in time: ${count(later, "record")} are later than --as-of`,
		);
	if (isEmpty && others > 0)
		throw unusable(`no robots.txt among ${count(others, "record")}`);
	const redirects = await builder.followRedirects();
	return { records: remarks.counts, damages: remarks.damages, redirects };
}

/** Sources are read one after the other, so that the order of records is that of the arguments. */
async function* allTasks(sources: readonly Source[]): AsyncGenerator<SiteTask> {
	for (const source of sources) yield* tasksOf(source);
}

const unusable = (what: string) =>
	new SitesError("unusable", `${what}; nothing was written`);

/**
 * Counts records, and says what is wrong with the first of them. Of millions a few are named, by kind.
 */
class RecordCounts {
	readonly #tell: (text: string) => void;
	readonly counts = { used: 0, faults: 0, others: 0, later: 0, doubts: 0 };
	/** Damaged bodies by their kind. */
	readonly damages = new Map<string, number>();

	constructor(onRemark: (text: string) => void = () => {}) {
		this.#tell = onRemark;
	}

	take(sites: CompiledSites): void {
		const { faults, used, doubts, damages, others, later } = sites;
		const { counts } = this;
		counts.used += used;
		for (const [kind, number] of damages)
			this.damages.set(kind, (this.damages.get(kind) ?? 0) + number);
		counts.faults = this.#some(faults, counts.faults);
		counts.doubts = this.#some(doubts, counts.doubts);
		counts.others += others;
		counts.later += later;
	}

	#some({ count, first }: Remarks, before: number): number {
		for (const text of first.slice(0, Math.max(0, MOST_SHOWN - before)))
			this.#tell(text);
		return before + count;
	}

	/**
	 * With `strict`, without any site, or where most records are faults, they are an error: the input is most likely another one than was
	 * meant, and an index of the rest would call those sites unknown. Otherwise a remark.
	 */
	end(strict: boolean): void {
		const { doubts, faults, used } = this.counts;
		const more = doubts - MOST_SHOWN;
		if (more > 0)
			this.#tell(
				`warning: ${count(more, "more file")} ${more === 1 ? "looks" : "look"} like no robots.txt`,
			);
		if (faults === 0) return;
		const left = `${count(faults, "site")} could not be read`;
		if (strict) throw unusable(left);
		const all = used + faults;
		if (faults > used)
			throw unusable(
				`${left}, more than half of ${all.toLocaleString("en-US")}`,
			);
		this.#tell(`${left} and ${faults === 1 ? "is" : "are"} left out`);
	}
}

/** Compiled sites that wait for their shard take a HELD-th of the memory; the shard itself takes another one. */
export const HELD = 4;
