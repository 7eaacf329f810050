/**
 * followLog: an audit of a log that grows, for programs that watch it. LogFollower reads on while it is iterated, at the pace of whoever iterates;
 * reports and saves take their turn between two pieces of the log. files/follow-sources.ts opens it, files/followed-log.ts finds the bytes
 * across rotation, files/growing-log.ts counts them.
 */

import { setTimeout as sleep } from "node:timers/promises";
import {
	check,
	checkOptions,
	type OptionTable,
} from "#robotrie/common/arguments";
import { functionKind, number, textKind } from "#robotrie/common/kinds";
import { failureOf } from "#sites/files/errors";
import { statIfThere } from "#sites/files/stat";
import { AuditCounts } from "./audit-counts.ts";
import {
	isRegular,
	isWithin,
	msUntil,
	openFiles,
	openPipe,
	untilStopped,
} from "./files/follow-sources.ts";
import type { FollowedBytes, FollowedLog } from "./files/followed-log.ts";
import { GrowingLog } from "./files/growing-log.ts";
import {
	checkEach,
	eachSettings,
	type LineOutputs,
	lineOutputs,
	OpenOutputs,
} from "./files/line-outputs.ts";
import { type LogSource, readLog, sourceName } from "./files/open-logs.ts";
import {
	type OnRemark,
	orTold,
	signalKind,
	sourceKind,
	told,
} from "./files/remarks.ts";
import {
	type AuditOptions,
	auditOptions,
	auditOptionsOf,
	checkAudit,
	scanSettings,
} from "./options/options.ts";
import type { AuditReport } from "./options/report.ts";
import { reverseDnsOf } from "./scan/reverse-dns.ts";

/** Options of `followLog`. */
export interface FollowLogOptions
	extends Omit<AuditOptions, "keepState">,
		LineOutputs {
	/**
	 * A file that keeps the counts, and how far the log was read. A process that follows the same log with it goes on from there, also after a
	 * crash: each line counts once. `mergeStates` reads it as well. It is replaced as a whole, when following begins, now and then, and by `save`.
	 */
	readonly state?: string | undefined;
	/** Milliseconds between two states. Default 10,000, and at least 20 times as long as the last one took to write. */
	readonly saveEvery?: number | undefined;
	/**
	 * Ends the iteration when it is aborted, as the log's end would: what was written until then is counted, but for half a line. It ends once a
	 * write that is under way has ended; DNS is asked nothing more.
	 */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Called with a sentence where lines may be missing: a log was emptied, or a file of it is gone. Reports say so, too. Also for a log without
	 * X-Forwarded-For while `trustedProxies` is given.
	 */
	readonly onRemark?: OnRemark | undefined;
}

const { keepState: _, ...countingOptions } = auditOptions;
const followOptions: OptionTable<FollowLogOptions> = {
	...countingOptions,
	...lineOutputs,
	state: textKind,
	saveEvery: number(0, Number.POSITIVE_INFINITY, "of milliseconds"),
	signal: signalKind,
	onRemark: functionKind,
};

/**
 * Follows a log that grows, across rotation of any kind: by renaming, by copying and emptying, under new names with a date. Files that others have
 * replaced are read on for a minute, as their writers may go on. Nothing is read before the result is iterated.
 * @param log The path of a file of plain text, or of a named pipe; or a stream, such as `{ name: "<stdin>", chunks: process.stdin }`.
 * @throws {RobotrieError} The promise rejects, with the code invalid-argument for wrong options, and for a state of a log of another name or of
 * other settings; unreadable, also for a log that is not there yet; store-unavailable, for a state that cannot be written. Iterating throws the
 * same, and invalid-argument for a log whose format cannot be detected.
 * @example
 * const robots = [{ file: "robots.txt", bytes: await readFile("robots.txt") }];
 * const follower = await followLog("access.log", { robots, state: "live.state" });
 * for await (const { lines } of follower)
 *   if (lines >= 3000) break;
 * await follower.save();
 * (await follower.report()).lines; // 3000
 * await follower.close();
 */
export async function followLog(
	log: LogSource,
	options: FollowLogOptions,
): Promise<LogFollower> {
	check("log", log, sourceKind);
	checkOptions("followLog", options, followOptions, ["robots"]);
	checkEach(options.each);
	return orTold(() => LogFollower.open(log, options));
}

/** How much is counted. */
export interface FollowedLines {
	/** Lines so far, those of a state included. */
	readonly lines: number;
}

/** Milliseconds between two looks at a file. Five looks a second cost nothing and look immediate. */
const PERIOD = 200;

/** Milliseconds that rows and lines wait for more of them. */
const WRITE_PERIOD = 1000;

/**
 * A log that is followed. It is read while it is iterated, which gives something for each piece of the log that was counted, and ends when the
 * signal is aborted, a stream ends, or the loop is left; it can be iterated once.
 * @example
 * const robots = [{ file: "robots.txt", bytes: await readFile("robots.txt") }];
 * const log = { name: "access.log", chunks: [await readFile("access.log")] };
 * const follower = await followLog(log, { robots });
 * for await (const { lines } of follower) console.log(lines);
 * const { judged } = await follower.report();
 * judged; // 2515
 */
export class LogFollower implements AsyncIterable<FollowedLines> {
	readonly #log: GrowingLog;
	readonly #counts: AuditCounts;
	readonly #saveEvery: number | undefined;
	/** Whether rows or lines are written. */
	readonly #writes: boolean;
	readonly #signal: AbortSignal | undefined;
	/** Of the signal, or of who closes it. */
	readonly #stop: AbortSignal;
	readonly #ending = new AbortController();
	/** Undefined for what is read as a stream. */
	readonly #files: FollowedLog | undefined;
	readonly #events: AsyncGenerator<FollowedLines, void, undefined>;
	/** When all that was begun is done; it never rejects. */
	#done: Promise<unknown> = Promise.resolve();
	/** When the state was written last, except for the first; and when rows and lines were. */
	#savedAt = Number.NEGATIVE_INFINITY;
	#takenAt = Number.NEGATIVE_INFINITY;
	/** Why lines are counted or written only in part: nothing may be kept or reported after that. */
	#failure: { readonly error: unknown } | undefined;

	private constructor(
		source: LogSource,
		log: GrowingLog,
		counts: AuditCounts,
		files: FollowedLog | undefined,
		{ saveEvery, signal, each, violations }: FollowLogOptions,
	) {
		this.#log = log;
		this.#writes = each !== undefined || violations !== undefined;
		this.#counts = counts;
		this.#files = files;
		this.#saveEvery = saveEvery;
		this.#signal = signal;
		this.#stop = signal
			? AbortSignal.any([signal, this.#ending.signal])
			: this.#ending.signal;
		this.#stop.addEventListener("abort", () => log.askNoMore(), { once: true });
		this.#events = this.#read(source);
	}

	/** @internal */
	static async open(
		source: LogSource,
		options: FollowLogOptions,
	): Promise<LogFollower> {
		const name = sourceName(source);
		const isFile = typeof source === "string" && isRegular(source);
		const settings = checkAudit(auditOptionsOf(options));
		const counts = new AuditCounts(settings);
		const { onRemark = () => {}, resolve, state } = options;
		const scan = {
			...scanSettings(settings, options.violations !== undefined),
			each: eachSettings(options),
		};
		// Rotation makes several files of it, each with its line numbers from 1.
		const outputs = await OpenOutputs.of(options, false);
		const log = new GrowingLog(name, settings, scan, {
			counts,
			outputs,
			// Whoever follows a log has time for DNS.
			dns:
				resolve && reverseDnsOf(resolve, { total: Number.POSITIVE_INFINITY }),
			onRemark,
		});
		if (state !== undefined) await log.keep(state, source);
		const files = isFile ? await openFiles(source, log, onRemark) : undefined;
		const follower = new LogFollower(source, log, counts, files, options);
		try {
			// Now, as a log that is rotated before the first state is another one to the next process.
			await follower.#save();
			await outputs.begin();
		} catch (error) {
			await follower.close();
			throw error;
		}
		return follower;
	}

	/** Reads on. */
	[Symbol.asyncIterator](): AsyncIterator<FollowedLines, void, undefined> {
		return this.#events;
	}

	/** Lines counted so far, those of a state included. */
	get lines(): number {
		return this.#counts.lines + this.#log.waiting;
	}

	/** The name of the log's format, once it is known. */
	get formats(): readonly string[] {
		return this.#counts.formats;
	}

	/** The report on all that was read so far; a line without its end waits for it. */
	async report(): Promise<AuditReport> {
		return this.#inTurn(async () => {
			await this.#counting(() => this.#log.take());
			return this.#counts.report();
		});
	}

	/**
	 * Writes the state now; without the option `state` nothing. What is counted after the last save counts again for the process that goes on from
	 * there, so that nothing is lost.
	 * @throws {RobotrieError} store-unavailable; invalid-argument, if another process has written it. The promise rejects.
	 */
	async save(): Promise<void> {
		await orTold(() => this.#save());
	}

	/** Ends the iteration and closes the log's files. It does not save. */
	async close(): Promise<void> {
		this.#ending.abort();
		await this.#events.return(undefined).catch(() => {});
		await this.#done;
		await this.#files?.close();
	}

	/** As `close`. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}

	/** One after another: a state must have the counts of what its position says was read. */
	#inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
		const done = this.#done.then(() => {
			if (this.#failure) throw this.#failure.error;
			return act();
		});
		this.#done = done.catch(() => {});
		return done;
	}

	/** What counts lines and writes of them: where it breaks off, counts and position no longer belong together. */
	async #counting(act: () => Promise<void>): Promise<void> {
		try {
			await act();
		} catch (error) {
			this.#failure = { error };
			throw error;
		}
	}

	#take(): Promise<void> {
		return this.#inTurn(() => this.#counting(() => this.#log.take()));
	}

	#save(): Promise<void> {
		return this.#inTurn(async () => {
			await this.#counting(() => this.#log.take());
			const { state } = this.#log;
			if (state && this.#files)
				await state.write(this.#log.position(this.#files));
		});
	}

	/** Milliseconds until the state should be written; Infinity without one. */
	get #saveIn(): number {
		const { state } = this.#log;
		if (!state) return Number.POSITIVE_INFINITY;
		return msUntil(this.#savedAt, this.#saveEvery ?? state.period);
	}

	/** Milliseconds until rows and lines should be written; Infinity if none are asked for. */
	get #takeIn(): number {
		return this.#writes
			? msUntil(this.#takenAt, WRITE_PERIOD)
			: Number.POSITIVE_INFINITY;
	}

	async *#read(source: LogSource): AsyncGenerator<FollowedLines> {
		const events = this.#bytesOf(source);
		// The next event is asked for once and raced until it comes: asking again would lose bytes. It may fail while nobody waits for it.
		const ask = () => {
			const asked = events.next();
			asked.catch(() => {});
			return asked;
		};
		let next = ask();
		let isUnsaved = false;
		let isUntaken = false;
		try {
			for (;;) {
				const saveIn = isUnsaved ? this.#saveIn : Number.POSITIVE_INFINITY;
				const takeIn = isUntaken ? this.#takeIn : Number.POSITIVE_INFINITY;
				if (!(await isWithin(next, Math.min(saveIn, takeIn)))) {
					// A save takes, too.
					isUntaken = false;
					this.#takenAt = performance.now();
					if (takeIn < saveIn) {
						await this.#take();
						continue;
					}
					await this.#save();
					this.#savedAt = performance.now();
					isUnsaved = false;
					continue;
				}
				const event = await next;
				if (event.done) break;
				const { file, bytes, isCut } = event.value;
				await this.#inTurn(async () => {
					await this.#counting(() =>
						bytes ? this.#log.add(file, bytes) : this.#log.end(file, isCut),
					);
					// At once: it says that these bytes are counted (`FollowedLog.position`).
					next = ask();
				});
				isUnsaved = true;
				isUntaken = true;
				yield { lines: this.lines };
			}
			// What a signal leaves of a line may be half of it. It would count as unparsed, and only because nobody reads on.
			if (!this.#stop.aborted)
				await this.#inTurn(() => this.#counting(() => this.#log.endAll()));
		} catch (error) {
			throw told(error);
		} finally {
			this.#ending.abort();
			await next.catch(() => {});
			await events.return(undefined);
			// Rows of what was read, also for who has left the loop.
			if (!this.#failure) await this.#take();
		}
	}

	/** A file that grows is read again and again; anything else is read as a stream. */
	#bytesOf(source: LogSource): AsyncGenerator<FollowedBytes> {
		if (this.#files && typeof source === "string")
			return this.#look(source, this.#files);
		if (typeof source !== "string" || !statIfThere(source)?.isFIFO())
			return untilStopped(readLog(source), this.#stop);
		const pipe = openPipe(source);
		const chunks = readLog({ name: source, chunks: pipe });
		return untilStopped(chunks, this.#stop, pipe);
	}

	/** What is written to a file, until the signal says so; what is there by then comes, too. @throws {SitesError} unreadable. */
	async *#look(
		path: string,
		files: FollowedLog,
	): AsyncGenerator<FollowedBytes> {
		const signal = this.#stop;
		try {
			while (!signal.aborted) {
				yield* files.look(performance.now());
				await sleep(PERIOD, undefined, { signal }).catch(() => {});
			}
			// Nobody takes it.
			if (!this.#signal?.aborted) return;
			const now = performance.now();
			// Replaced files do not end: their writers may go on, and who goes on from the state reads that.
			yield* this.#log.state ? files.look(now) : files.last(now);
		} catch (error) {
			throw failureOf(`read ${path}`, error);
		}
	}
}
