/**
 * What a follower with a state keeps: counts, and how far the log was read when they were these, in one file that is replaced as a whole. A follower
 * that is killed goes on from there, so that each line counts once. growing-log.ts fills it.
 *
 * The file is a state that `audit merge` reads as well. Counts of seconds are added up, up to some 100,000 lines a segment (`SegmentSum`); earlier
 * segments are copied from the file before.
 */

import { createReadStream, existsSync } from "node:fs";
import { basename } from "node:path";
import { RobotrieError } from "robotrie";
import { isRecord } from "#robotrie/common/arguments";
import { failureOf, isSitesError } from "#sites/files/errors";
import { OutputFile } from "#sites/files/output-file";
import { statIfThere } from "#sites/files/stat";
import { packed } from "../count/packed-counts.ts";
import { SegmentSum } from "../count/segment-sum.ts";
import type { Segment } from "../count/totals.ts";
import { usual } from "../formats/format-table.ts";
import type { FormatSummary } from "../formats/log-format.ts";
import type { AuditOptions } from "../options/options.ts";
import { openState, type StateSegment, StateWriter } from "../state/state.ts";
import { compareSettings, settingsOf } from "../state/state-codec.ts";
import {
	type Digest,
	type FilePosition,
	keyOf,
	type LogPosition,
} from "./followed-log.ts";
import type { LogSource } from "./open-logs.ts";

/** How far a file was read and counted. */
export interface CountedPlace extends FilePosition {
	/** Its lines so far. */
	readonly lines: number;
	/** It is within a line that is too long, which has been counted. */
	readonly isSkipping: boolean;
}

/** What is stored, beside the log's name: a state of another log would count both. */
type Position = LogPosition<CountedPlace> & { readonly log: string };

/** Milliseconds between two states, and how many times as long as the last one took: it grows with the log. */
const PERIOD = 10_000;
const SHARE = 20;

export class FollowState {
	readonly #path: string;
	readonly #log: string;
	readonly #options: AuditOptions;
	/** Frames and bytes of the file that stay; none are written yet. */
	#frames = 0;
	#bytes = 0;
	/** Segments that are full, and the one that is not. */
	#full: Uint8Array[] = [];
	#sum: SegmentSum;
	#format: FormatSummary | undefined;
	/** Milliseconds that the last one took. */
	#cost = 0;
	/** The file as it was last read or written. */
	#key: string | undefined;
	/** Where a state before ends. */
	position: LogPosition<CountedPlace> | undefined;

	private constructor(path: string, log: string, options: AuditOptions) {
		this.#path = path;
		this.#log = log;
		this.#options = options;
		this.#sum = new SegmentSum(options);
	}

	/**
	 * @param count Called for each segment of the state that there is.
	 * @throws {RobotrieError} For a file that is none, or that this log cannot go on from.
	 */
	static async open(
		path: string,
		log: LogSource,
		options: AuditOptions,
		count: (segment: StateSegment) => void,
	): Promise<FollowState> {
		if (statIfThere(path)?.isFile() === false)
			throw wrong(`a state is kept in a file, and ${path} is none`);
		if (typeof log !== "string" || statIfThere(log)?.isFile() === false)
			throw wrong(
				`a state says how far a file was read, and ${typeof log === "string" ? log : log.name} is none`,
			);
		const state = new FollowState(path, log, options);
		if (existsSync(path)) await state.#read(count);
		else await state.#begin();
		return state;
	}

	async #begin(): Promise<void> {
		const file = await outputOf(this.#path);
		await file.discard();
		const begin = new StateWriter().begin(settingsOf(this.#options));
		this.#full.push(begin);
		this.#frames = 1;
	}

	async #read(count: (segment: StateSegment) => void): Promise<void> {
		const name = this.#path;
		this.#key = await keyOf(name);
		const { all, end } = await this.#whole(name);
		const { position } = end;
		if (position === undefined)
			throw this.#refusal(
				"it does not say how far a log was read, as audit follow did not write it",
			);
		if (!isPosition(position)) throw this.#refusal("it is damaged");
		if (position.log !== basename(this.#log))
			throw this.#refusal(
				`it is of ${position.log}, not of ${basename(this.#log)}`,
			);
		this.position = position;
		this.#frames = end.frames;
		this.#bytes = end.bytes;
		for (const segment of all) {
			this.#format = segment.format;
			count(segment);
		}
	}

	/** All of it, before anything is counted. */
	async #whole(name: string) {
		try {
			const { segments, end } = await openState(
				name,
				createReadStream(name),
				(settings) =>
					compareSettings(
						name,
						settings,
						settingsOf(this.#options),
						"this audit",
					),
			);
			const all: StateSegment[] = [];
			for await (const segment of segments) all.push(segment);
			return { all, end };
		} catch (error) {
			if (error instanceof RobotrieError)
				throw this.#refusal(error.message.replace(/^cannot merge .*?: /, ""));
			throw failureOf(`read ${name}`, error);
		}
	}

	#refusal(reason: string): RobotrieError {
		return wrong(
			`cannot go on from ${this.#path}: ${reason}; name another file to begin anew`,
		);
	}

	/** Milliseconds until the next state should be written. */
	get period(): number {
		return Math.max(PERIOD, SHARE * this.#cost);
	}

	add(segment: Segment, format: FormatSummary): void {
		this.#format = format;
		this.#sum.append(segment);
		if (!this.#sum.isFull) return;
		this.#full.push(this.#frame(this.#frames++));
		this.#sum = new SegmentSum(this.#options);
	}

	/** An unknown number of lines was lost. */
	miss(): void {
		this.#sum.miss();
	}

	/** The segment that is not full, as a frame. */
	#frame(number: number): Uint8Array {
		return new StateWriter(number).add({
			file: this.#log,
			format: this.#format ?? { name: usual, tellsAgent: true },
			segment: packed(this.#sum.toSegment()),
		});
	}

	/**
	 * Replaces the file. What was added must be what was counted up to the position.
	 * @throws {RobotrieError} When it cannot be written, or another process has: each would undo the counts of the other one.
	 */
	async write(position: LogPosition<CountedPlace>): Promise<void> {
		const started = performance.now();
		const key = await keyOf(this.#path);
		if (key !== undefined && key !== this.#key)
			throw wrong(
				`${this.#path} has been written by another process; two cannot follow a log with one state`,
			);
		const file = await outputOf(this.#path);
		try {
			if (this.#bytes > 0) {
				const before = createReadStream(this.#path, { end: this.#bytes - 1 });
				for await (const chunk of before) await file.write(chunk);
			}
			for (const frame of this.#full) await file.write(frame);
			const frames = this.#sum.isEmpty ? [] : [this.#frame(this.#frames)];
			const writer = new StateWriter(this.#frames + frames.length);
			const stored: Position = { ...position, log: basename(this.#log) };
			for (const frame of [...frames, writer.position(stored), writer.end()])
				await file.write(frame);
		} catch (error) {
			await file.discard();
			throw unwritten(failureOf(`read ${this.#path}`, error));
		}
		await file.commit().catch((error) => {
			throw unwritten(error);
		});
		this.#key = await keyOf(this.#path);
		for (const { length } of this.#full) this.#bytes += length;
		this.#full = [];
		this.#cost = performance.now() - started;
	}
}

const wrong = (message: string) =>
	new RobotrieError("invalid-argument", message);

/** @throws {RobotrieError} store-unavailable. */
const outputOf = (path: string) =>
	OutputFile.open(path).catch((error) => {
		throw unwritten(error);
	});

const unwritten = (error: unknown) =>
	isSitesError(error)
		? new RobotrieError("store-unavailable", error.message)
		: error;

/** Whether a position has the shape of one: a state may have been made by anybody. */
function isPosition(value: unknown): value is Position {
	const isListOf = (list: unknown, is: (each: unknown) => boolean) =>
		Array.isArray(list) && list.every(is);
	const isText = (text: unknown) => typeof text === "string";
	return (
		isRecord(value) &&
		isText(value.log) &&
		isListOf(value.files, isPlace) &&
		isListOf(value.known, isText) &&
		isListOf(value.heads, isDigest)
	);
}

function isPlace(value: unknown): boolean {
	if (!isRecord(value) || !isDigest(value.tail)) return false;
	const { key, at, tail, unfinished, lines, isSkipping } =
		value as unknown as CountedPlace;
	return (
		typeof key === "string" &&
		isCount(at, Number.MAX_SAFE_INTEGER) &&
		isCount(unfinished, at) &&
		tail.length <= at &&
		isCount(lines, Number.MAX_SAFE_INTEGER) &&
		typeof isSkipping === "boolean"
	);
}

/** The most bytes that a digest is of. */
const MOST_BYTES = 64 * 1024;

function isDigest(value: unknown): boolean {
	const { length, sha256 } = (value ?? {}) as Partial<Digest>;
	return isCount(length, MOST_BYTES) && typeof sha256 === "string";
}

const isCount = (value: unknown, most: number) =>
	Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
