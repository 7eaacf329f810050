/**
 * Entries of stores: what is known about an origin's robots.txt, as bytes. StoredAnswers encodes and decodes them. Stores may be shared by
 * programs of several versions and may damage what they keep, so an entry carries its version and a checksum, and every field is
 * checked: decodeEntry never returns something that accessFor could not have returned.
 */

import { randomFillSync } from "node:crypto";
import { crc32 } from "node:zlib";
import type { AccessCode, RobotsAccess, RobotsCopy } from "robotrie/access";
import { bytesOrNull } from "#robotrie/common/bytes";
import { quote } from "#robotrie/common/quote";
import { inOneGo, type Steps } from "#robotrie/common/steps";
import { COPIED, copySteps } from "../common/turns.ts";

/** A check for each field of an object. */
type Checks<T> = { readonly [K in keyof T]-?: (value: unknown) => boolean };

const codes: { readonly [K in AccessCode]: true } = {
	dns: true,
	connection: true,
	tls: true,
	timeout: true,
	"invalid-response": true,
	"incomplete-body": true,
	"address-refused": true,
	success: true,
	"not-modified": true,
	"too-many-redirects": true,
	"redirect-loop": true,
	"redirect-nowhere": true,
	"client-error": true,
	forbidden: true,
	"too-many-requests": true,
	"server-error": true,
	unusable: true,
	"too-large": true,
	"cached-copy": true,
	"long-unreachable": true,
};

const isString = (value: unknown) => typeof value === "string";
const isOneOf = (values: object) => (value: unknown) =>
	typeof value === "string" && Object.hasOwn(values, value);
/** Within the times that a Date can be. */
const isTime = (value: unknown) =>
	typeof value === "number" && Math.abs(value) <= 8.64e15;
const isTimeOrNull = (value: unknown) => value === null || isTime(value);
/** Fields that can be sent again. */
const isHeaders = (value: unknown) =>
	isObject(value) &&
	Object.values(value).every(
		(text) =>
			typeof text === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
	);

const copyChecks: Checks<Omit<RobotsCopy, "body">> = {
	truncated: (value) => typeof value === "boolean",
	url: isString,
	fetchedAt: isTime,
	expires: isTime,
	headers: isHeaders,
};

const accessChecks: Checks<Omit<RobotsAccess, "copy">> = {
	access: isOneOf({ rules: true, "allow-all": true, "disallow-all": true }),
	code: isOneOf(codes),
	reason: isString,
	askedAt: isTime,
	expires: isTime,
	retryAfter: isTimeOrNull,
	unreachableSince: isTimeOrNull,
	failures: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
	unreachableFor: (value) => isTime(value) && Number(value) >= 0,
};

/**
 * Why a description cannot be an entry's; undefined if it can. Besides types it checks that the
 * times and counters agree. An entry may come from anybody who can write to the store; one that
 * contradicts itself would make a crawler do what no site asked for.
 */
function shapeError(value: unknown): string | undefined {
	if (!isObject(value)) return "its description is not an object";
	const wrong = wrongField(value, accessChecks);
	if (wrong !== undefined) return `its field ${wrong} is wrong`;
	const { copy } = value;
	if (copy === null) {
		if (value.access === "rules") return "it has rules, but no copy";
	} else {
		if (!isObject(copy)) return "its field copy is wrong";
		const wrong = wrongField(copy, copyChecks);
		if (wrong !== undefined) return `its field copy.${wrong} is wrong`;
		if (Number(copy.expires) < Number(copy.fetchedAt))
			return "its copy expires before it was fetched";
	}
	if (Number(value.expires) < Number(value.askedAt))
		return "it expires before it was asked for";
	const isFailing = Number(value.failures) > 0;
	for (const name of ["unreachableSince", "retryAfter"])
		if ((value[name] !== null) !== isFailing)
			return `its fields failures and ${name} disagree`;
	if (!isFailing && value.unreachableFor !== 0)
		return "its fields failures and unreachableFor disagree";
	return undefined;
}

function wrongField<T>(
	value: Readonly<Record<string, unknown>>,
	checks: Checks<T>,
): string | undefined {
	return Object.entries<(value: unknown) => boolean>(checks).find(
		([name, check]) => !check(value[name]),
	)?.[0];
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Layout; integers are little-endian:
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
	/** To notice an entry that is stored under another key. */
	readonly key: string;
	readonly copy: Omit<RobotsCopy, "body"> | null;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** JSON has no Infinity; the latest time of a Date is as good. */
function finite(time: number): number {
	return Math.min(time, 8.64e15);
}

/**
 * The bytes of an entry. Stored as JSON and bytes: programs of other languages can read it, too.
 */
export function encodeEntry(key: string, access: RobotsAccess): Uint8Array {
	return inOneGo(encodeSteps(key, access));
}

/** The same in steps, as a body may have 16 MiB. */
export function* encodeSteps(
	key: string,
	access: RobotsAccess,
): Steps<Uint8Array> {
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
	// Encoded in place, as each buffer is one more for the garbage collector.
	encoder.encodeInto(text, entry.subarray(PREAMBLE));
	let hash = crc32(entry.subarray(HASHED_FROM, bodyAt));
	for (let from = 0; from < body.length; from += COPIED) {
		if (from > 0) yield;
		const part = body.subarray(from, from + COPIED);
		entry.set(part, bodyAt + from);
		hash = crc32(part, hash);
	}
	view.setUint32(HASH_AT, hash, true);
	return entry;
}

/** The result for an entry that a newer version of this package wrote. */
export class NewerEntry {
	constructor(readonly reason: string) {}
}

/**
 * The opposite of `encodeEntry`. Returns a text that says why the bytes cannot be trusted, or a
 * NewerEntry, instead of throwing: both are ordinary cases. In this order: what it is, whether it
 * is whole, whether this program knows it, and only then what it says.
 */
export function decodeEntry(
	key: string,
	stored: Uint8Array,
): RobotsAccess | NewerEntry | string {
	return inOneGo(decodeSteps(key, stored));
}

/** The same in steps. */
export function* decodeSteps(
	key: string,
	stored: Uint8Array,
): Steps<RobotsAccess | NewerEntry | string> {
	const given = bytesOrNull(stored);
	if (!given) return "it is not a Uint8Array with memory";
	// Copied, as stores may return memory that they reuse. Before the check sum, which then tells of what changed between two steps.
	const entry = yield* copySteps([given], given.length);
	if (entry.length < PREAMBLE) return "it is too short";
	const view = new DataView(entry.buffer, entry.byteOffset, entry.length);
	if (view.getUint32(0, true) !== MAGIC) return "it is not an entry";
	const version = view.getUint32(4, true);
	if (version < 1 || version > LAST_VERSION)
		return `it has version ${version}, which does not exist`;
	let hash = 0;
	for (let from = HASHED_FROM; from < entry.length; from += COPIED) {
		if (from > HASHED_FROM) yield;
		hash = crc32(entry.subarray(from, from + COPIED), hash);
	}
	if (view.getUint32(HASH_AT, true) !== hash) return "its checksum is wrong";
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
	return { ...rest, copy: { ...copy, body: entry.subarray(bodyAt) } };
}

/** Version 1 has no unreachableFor: the most it can be is a day between each two failures, limited by the time since the first one. */
function withUnreachableFor(description: unknown): unknown {
	if (typeof description !== "object" || description === null)
		return description;
	const { askedAt, unreachableSince, failures } =
		description as Partial<Description>;
	const since = Number(askedAt) - Number(unreachableSince ?? askedAt);
	const most = Math.max(0, Number(failures) - 1) * DAY;
	return { ...description, unreachableFor: Math.max(0, Math.min(since, most)) };
}

/**
 * What a store has in place of an entry that it keeps elsewhere, in parts: the first 12 bytes of an entry with the version 255, which no
 * entry will have, then
 *
 *    12  u32 the number of parts
 *    16  16 random bytes, so that no two are the same
 *
 * A program that knows nothing of parts takes it for an entry of a newer version, which it keeps.
 */
export const STAND_IN_BYTES = 32;

/** A new one. */
export function standIn(parts: number): Uint8Array {
	const bytes = new Uint8Array(STAND_IN_BYTES);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, MAGIC, true);
	view.setUint32(4, LAST_VERSION, true);
	view.setUint32(12, parts, true);
	randomFillSync(bytes, PREAMBLE);
	view.setUint32(HASH_AT, crc32(bytes.subarray(HASHED_FROM)), true);
	return bytes;
}

/** The number of parts that bytes stand for; undefined if they are not a stand-in. */
export function partsOf(bytes: Uint8Array): number | undefined {
	if (bytes.length !== STAND_IN_BYTES) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	return view.getUint32(0, true) === MAGIC &&
		view.getUint32(4, true) === LAST_VERSION
		? view.getUint32(12, true)
		: undefined;
}
