import { invalidArgument } from "../common/errors.ts";

/** RFC 9309 §2.5 asks for at least 500 KiB; the Yandex document speaks of 500 KB. */
export const DEFAULT_MAX_BYTES = 500 * 1024;

/** @throws {RobotrieError} invalid-argument, for anything but a number from 0 on, or undefined. */
export function checkMaxBytes(maxBytes: unknown): void {
	if (
		maxBytes !== undefined &&
		!(typeof maxBytes === "number" && maxBytes >= 0)
	) {
		throw invalidArgument("maxBytes is a number of bytes from 0 on", maxBytes);
	}
}

/**
 * The bytes of a robots.txt that a caller gives; a string is taken as UTF-8.
 * @throws {RobotrieError} invalid-argument, for anything but bytes or a string.
 */
export function sourceBytes(source: unknown): Uint8Array {
	if (typeof source === "string") return new TextEncoder().encode(source);
	if (source instanceof Uint8Array) return source;
	throw invalidArgument("a robots.txt is a Uint8Array or a string", source);
}
