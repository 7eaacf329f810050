/**
 * Reads a log record that is a JSON object with JSON.parse, and writes it as a line of the scanner's own template. Used for the lines
 * that the module does not cut itself (transcoderOf in records.ts, SCAN_TRANSCODE), for rows of CSV, and to find a log's first time.
 *
 * There are two readers of JSON on purpose. The module's (assembly/json.ts) cuts usual lines where they lie; anything whose meaning is a
 * matter of opinion (escapes, bytes beyond ASCII, duplicate keys, odd numbers and times) it leaves to this one, so that JSON.parse alone
 * decides. With this reader for all lines, an audit of 600,000 JSON lines takes 3.9 s of CPU time instead of 1.8 s. What both decide
 * (request lines, hosts that are URLs, buckets, times) must agree: test/scanner/log-json.test.ts compares them on generated records.
 */

import {
	isRootless,
	type JsonFields,
	keyName,
	type LogField,
} from "./log-format.ts";

/** Looks a value up in a JSON value; made once for each key such as "request.headers.User-Agent". */
interface KeyPath {
	of(value: unknown): unknown;
}

/**
 * The whole key is looked up first, because keys may contain dots themselves (ECS writes "user_agent.original" either way). Of a list
 * the first element counts. In a list of headers, that is of objects with a "name" and a "value" (AWS WAF), the key is a name.
 */
function keyPath(key: string): KeyPath {
	const keys = key.split(".");
	return {
		of(value) {
			const whole = member(value, key);
			if (whole !== undefined || keys.length === 1) return firstOf(whole);
			let at: unknown = value;
			for (const inner of keys) at = member(at, inner);
			return firstOf(at);
		},
	};
}

function firstOf(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : value;
}

/**
 * The value of one key; undefined for an empty list. AWS WAF writes headers as a list of such
 * objects, so a header's name is a key there.
 */
function member(value: unknown, key: string): unknown {
	if (Array.isArray(value)) {
		const name = key.toLowerCase();
		const header: unknown = value.find(
			(one) => String(own(one, "name")).toLowerCase() === name,
		);
		if (header !== undefined) return own(header, "value");
		// Of other lists the first element counts, which is the client in a list of addresses.
	}
	const found = own(firstOf(value), key);
	return Array.isArray(found) && found.length === 0 ? undefined : found;
}

/** Only own properties: a record must not find "constructor". */
function own(value: unknown, key: string): unknown {
	if (typeof value !== "object" || value === null) return undefined;
	if (!Object.hasOwn(value, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}

/** As `keyPaths`, for paths: a rootless key's value gets a slash in front, unless it has one or is "-". */
function pathKeys(keys: readonly string[] = []): readonly KeyPath[] {
	return keys.map((key) => {
		if (!isRootless(key)) return keyPath(key);
		const path = keyPath(keyName(key));
		return {
			of(value) {
				const found = path.of(value);
				const isText = typeof found === "string" || typeof found === "number";
				return isText && !/^(?:\/|-$)/.test(String(found))
					? `/${found}`
					: found;
			},
		};
	});
}

/** The look-ups of several keys, the first of which to find a value counts. */
export function keyPaths(keys: readonly string[] = []): readonly KeyPath[] {
	return keys.map(keyPath);
}

/** The object that a line is in JSON; undefined for anything else. */
export function objectOf(line: string): object | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? value
			: undefined;
	} catch {
		// Invalid JSON is no error of an audit: the line counts as unparsed, and the report shows it.
		return undefined;
	}
}

/** The line for a record that is not a request: the template cannot cut it, so that it counts as unparsed. */
export const NO_REQUEST = "!";

/** Whether lines get method, referrer and content type as well (`transcoded` in formats.ts). A request line has a method, too. */
export function hasDetails(fields: JsonFields): boolean {
	const { method, referrer, type, request } = fields;
	return [method, referrer, type, request].some((keys) => keys !== undefined);
}

/** Rewrites lines to the scanner's own template (`transcoded` in formats.ts). */
export interface Transcoder {
	/** The rewritten line, without its end; "" for a blank line. */
	transcode(line: string): string;
}

/**
 * Rewrites JSON objects as lines of seven fields with tabs between: ip, host, time in milliseconds, status, bytes, target, User-Agent
 * header; with method, referrer and content type at the end if they are asked for. Tabs and line ends within a field are escaped, as they would end it.
 */
export class JsonLines {
	readonly #paths: Readonly<Record<LogField, readonly KeyPath[]>>;
	readonly #hasTime: boolean;
	readonly #hasDetails: boolean;

	constructor(fields: JsonFields) {
		this.#paths = {
			path: pathKeys(fields.path),
			request: keyPaths(fields.request),
			bucket: keyPaths(fields.bucket),
			date: keyPaths(fields.date),
			query: keyPaths(fields.query),
			agent: keyPaths(fields.agent),
			status: keyPaths(fields.status),
			time: keyPaths(fields.time),
			host: keyPaths(fields.host),
			ip: keyPaths(fields.ip),
			bytes: keyPaths(fields.bytes),
			method: keyPaths(fields.method),
			referrer: keyPaths(fields.referrer),
			type: keyPaths(fields.type),
		};
		this.#hasTime = this.#paths.time.length > 0;
		this.#hasDetails = hasDetails(fields);
	}

	/**
	 * See `Transcoder`.
	 * @param time Used for objects without a time.
	 */
	transcode(line: string, time?: string): string {
		if (line.trim() === "") return "";
		try {
			return this.lineOf(JSON.parse(line), time);
		} catch {
			return NO_REQUEST;
		}
	}

	/**
	 * The line for a parsed record; `NO_REQUEST` without a target, or without a time where the format
	 * has one. All values are text here: a template's fields are, and the module reads numbers out of
	 * them itself.
	 */
	lineOf(value: unknown, timeInFront?: string): string {
		const path = this.#path(value);
		const time = this.#hasTime
			? (this.#time(value) ?? milliseconds(timeInFront))
			: 0;
		if (path === undefined || time === undefined) return NO_REQUEST;
		const status = this.#text(value, "status");
		const fields = [
			withoutBreaks(this.#text(value, "ip") ?? "-"),
			withoutBreaks(hostOf(this.#text(value, "host") ?? "-")),
			String(time),
			withoutBreaks(status === "" ? "-" : (status ?? "-")),
			withoutBreaks(this.#text(value, "bytes") ?? "-"),
			escaped(path),
			withoutBreaks(this.#text(value, "agent") ?? "-"),
		];
		if (this.#hasDetails)
			fields.push(
				withoutBreaks(this.#method(value) ?? "-"),
				withoutBreaks(this.#text(value, "referrer") ?? "-"),
				withoutBreaks(this.#text(value, "type") ?? "-"),
			);
		return fields.join("\t");
	}

	/** The target of the request line, else the path with its query. */
	#path(value: unknown): string | undefined {
		const request = this.#text(value, "request");
		if (request !== undefined) return targetOf(request);
		const path = this.#text(value, "path");
		if (path === undefined) return undefined;
		// An empty bucket name would match every path.
		const bucket = this.#text(value, "bucket");
		const own = bucket ? withoutBucket(path, bucket) : path;
		const query = this.#text(value, "query")?.replace(/^\?/, "");
		const isWhole = !query || query === "-" || own.includes("?");
		// Some logs have the query in both: the path's own counts.
		return isWhole ? own : `${own}?${query}`;
	}

	/** The method of the request line if there is one, else the one by itself. */
	#method(value: unknown): string | undefined {
		const request = this.#text(value, "request");
		return request === undefined
			? this.#text(value, "method")
			: METHOD.exec(request)?.[1];
	}

	/** The time in milliseconds. If day and time of day are two fields, they are UTC. */
	#time(value: unknown): number | undefined {
		const time = this.#first(value, "time");
		const date = this.#text(value, "date");
		// A time that includes its day is not joined with the date.
		const isClock = date !== undefined && /^\d\d:\d\d/.test(String(time));
		return milliseconds(isClock ? `${date.slice(0, 10)}T${time}Z` : time);
	}

	/** The value of a field: that of the first key that is present and not null. */
	#first(value: unknown, field: LogField): unknown {
		for (const path of this.#paths[field]) {
			const found = path.of(value);
			if (found !== undefined && found !== null) return found;
		}
		return undefined;
	}

	/** The same as text. Numbers are written as JSON.parse read them; other values are none. */
	#text(value: unknown, field: LogField): string | undefined {
		const found = this.#first(value, field);
		return typeof found === "string"
			? found
			: typeof found === "number"
				? String(found)
				: undefined;
	}
}

/** The method of a request line. */
const METHOD = /^(?!- )([a-z_-]+) /i;

/** The target of a request line, "" if it is none. Must agree with `splitRequest` in assembly/target.ts. */
function targetOf(request: string): string {
	const [, target = ""] = /^(?!- )[a-z_-]+ (.*)$/is.exec(request) ?? [];
	return target.replace(/ HTTP\/[^ ]*$/, "");
}

/** The host of a URL, "-" for a path, else the text itself. Must agree with `trimHost` in assembly/json.ts. */
function hostOf(host: string): string {
	if (host.startsWith("/")) return "-";
	return /^[^/]*:\/\/([^/?#]*)/.exec(host)?.[1] ?? host;
}

/** A path without the bucket's name, which it may begin with. Must agree with `trimBucket` in assembly/target.ts. */
function withoutBucket(path: string, bucket: string): string {
	const isNamed =
		path.startsWith(`/${bucket}`) &&
		/^(?:[/?]|$)/.test(path.slice(bucket.length + 1));
	if (!isNamed) return path;
	const rest = path.slice(bucket.length + 1);
	return rest.startsWith("/") ? rest : `/${rest}`;
}

const escapes: Readonly<Record<string, string>> = {
	"\t": "\\t",
	// A target's own backslash, too, or decoding would take it for the beginning of an escape.
	"\n": "\\n",
	"\r": "\\r",
	"\\": "\\\\",
};

/**
 * A target escaped as Apache does it. The module decodes it again (OPTION_ESCAPED), so that the matcher gets the tabs and line ends
 * themselves: the dialect decides what they mean.
 */
function escaped(target: string): string {
	return /[\t\n\r\\]/.test(target)
		? target.replace(/[\t\n\r\\]/g, (byte) => escapes[byte] ?? byte)
		: target;
}

/** Tabs and line ends would end a field. Valid hosts, addresses and headers contain none, so percent-encoding them loses nothing. */
function withoutBreaks(text: string): string {
	return /[\t\n\r]/.test(text)
		? text.replace(
				/[\t\n\r]/g,
				(byte) => `%0${byte.charCodeAt(0).toString(16).toUpperCase()}`,
			)
		: text;
}

/**
 * Milliseconds since 1970 of a text in RFC 3339 or Apache's notation, or of a number: seconds, or milli-, micro- or nanoseconds if it
 * has more than 11 digits before the point. Undefined for anything else.
 */
export function milliseconds(value: unknown): number | undefined {
	if (typeof value === "string") {
		if (/^\d+(\.\d+)?$/.test(value)) return scaled(Number(value));
		const clf =
			// Apache's %t has brackets, also as a value of JSON.
			/^\[?(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\]?$/.exec(
				value,
			);
		const time = Date.parse(
			clf
				? `${clf[1]} ${clf[2]} ${clf[3]} ${clf[4]} ${clf[5]}`
				: // Caddy's "wall" times have no offset; such times are read as UTC.
					value
						.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, "$1-$2-$3")
						.replace(" ", "T")
						.replace(/(T[\d:]{8}(?:\.\d+)?)$/, "$1Z")
						// ISO 8601's basic form of an offset, which strftime writes.
						.replace(/(T[\d:]{8}(?:\.\d+)?[+-]\d\d)(\d\d)$/, "$1:$2"),
		);
		return Number.isNaN(time) || time < 0 ? undefined : time;
	}
	return typeof value === "number" && value >= 0 ? scaled(value) : undefined;
}

/**
 * Added before rounding down, in milliseconds. Seconds with a fraction, and nanoseconds, have more digits than a double holds; the error,
 * up to 0.00025 ms, must not turn a time into the millisecond before. More than 0.0005 would turn the last microsecond of a
 * millisecond into the next one.
 */
const LOST = 0.0005;

/** Milliseconds of a number of seconds, milli-, micro- or nanoseconds, by its size: seconds reach 1e11 in the year 5138. */
function scaled(value: number): number {
	if (value >= 1e17) return Math.floor(value / 1e6 + LOST);
	if (value >= 1e14) return Math.floor(value / 1e3);
	return Math.floor(value >= 1e11 ? value : value * 1000 + LOST);
}
