/**
 * The format of a single line: text, a JSON object, either of them behind a prefix or in a JSON object of another program. detect.ts asks for
 * the first lines of a log, and the scanner for lines that are not as their format says.
 */

import { envelopes, jsonRows, type TextRow, textRows } from "./format-table.ts";
import { formatOfRow } from "./formats.ts";
import { keyPaths, objectOf } from "./json-lines.ts";
import { prefixes, shapeOfText } from "./line-shapes.ts";
import { type JsonFields, keyName, type LogFormat } from "./log-format.ts";
import { inside } from "./records.ts";
import { loosened, prefixed } from "./template.ts";

const known = new Map<string, LogFormat>();

/**
 * A format by its name, made once: detection compares formats of hundreds of lines.
 * @param isSpaced Whether there may be several blanks between fields. Its lines are cut by the slower `cut` of the scanner.
 */
export function named(name: string, isSpaced = false): LogFormat {
	const key = isSpaced ? `${name} spaced` : name;
	const format = known.get(key) ?? formatOfRow(name);
	const made =
		isSpaced && !known.has(key)
			? { ...format, template: loosened(format.template) }
			: format;
	known.set(key, made);
	return made;
}

/** What tells lines of each row apart, in the order of the table. */
const shapes = Object.entries(textRows).map(
	([name, row]) => [name, row, row.shape ?? shapeOfText(row.text)] as const,
);

/** The format of a line by the first row that fits. */
function ofRows(line: string): LogFormat | undefined {
	for (const [name, row, shape] of shapes) {
		const format = row.textOf
			? ofOwnText(name, row.textOf, line)
			: hasShape(row, shape, line)
				? named(name)
				: undefined;
		if (format) return format;
	}
	return undefined;
}

function hasShape({ test }: TextRow, shape: RegExp, line: string): boolean {
	const match = shape.exec(line);
	return match !== null && (test?.(match) ?? true);
}

function ofOwnText(
	name: string,
	textOf: (line: string) => string | undefined,
	line: string,
): LogFormat | undefined {
	const text = textOf(line);
	return text === undefined ? undefined : formatOfRow(name, text);
}

/** The line with one blank between fields: none is missing after the time, none is doubled outside quotes. */
function squeezed(line: string): string {
	return line.replace(
		/"(?:[^"\\]|\\.)*"|\](?=")|( ) +/g,
		(match, blank?: string) => blank ?? (match === "]" ? "] " : match),
	);
}

/** The format of a line of text; undefined if none fits. */
function ofText(line: string): LogFormat | undefined {
	const format = ofRows(line);
	const even = squeezed(line);
	if (even === line) return format;
	// Servers that are not Apache write its formats with other blanks between fields. "common" fits a line of "combined" whose Referer has
	// two blanks in front.
	const found = ofRows(even);
	return found?.columns && found.name !== format?.name
		? named(found.name, true)
		: format;
}

/** Programs that may have forwarded a line one after the other: docker compose writes what nginx-proxy has written. */
const MOST_PREFIXES = 2;
/** JSON objects around a line. */
const MOST_ENVELOPES = 3;

/** The format of a single line, perhaps after a prefix or in a JSON object; undefined if none fits. */
export function ofLine(
	line: string,
	most = MOST_ENVELOPES,
): LogFormat | undefined {
	if (/^\s*\{/.test(line)) return ofJson(objectOf(line), most);
	// Caddy's console format.
	if (/^\d{4}\/\d\d\/\d\d [\d:.]+\t.*\{.*\}\s*$/.test(line))
		return within("", ofJson(objectOf(line.slice(line.indexOf("{"))), most));
	return ofPrefixed(line, MOST_PREFIXES, most) ?? ofText(line);
}

/** The format of a line with a prefix. Prefixes come first: the text in front might pass for a field of some format. */
function ofPrefixed(
	line: string,
	most: number,
	mostEnvelopes: number,
): LogFormat | undefined {
	for (const { name, shape, ends } of prefixes) {
		const match = shape.exec(line);
		if (!match) continue;
		const rest = line.slice(match[0].length);
		const isObject = rest.startsWith("{");
		const format = isObject
			? within("", ofJson(objectOf(rest), mostEnvelopes))
			: ((most > 1 ? ofPrefixed(rest, most - 1, mostEnvelopes) : undefined) ??
				ofText(rest));
		if (!format) continue;
		const prefix =
			format.prefix === undefined ? name : `${name}, ${format.prefix}`;
		if (format.envelope) return { ...format, prefix };
		const template = prefixed(format.template, ends(match));
		return { ...format, template, prefix };
	}
	return undefined;
}

/** The format of a record in something: see `LogFormat.envelope`. */
function within(
	envelope: string,
	format: LogFormat | undefined,
): LogFormat | undefined {
	return (
		format && { ...format, envelope: [envelope, ...(format.envelope ?? [])] }
	);
}

/** The format of a JSON object, perhaps of a program around another one's line or record. */
function ofJson(
	value: object | undefined,
	most: number,
): LogFormat | undefined {
	if (value === undefined) return undefined;
	const name = jsonNames.find((each) => isOf(value, each));
	if (name !== undefined) return named(name);
	if (most === 0) return undefined;
	for (const key of envelopes) {
		const found = inside(value, key);
		if (found === undefined) continue;
		const format =
			typeof found === "string"
				? ofLine(found, most - 1)
				: ofJson(found, most - 1);
		if (format) return within(key, format);
	}
	return undefined;
}

/** The JSON formats, most specific first; those of CSV are recognised by their header row. */
const jsonNames = Object.keys(jsonRows).filter(
	(name) => jsonRows[name]?.csv === undefined,
);

/**
 * Whether an object is of a format: a path alone is too common a key, so the agent or the status
 * must be there, too. Any of the two others suffices: some logs have no agent (a load balancer) and
 * some no status. A header under a key that the format does not know would count as none, and every request as nobody's.
 */
function isOf(value: object, name: string): boolean {
	const { keys, telling } = jsonRows[name] ?? { keys: {} };
	if (!hasPath(value, keys) || (telling && !has(value, telling))) return false;
	if (keys.request && isLike(PATH, value, keys.request)) return false;
	if (keys.path && isLike(REQUEST_LINE, value, keys.path)) return false;
	if (has(value, keys.agent)) return true;
	return (
		has(value, keys.status) &&
		!Object.keys(value).some((key) => /user.?agent$/i.test(key))
	);
}

/** What should be a request line may be a path, and the reverse: " HTTP/1.1" would be a part of the path. */
const PATH = /^(?:\/|https?:)/;
const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/\d/;

/** Whether a record has a path under a key. */
export function isPathIn(record: object, key: string): boolean {
	return isLike(PATH, record, [key]);
}

function isLike(
	shape: RegExp,
	value: object,
	keys: readonly string[],
): boolean {
	return keyPaths(keys).some((key) => {
		const found = key.of(value);
		return typeof found === "string" && shape.test(found);
	});
}

/** Whether a record has one of the keys for the path or the request. */
export function hasPath(
	value: unknown,
	{ path, request }: JsonFields = {},
): boolean {
	return has(value, path) || has(value, request);
}

/** Whether a record has a value under one of the keys. */
function has(value: unknown, keys: readonly string[] = []): boolean {
	return keyPaths(keys.map(keyName)).some((key) => key.of(value) !== undefined);
}
