import { Worker } from "node:worker_threads";
import type { ScanSettings, SegmentData } from "@robotrie/audit/internal";
import { LogScanner, unpacked } from "@robotrie/audit/internal";
import { Failure } from "../output/failure.ts";
import { rowWriter, runTask, type Task, type TaskPart } from "./tasks.ts";

/** What a thread is told: a task, and after each segment of its result to go on. */
export type ToWorker =
	| {
			readonly index: number;
			readonly task: Task;
	  }
	| "go on";

/** What a thread says: part of a task's result, that it is done, or that it failed. */
export interface FromWorker {
	readonly index: number;
	readonly part?: PackedPart;
	readonly failure?: { readonly message: string; readonly expected: boolean };
}

/** A part of a task's result as plain data. */
interface PackedPart extends Omit<TaskPart, "segment"> {
	readonly segment?: SegmentData | undefined;
}

export interface PartOfTask extends TaskPart {
	readonly task: Task;
	/** Bytes on the disk that are done with now. */
	readonly bytes: number;
}

/** Runs tasks, and gives what came of them in their order. */
export async function* runTasks(
	tasks: readonly Task[],
	settings: ScanSettings,
	workers: number,
): AsyncGenerator<PartOfTask> {
	const threads = Math.min(workers, tasks.length);
	const isHere = threads < 2 || tasks.some(({ kind }) => kind === "once");
	if (isHere) yield* runHere(tasks, settings);
	else yield* new Pool(tasks, settings, threads).run();
}

async function* runHere(
	tasks: readonly Task[],
	settings: ScanSettings,
): AsyncGenerator<PartOfTask> {
	const rows = await rowWriter(settings);
	const scanner = new LogScanner(settings, rows);
	for (const task of tasks) {
		for await (const part of runTask(scanner, task, rows))
			yield { task, ...part, bytes: 0 };
		yield { task, bytes: task.bytes };
	}
}

/** The entry stands beside the bundle that this is part of. */
const WORKER = new URL("./audit-worker.js", import.meta.url);

interface Result {
	readonly parts: PackedPart[];
	done: boolean;
	/** Why there is no more of it. */
	failure: Error | undefined;
	worker: Worker | undefined;
	/** The thread has not been told to go on. */
	isWaiting: boolean;
}

/** Results that wait for their turn may be so large; then threads wait until they are taken. */
const MOST_HELD = 4 * 1024 * 1024;

/** About the memory that a part takes. */
function sizeOf({ rows, segment }: PackedPart): number {
	const rowBytes = rows ? rows.text.length + 8 * rows.lines.length : 0;
	if (!segment) return rowBytes;
	const { crawlers, violations } = segment;
	const { texts, numbers, rules } = crawlers;
	const length = numbers.byteLength + texts.length * 100 + rules.length * 500;
	return violations.reduce(
		(sum, line) => sum + line.length + 100,
		length + rowBytes,
	);
}

/** Of what a thread makes little lives past its segment: with V8's 48 MB for young objects each takes 20 MB more. */
const RESOURCES = { maxYoungGenerationSizeMb: 3 };

/** Threads that take tasks in order; what they find out of order waits for its turn. */
class Pool {
	readonly #tasks: readonly Task[];
	readonly #settings: ScanSettings;
	readonly #threads: number;
	readonly #results: Result[];
	/** The next task to be given out, and the one whose result is next. */
	#next = 0;
	#head = 0;
	readonly #idle: Worker[] = [];
	/** About the memory of segments that wait. */
	#held = 0;
	#failure: Error | undefined;
	#wake: () => void = () => {};

	constructor(tasks: readonly Task[], settings: ScanSettings, threads: number) {
		this.#tasks = tasks;
		this.#settings = settings;
		this.#threads = threads;
		this.#results = tasks.map(() => ({
			parts: [],
			done: false,
			failure: undefined,
			worker: undefined,
			isWaiting: false,
		}));
	}

	async *run(): AsyncGenerator<PartOfTask> {
		const workers = Array.from({ length: this.#threads }, () => this.#start());
		try {
			while (this.#head < this.#tasks.length) {
				if (this.#failure) throw this.#failure;
				const result = this.#results[this.#head] as Result;
				const task = this.#tasks[this.#head] as Task;
				const part = result.parts.shift();
				if (part) {
					const { rows, segment } = part;
					yield {
						task,
						rows,
						...(segment && { segment: unpacked(segment) }),
						bytes: 0,
					};
					this.#held -= sizeOf(part);
					this.#release(result);
				} else if (result.failure) {
					throw result.failure;
				} else if (result.done) {
					this.#head++;
					this.#assign();
					yield { task, bytes: task.bytes };
				} else {
					await new Promise<void>((resolve) => {
						this.#wake = resolve;
					});
				}
			}
		} finally {
			await Promise.all(workers.map((worker) => worker.terminate()));
		}
	}

	#start(): Worker {
		const worker = new Worker(WORKER, {
			workerData: this.#settings,
			resourceLimits: RESOURCES,
		});
		worker.on("message", (message: FromWorker) => this.#hear(worker, message));
		worker.on("error", (error) => this.#fail(error as Error));
		this.#idle.push(worker);
		this.#assign();
		return worker;
	}

	/** Gives tasks to idle threads, not too far ahead of the one that is next. */
	#assign(): void {
		const end = Math.min(this.#head + 3 * this.#threads, this.#tasks.length);
		while (this.#next < end) {
			const worker = this.#idle.pop();
			if (!worker) return;
			const index = this.#next++;
			(this.#results[index] as Result).worker = worker;
			worker.postMessage({
				index,
				task: this.#tasks[index] as Task,
			} satisfies ToWorker);
		}
	}

	#hear(worker: Worker, { index, part, failure }: FromWorker): void {
		const result = this.#results[index] as Result;
		if (failure) {
			// Not thrown before its turn: of several the first one is told, as by a single thread.
			result.failure = failure.expected
				? new Failure(failure.message)
				: new Error(failure.message);
		} else if (part) {
			result.parts.push(part);
			result.isWaiting = true;
			this.#held += sizeOf(part);
			if (this.#held < MOST_HELD) this.#release(result);
		} else {
			result.done = true;
			this.#idle.push(worker);
			this.#assign();
		}
		this.#wake();
	}

	#release(result: Result): void {
		if (!result.isWaiting) return;
		result.isWaiting = false;
		result.worker?.postMessage("go on" satisfies ToWorker);
	}

	#fail(error: Error): void {
		this.#failure ??= error;
		this.#wake();
	}
}
