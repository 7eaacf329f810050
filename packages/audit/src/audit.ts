/**
 * LogAudit, the public class of this package. It plans an audit once (options are checked, settings derived), then runs it log by log: each
 * is scanned into segments, segments are added to AuditCounts, and the report is made of these.
 */

import { RobotrieError } from "robotrie";
import { check } from "#robotrie/common/arguments";
import { bytesArgument } from "#robotrie/common/bytes";
import { chunksKind, textKind } from "#robotrie/common/kinds";
import { AuditCounts } from "./audit-counts.ts";
import { unpacked } from "./count/packed-counts.ts";
import { type FormatSummary, summaryOf } from "./formats/log-format.ts";
import {
	type AuditOptions,
	checkAudit,
	scanSettings,
} from "./options/options.ts";
import { type AuditReport, timestamp } from "./options/report.ts";
import { formatOfLog, headFirst } from "./scan/detect.ts";
import {
	ResolvingAhead,
	type ReverseDns,
	reverseDnsOf,
} from "./scan/reverse-dns.ts";
import { scanLog, seenBefore } from "./scan/scan-log.ts";
import { LogScanner } from "./scan/scanner.ts";
import type { StateSegment } from "./state/state.ts";

/**
 * Checks access logs against robots.txt files. Add the logs of a site in order of time, in which `sortLogs` puts them.
 * @example
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
 * await audit.add("access.log", createReadStream("access.log"));
 * const { crawlers } = audit.report();
 */
export class LogAudit {
	/** None yet where something else has scanned. */
	#scanner: LogScanner | undefined;
	/** What verifies addresses by reverse DNS, if that is asked for. */
	readonly #dns: ReverseDns | undefined;
	#ahead: ResolvingAhead | undefined;
	readonly #counts: AuditCounts;
	/** When everything that was to be added is; it never rejects. */
	#added: Promise<unknown> = Promise.resolve();

	/** @internal */
	constructor(options: AuditOptions | AuditCounts);
	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: AuditOptions);
	constructor(options: AuditOptions | AuditCounts) {
		const isCounted = options instanceof AuditCounts;
		this.#counts = isCounted ? options : new AuditCounts(checkAudit(options));
		const { resolve } = this.#options;
		this.#dns = resolve && reverseDnsOf(resolve);
		// Now, as it finds what is wrong with conditions and ranges.
		if (!isCounted) this.#renew();
	}

	get #options(): AuditOptions {
		return this.#counts.options;
	}

	#renew(): LogScanner {
		const { withPeople } = this.#counts;
		const settings = scanSettings(this.#options, false, withPeople);
		const { systemOf } = this.#options;
		const resolved = this.#dns?.resolved;
		this.#ahead = this.#dns && new ResolvingAhead(settings, this.#dns);
		this.#scanner = new LogScanner(settings, undefined, { resolved, systemOf });
		return this.#scanner;
	}

	/**
	 * Counts a log, given as uncompressed bytes in chunks of any size. `name` is its name in the report. Reading begins when all that
	 * was added before has been counted.
	 * @throws {RobotrieError} invalid-argument, if the format cannot be detected, for chunks that are not bytes, and for an audit of
	 * `mergeStates`; the promise rejects.
	 */
	async add(
		name: string,
		bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<void> {
		check("name", name, textKind);
		check("bytes", bytes, chunksKind);
		// How its states' addresses were hashed is not known, nor who verified them.
		if ("anonymized" in this.#options)
			throw new RobotrieError(
				"invalid-argument",
				"what mergeStates gives takes no logs: add them to a new LogAudit",
			);
		await this.#inTurn(async () => {
			try {
				await this.#add(name, bytes);
			} catch (error) {
				// The error may have interrupted a call of WebAssembly, which leaves its memory in any state.
				// A new scanner costs an instance of the module and its tables, but no report can be wrong by
				// what the broken call left.
				this.#renew();
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
		const scanner = this.#scanner ?? this.#renew();
		let format!: FormatSummary;
		const begin = (head: Uint8Array) => {
			const found = formatOfLog(this.#options.format, head, name);
			scanner.begin(found);
			this.#ahead?.begin(found);
			format = summaryOf(found);
		};
		const chunks = headFirst(bytes, begin);
		const seen = this.#ahead ? seenBefore(this.#ahead, chunks) : chunks;
		for await (const segment of scanLog(scanner, seen))
			if (segment) this.#counts.append(name, format, segment);
	}

	/**
	 * The counts of the logs added so far, as bytes that `addState` reads, also in another process
	 * with the same version of this package. Needs the option `keepState`; without it the promise
	 * rejects. State code (MessagePack and the checks) is imported when it is first needed: most
	 * audits store no state.
	 * @throws {RobotrieError} invalid-argument.
	 */
	async state(): Promise<Uint8Array> {
		return this.#counts.state();
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
		const { lastBegin } = this.#counts;
		if (time < lastBegin)
			throw new RobotrieError(
				"invalid-argument",
				`cannot merge ${name}: it begins at ${timestamp(time)}, before the state added last (${timestamp(lastBegin)}); add states in the order of time`,
			);
		if (Number.isFinite(time)) this.#counts.lastBegin = time;
		for (const { file, format, segment } of all)
			this.#counts.append(file, format, unpacked(segment));
	}

	/** Lines counted so far, including those of a log that is being added. */
	get lines(): number {
		return this.#counts.lines + (this.#scanner?.lines ?? 0);
	}

	/**
	 * Names of the formats that the logs added so far have, in the order in which they came. What a log has besides, `AuditReport.formats` says by
	 * lines.
	 */
	get formats(): readonly string[] {
		return this.#counts.formats;
	}

	/** The report on the logs added so far, without a log that is still being added. */
	report(): AuditReport {
		return this.#counts.report();
	}
}
