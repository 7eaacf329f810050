import { RobotrieError } from "robotrie";
import { TIME_EPOCH } from "../assembly/format.ts";
import {
	csvNames,
	formatNames,
	formatOf,
	type JsonFormatName,
	jsonFormats,
} from "./formats.ts";
import { keyPaths } from "./json-lines.ts";
import { named, ofText, prefixes } from "./line-shapes.ts";
import type { JsonFields, LogFormat } from "./log-format.ts";
import type { AuditOptions } from "./options.ts";
import { headerOf, lineInside, recordFeed, transcoderOf } from "./records.ts";
import { prefixed } from "./template.ts";

/** Bytes from which a format is detected. */
export const HEAD = 64 * 1024;

/**
 * The format of a log, detected from its first bytes.
 * @param more Lines from elsewhere in it: the first ones need not be like most.
 * @throws {RobotrieError} invalid-argument, if no format fits.
 */
export function formatOfHead(
	head: Uint8Array,
	name: string,
	more: readonly string[] = [],
): LogFormat {
	const lines = firstLines(head);
	const format = detectFormat(lines, more);
	if (format) return format;
	// Nothing to be told, and nothing to be read.
	if (lines.length === 0) return formatOf("combined");
	throw new RobotrieError(
		"invalid-argument",
		`the format of ${name} is not one of ${formatNames.join(", ")}; ${hintFor(lines)}`,
	);
}

/**
 * A format that was chosen for a log, as the log's first bytes have it: records may be in a list or in rows, and text may stand in front of
 * lines.
 */
export function formatFor(chosen: LogFormat, head: Uint8Array): LogFormat {
	return adapted(chosen, firstLines(head));
}

/**
 * The format of a log: the one that was chosen, or what its first bytes tell.
 * @internal
 */
export function formatOfLog(
	chosen: AuditOptions["format"],
	head: Uint8Array,
	name: string,
): LogFormat {
	if (chosen === undefined) return formatOfHead(head, name);
	return formatFor(
		typeof chosen === "string" ? formatOf(chosen) : chosen,
		head,
	);
}

function firstLines(head: Uint8Array): readonly string[] {
	return new TextDecoder()
		.decode(head.subarray(0, HEAD))
		.split(/\r?\n/)
		.filter((line) => line.trim() !== "")
		.slice(0, 200);
}

/**
 * The format that most of a log's first lines are of; undefined when none is told by any.
 * @param more Lines from elsewhere in the log, which count as much.
 */
export function detectFormat(
	lines: readonly string[],
	more: readonly string[] = [],
): LogFormat | undefined {
	const directive = lines.find((line) => line.startsWith("#"));
	if (directive !== undefined && /^#\w+:/.test(directive)) {
		const fields = lines.find((line) => /^#Fields/i.test(line)) ?? "";
		return formatOf(/x-edge-/i.test(fields) ? "cloudfront" : "w3c");
	}
	const list = beginsList(lines) ? listFormat(lines) : undefined;
	return (
		list ?? mostOf([...lines, ...more]) ?? listFormat(lines) ?? csvFormat(lines)
	);
}

/**
 * A format that was named or whose fields were given, as the first lines are of it: their records may be in a list or in rows, and text
 * may stand in front of them.
 */
export function adapted(
	format: LogFormat,
	lines: readonly string[],
): LogFormat {
	const { json } = format;
	if (format.name !== "ndjson" || !json) {
		const found = detectFormat(lines);
		if (found?.name === format.name) return found;
		// What follows in a line of `combined` is passed over.
		const isMore = format.name === "combined" && found?.name === "main";
		return isMore ? { ...found, name: format.name } : format;
	}
	const begun = beginsList(lines) ? listFormat(lines, format) : undefined;
	if (begun) return begun;
	if (lines.some((line) => hasPath(objectOf(line), json))) return format;
	const list = listFormat(lines, format);
	if (list) return list;
	const header = headerOf(lines[0] ?? "");
	return header && isCsvOf(json, header.columns)
		? {
				...format,
				name: "csv",
				records: { kind: "csv", separator: header.separator },
			}
		: format;
}

/** The format that most lines are of, each by itself. */
function mostOf(lines: readonly string[]): LogFormat | undefined {
	const votes = new Map<string, { count: number; format: LogFormat }>();
	for (const line of lines) {
		const format = ofLine(line);
		if (!format) continue;
		const key = JSON.stringify(format);
		const vote = votes.get(key) ?? { count: 0, format };
		vote.count++;
		votes.set(key, vote);
	}
	const [best] = [...votes.values()].sort((a, b) => b.count - a.count);
	return best?.format;
}

function ofLine(line: string): LogFormat | undefined {
	if (line.startsWith("{")) return ofJson(line);
	if (/^\d{4}\/\d\d\/\d\d [\d:.]+\t.*\{.*\}\s*$/.test(line))
		return inText(ofJson(line.slice(line.indexOf("{"))));
	for (const { shape, ends } of prefixes) {
		const match = shape.exec(line);
		if (!match) continue;
		const rest = line.slice(match[0].length);
		if (rest.startsWith("{")) return inText(ofJson(rest));
		const format = ofText(rest);
		if (format)
			return { ...format, template: prefixed(format.template, ends(match)) };
	}
	return ofText(line);
}

/** Objects with text in front of them; those of a container are not within each other. */
function inText(format: LogFormat | undefined): LogFormat | undefined {
	return format?.json && !format.envelope
		? { ...format, envelope: "text" }
		: undefined;
}

function ofJson(line: string): LogFormat | undefined {
	const value = objectOf(line);
	if (value === undefined) return undefined;
	const inside = lineInside(line);
	if (inside !== undefined) {
		const format = inside.startsWith("{") ? ofJson(inside) : ofText(inside);
		return format && !format.envelope
			? { ...format, envelope: "docker" }
			: undefined;
	}
	const name = jsonNames.find((each) => isOf(value, jsonFormats[each]));
	return name && named(name);
}

const jsonNames = (Object.keys(jsonFormats) as JsonFormatName[]).filter(
	(name) => !csvNames.includes(name),
);

/** Whether an object has the fields of a format: a path and something that goes with it. */
function isOf(value: unknown, fields: JsonFields): boolean {
	const { agent, status } = fields;
	return hasPath(value, fields) && (has(value, agent) || has(value, status));
}

function hasPath(value: unknown, { path, request }: JsonFields = {}): boolean {
	return has(value, path) || has(value, request);
}

function has(value: unknown, keys: readonly string[] = []): boolean {
	return keyPaths(keys.map((key) => key.replace(/^\//, ""))).some(
		(key) => key.of(value) !== undefined,
	);
}

function objectOf(line: string): object | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? value
			: undefined;
	} catch {
		return undefined;
	}
}

/** Whether the first line begins a list, or an object that ends in a later line: the last record of a list may stand by itself. */
function beginsList([first = ""]: readonly string[]): boolean {
	if (/^\s*\[/.test(first)) return true;
	return /^\s*\{/.test(first) && objectOf(first) === undefined;
}

/** Objects in a list, or in one that is the value of a key; `given` says where their fields are. */
function listFormat(
	lines: readonly string[],
	given?: LogFormat,
): LogFormat | undefined {
	const text = lines.join("\n");
	const keys = /^\s*\[/.test(text)
		? isWithoutComma(lines)
			? []
			: [undefined]
		: /^\s*\{/.test(text)
			? [...text.matchAll(/"(\w+)"\s*:\s*\[/g)]
					.filter(({ index }) => isWithinFirst(text.slice(0, index)))
					.map(([, key]) => key)
			: [];
	for (const key of new Set(keys)) {
		const records = {
			kind: "list",
			...(key === undefined ? {} : { key }),
		} as const;
		const elements = new TextDecoder()
			.decode(recordFeed(records).feed(new TextEncoder().encode(text)))
			.split("\n")
			.filter((line) => line.trim() !== "");
		const format = given
			? elements.some((line) => hasPath(objectOf(line), given.json)) && given
			: mostOf(elements);
		if (format && !format.envelope) return { ...format, records };
	}
	return undefined;
}

/** A bracket in front of a line that is an object, and then another object: two lines, the first of them broken, and no list. */
function isWithoutComma([first = "", second = ""]: readonly string[]): boolean {
	return (
		objectOf(first.replace(/^\s*\[/, "")) !== undefined && /^\s*\{/.test(second)
	);
}

/** Whether a text is the beginning of one object: a broken line that ends is none, and a list in a later line is not its value. */
function isWithinFirst(text: string): boolean {
	return /^\s*\{(?:[^[\]{}]|\{[^{}]*\}|\[[^[\]{}]*\])*$/.test(text);
}

/** Rows below a line that names columns as a known format does. */
function csvFormat(lines: readonly string[]): LogFormat | undefined {
	const header = headerOf(lines[0] ?? "");
	if (!header) return undefined;
	const { columns, separator } = header;
	const names = Object.keys(jsonFormats) as JsonFormatName[];
	const name = names.find((each) => {
		const { path, agent, ...rest } = jsonFormats[each];
		const { request } = rest as JsonFields;
		return (
			isCsvOf({ path, ...(request ? { request } : {}) }, columns) &&
			isCsvOf({ agent }, columns)
		);
	});
	return name && { ...formatOf(name), records: { kind: "csv", separator } };
}

function isCsvOf(fields: JsonFields, columns: readonly string[]): boolean {
	return Object.values(fields)
		.flat()
		.some((key) => columns.includes(key.replace(/^\//, "")));
}

/** What may help when no format is told. */
export function hintFor(lines: readonly string[]): string {
	const [first = ""] = lines;
	const value = objectOf(first);
	const keys = value && keysOf(value);
	if (keys) return `${fieldsHint("lines are JSON", keys)}`;
	const header = headerOf(first);
	if (header) return fieldsHint("the first line names columns", header.columns);
	if (first.split(",").length > 5)
		return "it looks like CSV, whose first line has to name the columns";
	return "give its name, fields or a log_format string";
}

const likely: readonly (readonly [field: string, key: RegExp])[] = [
	["path", /(?:^|[._])(?:uri|url|path|target)$|requesturi|requestpath/i],
	["request", /(?:^|[._])request$/i],
	["agent", /user.?agent|(?:^|[._])ua$/i],
	["status", /status|(?:^|[._])code$/i],
	["time", /time|(?:^|[._])(?:ts|date)$/i],
];

function fieldsHint(what: string, keys: readonly string[]): string {
	const fields = likely.flatMap(([field, shape]) => {
		const key = keys.find((each) => shape.test(each));
		return key === undefined ? [] : [`${field}=${key}`];
	});
	const shown = keys.slice(0, 20).join(", ");
	return fields.length > 0
		? `${what} (${shown}); say where the fields are, perhaps ${fields.join(",")}`
		: `${what} (${shown}); say where the fields are: path=KEY,agent=KEY,…`;
}

/** Keys of an object, and of objects in it, joined by a dot. */
function keysOf(value: object, prefix = ""): readonly string[] {
	return Object.entries(value).flatMap(([key, inner]) =>
		typeof inner === "object" && inner !== null && !Array.isArray(inner)
			? keysOf(inner as object, `${prefix}${key}.`)
			: [`${prefix}${key}`],
	);
}

const CLF =
	/\b(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d(?:\.\d+)?)(?: ([+-]\d{4}))?/;
const EPOCH = /(?<![\d.])(\d{10}(?:\.\d+)?)(?![\d.])/;
const ISO =
	/\b(\d{4}-\d\d-\d\d)[T\s](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?/;

/**
 * The time that the first line with one bears, in milliseconds since 1970, by which logs are put in order; Infinity
 * when there is none.
 */
export function timeOfFirstLine(head: Uint8Array, format: LogFormat): number {
	const { json, records, template } = format;
	const bytes = records ? recordFeed(records).feed(head) : head;
	const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
	const transcoder = transcoderOf(format);
	const read = (line: string): number => {
		const text = transcoder ? transcoder.transcode(line) : line;
		if (json) return json.time ? Number(text.split("\t")[2]) : Number.NaN;
		return template.time === TIME_EPOCH
			? 1000 * Number(EPOCH.exec(text)?.[1])
			: timeOfText(text);
	};
	// For lines that have a clock time only.
	let day = Number.NaN;
	for (const line of lines) {
		if (/^#Date/i.test(line)) day = timeOfText(line);
		if (line.startsWith("#")) continue;
		const time = read(line);
		if (Number.isFinite(time)) return time;
	}
	return Number.isNaN(day) ? Number.POSITIVE_INFINITY : day;
}

/** For a rotated set, in whatever order its files are named; those without a time keep their place at the end. */
export function byTime(
	a: { readonly time: number },
	b: { readonly time: number },
): number {
	return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

function timeOfText(line: string): number {
	const clf = CLF.exec(line);
	if (clf)
		return Date.parse(
			`${clf[1]} ${clf[2]} ${clf[3]} ${clf[4]} ${clf[5] ?? "UTC"}`,
		);
	const iso = ISO.exec(line);
	return iso ? Date.parse(`${iso[1]}T${iso[2]}${iso[3] ?? "Z"}`) : Number.NaN;
}
