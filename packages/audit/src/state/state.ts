/**
 * The stored state of an audit: what was counted over some logs, to be merged later with the states of others. `StateWriter` makes its bytes
 * frame by frame, `openState` reads and checks them. Used by LogAudit, auditFiles, mergeStates and followLog.
 * A state may have been made by anybody: whatever its bytes are, reading it ends in a StateSegment that can be added up or in an error.
 */

import { RobotrieError } from "robotrie";
import { isRecord } from "#robotrie/common/arguments";
import { Checksum } from "#robotrie/common/checksum";
import { concatenate } from "#robotrie/common/chunks";
import { COUNTERS } from "../../assembly/format.ts";
import { calendarOf } from "../common/calendar.ts";
import type { Bounds } from "../common/packed-numbers.ts";
import { checkPacked, type SegmentData } from "../count/packed-counts.ts";
import { checkVisits, NO_VISITS } from "../count/visits.ts";
import type { FormatSummary } from "../formats/log-format.ts";
import { checkAudit } from "../options/options.ts";
import { RuleBook } from "../options/rule-book.ts";
import { pack, type StateSettings, unpack } from "./state-codec.ts";

/**
 * Layout; integers are little-endian:
 *
 *     0  "RTA" and a NUL
 *     4  u16 STATE_VERSION; u16 0
 *     8  frames: u32 bytes of the payload, u32 checksum of the frame's number and the payload, the payload in MessagePack
 *
 * The first payload is the settings, the following ones are segments (`StateSegment`) in the order of the logs, and the last one is
 * null, so that a truncated state is noticed. Before it there may be `{ position }`: where in a log that grows the segments end, which
 * only who follows the log reads (follow-state.ts). Numbers and names in payloads keep their meaning within a version.
 */
const STATE_VERSION = 6;
/** Also read: it has no position, and its segments do not say what is missing. */
const WITHOUT_POSITION = 5;
/** Also read: its segments have no requests of browsers. */
const WITHOUT_VISITS = 4;
/** Also read: its segments have neither paths nor bytes, and no autonomous systems either. */
const WITHOUT_PATHS = 3;
const MAGIC = Uint8Array.of(0x52, 0x54, 0x41, 0);
const PREAMBLE = 8;
const FRAME_HEAD = 8;

/** What was counted over consecutive lines of one log. */
export interface StateSegment {
	readonly file: string;
	/** Its format, for the warnings of the report. */
	readonly format: FormatSummary;
	readonly segment: SegmentData;
}

/**
 * Makes the bytes of a state: concatenate what `begin`, `add` for each segment, and `end` return.
 * Frames are written as they come, so that auditFiles can write a state of any size to a
 * pipe.
 */
export class StateWriter {
	#frames: number;

	/** @param frames Those that are there already: others are added to a state that was begun before. */
	constructor(frames = 0) {
		this.#frames = frames;
	}

	/**
	 * The beginning of a state. Settings come first: a reader refuses a state of other settings
	 * before it reads on.
	 */
	begin(settings: StateSettings): Uint8Array {
		const preamble = new Uint8Array(PREAMBLE);
		preamble.set(MAGIC);
		new DataView(preamble.buffer).setUint16(4, STATE_VERSION, true);
		return concatenate([preamble, this.#frame(settings)]);
	}

	/**
	 * A segment, without its violating lines: these belong to one run. A merge must not write them to
	 * its --violations again.
	 */
	add({ segment, ...rest }: StateSegment): Uint8Array {
		return this.#frame({ ...rest, segment: { ...segment, violations: [] } });
	}

	/** Where in a log the segments end. After the last one. */
	position(position: object): Uint8Array {
		return this.#frame({ position });
	}

	/** The end, without which a state counts as truncated. */
	end(): Uint8Array {
		return this.#frame(null);
	}

	/** A frame; see the layout above. */
	#frame(value: unknown): Uint8Array {
		const payload = pack(value);
		const head = new DataView(new ArrayBuffer(FRAME_HEAD));
		head.setUint32(0, payload.length, true);
		head.setUint32(4, frameChecksum(this.#frames++, payload), true);
		return concatenate([new Uint8Array(head.buffer), payload]);
	}
}

/** Includes the frame's number, so that frames that were swapped, lost or repeated are noticed. */
function frameChecksum(number: number, payload: Uint8Array): number {
	const sum = new Checksum();
	sum.add(new Uint8Array(Uint32Array.of(number).buffer));
	sum.add(payload);
	return sum.value;
}

/** A state that is being read. */
export interface OpenState {
	readonly settings: StateSettings;
	readonly segments: AsyncGenerator<StateSegment>;
	/** Once all segments are read: where they end, if the state says so. */
	readonly end: StateEnd;
}

/** The end of the segments. */
interface StateEnd {
	/** Plain data of any shape; undefined if there is none. */
	position: unknown;
	/** Frames and bytes before it. */
	frames: number;
	bytes: number;
}

/**
 * Reads a state. `segments` throws where the state is damaged, so nothing of it may be counted before
 * its end is reached. Chunks may end anywhere; a ByteQueue puts frames together. They are ended with `segments`, and with an error.
 * @param name Its name in errors.
 * @param accept Throws for settings with which it is not to be read.
 * @throws {RobotrieError} invalid-argument, for bytes that are not a state, of another version, or damaged.
 */
export async function openState(
	name: string,
	chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	accept?: (settings: StateSettings) => void,
): Promise<OpenState> {
	const bytes = new ByteQueue(chunks);
	try {
		const state = await readSettings(name, bytes);
		// Here, as nobody could end segments that were not begun.
		accept?.(state.settings);
		return state;
	} catch (error) {
		await bytes.end();
		throw error;
	}
}

async function readSettings(
	name: string,
	bytes: ByteQueue,
): Promise<OpenState> {
	const preamble = await bytes.read(PREAMBLE);
	if (!MAGIC.every((byte, index) => preamble[index] === byte))
		throw refusal(name, "it is not an audit's state");
	// The first four bytes decide whether it is a state at all.
	if (preamble.length < PREAMBLE) throw refusal(name, CUT_OFF);
	const view = new DataView(new Uint8Array(preamble).buffer);
	const version = view.getUint16(4, true);
	if (version < WITHOUT_PATHS || version > STATE_VERSION)
		throw refusal(
			name,
			`its format has version ${version}, this robotrie reads versions ${WITHOUT_PATHS} to ${STATE_VERSION}${version > STATE_VERSION ? ": a newer one wrote it" : ""}`,
		);
	if (view.getUint16(6, true) !== 0) throw refusal(name, DAMAGED);
	const frames = framesOf(name, bytes);
	const { value: first } = await frames.next();
	const { settings, bounds } = unlessDamaged(name, () =>
		settingsIn(first?.value),
	);
	const end: StateEnd = { position: undefined, frames: 1, bytes: 0 };
	const segments = segmentsOf(name, frames, bounds, version, end);
	return { settings, segments, end };
}

/** The segments of a state, each checked before it is given out. */
async function* segmentsOf(
	name: string,
	frames: AsyncGenerator<Frame>,
	bounds: Bounds,
	version: number,
	end: StateEnd,
): AsyncGenerator<StateSegment> {
	// Checked frame by frame, so that a state larger than memory can be refused at its first damaged
	// byte.
	for await (const { value, number, at } of frames) {
		if (end.position !== undefined) throw refusal(name, DAMAGED);
		if (version > WITHOUT_POSITION && isRecord(value) && "position" in value) {
			Object.assign(end, { ...value, frames: number, bytes: at });
			continue;
		}
		if (!isStateSegment(value, version)) throw refusal(name, DAMAGED);
		const { bytes = 0, visits = NO_VISITS } =
			value.segment as Partial<SegmentData>;
		unlessDamaged(name, () => {
			checkPacked(value.segment.crawlers, bounds);
			checkVisits(visits);
		});
		yield { ...value, segment: { ...value.segment, bytes, visits } };
	}
}

/** The settings of a state, checked like options, and the bounds of what counters refer to. @throws {Error} For anything else. */
function settingsIn(value: unknown): {
	settings: StateSettings;
	bounds: Bounds;
} {
	// The checks of options are those of users', so that a state cannot smuggle in a setting that a
	// user could not write.
	const { anonymized, resolved, systems, ...given } = value as StateSettings;
	if (anonymized !== undefined && typeof anonymized !== "string")
		throw new Error(DAMAGED);
	for (const flag of [resolved, systems])
		if (flag !== undefined && flag !== true) throw new Error(DAMAGED);
	const settings = { ...checkAudit(given), anonymized, resolved, systems };
	const { sites, versions } = new RuleBook(settings.robots, settings);
	return {
		settings,
		bounds: {
			sites: sites.length,
			versions: versions.length,
			calendar: calendarOf(settings),
		},
	};
}

/** A payload, its number and where its frame begins. */
interface Frame {
	readonly value: unknown;
	readonly number: number;
	readonly at: number;
}

/**
 * The payloads, up to the one that ends the state. The checksum covers the number of the frame:
 * frames that were swapped are damage, too.
 */
async function* framesOf(
	name: string,
	bytes: ByteQueue,
): AsyncGenerator<Frame> {
	try {
		let at = PREAMBLE;
		for (let number = 0; ; number++) {
			const head = await bytes.read(FRAME_HEAD);
			if (head.length < FRAME_HEAD) throw refusal(name, CUT_OFF);
			const view = new DataView(head.buffer, head.byteOffset);
			const length = view.getUint32(0, true);
			const payload = await bytes.read(length);
			if (payload.length < length) throw refusal(name, CUT_OFF);
			if (view.getUint32(4, true) !== frameChecksum(number, payload))
				throw refusal(name, DAMAGED);
			const value = unlessDamaged(name, () => unpack(payload));
			if (value === null) break;
			yield { value, number, at };
			at += FRAME_HEAD + length;
		}
		// A concatenation of two states is not a state of both.
		if ((await bytes.read(1)).length > 0)
			throw refusal(name, "there are bytes after its end");
	} finally {
		await bytes.end();
	}
}

/** Runs a check that throws for damaged data; any error becomes "it is damaged". @throws {RobotrieError} invalid-argument. */
function unlessDamaged<Result>(name: string, act: () => Result): Result {
	try {
		return act();
	} catch {
		throw refusal(name, DAMAGED);
	}
}

/**
 * Writes the right checksums into a state that was changed, so that tests reach the checks after
 * them. Used by tests only.
 */
export function sealState(state: Uint8Array): void {
	const view = new DataView(state.buffer, state.byteOffset, state.length);
	let at = PREAMBLE;
	for (let number = 0; at + FRAME_HEAD <= state.length; number++) {
		const from = at + FRAME_HEAD;
		const end = from + view.getUint32(at, true);
		if (end > state.length) return;
		const sum = frameChecksum(number, state.subarray(from, end));
		view.setUint32(at + 4, sum, true);
		at = end;
	}
}

const CUT_OFF = "it is cut off";
const DAMAGED = "it is damaged";

/** The error of a state that cannot be merged. */
function refusal(name: string, reason: string): RobotrieError {
	return new RobotrieError(
		"invalid-argument",
		`cannot merge ${name}: ${reason}`,
	);
}

/**
 * Whether a payload has the shape of a segment; `checkPacked` then checks its numbers. Shapes
 * first, numbers second: `checkPacked` may then take for granted what is tested here.
 */
function isStateSegment(
	value: unknown,
	version: number,
): value is StateSegment {
	const hasPaths = version > WITHOUT_PATHS;
	if (!isRecord(value)) return false;
	const { file, format, segment } = value;
	if (typeof file !== "string" || !isRecord(format) || !isRecord(segment))
		return false;
	const { counters, unparsed, crawlers, violations, invalidTarget } = segment;
	return (
		isTimeOr(Number.POSITIVE_INFINITY, segment.firstTime) &&
		isTimeOr(Number.NEGATIVE_INFINITY, segment.lastTime) &&
		typeof format.name === "string" &&
		typeof format.tellsAgent === "boolean" &&
		Array.isArray(counters) &&
		counters.length === COUNTERS &&
		counters.every(isCount) &&
		Array.isArray(unparsed) &&
		unparsed.every(
			(line) =>
				isRecord(line) && isCount(line.index) && typeof line.text === "string",
		) &&
		isRecord(crawlers) &&
		isListOf("string", crawlers.texts) &&
		crawlers.numbers instanceof Float64Array &&
		crawlers.times instanceof Uint8Array &&
		(hasPaths
			? crawlers.requests instanceof Uint8Array && isCount(segment.bytes)
			: crawlers.requests === undefined) &&
		(version > WITHOUT_VISITS
			? isVisits(segment.visits)
			: segment.visits === undefined) &&
		Array.isArray(crawlers.rules) &&
		crawlers.rules.every(isRecord) &&
		Array.isArray(violations) &&
		(invalidTarget === undefined || typeof invalidTarget === "string") &&
		(segment.formats === undefined || areFormats(segment.formats)) &&
		(segment.missing === undefined ||
			(version > WITHOUT_POSITION && isCount(segment.missing)))
	);
}

function areFormats(value: unknown): boolean {
	return (
		Array.isArray(value) &&
		value.every(
			(each) =>
				isRecord(each) &&
				typeof each.name === "string" &&
				(each.prefix === null || typeof each.prefix === "string") &&
				isCount(each.lines),
		)
	);
}

function isVisits(value: unknown): boolean {
	return (
		isRecord(value) &&
		isListOf("string", value.clients) &&
		isListOf("string", value.systems) &&
		value.log instanceof Uint8Array
	);
}

function isCount(value: unknown): boolean {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether a value is a time of a Date, or `none`. */
function isTimeOr(none: number, value: unknown): boolean {
	return (
		value === none || (typeof value === "number" && Math.abs(value) <= 8.64e15)
	);
}

function isListOf(type: string, value: unknown): value is readonly unknown[] {
	return Array.isArray(value) && value.every((each) => typeof each === type);
}

/**
 * Bytes that come in chunks, to be read in other sizes. Used by `openState` only; a chunk is never
 * copied unless a frame spans two.
 */
class ByteQueue {
	readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
	#held: Uint8Array[] = [];
	#size = 0;

	constructor(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
		this.#chunks =
			Symbol.asyncIterator in chunks
				? chunks[Symbol.asyncIterator]()
				: chunks[Symbol.iterator]();
	}

	/** The next `size` bytes; fewer only at the end. */
	async read(size: number): Promise<Uint8Array> {
		while (this.#size < size) {
			const { done, value } = await this.#chunks.next();
			if (done) break;
			this.#held.push(value);
			this.#size += value.length;
		}
		const [only] = this.#held;
		const all =
			this.#held.length === 1 && only ? only : concatenate(this.#held);
		this.#held = [all.subarray(size)];
		this.#size = Math.max(0, this.#size - size);
		return all.subarray(0, size);
	}

	/** Ends the source: a file would stay open. */
	async end(): Promise<void> {
		try {
			await this.#chunks.return?.();
		} catch {
			// Nobody reads on; an error that ended the reading is the one to tell.
		}
	}
}
