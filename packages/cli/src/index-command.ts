/**
 * `robotrie index`: options, help, and what is said about a build, which is @robotrie/sites'. What can be found wrong with options and paths is
 * found before that is loaded: a build may take minutes.
 */

import type {
	BuildProgress,
	ReadingOptions as BuildReading,
	BuildReport,
	Source,
} from "@robotrie/sites";
import { MOST_SHARDS } from "@robotrie/sites/internal-shards";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Agent, Dialect } from "robotrie";
import { count, duration } from "#robotrie/common/wording";
import { endOfTime } from "#sites/files/dates";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readRaw,
	refuseUrls,
	STDIN,
	sizeOfInputs,
} from "./input/input.ts";
import {
	agentOf,
	agentOption,
	dialectOption,
	givenOption,
	maxBytesOption,
	memoryOption,
	missing,
	progressOptions,
	type ReadingOptions,
	warnOfDialect,
	workersFor,
	workersOption,
} from "./options/options.ts";
import { Failure, tell } from "./output/output.ts";
import { checkOutputPaths } from "./output/output-file.ts";
import { StatusLine } from "./output/progress.ts";

/** Options as Commander gives them: some have defaults, so they are never missing. */
interface IndexCommandOptions extends ReadingOptions {
	readonly dialect: Dialect;
	readonly agent?: readonly string[];
	readonly eachAgent?: boolean;
	readonly out?: string;
	readonly shards?: number;
	readonly facts?: boolean;
	readonly update?: string;
	readonly scheme?: "both" | "http" | "https";
	readonly asOf?: number;
	readonly workers?: number;
	readonly memory: number;
	readonly strict?: boolean;
	readonly progress?: boolean;
	readonly summary?: boolean;
}

/** A folder's files are named by host, which leaves open how the host was asked. */
const schemes: Readonly<
	Record<
		NonNullable<IndexCommandOptions["scheme"]>,
		readonly ("http" | "https")[]
	>
> = {
	both: ["https", "http"],
	http: ["http"],
	https: ["https"],
};

/** What stands for an agent's name in --out. A shell leaves it alone: braces without a comma are no pattern. */
const AGENT = "{agent}";

const ABOUT = `Compiles the robots.txt files of many sites into one index for one crawler. "robotrie match --index" and RobotsIndex.load read it.

In a folder, files are named by host: example.com, example.com.txt, example.com_8080.txt or example.com/robots.txt. JSON lines look like {"origin": "https://example.com", "robots": "User-agent: …"}; instead of "robots" they may have "body" (the same), "robots_b64" (Base64) or "access" ("allow-all", "disallow-all" or "later"), and "status" (of the HTTP answer, 0 for none) with "location" and "content_type". Parquet files have columns of these names. WARC files need "npm install warcio"; their answers for robots.txt files are used. If an origin comes twice, the later record counts; with --as-of the newest one up to that day, by WARC-Date or the field "date" (ISO 8601, in UTC unless it says otherwise, or 20260301120000; in Parquet also a timestamp).

A redirect takes the answer that is recorded for its target, over at most five hops; without one, URLs are "later".`;

export function addIndex(program: Command): void {
	const command = program
		.command("index")
		.usage(
			"(--agent <name> --out <file> | --update <index>) [options] [folder|file...]",
		)
		.description(ABOUT)
		.argument(
			"[folder|file...]",
			'folders, WARC or Parquet files, or files of JSON lines; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		)
		.addOption(agentOption())
		.option(
			"--each-agent",
			`write an index for each --agent; in --out, ${AGENT} stands for its name`,
		)
		.option("-o, --out <file>", "where to write the index")
		.addOption(
			new Option(
				"--shards <number>",
				"write a folder of this many files, sites divided by a hash of their host; match loads a file when it needs it",
			).argParser(shardCount),
		)
		.option(
			"--facts",
			"with --shards: keep each site's status, date, Crawl-delay and sitemaps beside its rules, for --update and programs",
		)
		.option(
			"--update <index>",
			"bring an index up to date: a folder that was built with --facts, of which only shards with new records are written, or a file, which does not know where its sites redirected to",
		)
		.addOption(dialectOption())
		.addOption(maxBytesOption())
		.addOption(
			new Option(
				"--scheme <name>",
				"scheme of the hosts in a folder (default: both, with --update the index's)",
			).choices(Object.keys(schemes)),
		)
		.addOption(
			new Option(
				"--as-of <date>",
				"of several answers of an origin, use the one in force at the end of that day, or at that time: the newest up to then, by the date of its record",
			).argParser(parseAsOf),
		)
		.addOption(
			workersOption(
				"threads that read and compile (default: up to 4, by the size of the input)",
			),
		)
		.addOption(
			memoryOption(
				"memory for making shards, one at a time; a temporary file in the folder holds the rest",
			),
		)
		.option("--strict", "write nothing if any site cannot be read");
	for (const option of progressOptions()) command.addOption(option);
	command
		.option(
			"--summary",
			"summarise the index on stderr (default: if stderr is a terminal)",
		)
		.option("--no-summary", "do not summarise the index")
		.addHelpText(
			"after",
			`
Sites that cannot be read are left out; stderr says how many, and lists the first five. The old index stays until the new one is whole.

Exit codes: 0 done; 2 wrong options, unreadable input, no readable site among the records or, with --strict, an unreadable one. Empty input makes an empty index, with a warning.

Examples:
  robotrie index --agent Googlebot --dialect google --out sites.index robots/
  zcat sites.ndjson.gz | robotrie index -a ExampleBot -o sites.index
  robotrie index -a ExampleBot --shards 16 -o sites/ CC-MAIN-*.warc.gz
  robotrie index -a ExampleBot --shards 256 --facts -o sites/ all.warc.gz
  robotrie index --update sites/ today.warc.gz
  robotrie index --update sites.index today.ndjson
  robotrie index -a ExampleBot --as-of 2026-03-01 -o march.index CC-MAIN-*.warc.gz
  robotrie index -a GPTBot -a ClaudeBot --each-agent -o {agent}.index sites.parquet
  robotrie match --index sites.index urls.txt`,
		)
		.action((places: readonly string[], options: IndexCommandOptions) =>
			options.update === undefined
				? index(command, places, options)
				: update(command, places, options),
		);
}

/** Options about what an index already has. */
const ofIndex = ["agent", "eachAgent", "out", "shards", "facts", "dialect"];

/** A day counts up to its end, in UTC. */
function parseAsOf(text: string): number {
	const time = endOfTime(text);
	if (Number.isNaN(time))
		throw new InvalidArgumentError(
			"Expected a day such as 2026-03-01, or a time such as 2026-03-01T12:00:00Z.",
		);
	return time;
}

/** A power of two is not needed: a hash is divided by the number. */
function shardCount(text: string): number {
	// Four digits at most; 4096 is docs/sharding.md's limit.
	const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (number < 1 || number > MOST_SHARDS)
		throw new InvalidArgumentError(
			`Expected a whole number from 1 to ${MOST_SHARDS}.`,
		);
	return number;
}

async function index(
	command: Command,
	places: readonly string[],
	options: IndexCommandOptions,
): Promise<void> {
	// With --each-agent a name is one agent; otherwise all names are one agent's tokens.
	const agents = options.eachAgent
		? (options.agent ?? []).map((name) => agentOf([name]))
		: [agentOf(options.agent)];
	if (agents.length === 0) missing("-a, --agent <name>");
	for (const agent of agents) warnOfDialect(command, agent);
	const out = options.out ?? missing("-o, --out <file>");
	if (options.facts && (options.shards === undefined || agents.length > 1))
		throw new Failure("--facts needs --shards <number>, and one --agent");
	const inputs = await inputsFor(places);
	const outputs = outputsFor(agents, out, options);
	// Before anything is compiled: an output that would replace an input is refused before the work, not after it.
	checkOutputPaths(
		outputs.map(({ path }) => ["--out", path]),
		inputs,
	);
	// Loaded only now, so that wrong options and --help need no WebAssembly.
	const { buildIndex } = await import("@robotrie/sites");
	const report = await withProgress(inputs, options, (reading) =>
		buildIndex(inputs.map(sourceOf), outputs, {
			...reading,
			shards: options.shards,
			facts: options.facts,
			dialect: options.dialect,
		}),
	);
	if (report.origins === 0)
		tell(
			'warning: the input has no site, so the index is empty; "robotrie index --help" says what is read',
		);
	if (options.summary ?? process.stderr.isTTY)
		tell(
			`${describe(report, options)}: ${[...placesOf(report), ...details(report)].join("; ")}`,
		);
}

async function inputsFor(places: readonly string[]) {
	refuseUrls(
		places,
		() =>
			"name files of recorded answers; robotrie crawl-check fetches what it needs",
	);
	// A pattern may find folders here, unlike in other commands: a folder of files is an input of its
	// own.
	return inputsOf(await expandFiles(places, true));
}

/** What reading is told by options, with remarks and progress on stderr. */
async function withProgress<Report>(
	inputs: readonly string[],
	options: IndexCommandOptions,
	run: (reading: Omit<BuildReading, "dialect">) => Promise<Report>,
): Promise<Report> {
	const status = new StatusLine(options.progress);
	const clock = new Clock(inputs);
	const reading = {
		maxBytes: options.maxBytes,
		schemes: options.scheme && schemes[options.scheme],
		asOf: options.asOf,
		workers:
			options.workers ?? workersFor(sizeOfInputs(inputs), WORTH_A_THREAD),
		memory: options.memory,
		strict: options.strict,
		onRemark(text: string) {
			// Remarks replace the status line for a moment.
			status.clear();
			tell(text);
		},
		// Shown by share of bytes, as records differ too much in size to count them.
		onProgress: (progress: BuildProgress) =>
			status.show(() => clock.text(progress, describe(progress, options))),
	};
	return run(reading).finally(() => status.clear());
}

/** @throws {Failure} For options about what the index has. */
async function update(
	command: Command,
	places: readonly string[],
	options: IndexCommandOptions,
): Promise<void> {
	const wrong = givenOption(command, ofIndex);
	if (wrong)
		throw new Failure(
			`${wrong.long} cannot be used with --update: the index has its agent, its dialect and its shards`,
		);
	const path = options.update as string;
	const inputs = await inputsFor(places);
	const { updateIndex } = await import("@robotrie/sites");
	const report = await withProgress(inputs, options, (reading) =>
		updateIndex(path, inputs.map(sourceOf), reading),
	);
	if (report.records.used === 0)
		tell("warning: the input has no site, so the index is as it was");
	if (options.summary ?? process.stderr.isTTY) {
		const { shards, bytes, origins } = report;
		const parts =
			shards.all > 1
				? ` in ${shards.written.toLocaleString("en-US")} of ${count(shards.all, "shard")}`
				: "";
		const size = `${count(bytes.written, "byte")} written, ${count(origins, "origin")} in ${path}`;
		tell(
			`${count(report.records.used, "record")}${parts}: ${[size, ...details(report)].join("; ")}`,
		);
	}
}

/** A thread takes 50 ms to start, and 20 MB. */
const WORTH_A_THREAD = 16 * 1024 * 1024;

const sourceOf = (place: string): Source =>
	place === STDIN ? { name: nameOf(place), chunks: readRaw(place) } : place;

/** "1,000 origins, 20 different programs", or "1,000 origins in 16 shards" */
function describe(
	{ origins, programs }: Pick<BuildProgress, "origins" | "programs">,
	{ shards }: IndexCommandOptions,
): string {
	if (programs !== undefined)
		return `${count(origins, "origin")}, ${count(programs, "different program")}`;
	const where = shards === undefined ? "" : ` in ${count(shards, "shard")}`;
	return count(origins, "origin") + where;
}

const placesOf = ({ written }: BuildReport) =>
	written.map(({ bytes, path, memory }) => {
		const place = `${count(bytes, "byte")} in ${path}`;
		return memory
			? `${place} (loaded: at most ${megabytes(memory.all)}, the largest shard ${megabytes(memory.largest)})`
			: place;
	});

/** Rounded up, as the number is for `--memory`. */
function megabytes(bytes: number): string {
	return `${Math.ceil(bytes / 2 ** 20).toLocaleString("en-US")} MiB`;
}

function details({
	redirects,
	records,
	damages,
}: Pick<BuildReport, "redirects" | "records" | "damages">): string[] {
	const { followed, unanswered } = redirects;
	const { others, later } = records;
	// Redirects without an answer are worth a number: their URLs are later.
	const moved = followed + unanswered;
	const kinds = [...damages].sort(([a], [b]) => (a < b ? -1 : 1));
	const damaged = kinds.reduce((sum, [, number]) => sum + number, 0);
	return [
		...(moved > 0
			? [
					`${count(moved, "redirect")}, ${unanswered} of them without a recorded answer`,
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

/** Where each agent's index goes. */
function outputsFor(
	agents: readonly Agent[],
	out: string,
	{ eachAgent, agent: names = [] }: IndexCommandOptions,
) {
	if (!eachAgent) return agents.map((agent) => ({ agent, path: out }));
	if (!out.includes(AGENT))
		throw new Failure(`with --each-agent, --out needs ${AGENT} in its name`);
	const outputs = agents.map((agent, i) => ({
		agent,
		path: out.replaceAll(AGENT, fileName(names[i] ?? "")),
	}));
	// In lower case, as some file systems do not tell them apart.
	const paths = new Set(outputs.map(({ path }) => path.toLowerCase()));
	if (paths.size < outputs.length)
		throw new Failure("two of the agents would be written to the same file");
	return outputs;
}

/**
 * An agent's name as part of a path. An agent may be a whole User-Agent header: slashes would make folders, and a dot in front a hidden
 * file.
 */
function fileName(name: string): string {
	return name.replace(/[^\w.-]+/g, "_").replace(/^\.+/, "_");
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
	text({ name, done }: BuildProgress, description: string): string {
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
