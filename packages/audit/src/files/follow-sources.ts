/**
 * What a follower reads from: files of a log that grows, pipes and streams that may never end; and how long it waits for them.
 */
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { until } from "#robotrie/common/chunks";
import { failureOf } from "#sites/files/errors";
import { statOf } from "#sites/files/stat";
import { type FollowedBytes, FollowedLog, type Loss } from "./followed-log.ts";
import type { GrowingLog } from "./growing-log.ts";
import type { OnRemark } from "./remarks.ts";

/** Whether a path is that of a file, not of a pipe or a device. @throws {SitesError} unreadable. */
export function isRegular(path: string): boolean {
	try {
		return statOf(path).isFile();
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
}

/** @throws {SitesError} unreadable. */
export async function openFiles(
	path: string,
	log: GrowingLog,
	onRemark: OnRemark,
): Promise<FollowedLog> {
	const onLoss = (loss: Loss) => {
		log.miss();
		const what =
			loss === "emptied" ? `${path} was emptied` : `a file of ${path} is gone`;
		onRemark(
			`${what}, perhaps with lines that were not counted yet: an unknown number of lines is missing`,
			{ code: "lines-missing", log: path },
		);
	};
	try {
		return await FollowedLog.open(path, onLoss, log.state?.position, (file) =>
			log.resume(file),
		);
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
}

/**
 * A named pipe as a socket. A file stream reads in a thread that waits until somebody writes, and
 * the process cannot end before.
 */
export function openPipe(path: string): Socket {
	try {
		const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		return new Socket({ fd, readable: true, writable: false });
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
}

/** Chunks of a source that may never end, up to the signal. It reads from `pipe`. */
export async function* untilStopped(
	source: AsyncGenerator<Uint8Array>,
	stop: AbortSignal,
	pipe?: Socket,
): AsyncGenerator<FollowedBytes> {
	try {
		for await (const bytes of until(stop, source)) yield { file: 0, bytes };
	} finally {
		// It would keep the process waiting.
		pipe?.destroy();
	}
}

/** Milliseconds from now until so many after a time; Infinity stays. */
export const msUntil = (time: number, period: number): number =>
	period === Number.POSITIVE_INFINITY
		? period
		: Math.max(0, time + period - performance.now());

/** The longest that a timer waits. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Whether something comes within so many milliseconds. @throws What comes. */
export async function isWithin(
	coming: Promise<unknown>,
	milliseconds: number,
): Promise<boolean> {
	if (milliseconds === Number.POSITIVE_INFINITY) return true;
	// Where more is always there, it is late all the same.
	if (milliseconds === 0) return false;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<false>((resolve) => {
		timer = setTimeout(
			() => resolve(false),
			Math.min(milliseconds, LONGEST_TIMER),
		);
	});
	try {
		return await Promise.race([coming.then(() => true), late]);
	} finally {
		clearTimeout(timer);
	}
}
