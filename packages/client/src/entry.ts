import { crc32 } from "node:zlib";
import type { RobotsAccess, RobotsCopy } from "robotrie/access";
import { bytesOrNull, quote } from "robotrie/internal";
import { shapeError } from "./entry-shape.ts";

/**
 * What is known about an origin, as bytes in a store, integers little-endian:
 *
 *     0  "RTA" and a NUL
 *     4  u32 version, 1 to 255
 *     8  u32 CRC-32 of all that follows
 *    12  u32 bytes of the description
 *    16  description, JSON: the key, and RobotsAccess without the copy's body
 *        the copy's body
 *
 * The first 12 bytes mean the same in all versions, so that an older program can tell a newer entry, which it keeps, from a damaged
 * one, which it replaces. Version 1 has no `unreachableFor`.
 */
const MAGIC = 0x00415452;
const VERSION = 2;
const LAST_VERSION = 255;
const HASH_AT = 8;
const HASHED_FROM = 12;
const PREAMBLE = 16;
const DAY = 86_400_000;

interface Description extends Omit<RobotsAccess, "copy"> {
	/** Tells an entry that got under another's key. */
	readonly key: string;
	readonly copy: Omit<RobotsCopy, "body"> | null;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** JSON has no Infinity: the last time that a Date can be is as far away. */
function finite(time: number): number {
	return Math.min(time, 8.64e15);
}

export function encodeEntry(key: string, access: RobotsAccess): Uint8Array {
	const { copy, ...rest } = access;
	const { body, ...about } = copy ?? { body: new Uint8Array() };
	const { expires, retryAfter } = rest;
	const description = {
		key,
		...rest,
		expires: finite(expires),
		retryAfter: retryAfter && finite(retryAfter),
		copy: copy && { ...about, expires: finite(copy.expires) },
	};
	const text = JSON.stringify(description);
	const length = Buffer.byteLength(text);
	const bodyAt = PREAMBLE + length;
	const entry = new Uint8Array(bodyAt + body.length);
	const view = new DataView(entry.buffer);
	view.setUint32(0, MAGIC, true);
	view.setUint32(4, VERSION, true);
	view.setUint32(12, length, true);
	// In place: each buffer is one more for the garbage collector.
	encoder.encodeInto(text, entry.subarray(PREAMBLE));
	entry.set(body, bodyAt);
	view.setUint32(HASH_AT, crc32(entry.subarray(HASHED_FROM)), true);
	return entry;
}

/** Bytes that a newer program wrote. */
export class NewerEntry {
	constructor(readonly reason: string) {}
}

/**
 * What `encodeEntry` was given for this key, a text that says why the bytes cannot be trusted, or that they are of a version that is
 * not known yet.
 */
export function decodeEntry(
	key: string,
	stored: Uint8Array,
): RobotsAccess | NewerEntry | string {
	const entry = bytesOrNull(stored);
	if (!entry) return "it is not a Uint8Array with memory";
	if (entry.length < PREAMBLE) return "it is too short";
	const view = new DataView(entry.buffer, entry.byteOffset, entry.length);
	if (view.getUint32(0, true) !== MAGIC) return "it is not an entry";
	const version = view.getUint32(4, true);
	if (version < 1 || version > LAST_VERSION)
		return `it has version ${version}, which does not exist`;
	if (view.getUint32(HASH_AT, true) !== crc32(entry.subarray(HASHED_FROM)))
		return "its check sum is wrong";
	if (version > VERSION)
		return new NewerEntry(
			`it has version ${version}, and this program reads up to ${VERSION}`,
		);
	const bodyAt = PREAMBLE + view.getUint32(12, true);
	if (bodyAt > entry.length) return "its description is cut off";
	const text = entry.subarray(PREAMBLE, bodyAt);
	let description: unknown;
	try {
		description = JSON.parse(decoder.decode(text));
	} catch (error) {
		return `its description is not JSON: ${error instanceof Error ? error.message : error}`;
	}
	if (version === 1) description = withUnreachableFor(description);
	const wrong = shapeError(description);
	if (wrong !== undefined) return wrong;
	const { key: own, copy, ...rest } = description as Description;
	if (own !== key) return `it is that of ${quote(own)}`;
	if (copy === null) return { ...rest, copy };
	// A copy of its own: stores may hand out memory that they use again.
	return { ...rest, copy: { ...copy, body: entry.slice(bodyAt) } };
}

/** Version 1 did not count what was observed: at most a day lay between two failures, as far as that fits with the first one's time. */
function withUnreachableFor(description: unknown): unknown {
	if (typeof description !== "object" || description === null)
		return description;
	const { askedAt, unreachableSince, failures } =
		description as Partial<Description>;
	const since = Number(askedAt) - Number(unreachableSince ?? askedAt);
	const most = Math.max(0, Number(failures) - 1) * DAY;
	return { ...description, unreachableFor: Math.max(0, Math.min(since, most)) };
}
