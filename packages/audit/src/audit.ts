import { RobotrieError } from "robotrie";
import {
	bytesArgument,
	check,
	chunksKind,
	concatenate,
	textKind,
} from "robotrie/internal";
import { COUNT_LINES } from "../assembly/format.ts";
import { formatOfLog, HEAD } from "./detect.ts";
import { type FormatSummary, type LogFormat, summaryOf } from "./log-format.ts";
import { reportOf } from "./make-report.ts";
import { type AuditOptions, checkAudit, scanSettings } from "./options.ts";
import { packed, unpacked } from "./packed-counts.ts";
import { type AuditReport, timestamp } from "./report.ts";
import { RuleBook } from "./rule-book.ts";
import { LogScanner } from "./scanner.ts";
import type { StatePart } from "./state.ts";
import { type Segment, Totals } from "./totals.ts";

/**
 * Checks access logs against robots.txt files. Add the logs of a site in order of time.
 * @example
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
 * await audit.add("access.log", createReadStream("access.log"));
 * const { crawlers } = audit.report();
 */
export class LogAudit {
	#scanner: LogScanner;
	readonly #totals = new Totals();
	readonly #options: AuditOptions;
	readonly #parts: StatePart[] = [];
	/** The first time of the state that was added last. */
	#lastBegin = Number.NEGATIVE_INFINITY;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: AuditOptions) {
		this.#options = checkAudit(options);
		this.#scanner = new LogScanner(scanSettings(this.#options, false));
	}

	/**
	 * Counts a log: uncompressed bytes, in chunks of any size. `name` is its name in the report.
	 * @throws {RobotrieError} invalid-argument, if the format cannot be detected, and for chunks that are not bytes; the promise
	 * rejects.
	 */
	async add(
		name: string,
		bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<void> {
		check("name", name, textKind);
		check("bytes", bytes, chunksKind);
		try {
			await this.#add(name, bytes);
		} catch (error) {
			// What threw may have stopped within a call of WebAssembly.
			this.#scanner = new LogScanner(scanSettings(this.#options, false));
			throw error;
		}
	}

	async #add(
		name: string,
		bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<void> {
		let format: LogFormat | undefined;
		let head: Uint8Array = new Uint8Array(0);
		const begin = (): LogFormat => {
			const begun = formatOfLog(this.#options.format, head, name);
			this.#scanner.begin(begun);
			this.#scanner.feed(head);
			return begun;
		};
		for await (const given of bytes) {
			const chunk = bytesArgument("a chunk of bytes", given);
			if (format) {
				if (this.#scanner.isFull)
					this.#append(name, summaryOf(format), this.#scanner.take());
				this.#scanner.feed(chunk);
				continue;
			}
			head = concatenate([head, chunk]);
			if (head.length >= HEAD) format = begin();
		}
		format ??= begin();
		this.#append(name, summaryOf(format), this.#scanner.end());
	}

	#append(file: string, format: FormatSummary, segment: Segment): void {
		this.#totals.append(file, segment, format);
		if (this.#options.keepState)
			this.#parts.push({ file, format, segment: packed(segment) });
	}

	/**
	 * What the logs added so far come to, as bytes that `addState` takes, also in another process. They are of one version of this
	 * package. Needs the option `keepState`; the promise rejects without it.
	 * @throws {RobotrieError} invalid-argument.
	 */
	async state(): Promise<Uint8Array> {
		if (!this.#options.keepState)
			throw new RobotrieError(
				"invalid-argument",
				"state() needs the option keepState: pass { keepState: true } to new LogAudit",
			);
		const { StateWriter } = await import("./state.ts");
		const { settingsOf } = await import("./state-codec.ts");
		const writer = new StateWriter();
		return concatenate([
			writer.begin(settingsOf(this.#options)),
			...this.#parts.map((part) => writer.add(part)),
			writer.end(),
		]);
	}

	/**
	 * Adds what `state`, or `robotrie audit --state`, says about logs that follow the ones added so far. The report is that of adding
	 * those logs. `name` is the state's name in errors.
	 * @throws {RobotrieError} invalid-argument, for a state that is damaged, was made with other options or begins before the one added
	 * before it; nothing is added then, and the promise rejects.
	 */
	async addState(state: Uint8Array, name = "the state"): Promise<void> {
		const whole = bytesArgument("state", state);
		check("name", name, textKind);
		const { openState } = await import("./state.ts");
		const { compareSettings, settingsOf } = await import("./state-codec.ts");
		const { settings, parts } = await openState(name, [whole.slice()]);
		const wanted = settingsOf(this.#options);
		compareSettings(name, settings, wanted, "this audit");
		const all: StatePart[] = [];
		for await (const part of parts) all.push(part);
		const first = all.find(({ segment }) => Number.isFinite(segment.firstTime));
		const time = first?.segment.firstTime ?? Number.POSITIVE_INFINITY;
		if (time < this.#lastBegin)
			throw new RobotrieError(
				"invalid-argument",
				`cannot merge ${name}: it begins at ${timestamp(time)}, before what was added last (${timestamp(this.#lastBegin)}); add states in the order of time`,
			);
		if (Number.isFinite(time)) this.#lastBegin = time;
		for (const { file, format, segment } of all)
			this.#append(file, format, unpacked(segment));
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
