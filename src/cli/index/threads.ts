import Tinypool from "tinypool";
import { concatenate } from "../../common/chunks.ts";
import { inOrder } from "../options/workers.ts";
import { Failure } from "../output/failure.ts";
import type { SiteTask } from "../sites/tasks.ts";
import {
	type CompiledSites,
	type CompileSettings,
	SiteCompiler,
} from "./compile-sites.ts";

/** What a thread is sent. */
export interface IndexJob {
	readonly task: SiteTask;
	readonly settings: CompileSettings;
}

/** What it answers: the sites of the task, or why they cannot be read at all. */
export type IndexJobResult =
	| { readonly sites: CompiledSites }
	| { readonly failure: string };

/** Tasks under way for each worker: one that it runs, one that waits, and one whose result does. */
const AHEAD = 3;

/** Tasks that are done, in their order. @throws {Failure} When a task cannot be read at all. */
export async function* compileTasks(
	tasks: AsyncIterable<SiteTask>,
	settings: CompileSettings,
	workers: number,
): AsyncGenerator<{ readonly task: SiteTask; readonly sites: CompiledSites }> {
	const compiler = new SiteCompiler(settings);
	const here = (task: SiteTask) => compiler.run(task);
	const threads = workers > 1 ? new Threads(settings, workers) : undefined;
	const run = threads ? (task: SiteTask) => threads.run(task) : here;
	try {
		const ahead = threads ? AHEAD * workers : 1;
		yield* joined(inOrder(tasks, ahead, run), here);
	} finally {
		await threads?.end();
	}
}

/**
 * Blocks of a WARC file that seemed to end with a record and do not are read again together with the next ones, whose own results do
 * not count: they began within a record.
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
				// Doubled each time, or a long record would be read again and again.
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
			isLost = end?.isLost === true && !task.isLast;
		}
		yield { task, sites };
	}
}

/** Threads that compile. */
class Threads {
	readonly #pool: Tinypool;
	readonly #settings: CompileSettings;

	constructor(settings: CompileSettings, workers: number) {
		this.#settings = settings;
		this.#pool = new Tinypool({
			filename: new URL("./index-worker.js", import.meta.url).href,
			minThreads: workers,
			maxThreads: workers,
			isolateWorkers: false,
			execArgv: [],
		});
	}

	async run(task: SiteTask): Promise<CompiledSites> {
		const job: IndexJob = { task, settings: this.#settings };
		const answer: IndexJobResult = await this.#pool.run(job);
		if ("failure" in answer) throw new Failure(answer.failure);
		return answer.sites;
	}

	async end(): Promise<void> {
		await this.#pool.destroy();
	}
}
