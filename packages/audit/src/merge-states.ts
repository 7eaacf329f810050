/**
 * mergeStates: one audit from states that auditFiles, LogAudit or `robotrie audit --state` wrote. They count in the order of their first times,
 * for which each is opened before any is added; memory does not grow with their number.
 */
import { createHash, type Hash } from "node:crypto";
import { RobotrieError } from "robotrie";
import { checkOptions, type OptionTable } from "#robotrie/common/arguments";
import { until } from "#robotrie/common/chunks";
import { flagKind, functionKind } from "#robotrie/common/kinds";
import { statOf } from "#sites/files/stat";
import { readFile, unpacked } from "#sites/files/text";
import { LogAudit } from "./audit.ts";
import { AuditCounts } from "./audit-counts.ts";
import { unpacked as counted } from "./count/packed-counts.ts";
import { OpenOutputs, type WriteBytes } from "./files/line-outputs.ts";
import {
	checkedChunks,
	type LogSource,
	sameContent,
	sourceName,
} from "./files/open-logs.ts";
import {
	type OnRemark,
	orTold,
	signalKind,
	sourcesOf,
	unlessAborted,
} from "./files/remarks.ts";
import { byTime } from "./scan/detect.ts";
import { type OpenState, openState, type StateSegment } from "./state/state.ts";
import { compareSettings, type StateSettings } from "./state/state-codec.ts";

/** Options of `mergeStates`. */
export interface MergeStatesOptions {
	/** Keep what `LogAudit.state` needs in memory. Default false. */
	readonly keepState?: boolean | undefined;
	/** Writes the counts of all states as one state, as they are added. */
	readonly state?: WriteBytes | undefined;
	/** Ends the merge when it is aborted: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
	/** Called with a sentence about each state that has the same bytes as one before, so that it counts twice. */
	readonly onRemark?: OnRemark | undefined;
}

const mergeOptions: OptionTable<MergeStatesOptions> = {
	keepState: flagKind,
	state: functionKind,
	signal: signalKind,
	onRemark: functionKind,
};

/**
 * Adds up states, in the order of their first times: the report is the same as that of an audit of all their logs. They have their settings
 * with them, which must be the same.
 * @param states Paths of files, also compressed, or streams; at least one.
 * @returns An audit to which they were added. More states can be, but no logs.
 * @throws {RobotrieError} The promise rejects, with the code invalid-argument for a state that is damaged or was made with other settings than
 * the first one; unreadable; malformed for damaged gzip and zstd.
 * @example
 * const robots = [{ file: "robots.txt", bytes: await readFile("robots.txt") }];
 * const monday = await auditFiles("access.log", { robots, keepState: true });
 * writeFileSync("monday.state", await monday.state());
 * const week = await mergeStates(["monday.state"]);
 * week.report().lines; // 3000
 */
export async function mergeStates(
	states: LogSource | readonly LogSource[],
	options: MergeStatesOptions = {},
): Promise<LogAudit> {
	const all = sourcesOf("states", states);
	checkOptions("mergeStates", options, mergeOptions);
	const { signal } = options;
	if (all.length === 0)
		throw new RobotrieError("invalid-argument", "a merge needs a state");
	signal?.throwIfAborted();
	return orTold(async () => {
		const merge = new Merge({
			...options,
			state: unlessAborted(signal, options.state),
			onRemark: unlessAborted(signal, options.onRemark),
		});
		const steps = merge.stepsOf(all);
		for await (const _ of signal ? until(signal, steps) : steps);
		signal?.throwIfAborted();
		return new LogAudit(merge.counts);
	});
}

/** A state of which the first time is known. */
interface TimedState {
	readonly source: LogSource;
	readonly time: number;
	/** A state that can be read only once stays open. */
	readonly once?: DigestedState | undefined;
	/** What was read of it. */
	readonly front: readonly StateSegment[];
}

interface DigestedState extends OpenState {
	/** Of its bytes, once they are read: tells copies of one state from different ones. */
	readonly digest: () => string;
}

class Merge {
	readonly #options: MergeStatesOptions;
	#counts: AuditCounts | undefined;
	#first:
		| { readonly name: string; readonly settings: StateSettings }
		| undefined;
	/** The first state of each content. */
	readonly #contents = new Map<string, string>();

	constructor(options: MergeStatesOptions) {
		this.#options = options;
	}

	/** After the first step there are some. */
	get counts(): AuditCounts {
		return this.#counts as AuditCounts;
	}

	/** Each step may be the last. */
	async *stepsOf(sources: readonly LogSource[]): AsyncGenerator<void> {
		const { state } = this.#options;
		const opened: TimedState[] = [];
		try {
			for (const source of sources) {
				opened.push(await this.#open(source));
				yield;
			}
			const { counts } = this;
			const outputs = await OpenOutputs.open(
				{},
				true,
				state && { write: state, settings: counts.options },
			);
			for (const each of opened.sort(byTime)) yield* this.#add(each, outputs);
			await outputs.end();
		} finally {
			for (const { once } of opened) await once?.segments.return(undefined);
		}
	}

	/** The first state decides: others, also a file that is another one when it is opened again, have to have the same settings. */
	#accept(name: string, settings: StateSettings): void {
		this.#first ??= { name, settings };
		this.#counts ??= new AuditCounts(settings, this.#options.keepState);
		compareSettings(name, settings, this.#first.settings, this.#first.name);
	}

	async #openSource(source: LogSource): Promise<DigestedState> {
		const name = sourceName(source);
		const raw =
			typeof source === "string"
				? readFile(source)
				: checkedChunks(source.chunks);
		const hash = createHash("sha256");
		const bytes = hashed(unpacked(raw, name), hash);
		const state = await openState(name, bytes, (settings) =>
			this.#accept(name, settings),
		);
		return { ...state, digest: () => hash.digest("hex") };
	}

	/** Reads a state up to its first time; the rest is read in its turn. */
	async #open(source: LogSource): Promise<TimedState> {
		const state = await this.#openSource(source);
		const { segments } = state;
		const front: StateSegment[] = [];
		let time = Number.POSITIVE_INFINITY;
		while (time === Number.POSITIVE_INFINITY) {
			const { done, value } = await segments.next();
			if (done) break;
			front.push(value);
			time = value.segment.firstTime;
		}
		if (typeof source !== "string" || !statOf(source).isFile())
			return { source, time, once: state, front };
		await segments.return(undefined);
		return { source, time, front: [] };
	}

	async *#add(
		{ source, time, once, front }: TimedState,
		outputs: OpenOutputs,
	): AsyncGenerator<void> {
		const { segments, digest } = once ?? (await this.#openSource(source));
		if (Number.isFinite(time)) this.counts.lastBegin = time;
		const all = withFront(front, segments);
		for await (const { file, format, segment } of all) {
			const whole = counted(segment);
			this.counts.append(file, format, whole);
			await outputs.write({
				name: file,
				format,
				linesBefore: 0,
				segment: whole,
			});
			yield;
		}
		const content = digest();
		const name = sourceName(source);
		const first = this.#contents.get(content);
		if (first === undefined) this.#contents.set(content, name);
		else {
			const { text, ...remark } = sameContent(name, first);
			this.#options.onRemark?.(text, remark);
		}
	}
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
