/**
 * What the first lines of a log tell: its format, and the time of its first entry. Detection asks three questions in turn: do directives
 * name the fields, which format each line has by itself (the majority decides), and do the lines together make a JSON list or CSV. A format that
 * the user chose is adapted to the log in the same way. Called before a log is scanned; nothing
 * here is fast, as it sees at most HEAD bytes.
 */

import { RobotrieError } from "robotrie";
import { bytesArgument } from "#robotrie/common/bytes";
import { concatenate } from "#robotrie/common/chunks";
import { TIME_EPOCH } from "../../assembly/format.ts";
import {
	innerLists,
	jsonRows,
	usual,
	w3cRows,
} from "../formats/format-table.ts";
import { formatNames, formatOf, formatOfRow } from "../formats/formats.ts";
import { milliseconds, objectOf } from "../formats/json-lines.ts";
import { hasPath, isPathIn, ofLine } from "../formats/line-formats.ts";
import {
	isHeaderless,
	keyName,
	type LogFormat,
	type Records,
} from "../formats/log-format.ts";
import { headerOf, recordFeed, transcoderOf } from "../formats/records.ts";
import { hasBlanks } from "../formats/template.ts";
import type { AuditOptions } from "../options/options.ts";

/**
 * Bytes of a log from which its format is detected. Enough for the majority of some hundred lines,
 * and to reach the first record of a pretty-printed JSON list.
 */
export const HEAD = 64 * 1024;

/** What to do where no format is detected, as the end of an error's sentence: options in a program, fields on a page. */
export interface FormatAdvice {
	/** How a format is chosen. */
	readonly choose: string;
	/** How the keys of JSON, or the columns of CSV, are given. */
	readonly fields: string;
}

const byOptions: FormatAdvice = {
	choose: "give its name, fields or a log_format string",
	fields: "say where the fields are",
};

/**
 * The format of a log, detected from its first bytes. Throws rather than guesses: with a wrong
 * format every verdict would be wrong, and nobody would notice.
 * @param more Lines from elsewhere in the log, because the first lines need not be typical.
 * @throws {RobotrieError} invalid-argument, if no format fits.
 */
export function formatOfHead(
	head: Uint8Array,
	name: string,
	more: readonly string[] = [],
	advice = byOptions,
): LogFormat {
	const lines = firstLines(head);
	const format = detectFormat(lines, more);
	if (format) return format;
	// An empty log has no lines that any format could misread.
	if (lines.length === 0) return formatOf(usual);
	throw new RobotrieError(
		"invalid-argument",
		`the format of ${name} is not one of the ${formatNames.length} in docs/log-formats.md; ${hintFor(lines, advice)}`,
	);
}

/** The chosen format, adapted to the first bytes of a log: records may be a list or rows of CSV, and lines may have a prefix. */
export function formatFor(chosen: LogFormat, head: Uint8Array): LogFormat {
	return { ...adapted(chosen, firstLines(head)), isChosen: true };
}

/**
 * The format of a line that is not as its log's format says; undefined if it is of none. Of a chosen format only what adapts it to a log
 * may differ, as in `formatFor`.
 */
export function formatOfOdd(
	line: string,
	format: LogFormat,
): LogFormat | undefined {
	const found = line === "" ? undefined : ofLine(line);
	if (!found) return undefined;
	// A line of `combined` that was cut off would pass for one of `common` with a field more.
	if (found.name !== format.name && isHeaderless(found))
		if (/" +(?:\d{3}|-) +\S+ +"/.test(line)) return undefined;
	if (!format.isChosen) return found;
	const isSame = found.name === format.name || found.more === format.name;
	return isSame ? { ...found, name: format.name, isChosen: true } : undefined;
}

/**
 * The format of a log: the chosen one, adapted to its first bytes, or the detected one. Chosen
 * formats are adapted to the log, too: users say "nginx-json", and the log may be a list of such
 * records.
 * @internal
 */
export function formatOfLog(
	chosen: AuditOptions["format"],
	head: Uint8Array,
	name: string,
	advice?: FormatAdvice,
): LogFormat {
	if (chosen === undefined) return formatOfHead(head, name, [], advice);
	return formatFor(
		typeof chosen === "string" ? formatOf(chosen) : chosen,
		head,
	);
}

/**
 * The chunks of a log, of which the first has at least HEAD bytes unless the log is shorter: its
 * format has to be known before any byte is scanned, so `begin` is called with that chunk first. An
 * empty log has one empty chunk. Chunks after the first are passed on without a copy.
 * @throws {RobotrieError} invalid-argument, for chunks that are not bytes.
 */
export async function* headFirst(
	bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	begin: (head: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	let head: Uint8Array | undefined = new Uint8Array(0);
	for await (const given of bytes) {
		const chunk = bytesArgument("a chunk of bytes", given);
		if (!head) {
			yield chunk;
			continue;
		}
		head = concatenate([head, chunk]);
		if (head.length < HEAD) continue;
		begin(head);
		yield head;
		head = undefined;
	}
	if (!head) return;
	begin(head);
	yield head;
}

/**
 * The lines of a head that detection looks at: not blank, at most 200. The last one may be cut off;
 * one wrong vote does not matter. Decoding may meet half a character at the end of the head, which
 * becomes U+FFFD in a line whose vote does not count for much.
 */
function firstLines(head: Uint8Array): readonly string[] {
	return new TextDecoder()
		.decode(head.subarray(0, HEAD))
		.split(/\r?\n/)
		.filter((line) => line.trim() !== "")
		.slice(0, 200);
}

/**
 * The format most first lines match; undefined if no line matches any.
 * @param more Lines from elsewhere in the log, which count as much.
 */
export function detectFormat(
	lines: readonly string[],
	more: readonly string[] = [],
): LogFormat | undefined {
	// W3C's format is certain by its directives, whatever its lines look like.
	const directive = lines.find((line) => line.startsWith("#"));
	// Vendors write directives before the first entry; a line of another format does not begin with
	// "#" and a colon.
	if (directive !== undefined && /^#\w+:/.test(directive))
		return w3cFormat(lines);
	// A list goes first only if it must; lines that are records by themselves are the common case.
	// The order is that of certainty, then of cost: a list is parsed as a whole, so lines by
	// themselves come before it.
	const list = beginsList(lines) ? listFormat(lines) : undefined;
	return (
		list ?? mostOf([...lines, ...more]) ?? listFormat(lines) ?? csvFormat(lines)
	);
}

/** The format of lines with directives. */
function w3cFormat(lines: readonly string[]): LogFormat {
	const directives = lines.filter((line) => line.startsWith("#"));
	const [name = ""] =
		Object.entries(w3cRows).find(([, { shape }]) =>
			directives.some((line) => shape.test(line)),
		) ?? [];
	const format = formatOfRow(name);
	const entries = lines.filter((line) => !line.startsWith("#"));
	// Most of them: a client may send a header with a tab.
	const withTab = entries.filter((line) => line.includes("\t"));
	return format.separator === undefined && 2 * withTab.length > entries.length
		? { ...format, separator: "\t" }
		: format;
}

/** See `formatFor`. */
function adapted(format: LogFormat, lines: readonly string[]): LogFormat {
	const { json } = format;
	if (format.name !== "ndjson" || !json) {
		const found = detectFormat(lines);
		if (found?.name === format.name) return found;
		// Only lines decide: `combined` skips what follows the User-Agent header, and `main` reads X-Forwarded-For from there.
		return found?.more === format.name
			? { ...found, name: format.name }
			: format;
	}
	const begun = beginsList(lines) ? listFormat(lines, format) : undefined;
	if (begun) return begun;
	if (lines.some((line) => hasPath(objectOf(line), json))) return format;
	const list = listFormat(lines, format);
	if (list) return list;
	// A column that the user has named is enough, whatever the others are.
	const header = headerOf(lines[0] ?? "", (columns) =>
		isCsvOf(Object.values(json), columns),
	);
	return header
		? {
				...format,
				name: "csv",
				records: { kind: "csv", separator: header.separator },
			}
		: format;
}

/**
 * The format that most lines have, each line taken by itself. Equal formats with different details
 * (prefix, captured headers) compete. Single lines vote, as a log may contain a few lines of other
 * formats, such as errors that a server writes between its entries.
 */
function mostOf(lines: readonly string[]): LogFormat | undefined {
	const votes = new Map<string, { count: number; format: LogFormat }>();
	for (const line of lines) {
		const format = ofLine(line);
		if (!format) continue;
		// A key by value: two lines agree if all details of their formats do.
		const key = JSON.stringify(format);
		const vote = votes.get(key) ?? { count: 0, format };
		vote.count++;
		votes.set(key, vote);
	}
	const [best, ...others] = [...votes.values()].sort(
		(a, b) => b.count - a.count,
	);
	// Where columns are aligned with blanks, not every line has two: the template that allows them reads both kinds.
	const spaced = others.find(
		({ format }) =>
			format.name === best?.format.name &&
			String(format.envelope) === String(best.format.envelope) &&
			hasBlanks(format.template),
	);
	return (spaced ?? best)?.format;
}

/**
 * Whether the first line begins a list, or an object that ends in a later line. Then lines must not be taken by themselves first: the last
 * record of a list may be a whole line.
 */
function beginsList([first = ""]: readonly string[]): boolean {
	// A list, and not the pod that `kubectl logs --prefix` names.
	if (/^\s*\[(?!pod\/)/.test(first)) return true;
	return /^\s*\{/.test(first) && objectOf(first) === undefined;
}

/** The format of records in a list, which may be the value of a key; `given` is a chosen format with its fields. */
function listFormat(
	lines: readonly string[],
	given?: LogFormat,
): LogFormat | undefined {
	// Joined again, as a record may span lines.
	const text = lines.join("\n");
	const isList = /^\s*\[/.test(text);
	if ((!isList && !/^\s*\{/.test(text)) || (isList && isWithoutComma(lines)))
		return undefined;
	const keys = isList
		? [undefined]
		: [
				...[...text.matchAll(/"(\w+)"\s*:\s*\[/g)]
					.filter(
						({ index, 1: key = "" }) =>
							innerLists.includes(key) || isWithinFirst(text.slice(0, index)),
					)
					.map(([, key]) => key),
				// Objects one behind the other, over several lines or on one; but not where lines are records, of which the first was cut off.
				...(lines.some((line) =>
					given ? hasPath(objectOf(line), given.json) : ofLine(line),
				)
					? []
					: [undefined]),
			];
	// Each key once: a list whose key comes twice is found by the first.
	for (const key of new Set(keys)) {
		const records = {
			kind: "list",
			...(key === undefined ? {} : { key }),
		} as const;
		const elements = elementsOf(text, records);
		const format = given
			? elements.some((line) => hasPath(objectOf(line), given.json)) && given
			: mostOf(elements);
		if (format) return { ...format, records };
	}
	return undefined;
}

/** The records of a text, each on one line. */
function elementsOf(text: string, records: Records): readonly string[] {
	return new TextDecoder()
		.decode(recordFeed(records).feed(new TextEncoder().encode(text)))
		.split("\n")
		.filter((line) => line.trim() !== "");
}

/** Whether the bracket in front of the first object is a stray byte: a second object follows without a comma, so this is not a list. */
function isWithoutComma([first = "", second = ""]: readonly string[]): boolean {
	return (
		objectOf(first.replace(/^\s*\[/, "")) !== undefined && /^\s*\{/.test(second)
	);
}

/** Whether a text is the beginning of one unfinished object. After its end, a list belongs to a later record. */
function isWithinFirst(text: string): boolean {
	return /^\s*\{(?:[^[\]{}]|\{[^{}]*\}|\[[^[\]{}]*\])*$/.test(text);
}

/** CSV whose header row names columns as a known format does. */
function csvFormat(lines: readonly string[]): LogFormat | undefined {
	const header = headerOf(lines[0] ?? "");
	if (!header) return undefined;
	const { columns, separator } = header;
	// Most specific first.
	const found = Object.entries(jsonRows).find(
		([, { keys }]) =>
			isCsvOf([keys.path, keys.request], columns) &&
			isCsvOf([keys.agent], columns),
	);
	return (
		found && { ...formatOfRow(found[0]), records: { kind: "csv", separator } }
	);
}

/** Whether one of the keys of some fields is a column. */
function isCsvOf(
	fields: readonly (readonly string[] | undefined)[],
	columns: readonly string[],
): boolean {
	return fields.some((keys) =>
		keys?.some((key) => columns.includes(keyName(key))),
	);
}

/**
 * Advice for an error message when no format was detected. Shown once, when detection failed; it
 * should cost the user no look at the documentation.
 */
function hintFor(lines: readonly string[], advice: FormatAdvice): string {
	const [first = ""] = lines;
	// A record may span lines, and other lines may come before it.
	const records = /^\s*[[{]/.test(first)
		? elementsOf(lines.join("\n"), { kind: "list" })
		: lines;
	const value = records.map(objectOf).find((each) => each !== undefined);
	if (value)
		return fieldsHint(
			objectOf(first) ? "lines are JSON" : "records are JSON",
			keysOf(value),
			advice,
			value,
		);
	const [vendor] =
		Object.entries(w3cRows).find(([, { entry }]) => entry?.test(first)) ?? [];
	if (vendor !== undefined)
		return `it looks like ${vendor} without its "#Fields:" line, which names the columns: put that line in front`;
	const header = headerOf(first);
	if (header)
		return fieldsHint("the first line names columns", header.columns, advice);
	if (first.split(",").length > 5)
		return "it looks like CSV, whose first line has to name the columns";
	return advice.choose;
}

/**
 * Names that keys of other logs often have, for the hint to suggest. In the order in which the hint
 * suggests them: a path is required, the rest is not.
 */
const likely: readonly (readonly [field: string, key: RegExp])[] = [
	["path", /(?:^|[._])(?:uri|url|path|target)$|requesturi|requestpath/i],
	["request", /(?:^|[._])request$/i],
	["agent", /user.?agent|(?:^|[._])(?:ua|agent)$/i],
	["status", /status|(?:^|[._])code$/i],
	["time", /time(?!.*taken)|(?:^|[._])(?:ts|date)$/i],
	["host", /(?:^|[._])(?:v?host|domain|authority)$|requesthost|server.?name/i],
	["ip", /(?:remote|client).?(?:addr|ip)|(?:^|[._])ip$/i],
];

/** The keys of an unknown log, and the fields that probably read it. */
function fieldsHint(
	what: string,
	keys: readonly string[],
	advice: FormatAdvice,
	record?: object,
): string {
	const fields = likely.flatMap(([field, shape]) => {
		const key = keys.find((each) => shape.test(each));
		if (key === undefined) return [];
		// Apache's recipes call the path a request.
		const isPath =
			field === "request" && record !== undefined && isPathIn(record, key);
		return isPath && keys.some((each) => likely[0]?.[1].test(each))
			? []
			: [`${isPath ? "path" : field}=${key}`];
	});
	const shown = keys.slice(0, 20).join(", ");
	return fields.length > 0
		? `${what} (${shown}); ${advice.fields}, perhaps ${fields.join(",")}`
		: `${what} (${shown}); ${advice.fields}: path=KEY,agent=KEY,…`;
}

/** The keys of an object and of the objects in it, joined by dots. */
function keysOf(value: object, prefix = ""): readonly string[] {
	return Object.entries(value).flatMap(([key, inner]) =>
		typeof inner === "object" && inner !== null && !Array.isArray(inner)
			? keysOf(inner as object, `${prefix}${key}.`)
			: [`${prefix}${key}`],
	);
}

const CLF =
	/\b(\d\d)\/([A-Z][a-z]{2})\/(\d{4})[: ](\d\d:\d\d:\d\d(?:\.\d+)?)(?: ([+-]\d{4}))?/;
const EPOCH = /(?<![\d.])(\d{10}(?:\.\d+)?|\d{13}|\d{16})(?![\d.])/;
const ISO =
	/\b(\d{4}-\d\d-\d\d)[T\s](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?/;

/**
 * The time of the first line that has one, in milliseconds since 1970, by which the logs of a
 * rotated set are ordered; Infinity if no line has. The first line is not enough: a rotated log may
 * begin with a directive or with a cut-off line.
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
			? (milliseconds(EPOCH.exec(text)?.[1]) ?? Number.NaN)
			: timeOfText(text);
	};
	// For lines that only have a time of day.
	let day = Number.NaN;
	for (const line of lines) {
		if (/^#Date/i.test(line)) day = timeOfText(line);
		if (line.startsWith("#")) continue;
		const time = read(line);
		if (Number.isFinite(time)) return time;
	}
	return Number.isNaN(day) ? Number.POSITIVE_INFINITY : day;
}

/**
 * Compares logs by their first time, for a rotated set whose names may sort otherwise; logs without
 * a time come last, in their order. Without this, `access.log.10` would come before `access.log.2`,
 * and a crawler's pauses would be counted backwards.
 */
export function byTime(
	a: { readonly time: number },
	b: { readonly time: number },
): number {
	return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

/** The first time in a text, in Apache's notation or ISO 8601; NaN without one. */
function timeOfText(line: string): number {
	const clf = CLF.exec(line);
	if (clf)
		return Date.parse(
			`${clf[1]} ${clf[2]} ${clf[3]} ${clf[4]} ${clf[5] ?? "UTC"}`,
		);
	const iso = ISO.exec(line);
	return iso ? Date.parse(`${iso[1]}T${iso[2]}${iso[3] ?? "Z"}`) : Number.NaN;
}
