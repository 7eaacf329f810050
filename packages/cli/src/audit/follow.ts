/**
 * `robotrie audit follow`: shows the report on a log that grows, until the log ends or a signal comes. audit.ts loads it; followLog of
 * @robotrie/audit reads and counts. What must hold here: a signal ends the command even if nobody reads stdout any more.
 */
import { followLog, type LogFollower } from "@robotrie/audit/files";
import { RobotrieError } from "robotrie";
import { statIfThere } from "#sites/files/stat";
import { nameOf, STDIN } from "../input/input.ts";
import { EXIT_FAILED, Failure, tell } from "../output/output.ts";
import { checkReadable, sourceOf } from "./inputs.ts";
import type { FollowOptions } from "./options.ts";
import { planOf } from "./plan.ts";
import { finish, LiveReport, STDOUT, takesStdout } from "./report.ts";
import { remarkProxy } from "./run.ts";
import { SideOutputs } from "./side-outputs.ts";

/**
 * Follows a log, and shows the report now and then. One loop waits for lines that were counted and for the time of the next report, so that neither
 * holds up the other.
 */
export async function follow(
	given: string | undefined,
	options: FollowOptions,
): Promise<void> {
	// Whoever follows a log has time for DNS.
	const { files, settings, dns } = await planOf(
		given === undefined ? [] : [given],
		options,
		Number.POSITIVE_INFINITY,
	);
	// Stdin is not rotated; a pipe into it ends when its writer does.
	const [file = STDIN] = files;
	if (files.length > 1)
		throw new Failure("audit follow reads one log; name the one that grows");
	// Rotation makes several files of it, each with its line numbers from 1.
	const outputs = new SideOutputs(options, false, false);
	await outputs.open();
	const live = new LiveReport(options);
	const stop = stopSignal();
	stop.addEventListener("abort", () => dns?.stop(), { once: true });
	const reader = new StdoutReader(stop);
	/** Waits for what may write lines to stdout. */
	const counted = async <Result>(writing: Promise<Result>): Promise<Result> => {
		if (!takesStdout(options)) return writing;
		const written = await reader.takes(writing);
		if (!written) throw new Failure(UNREAD);
		return written.result;
	};
	let follower: LogFollower | undefined;
	try {
		checkState(options.state, file);
		await checkReadable([file]);
		follower = await followLog(sourceOf(file), {
			...settings,
			signal: stop,
			state: options.state,
			saveEvery: options.interval,
			violations: outputs.violations,
			each: outputs.each,
			onRemark: (text, { code, log, format = "" }) => {
				if (code === "without-forwarded") remarkProxy(log, format);
				else tell(`warning: ${text}`);
			},
		});
		await live.serve(await follower.report());
		const events = follower[Symbol.asyncIterator]();
		// The next event is asked for once and raced until it comes.
		let next = counted(events.next());
		for (;;) {
			// Without the event itself: whatever such a race gives, it keeps until the report is due.
			const isDue = await Promise.race([
				next.then(() => false),
				live.due().then(() => true),
			]);
			if (isDue) {
				const report = await counted(follower.report());
				await reader.takes(live.show(report));
				continue;
			}
			if ((await next).done) break;
			live.touch();
			next = counted(events.next());
		}
		// It would keep the process waiting.
		if (stop.aborted && file === STDIN) process.stdin.destroy();
		// Side outputs keep their old content unless everything was written.
		await counted(outputs.commit());
		await counted(follower.save());
		await dns?.end();
	} catch (error) {
		await outputs.discard();
		if (reader.isStalled) endUnread();
		throw inWords(error);
	} finally {
		live.end();
		await follower?.close();
	}
	const report = await follower.report();
	const isRead =
		!reader.isStalled &&
		(await reader.takes(finish(report, follower.formats, options)));
	if (!isRead) endUnread();
}

/** @throws {Failure} For a state, or a log with one, that is no file. */
function checkState(state: string | undefined, file: string): void {
	if (state === undefined) return;
	const isFile = (path: string) => statIfThere(path)?.isFile() !== false;
	if (state === STDOUT || !isFile(state))
		throw new Failure(
			`audit follow keeps its state in a file, and ${state === STDOUT ? "stdout" : state} is none`,
		);
	if (file === STDIN || !isFile(file))
		throw new Failure(
			`audit follow --state keeps how far a file was read, and ${nameOf(file)} is none`,
		);
}

/** An error of followLog, by the option's name. */
function inWords(error: unknown): unknown {
	return error instanceof RobotrieError
		? new Failure(
				error.message.replace(/^a state needs/, "audit follow --state needs"),
			)
		: error;
}

/** Not an error of ours: the reader has gone, as with `head`, but without closing the pipe. */
const UNREAD = "stdout is not read any more: the last of it was not written";

/** Unwritten output would keep the process running. */
function endUnread(): never {
	tell(UNREAD);
	process.exit(EXIT_FAILED);
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** Aborted by SIGINT or SIGTERM; the second one ends the process as it would if nobody listened. */
function stopSignal(): AbortSignal {
	const stop = new AbortController();
	// The first signal asks the loop to end; the second one is not caught any more, so that a hanging
	// process can be stopped.
	const onSignal = (signal: NodeJS.Signals) => {
		if (stop.signal.aborted) {
			for (const each of signals) process.removeAllListeners(each);
			process.kill(process.pid, signal);
		}
		stop.abort();
	};
	for (const signal of signals) process.on(signal, onSignal);
	return stop.signal;
}

/**
 * Milliseconds that the reader of stdout has, after a signal, to take some of what waits for it;
 * and between two looks. Two seconds are enough for a slow reader and little for a person who
 * waits.
 */
const PATIENCE = 2000;
const STDOUT_PERIOD = 100;

/** Notices after a signal that stdout is no longer read: a write to a full pipe without a reader never ends, so the process would not either. */
class StdoutReader {
	readonly #stop: AbortSignal;
	#isStalled = false;

	constructor(stop: AbortSignal) {
		this.#stop = stop;
	}

	/** After the signal, nothing of what waited for the reader was taken. */
	get isStalled(): boolean {
		return this.#isStalled;
	}

	/**
	 * Waits for what may write to stdout, and gives what comes of it; undefined if it gave up because the reader has stalled. A race against a
	 * timer, because a write to a full pipe never settles.
	 */
	async takes<Result>(
		writing: Promise<Result>,
	): Promise<{ readonly result: Result } | undefined> {
		let timer: NodeJS.Timeout | undefined;
		let watch = () => {};
		const stalled = new Promise<undefined>((resolve) => {
			// Before the signal nothing is given up: a slow reader may take as long as it likes.
			watch = () => {
				let waiting = 0;
				let since = performance.now();
				timer = setInterval(() => {
					// Whether bytes move is known from the length of what is queued for stdout.
					const { writableLength } = process.stdout;
					const now = performance.now();
					if (writableLength === 0 || writableLength !== waiting) {
						waiting = writableLength;
						since = now;
					} else if (this.#isStalled || now - since >= PATIENCE) {
						this.#isStalled = true;
						resolve(undefined);
					}
				}, STDOUT_PERIOD);
			};
		});
		if (this.#stop.aborted) watch();
		else this.#stop.addEventListener("abort", watch, { once: true });
		try {
			const written = writing.then((result) => ({ result }));
			return await Promise.race([written, stalled]);
		} finally {
			clearInterval(timer);
			this.#stop.removeEventListener("abort", watch);
		}
	}
}
