/**
 * What a state stores besides counts: MessagePack with the typed arrays, Maps and Sets that counters have, and the settings of an audit, which
 * must be equal for states to be merged. Loaded with state.ts, when a state is written or read.
 */

import { decode, ExtensionCodec, encode } from "@msgpack/msgpack";
import { RobotrieError } from "robotrie";

import { checksum } from "#robotrie/common/checksum";
import { Anonymizer } from "../common/anonymize.ts";
import { zoneOf } from "../common/calendar.ts";
import {
	type AuditOptions,
	anonymizing,
	patternsOf,
} from "../options/options.ts";
import type { RobotsSource } from "../options/rule-book.ts";

/**
 * Plain data as MessagePack: whatever structuredClone accepts, without cycles and classes.
 * Undefined properties are left out. Numbers of typed arrays are little-endian, as on all platforms
 * with WebAssembly. MessagePack and not structuredClone's own format, as that belongs to V8 and may
 * change with it; a state has to be readable on another machine next year.
 */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
	return encode(value, options);
}

/** @throws {Error} For bytes that are not what `pack` gives. */
export function unpack(bytes: Uint8Array): unknown {
	// Of a Buffer, decoded byte strings would be Buffers as well.
	const { buffer, byteOffset, length } = bytes;
	return decode(new Uint8Array(buffer, byteOffset, length), options);
}

/** MessagePack has no typed arrays, Maps and Sets; these are extensions of ours. */
const extensionCodec = new ExtensionCodec();
const options = { extensionCodec, ignoreUndefined: true };

/** Numbers of extension types in states, which never change. */
const TYPE_MAP = 5;
const TYPE_SET = 6;
/** By element size and signedness, so that a reader needs no names of classes. */
const typedArrays = [
	[0, Float64Array],
	[1, Float32Array],
	[2, Uint32Array],
	[3, Int32Array],
	[4, Uint16Array],
] as const;
for (const [type, Numbers] of typedArrays)
	extensionCodec.register({
		type,
		encode: (value) =>
			value instanceof Numbers
				? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
				: null,
		// A copy, as a typed array must begin at a multiple of its element size.
		decode: (bytes) => new Numbers(bytes.slice().buffer),
	});

extensionCodec.register({
	type: TYPE_MAP,
	encode: (value) => (value instanceof Map ? pack([...value]) : null),
	decode: (bytes) => new Map(unpack(bytes) as [unknown, unknown][]),
});
extensionCodec.register({
	type: TYPE_SET,
	encode: (value) => (value instanceof Set ? pack([...value]) : null),
	decode: (bytes) => new Set(unpack(bytes) as unknown[]),
});

/**
 * The options that a report depends on, besides the logs and their formats. They are stored in
 * states. `format` may differ: states of an Nginx log and of a CDN's are merged into one report.
 */
export interface StateSettings
	extends Omit<
		AuditOptions,
		| "format"
		| "keepState"
		| "anonymize"
		| "anonymizeKey"
		| "resolve"
		| "systemOf"
	> {
	/** True if crawlers without ranges were verified by reverse DNS. */
	readonly resolved?: boolean | undefined;
	/** True if requests were counted by autonomous system. */
	readonly systems?: boolean | undefined;
	/** How addresses were replaced; undefined if they were not. Never the key itself. */
	readonly anonymized?: string | undefined;
}

/** The values of options that are not given. Written out, so that giving a default explicitly is no difference. */
const defaults: { readonly [Name in keyof Required<StateSettings>]: unknown } =
	{
		robots: undefined,
		dialect: "auto",
		maxBytes: undefined,
		agents: [],
		people: [],
		crawlers: [],
		trustedProxies: [],
		groupBy: "name",
		defaultAgent: undefined,
		since: undefined,
		until: undefined,
		ranges: [],
		// Not an empty list: states of releases before have no such setting.
		where: undefined,
		timeZone: undefined,
		every: undefined,
		paths: undefined,
		suspects: undefined,
		anonymized: undefined,
		resolved: undefined,
		systems: undefined,
	};

/** The settings of an audit with all defaults filled in. */
export function settingsOf(
	options: AuditOptions | StateSettings,
): StateSettings {
	// In the order of `defaults`, which decides the order of bytes: equal settings must be equal
	// bytes.
	const how =
		"anonymized" in options ? undefined : anonymizing(options as AuditOptions);
	const given = {
		...options,
		people: patternsOf(options.people),
		crawlers: patternsOf(options.crawlers),
		timeZone: zoneSetting(options.timeZone),
		...(how && { anonymized: new Anonymizer(how).method }),
		...("resolve" in options && options.resolve && { resolved: true }),
		...("systemOf" in options && options.systemOf && { systems: true }),
	};
	return Object.fromEntries(
		Object.entries(defaults).map(([name, value]) => [
			name,
			(given as StateSettings)[name as keyof StateSettings] ?? value,
		]),
	) as unknown as StateSettings;
}

/** By the name that is compared with those in other states; UTC, the default, needs none. */
function zoneSetting(timeZone: string | undefined): string | undefined {
	const name = timeZone === undefined ? "UTC" : zoneOf(timeZone);
	return name === "UTC" ? undefined : name;
}

/** @throws {RobotrieError} invalid-argument, naming the first setting that differs from those of the states before (`wantedName`). */
export function compareSettings(
	name: string,
	settings: StateSettings,
	wanted: StateSettings,
	wantedName: string,
): void {
	for (const key of Object.keys(defaults) as (keyof StateSettings)[]) {
		// robots.txt files are compared by content and place, not by name.
		const difference =
			key === "robots"
				? robotsDifference(settings.robots, wanted.robots)
				: isSame(settings[key], wanted[key])
					? undefined
					: `${key} is ${shown(settings[key])}, not ${shown(wanted[key])}`;
		if (difference !== undefined)
			throw new RobotrieError(
				"invalid-argument",
				`cannot merge ${name}: it was made with other settings than ${wantedName}: ${difference}`,
			);
	}
}

/** How the robots.txt files of two settings differ; undefined if they do not. */
function robotsDifference(
	found: readonly RobotsSource[],
	wanted: readonly RobotsSource[],
	// The number first, as the index of a difference would not mean anything if they differ.
): string | undefined {
	if (found.length !== wanted.length)
		return `it has ${found.length} robots.txt files, not ${wanted.length}`;
	const at = found.findIndex(
		(source, index) => !isSame(contentOf(source), contentOf(wanted[index])),
	);
	const [ours, theirs] = [found[at], wanted[at]];
	return ours && theirs
		? `its robots.txt is ${sourceText(ours)}, not ${sourceText(theirs)}`
		: undefined;
}

/** What verdicts depend on. File names do not matter, as logs may be read on several machines. */
function contentOf(source: RobotsSource | undefined): unknown {
	return { ...source, file: undefined };
}

/** "robots.txt of example.com (1234 bytes, checksum 0a1b2c3d)" */
function sourceText({ file, host, since, bytes }: RobotsSource): string {
	const ofHost = host === undefined ? "" : ` of ${host}`;
	const from =
		since === undefined ? "" : ` from ${new Date(since).toISOString()} on`;
	const sum = checksum(bytes).toString(16).padStart(8, "0");
	return `${file}${ofHost}${from} (${bytes.length} bytes, checksum ${sum})`;
}

/** Compares what is stored: values are equal if their bytes are. */
function isSame(a: unknown, b: unknown): boolean {
	const [some, others] = [pack(a), pack(b)];
	return (
		some.length === others.length &&
		some.every((byte, index) => byte === others[index])
	);
}

/** Most characters of a value in an error. */
const LONGEST = 80;

/** A value as an error shows it. */
function shown(value: unknown): string {
	if (value === undefined || value === null) return "not set";
	if (value instanceof Date) return value.toISOString();
	const text =
		typeof value === "object" ? JSON.stringify(value) : String(value);
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
