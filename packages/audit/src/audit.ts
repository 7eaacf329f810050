/**
 * LogAudit, the public class of this package. It plans an audit once (options are checked, settings derived), then runs it log by log: each
 * is scanned into segments, segments are added to Totals, and the report is made of these. The command line does the same with threads,
 * through internal.ts.
 */

import { RobotrieError } from "robotrie";
import { check } from "#robotrie/common/arguments";
import { bytesArgument } from "#robotrie/common/bytes";
import { concatenate } from "#robotrie/common/chunks";
import { chunksKind, textKind } from "#robotrie/common/kinds";
import { COUNT_LINES } from "../assembly/format.ts";
import { packed, unpacked } from "./count/packed-counts.ts";
import { EvenSteps, type Segment, Totals } from "./count/totals.ts";
import { type FormatSummary, summaryOf } from "./formats/log-format.ts";
import {
	type AuditOptions,
	checkAudit,
	type ScanSettings,
	scanSettings,
} from "./options/options.ts";
import { type AuditReport, timestamp } from "./options/report.ts";
import { RuleBook } from "./options/rule-book.ts";
import { reportOf } from "./report/make-report.ts";
import { formatOfLog, headFirst } from "./scan/detect.ts";
import { ResolvingAhead, ReverseDns } from "./scan/reverse-dns.ts";
import { scanLog, seenBefore } from "./scan/scan-log.ts";
import { LogScanner } from "./scan/scanner.ts";
import type { StateSegment } from "./state/state.ts";

/**
 * Checks access logs against robots.txt files. Add the logs of a site in order of time.
 * @example
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
 * await audit.add("access.log", createReadStream("access.log"));
 * const { crawlers } = audit.report();
 */
export class LogAudit {
	#scanner: LogScanner;
	/** What verifies addresses by reverse DNS, if that is asked for. */
	readonly #dns: ReverseDns | undefined;
	#ahead: ResolvingAhead | undefined;
	readonly #totals: Totals;
	readonly #options: AuditOptions;
	// Only with `keepState`; otherwise nothing of a segment outlives its addition to the totals.
	readonly #segments: StateSegment[] = [];
	/** A state has the same bytes, whichever scanner counted which of its segments. */
	readonly #steps: EvenSteps;
	/** First time of the state that was added last: states must come in order. */
	#lastBegin = Number.NEGATIVE_INFINITY;
	/** When everything that was to be added is; it never rejects. */
	#added: Promise<unknown> = Promise.resolve();

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: AuditOptions) {
		this.#options = checkAudit(options);
		const { resolve } = this.#options;
		this.#totals = new Totals(this.#options);
		this.#steps = new EvenSteps(this.#totals.calendar);
		this.#dns = resolve && new ReverseDns(resolve);
		this.#scanner = this.#newScanner();
		this.#ahead = this.#newAhead();
	}

	#newScanner(): LogScanner {
		const { systemOf } = this.#options;
		const resolved = this.#dns?.resolved;
		return new LogScanner(this.settings, undefined, { resolved, systemOf });
	}

	#newAhead(): ResolvingAhead | undefined {
		return this.#dns && new ResolvingAhead(this.settings, this.#dns);
	}

	/**
	 * Of its scanners, and of those of others that count for it.
	 * @internal
	 */
	get settings(): ScanSettings {
		return scanSettings(this.#options, false);
	}

	/**
	 * Counts a log, given as uncompressed bytes in chunks of any size. `name` is its name in the report. Reading begins when all that
	 * was added before has been counted.
	 * @throws {RobotrieError} invalid-argument, if the format cannot be detected, and for chunks that are not bytes; the promise
	 * rejects.
	 */
	async add(
		name: string,
		bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<void> {
		check("name", name, textKind);
		check("bytes", bytes, chunksKind);
		await this.#inTurn(async () => {
			try {
				await this.#add(name, bytes);
			} catch (error) {
				// The error may have interrupted a call of WebAssembly, which leaves its memory in any state.
				// A new scanner costs an instance of the module and its tables, but no report can be wrong by
				// what the broken call left.
				this.#scanner = this.#newScanner();
				this.#ahead = this.#newAhead();
				throw error;
			}
		});
	}

	/** Adds one after another: there is one scanner, and a log that began in the middle of another one would drop its lines. */
	#inTurn(add: () => Promise<void>): Promise<void> {
		const done = this.#added.then(add);
		this.#added = done.catch(() => {});
		return done;
	}

	async #add(
		name: string,
		bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<void> {
		let format!: FormatSummary;
		const begin = (head: Uint8Array) => {
			const found = formatOfLog(this.#options.format, head, name);
			this.#scanner.begin(found);
			this.#ahead?.begin(found);
			format = summaryOf(found);
		};
		const chunks = headFirst(bytes, begin);
		const seen = this.#ahead ? seenBefore(this.#ahead, chunks) : chunks;
		for await (const segment of scanLog(this.#scanner, seen))
			if (segment) this.append(name, format, segment);
	}

	/**
	 * Adds a segment to the report and, if states are wanted, keeps a packed copy. auditFiles calls it, too, for what other scanners counted.
	 * @internal
	 */
	append(file: string, format: FormatSummary, segment: Segment): void {
		this.#totals.append(file, segment, format);
		if (this.#options.keepState)
			this.#segments.push({
				file,
				format,
				segment: packed(this.#steps.of(segment)),
			});
	}

	/**
	 * The counts of the logs added so far, as bytes that `addState` reads, also in another process
	 * with the same version of this package. Needs the option `keepState`; without it the promise
	 * rejects. State code (MessagePack and the checks) is imported when it is first needed: most
	 * audits store no state.
	 * @throws {RobotrieError} invalid-argument.
	 */
	async state(): Promise<Uint8Array> {
		if (!this.#options.keepState)
			throw new RobotrieError(
				"invalid-argument",
				"state() needs the option keepState: pass { keepState: true } to new LogAudit",
			);
		const { StateWriter } = await import("./state/state.ts");
		const { settingsOf } = await import("./state/state-codec.ts");
		const writer = new StateWriter();
		return concatenate([
			// Settings first, so that a reader can refuse a state before it reads any counts.
			writer.begin(settingsOf(this.#options)),
			...this.#segments.map((segment) => writer.add(segment)),
			writer.end(),
		]);
	}

	/**
	 * Adds a state, from `state` or `robotrie audit --state`, of logs that follow the ones added so far. The report is the same as if the
	 * logs themselves had been added. `name` is the state's name in errors.
	 * @throws {RobotrieError} invalid-argument, for a state that is damaged, was made with other options or begins before the one added
	 * before it; nothing is added then, and the promise rejects.
	 */
	async addState(state: Uint8Array, name = "the state"): Promise<void> {
		const whole = bytesArgument("state", state).slice();
		check("name", name, textKind);
		await this.#inTurn(() => this.#addState(whole, name));
	}

	async #addState(whole: Uint8Array, name: string): Promise<void> {
		const { openState } = await import("./state/state.ts");
		const { compareSettings, settingsOf } = await import(
			"./state/state-codec.ts"
		);
		const { settings, segments } = await openState(name, [whole]);
		const wanted = settingsOf(this.#options);
		// Counting must not begin before all of the state was checked, so that an error adds nothing.
		compareSettings(name, settings, wanted, "this audit");
		const all: StateSegment[] = [];
		for await (const segment of segments) all.push(segment);
		// Segments without times (a log that has none) say nothing about the order.
		const first = all.find(({ segment }) => Number.isFinite(segment.firstTime));
		const time = first?.segment.firstTime ?? Number.POSITIVE_INFINITY;
		if (time < this.#lastBegin)
			throw new RobotrieError(
				"invalid-argument",
				`cannot merge ${name}: it begins at ${timestamp(time)}, before the state added last (${timestamp(this.#lastBegin)}); add states in the order of time`,
			);
		if (Number.isFinite(time)) this.#lastBegin = time;
		for (const { file, format, segment } of all)
			this.append(file, format, unpacked(segment));
	}

	/** Lines counted so far, including those of a log that is being added. */
	get lines(): number {
		return (this.#totals.counters[COUNT_LINES] ?? 0) + this.#scanner.lines;
	}

	/** The report on the logs added so far, without a log that is still being added. */
	report(): AuditReport {
		return reportOf(
			this.#totals,
			new RuleBook(this.#options.robots, this.#options),
			this.#options.groupBy ?? "name",
		);
	}
}
