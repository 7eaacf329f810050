/**
 * What an audit has counted: sums of segments, whoever scanned them, and what a state and a report are made of. LogAudit has one; audits of files,
 * merged states and logs that are followed fill one, and hand it over as a LogAudit.
 */

import { RobotrieError } from "robotrie";
import { concatenate } from "#robotrie/common/chunks";
import { COUNT_LINES } from "../assembly/format.ts";
import { packed } from "./count/packed-counts.ts";
import { EvenSteps, type Segment, Totals } from "./count/totals.ts";
import type { FormatSummary } from "./formats/log-format.ts";
import type { AuditOptions } from "./options/options.ts";
import type { AuditReport } from "./options/report.ts";
import { RuleBook } from "./options/rule-book.ts";
import { reportOf } from "./report/make-report.ts";
import type { StateSegment } from "./state/state.ts";
import type { StateSettings } from "./state/state-codec.ts";

export class AuditCounts {
	readonly options: AuditOptions | StateSettings;
	readonly totals: Totals;
	/** Whether headers of people are counted, too: a log that is added later counts as those before it. */
	readonly withPeople: boolean;
	/** First time of the state that was added last: states must come in order. */
	lastBegin = Number.NEGATIVE_INFINITY;
	readonly #keepsState: boolean;
	// Only with `keepState`; otherwise nothing of a segment outlives its addition to the totals.
	readonly #segments: StateSegment[] = [];
	/** A state has the same bytes, whichever scanner counted which of its segments. */
	readonly #steps: EvenSteps;
	readonly #formats = new Set<string>();
	#book: RuleBook | undefined;

	/** @param options Checked ones (`checkAudit`), or those of a state. */
	constructor(
		options: AuditOptions | StateSettings,
		keepsState = "keepState" in options && options.keepState === true,
		withPeople = false,
	) {
		this.options = options;
		this.withPeople = withPeople;
		this.#keepsState = keepsState;
		this.totals = new Totals(options);
		this.#steps = new EvenSteps(this.totals.calendar);
	}

	/** Adds the next segment of a log, and keeps a packed copy if states are wanted. */
	append(file: string, format: FormatSummary, segment: Segment): void {
		this.totals.append(file, segment, format);
		this.#formats.add(format.name);
		if (this.#keepsState)
			this.#segments.push({
				file,
				format,
				segment: packed(this.#steps.of(segment)),
			});
	}

	/** Lines counted so far. */
	get lines(): number {
		return this.totals.counters[COUNT_LINES] ?? 0;
	}

	/** Names of the logs' formats, in the order in which they came. */
	get formats(): readonly string[] {
		return [...this.#formats];
	}

	/** @throws {RobotrieError} invalid-argument, unless states are wanted. */
	async state(): Promise<Uint8Array> {
		if (!this.#keepsState)
			throw new RobotrieError(
				"invalid-argument",
				"state() needs the option keepState: pass { keepState: true } to new LogAudit, auditFiles or mergeStates",
			);
		const { StateWriter } = await import("./state/state.ts");
		const { settingsOf } = await import("./state/state-codec.ts");
		const writer = new StateWriter();
		return concatenate([
			// Settings first, so that a reader can refuse a state before it reads any counts.
			writer.begin(settingsOf(this.options)),
			...this.#segments.map((segment) => writer.add(segment)),
			writer.end(),
		]);
	}

	report(): AuditReport {
		// Made once: its files do not change while logs are counted.
		this.#book ??= new RuleBook(this.options.robots, this.options);
		return reportOf(this.totals, this.#book, this.options.groupBy ?? "name");
	}
}
