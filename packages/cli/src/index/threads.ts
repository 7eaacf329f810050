import { concatenate } from "robotrie/internal";
import type Tinypool from "tinypool";
import { ownBuffer, startThreads } from "../options/threads.ts";
import { inOrder } from "../options/workers.ts";
import { Failure } from "../output/failure.ts";
import type { SiteTask } from "../sites/tasks.ts";
import {
	type CompiledSites,
	type CompileSettings,
	SiteCompiler,
} from "./compile-sites.ts";
import { type MadeShard, makeShard, type ShardPlan } from "./make-shard.ts";

/** What a thread is sent to compile. */
export interface IndexJob {
	readonly task: SiteTask;
	readonly settings: CompileSettings;
}

/** Why a thread cannot do what it was sent. */
interface JobFailure {
	readonly failure: string;
}

/** What it answers: the sites of the task. */
export type IndexJobResult = { readonly sites: CompiledSites } | JobFailure;

/** What a thread is sent to make. */
export interface ShardJob {
	readonly plan: ShardPlan;
	readonly settings: CompileSettings;
}

/** What it answers. */
export type ShardJobResult = { readonly made: MadeShard } | JobFailure;

/** Tasks under way for each worker: one that it runs, one that waits, and one whose result does. */
const AHEAD = 3;

/** Tasks that are done, in their order. @throws {Failure} When a task cannot be read at all. */
export async function* compileTasks(
	tasks: AsyncIterable<SiteTask>,
	settings: CompileSettings,
	threads?: IndexThreads,
): AsyncGenerator<{ readonly task: SiteTask; readonly sites: CompiledSites }> {
	const compiler = new SiteCompiler(settings);
	const here = (task: SiteTask) => compiler.run(task);
	const run = threads ? (task: SiteTask) => threads.compile(task) : here;
	const ahead = threads ? AHEAD * threads.count : 1;
	yield* joined(inOrder(tasks, ahead, run), here);
}

/** Shards that are made and written, in their order. @throws {Failure} */
export async function* makeShards(
	plans: Iterable<ShardPlan>,
	settings: CompileSettings,
	threads?: IndexThreads,
): AsyncGenerator<MadeShard> {
	async function* source() {
		yield* plans;
	}
	const run = (plan: ShardPlan) =>
		threads ? threads.make(plan) : makeShard(plan, settings);
	const made = inOrder(source(), threads?.count ?? 1, run);
	for await (const { result } of made) yield result;
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

/** Threads that compile sites and make shards. */
export class IndexThreads {
	readonly count: number;
	readonly #pool: Tinypool;
	readonly #settings: CompileSettings;

	constructor(settings: CompileSettings, count: number) {
		this.count = count;
		this.#settings = settings;
		this.#pool = startThreads("index-worker.js", count);
	}

	/** @throws {Failure} */
	async compile(task: SiteTask): Promise<CompiledSites> {
		const job: IndexJob = { task, settings: this.#settings };
		// Blocks of WARC files may be read again.
		const transferList = task.kind === "lines" ? ownBuffer(task.lines) : [];
		const answer: IndexJobResult = await this.#pool.run(job, { transferList });
		if ("failure" in answer) throw new Failure(answer.failure);
		return answer.sites;
	}

	/** @throws {Failure} */
	async make({ parts, paths }: ShardPlan): Promise<MadeShard> {
		// Copies: a view would be sent with all of its buffer.
		const copies = parts.map((part) =>
			part instanceof Uint8Array ? part.slice() : part,
		);
		const plan: ShardPlan = { parts: copies, paths };
		const job: ShardJob = { plan, settings: this.#settings };
		const answer: ShardJobResult = await this.#pool.run(job, {
			name: "make",
			transferList: copies.flatMap((part) =>
				part instanceof Uint8Array ? ownBuffer(part) : [],
			),
		});
		if ("failure" in answer) throw new Failure(answer.failure);
		return answer.made;
	}

	async end(): Promise<void> {
		await this.#pool.destroy();
	}
}
