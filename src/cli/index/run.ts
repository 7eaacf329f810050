import { duration } from "../../log/progress.ts";
import { type Agent, agentList } from "../../matching/agents.ts";
import type { Dialect } from "../../robots-txt/dialect.ts";
import { IndexFolder } from "../index-files/index-folder.ts";
import { sizeOfInputs, workersFor } from "../options/workers.ts";
import { Failure } from "../output/failure.ts";
import { count, tell } from "../output/output.ts";
import { writeOutput } from "../output/output-file.ts";
import { StatusLine } from "../output/status-line.ts";
import type { Schemes } from "../sites/folder.ts";
import { type SiteTask, tasksOf } from "../sites/tasks.ts";
import { IndexBuilder, type Redirects } from "./builder.ts";
import {
	type CompiledSites,
	type CompileSettings,
	type Remarks,
	TOLD,
} from "./compile-sites.ts";
import { compileTasks } from "./threads.ts";

/** What `robotrie index` is to do. */
export interface IndexRun {
	readonly places: readonly string[];
	/** An index for each agent, and where it is written. */
	readonly outputs: readonly { readonly agent: Agent; readonly path: string }[];
	/** Files of each index, in a folder; undefined for a file. */
	readonly shards: number | undefined;
	readonly dialect: Dialect;
	readonly schemes: Schemes;
	readonly workers: number | undefined;
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
		schemes: run.schemes,
	};
	const builder = new IndexBuilder(settings);
	const remarks = new Told(new StatusLine(run.progress));
	const workers =
		run.workers ?? workersFor(sizeOfInputs(run.places), WORTH_A_THREAD);
	const clock = new Clock(run.places);
	const places = allTasks(run.places);
	for await (const { task, sites } of compileTasks(places, settings, workers)) {
		builder.add(sites);
		remarks.take(sites);
		remarks.status.show(() => clock.text(task, describe(builder, run)));
	}
	remarks.end(run.strict || builder.isEmpty);
	const { others } = remarks;
	if (builder.isEmpty && others > 0)
		throw new Failure(
			`no robots.txt among ${count(others, "record")}; nothing was written`,
		);
	const redirects = builder.followRedirects();
	const written: string[] = [];
	for (const [number, { agent, path }] of run.outputs.entries()) {
		const bytes = await write(builder, number, agent, path, run);
		written.push(`${count(bytes, "byte")} in ${path}`);
	}
	if (builder.isEmpty)
		tell(
			'warning: the input has no site, so the index is empty; "robotrie index --help" says what is read',
		);
	if (run.summary ?? process.stderr.isTTY)
		tell(
			`${describe(builder, run)}: ${[...written, ...details(redirects, remarks)].join("; ")}`,
		);
}

async function* allTasks(places: readonly string[]): AsyncGenerator<SiteTask> {
	for (const place of places) yield* tasksOf(place);
}

async function write(
	builder: IndexBuilder,
	number: number,
	agent: Agent,
	path: string,
	{ shards, dialect }: IndexRun,
): Promise<number> {
	if (shards === undefined) {
		let size = 0;
		async function* counted() {
			for await (const chunk of builder.snapshot(number, 0)) {
				size += chunk.length;
				yield chunk;
			}
		}
		await writeOutput(path, counted());
		return size;
	}
	const folder = await IndexFolder.open(path);
	try {
		for (let shard = 0; shard < shards; shard++)
			await folder.add(builder.sizeOf(shard), builder.snapshot(number, shard));
		return await folder.commit({ agent: agentList(agent), dialect });
	} catch (error) {
		await folder.discard();
		throw error;
	}
}

function describe(builder: IndexBuilder, { shards }: IndexRun): string {
	const { origins, programs } = builder;
	return shards === undefined
		? `${count(origins, "origin")}, ${count(programs, "different program")}`
		: `${count(origins, "origin")} in ${count(shards, "shard")}`;
}

function details({ followed, unanswered }: Redirects, { others }: Told) {
	const redirects = followed + unanswered;
	return [
		...(redirects > 0
			? [
					`${count(redirects, "redirect")}, ${unanswered} of them without a recorded answer`,
				]
			: []),
		...(others > 0 ? [`${count(others, "other record")} skipped`] : []),
	];
}

/** Remarks about records, the first of which are told. */
class Told {
	readonly status: StatusLine;
	#faults = 0;
	#doubts = 0;
	/** Records that are about no robots.txt. */
	others = 0;

	constructor(status: StatusLine) {
		this.status = status;
	}

	take({ faults, doubts, others }: CompiledSites): void {
		this.#faults = this.#tell(faults, this.#faults);
		this.#doubts = this.#tell(doubts, this.#doubts);
		this.others += others;
	}

	#tell({ count, first }: Remarks, before: number): number {
		for (const text of first.slice(0, Math.max(0, TOLD - before))) {
			this.status.clear();
			tell(text);
		}
		return before + count;
	}

	/** @throws {Failure} With `strict`, when there were faults. */
	end(strict: boolean): void {
		this.status.clear();
		const more = this.#doubts - TOLD;
		if (more > 0)
			tell(
				`warning: ${count(more, "more file")} ${more === 1 ? "looks" : "look"} like no robots.txt`,
			);
		if (this.#faults === 0) return;
		const left = `${count(this.#faults, "site")} could not be read`;
		if (strict) throw new Failure(`${left}; nothing was written`);
		tell(`${left} and ${this.#faults === 1 ? "is" : "are"} left out`);
	}
}

/** How far the work is, and when it will be done. */
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
		const part = this.#before + done * (this.#shares.get(name) ?? 0);
		if (part <= 0) return description;
		const seconds = (performance.now() - this.#start) / 1000;
		const left = duration((seconds * (1 - part)) / part);
		return `${Math.floor(Math.min(part, 1) * 100)}%, ${description}, ${left} left`;
	}
}

/** A thread takes 50 ms to start, and 20 MB. */
const WORTH_A_THREAD = 16 * 1024 * 1024;
