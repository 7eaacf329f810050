/**
 * `robotrie audit merge`: one report from files that --state wrote, as a run over their logs would make it. audit.ts loads it; compare.ts reads
 * single states with it. States to merge are put in the order of their first times, for which each is opened before any is merged.
 */

import { createHash, type Hash } from "node:crypto";
import type { AuditReport } from "@robotrie/audit";
import {
	byTime,
	compareSettings,
	type FormatSummary,
	type OpenState,
	openState,
	RuleBook,
	reportOf,
	type StateSegment,
	type StateSettings,
	Totals,
	unpacked,
} from "@robotrie/audit/internal";
import { sameContent } from "@robotrie/audit/internal-files";
import { statOf } from "#sites/files/stat";
import { nameOf, readBytes, STDIN } from "../input/input.ts";
import { tell } from "../output/output.ts";
import { expandLogs } from "./inputs.ts";
import type { ReportOptions } from "./options.ts";
import { checkOutputs, checkReplaced, finish } from "./report.ts";
import { SideOutputs } from "./side-outputs.ts";

/** The report on the logs whose states these files are, in the order of their first times: the same as that of a run over the logs. */
export async function mergeStates(
	files: readonly string[],
	options: ReportOptions,
): Promise<void> {
	checkOutputs(options);
	const states = await expandLogs(files);
	checkReplaced(options, states);
	const merged = new MergedStates(options);
	const opened: OpenedState[] = [];
	// Opened first, to sort by first time; the segments are read after that.
	for (const file of states) opened.push(await merged.open(file));
	for (const state of opened.sort(byTime)) await merged.add(state);
	await merged.finish();
}

/** A state of which the first time is known. */
interface OpenedState {
	readonly file: string;
	readonly time: number;
	/**
	 * For a state that can be read only once: its segments, and its digest once they are read. A pipe
	 * cannot be opened twice, so its first segments are kept.
	 */
	readonly once?: DigestedState | undefined;
}

interface DigestedState extends OpenState {
	readonly digest: () => string;
}

/**
 * Reads a state, and what its bytes come to. The digest tells copies of one state from different
 * ones.
 */
async function openFile(file: string): Promise<DigestedState> {
	const hash = createHash("sha256");
	const state = await openState(nameOf(file), hashed(readBytes(file), hash));
	return { ...state, digest: () => hash.digest("hex") };
}

async function* hashed(
	bytes: AsyncIterable<Uint8Array>,
	hash: Hash,
): AsyncGenerator<Uint8Array> {
	for await (const chunk of bytes) {
		hash.update(chunk);
		yield chunk;
	}
}

/** A state that was opened and put back into one stream. */
async function* withFront(
	front: readonly StateSegment[],
	rest: AsyncGenerator<StateSegment>,
): AsyncGenerator<StateSegment> {
	yield* front;
	yield* rest;
}

export class MergedStates {
	readonly #options: ReportOptions;
	#totals = new Totals();
	readonly #formats = new Map<string, FormatSummary>();
	#first: { name: string; settings: StateSettings } | undefined;
	#outputs: SideOutputs | undefined;
	/** The first state of each content; and what to say of others. */
	readonly #contents = new Map<string, string>();
	readonly #same: string[] = [];

	constructor(options: ReportOptions) {
		this.#options = options;
	}

	/** Reads a state up to its first time. */
	async open(file: string): Promise<OpenedState> {
		const name = nameOf(file);
		const state = await openFile(file);
		const { settings, segments } = state;
		// The first state decides: others have to have been made with the same settings.
		if (!this.#first) this.#totals = new Totals(settings);
		this.#first ??= { name, settings };
		const first = this.#first;
		compareSettings(name, settings, first.settings, first.name);
		const front: StateSegment[] = [];
		let time = Number.POSITIVE_INFINITY;
		// Only as far as the first time: the rest is read in its turn.
		while (time === Number.POSITIVE_INFINITY) {
			const { done, value } = await segments.next();
			if (done) break;
			front.push(value);
			time = value.segment.firstTime;
		}
		// A file can be read again; only a stream has to be kept open.
		if (file === STDIN || !statOf(file).isFile())
			return {
				file,
				time,
				once: { ...state, segments: withFront(front, segments) },
			};
		await segments.return(undefined);
		return { file, time };
	}

	async add({ file, once }: OpenedState): Promise<void> {
		const { segments, digest } = once ?? (await openFile(file));
		const { settings } = this.#first as { settings: StateSettings };
		// Of the side outputs a merge has only --state; the others need the lines themselves.
		this.#outputs ??= await SideOutputs.open(this.#options, true, settings);
		try {
			for await (const { file: log, format, segment } of segments) {
				const whole = unpacked(segment);
				this.#totals.append(log, whole, format);
				this.#formats.set(format.name, format);
				const counted = { name: log, format, linesBefore: 0, segment: whole };
				await this.#outputs.write(counted);
			}
		} catch (error) {
			await this.#outputs.discard();
			throw error;
		}
		// Known only after all bytes were read.
		const content = digest();
		const first = this.#contents.get(content);
		if (first === undefined) this.#contents.set(content, nameOf(file));
		else this.#same.push(sameContent(nameOf(file), first));
	}

	/** The report on the states added so far. */
	report(): AuditReport {
		const { settings } = this.#first as { settings: StateSettings };
		return reportOf(
			this.#totals,
			new RuleBook(settings.robots, settings),
			settings.groupBy ?? "name",
		);
	}

	async finish(): Promise<void> {
		await this.#outputs?.commit();
		const report = this.report();
		// Duplicate states double a report, and the report cannot show it.
		for (const text of this.#same) tell(`warning: ${text}`);
		await finish(report, [...this.#formats.values()], this.#options);
	}
}
