/**
 * Ordered work on threads, for building indexes and for the commands with `--workers`: `match` and `audit`. Each has a file with functions that its
 * threads offer, whose default export is `serve` of them, and a program in dist made of it. `Threads` starts threads, sends them typed tasks
 * and gives their answers; `inOrder` keeps a bounded number of tasks under way and gives their results in the order of the input.
 *
 * What must hold: the output is the same with any number of threads. Of several failures the first one in the order of the input is thrown,
 * as by a single thread. A thread that dies, or throws what is not meant for the user, fails the task it had; no other thread takes that
 * over, as the same input would most likely kill that one as well.
 *
 * Tinypool starts the threads and carries the messages: `Atomics.wait` gets a task to an idle thread faster than the event loop does. Each
 * thread is a pool of its own, because some tasks belong to one thread (a shard to the thread that loads it, the next answer of a task to
 * the thread that works on it), and a pool gives a task to any. Threads of `RobotsPool` are others (src/sites/pool-workers.ts): there a
 * thread that fails is replaced, and two tasks wait at each.
 */
import { RobotrieError } from "robotrie";
import Tinypool from "tinypool";
import {
	isSitesError,
	SitesError,
	type SitesErrorCode,
} from "../files/errors.ts";

/**
 * Functions that a thread offers. Each takes a task and gives its answer or, as a generator,
 * several answers; the thread stands still between two of them. Tasks and answers are plain data.
 * `never` lets a file's functions keep their own types: what is called is typed by `Threads<typeof
 * start>`.
 */
type Functions = Readonly<Record<string, (task: never) => unknown>>;

/** What `serve` is given. `thread` is the thread's number, from 0 on. */
type Start<Settings = never> = (
	settings: Settings,
	thread: number,
) => Functions | Promise<Functions>;

type FunctionsOf<S extends Start> = Awaited<ReturnType<S>>;
type NameOf<S extends Start> = keyof FunctionsOf<S> & string;
type TaskOf<S extends Start, Name extends NameOf<S>> = Parameters<
	FunctionsOf<S>[Name]
>[0];
type AnswerOf<S extends Start, Name extends NameOf<S>> =
	ReturnType<FunctionsOf<S>[Name]> extends AsyncGenerator<infer Answer>
		? Answer
		: Awaited<ReturnType<FunctionsOf<S>[Name]>>;

/** What a thread is sent: a task, or that it goes on with the one it has. */
type Request = { readonly name: string; readonly task: unknown } | "next";

/**
 * What it replies; without an answer, there are no more. A failure of null follows from another
 * thread's. A failure of null means "another thread has failed": the waiting one has nothing to say
 * of its own.
 */
type Reply =
	| { readonly answer: unknown }
	| { readonly isOver: true }
	| { readonly failure: Told | null };

/** What a thread's error says. */
interface Told {
	readonly code: SitesErrorCode;
	readonly message: string;
}

/** What a thread is started with. */
interface Started {
	readonly settings: unknown;
	readonly thread: number;
}

/** What a function throws that waited for another thread, which has failed: the user is told that one's failure. */
export class OtherFailed extends Error {}

/**
 * About the bytes of answers that may wait for their turn, over all tasks. Above that, a thread
 * goes on once an answer of its own is taken. Otherwise the threads that are ahead would fill
 * memory while one lags.
 */
const MOST_HELD = 4 * 1024 * 1024;

/**
 * Threads that all offer the same functions. @template S The `start` of the file that they run.
 * Typed by the file that the threads run, so that a call and its function cannot disagree.
 */
export class Threads<S extends Start> {
	readonly count: number;
	readonly #pools: readonly Tinypool[];
	readonly #idle: number[];
	/** Tasks that wait for a thread, in their order. */
	readonly #waiting: ((thread: number) => void)[] = [];
	/** See MOST_HELD. */
	#held = 0;
	/** Why a thread died that had no task. */
	#dead: { readonly error: unknown } | undefined;
	readonly #firstFailure: Promise<never>;
	#fail: (error: unknown) => void = () => {};

	/**
	 * @param program The file in dist that threads run.
	 * @param settings What `start` is given in each of them.
	 * @param onFailure Called at the first failure, not in its turn: for threads that wait for each other.
	 */
	constructor(
		program: URL,
		count: number,
		settings: Parameters<S>[0],
		{
			onFailure = () => {},
			resourceLimits = {},
		}: {
			readonly onFailure?: () => void;
			readonly resourceLimits?: { readonly maxYoungGenerationSizeMb?: number };
		} = {},
	) {
		// The first failure ends waiting for answers; which one a caller sees is still the order's.
		this.count = count;
		this.#firstFailure = new Promise((_, reject) => {
			this.#fail = (error) => {
				this.#fail = () => {};
				reject(error);
				onFailure();
			};
		});
		this.#firstFailure.catch(() => {});
		this.#pools = Array.from({ length: count }, (_, thread) => {
			// One pool per thread, as Tinypool would give a task to any of several.
			const pool = new Tinypool({
				filename: program.href,
				minThreads: 1,
				maxThreads: 1,
				isolateWorkers: false,
				// In Deno (2.9) a thread that waits by Atomics misses what it is asked second.
				useAtomics: !("deno" in process.versions),
				// Flags of the process that say how its own script is read would keep threads from starting.
				execArgv: [],
				resourceLimits,
				workerData: { settings, thread } satisfies Started,
			});
			this.#watch(pool);
			return pool;
		});
		this.#idle = [...this.#pools.keys()];
	}

	/**
	 * Tinypool hears of a thread that dies by its error event alone, which one that exits does not
	 * send: it gets one from here. Otherwise a caller would wait for ever for an answer that nobody
	 * will send.
	 */
	#watch(pool: Tinypool): void {
		for (const worker of pool.threads)
			worker.once("exit", (code: number) => {
				// What Tinypool has ended itself, or has seen fail, is none of its threads any more.
				if (pool.threads.includes(worker))
					worker.emit("error", new Error(`a thread ended with code ${code}`));
			});
		// A thread that died without a task, as when its program cannot be loaded: nobody would take what waits for it.
		pool.on("error", (error: unknown) => {
			this.#dead ??= { error };
			pool.cancelPendingTasks();
		});
	}

	/**
	 * The answer of a function that gives one.
	 * @param transfer Buffers of the task that are sent rather than copied.
	 * @param thread The thread that does it; by default the first that is free.
	 * @throws {SitesError}
	 */
	async run<Name extends NameOf<S>>(
		name: Name,
		task: TaskOf<S, Name>,
		transfer: readonly ArrayBuffer[] = [],
		thread?: number,
	): Promise<AnswerOf<S, Name>> {
		const request = { name, task };
		if (thread !== undefined)
			return this.#ask<AnswerOf<S, Name>>(thread, request, transfer);
		const free = await this.#take();
		try {
			return await this.#ask<AnswerOf<S, Name>>(free, request, transfer);
		} finally {
			this.#give(free);
		}
	}

	/**
	 * The answers of a function that gives several. Resolves once the first has come; further ones
	 * come while those of other tasks are taken. One answer at a time is asked for, so that a thread
	 * stands still between two of them and its memory stays bounded.
	 * @param sizeOf About the bytes of an answer.
	 * @throws {SitesError} In its turn, after the answers before it.
	 */
	async stream<Name extends NameOf<S>>(
		name: Name,
		task: TaskOf<S, Name>,
		sizeOf: (answer: AnswerOf<S, Name>) => number,
	): Promise<AsyncIterable<AnswerOf<S, Name>>> {
		type Answer = AnswerOf<S, Name>;
		const thread = await this.#take();
		const answers: Answer[] = [];
		let isOver = false;
		let failed: { readonly error: unknown } | undefined;
		let onChange = () => {};
		let onTaken = () => {};
		const receive = async () => {
			try {
				// A loop of requests, each for the next answer of the same task.
				for (let request: Request = { name, task }; ; request = "next") {
					const answer = await this.#ask<Answer | undefined>(thread, request);
					if (answer === undefined) return;
					answers.push(answer);
					this.#held += sizeOf(answer);
					onChange();
					// The bound of all answers together: which task has to wait depends on what was taken
					// last.
					if (this.#held >= MOST_HELD)
						await new Promise<void>((resolve) => {
							onTaken = resolve;
						});
				}
			} catch (error) {
				failed = { error };
			} finally {
				isOver = true;
				onChange();
				this.#give(thread);
			}
		};
		const release = (answer: Answer) => {
			this.#held -= sizeOf(answer);
			onTaken();
		};
		// Answers and the end of them come in any order, so a promise is made before looking.
		const change = () =>
			new Promise<void>((resolve) => {
				onChange = resolve;
			});
		/** Answers are given in order; what has come stays until it is taken. */
		async function* taken(): AsyncGenerator<Answer> {
			for (;;) {
				const answer = answers.shift();
				if (answer !== undefined) {
					yield answer;
					release(answer);
				} else if (failed) throw failed.error;
				else if (isOver) return;
				else await change();
			}
		}
		const first = change();
		void receive();
		await first;
		return taken();
	}

	/**
	 * Ends the threads, without waiting for what they do. Nothing is waited for: a thread may be in a
	 * loop that never asks.
	 */
	async end(): Promise<void> {
		await Promise.all(this.#pools.map((pool) => pool.destroy()));
	}

	#take(): Promise<number> {
		const free = this.#idle.shift();
		if (free !== undefined) return Promise.resolve(free);
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
		});
	}

	// Waiting tasks get the thread that is free, in their order.
	#give(thread: number): void {
		const next = this.#waiting.shift();
		if (next) next(thread);
		else this.#idle.push(thread);
	}

	/** Sends a thread a request; undefined when there are no more answers. */
	async #ask<Answer>(
		thread: number,
		request: Request,
		transfer: readonly ArrayBuffer[] = [],
	): Promise<Answer> {
		const pool = this.#pools[thread] as Tinypool;
		let reply: Reply;
		try {
			if (this.#dead) throw this.#dead.error;
			reply = await pool.run(request, { transferList: [...transfer] });
		} catch (caught) {
			const { error } = this.#dead ?? { error: caught };
			this.#fail(error);
			throw error;
		}
		if (!("failure" in reply))
			return ("answer" in reply ? reply.answer : undefined) as Answer;
		// The first failure of all is what a caller sees, and it may be another thread's.
		if (reply.failure === null) return this.#firstFailure;
		const failure = new SitesError(reply.failure.code, reply.failure.message);
		this.#fail(failure);
		throw failure;
	}
}

/**
 * What `run` makes of each item, in their order. `ahead` items are under way at a time at most, so
 * that memory stays bounded; a result does not wait for the next item to come. If items end with an
 * error, that is thrown after the results of those before it. The one place that puts results in
 * order: without it, a fast thread would write before a slow one.
 */
export async function* inOrder<Item, Result>(
	items: AsyncIterable<Item> | Iterable<Item>,
	ahead: number,
	run: (item: Item) => Promise<Result>,
): AsyncGenerator<{ readonly item: Item; readonly result: Result }> {
	const source =
		Symbol.asyncIterator in items
			? items[Symbol.asyncIterator]()
			: items[Symbol.iterator]();
	const running: { item: Item; promise: Promise<Result> }[] = [];
	let upcoming: Promise<IteratorResult<Item>> | undefined;
	let isOver = false;
	/** Why there are no more items. */
	let failed: { readonly error: unknown } | undefined;
	try {
		for (;;) {
			const [head] = running;
			if (!isOver && running.length < ahead) {
				// Two promises race: the next item and the oldest result, so that a slow source does not
				// hold up results.
				upcoming ??= (async () => source.next())();
				if (!head || (await isFirst(upcoming, head.promise))) {
					try {
						const next = await upcoming;
						isOver = next.done === true;
						if (!next.done) running.push(started(next.value, run));
					} catch (error) {
						isOver = true;
						failed = { error };
					}
					upcoming = undefined;
					continue;
				}
			}
			if (!head && failed) throw failed.error;
			if (!head) return;
			// Given out in order, while later ones go on.
			running.shift();
			yield { item: head.item, result: await head.promise };
		}
	} finally {
		upcoming?.catch(() => {});
		// Not awaited: it would wait for the next item.
		void source.return?.();
	}
}

/** Whether a promise is settled before another one. */
function isFirst(
	one: Promise<unknown>,
	other: Promise<unknown>,
): Promise<boolean> {
	return Promise.race([
		one.then(
			() => true,
			() => true,
		),
		other.then(
			() => false,
			() => false,
		),
	]);
}

/** Errors are taken off a promise here and thrown when its turn comes. */
function started<Item, Result>(
	item: Item,
	run: (item: Item) => Promise<Result>,
) {
	const promise = run(item);
	// A consumer that stops early never awaits the later ones.
	promise.catch(() => {});
	return { item, promise };
}

/**
 * In a thread: the default export of its program, with functions that `start` makes at the first
 * task. Called in a thread: functions are made at the first task, as their settings come with it.
 */
export function serve<Settings>(
	start: Start<Settings>,
): (request: Request) => Promise<unknown> {
	let functions: Functions | undefined;
	/** Of the function that has more answers. */
	let rest: AsyncIterator<unknown> | undefined;
	return async (request) => {
		try {
			if (request !== "next") {
				const { settings, thread } = Tinypool.workerData as Started;
				// Functions belong to the thread, not to a task: an audit's scanner is one per thread.
				functions ??= await start(settings as Settings, thread);
				const given = functions[request.name]?.(request.task as never);
				if (!isGenerator(given)) return replyOf({ answer: await given });
				rest = given;
			}
			const { done, value } = (await rest?.next()) ?? { done: true };
			return replyOf(done ? { isOver: true } : { answer: value });
		} catch (error) {
			if (error instanceof OtherFailed) return replyOf({ failure: null });
			if (!isTold(error)) throw error;
			const { message } = error;
			const code = isSitesError(error) ? error.code : "malformed";
			// A failure is an answer; anything else is thrown, and ends the thread.
			return replyOf({ failure: { code, message } });
		}
	};
}

/** Whether an error's message is for who calls. The command line has a class of its own, with this name. */
function isTold(error: unknown): error is Error {
	return (
		isSitesError(error) ||
		error instanceof RobotrieError ||
		(error instanceof Error && error.name === "Failure")
	);
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown> {
	return (
		typeof value === "object" && value !== null && Symbol.asyncIterator in value
	);
}

const buffersOf = new WeakMap<object, readonly ArrayBufferLike[]>();

/** In a thread: an answer, of which some buffers are sent rather than copied. */
export function moved<Answer extends object>(
	answer: Answer,
	buffers: readonly ArrayBufferLike[],
): Answer {
	buffersOf.set(answer, buffers);
	return answer;
}

function replyOf(reply: Reply): unknown {
	const answer = "answer" in reply ? reply.answer : undefined;
	const buffers =
		typeof answer === "object" && answer !== null
			? buffersOf.get(answer)
			: undefined;
	if (!buffers) return reply;
	// Tinypool knows such an object by the two symbols, which its types have under other names.
	const movable: object = {
		[Tinypool.transferableSymbol]: buffers,
		[Tinypool.valueSymbol]: reply,
	};
	return Tinypool.move(movable as Parameters<typeof Tinypool.move>[0]);
}

/**
 * The buffer of bytes that are all of it, to be sent rather than copied. Only a buffer that is all
 * of the bytes may be moved: moving a view moves everything beside it, too.
 */
export function ownBuffer({ buffer, length }: Uint8Array): ArrayBuffer[] {
	return buffer instanceof ArrayBuffer && buffer.byteLength === length
		? [buffer]
		: [];
}
