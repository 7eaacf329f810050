import { isUrl, type Kind } from "../common/arguments.ts";
import {
	bytesArgument,
	bytesKind,
	isBytes,
	keptBytes,
} from "../common/bytes.ts";
import { number } from "../common/kinds.ts";

/** RFC 9309 §2.5 asks for at least 500 KiB; the Yandex document speaks of 500 KB. */
export const DEFAULT_MAX_BYTES = 500 * 1024;

/**
 * Bytes of a robots.txt that are read from the network where the dialect has no limit of its own: what a server sends has to end
 * somewhere. As long as the longest line that is read.
 */
export const MOST_FETCHED_BYTES = 16 * 1024 * 1024;

export const maxBytesKind = number(0, Number.POSITIVE_INFINITY, "of bytes");

const sourceKind: Kind = {
	text: "a Uint8Array or a string",
	accepts: (value) => typeof value === "string" || isBytes(value),
	hint(value) {
		const hint = bytesKind.hint?.(value);
		return hint?.includes("response")
			? "pass await response.text()"
			: isUrl(value)
				? "it is the file's text, nothing is fetched; RobotsClient does that"
				: hint;
	},
};

/**
 * The bytes of a robots.txt that a caller gives; a string is taken as UTF-8.
 * @throws {RobotrieError} invalid-argument, for anything but bytes or a string.
 */
export function sourceBytes(source: unknown, name = "source"): Uint8Array {
	return typeof source === "string"
		? new TextEncoder().encode(source)
		: keptBytes(bytesArgument(name, source, sourceKind));
}
