import type { JsonFields, LogField } from "./log-format.ts";

/** A place in a JSON value: "request.headers.User-Agent". */
interface KeyPath {
	of(value: unknown): unknown;
}

/**
 * Looks a key up as a whole first, as keys may hold dots. Of lists the first element counts; of lists of headers, that is of objects with a
 * "name" and a "value" (AWS WAF), the value of the name.
 */
function keyPath(key: string): KeyPath {
	const keys = key.split(".");
	return {
		of(value) {
			const whole = member(value, key);
			if (whole !== undefined || keys.length === 1) return firstOf(whole);
			let at: unknown = value;
			for (const part of keys) at = member(at, part);
			return firstOf(at);
		},
	};
}

function firstOf(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : value;
}

/** Undefined for an empty list, as for none. */
function member(value: unknown, key: string): unknown {
	if (Array.isArray(value)) {
		const name = key.toLowerCase();
		const header: unknown = value.find(
			(one) => String(own(one, "name")).toLowerCase() === name,
		);
		if (header !== undefined) return own(header, "value");
	}
	const found = own(firstOf(value), key);
	return Array.isArray(found) && found.length === 0 ? undefined : found;
}

function own(value: unknown, key: string): unknown {
	if (typeof value !== "object" || value === null) return undefined;
	if (!Object.hasOwn(value, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}

/** Keys of paths that begin with a slash; it stands in front of what they say, unless that has one or is "-". */
function pathKeys(keys: readonly string[] = []): readonly KeyPath[] {
	return keys.map((key) => {
		if (!isRootless(key)) return keyPath(key);
		const path = keyPath(key.slice(1));
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

/** Whether paths under a key may lack their first slash. */
export function isRootless(key: string): boolean {
	return key.startsWith("/");
}

export function keyPaths(keys: readonly string[] = []): readonly KeyPath[] {
	return keys.map(keyPath);
}

/** What stands for an object that is no request: no field can be cut from it. */
export const NO_REQUEST = "!";

/** Brings lines into the scanner's template. */
export interface Transcoder {
	/** The line for a line, without its end; a blank one for a blank one. */
	transcode(line: string): string;
}

/**
 * Brings lines of JSON into the form of the scanner's own template: ip, host, time in milliseconds, status, bytes, target and
 * User-Agent header, with tabs between. The module cuts what is usual by itself (assembly/json.ts); this decides what the rest means.
 */
export class JsonLines {
	readonly #paths: Readonly<Record<LogField, readonly KeyPath[]>>;
	readonly #hasTime: boolean;

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
		};
		this.#hasTime = this.#paths.time.length > 0;
	}

	/**
	 * The line for a line, without its end; a blank one for a blank one.
	 * @param time For objects without one.
	 */
	transcode(line: string, time?: string): string {
		if (line.trim() === "") return "";
		try {
			return this.lineOf(JSON.parse(line), time);
		} catch {
			return NO_REQUEST;
		}
	}

	/** The line for an object. */
	lineOf(value: unknown, timeInFront?: string): string {
		const path = this.#path(value);
		const time = this.#hasTime
			? (this.#time(value) ?? milliseconds(timeInFront))
			: 0;
		if (path === undefined || time === undefined) return NO_REQUEST;
		const status = this.#text(value, "status");
		return [
			withoutBreaks(this.#text(value, "ip") ?? "-"),
			withoutBreaks(hostOf(this.#text(value, "host") ?? "-")),
			String(time),
			withoutBreaks(status === "" ? "-" : (status ?? "-")),
			withoutBreaks(this.#text(value, "bytes") ?? "-"),
			escaped(path),
			withoutBreaks(this.#text(value, "agent") ?? "-"),
		].join("\t");
	}

	/** The target of a request line, or path and query. */
	#path(value: unknown): string | undefined {
		const request = this.#text(value, "request");
		if (request !== undefined) return targetOf(request);
		const path = this.#text(value, "path");
		if (path === undefined) return undefined;
		const bucket = this.#text(value, "bucket");
		const own = bucket ? withoutBucket(path, bucket) : path;
		const query = this.#text(value, "query")?.replace(/^\?/, "");
		const isWhole = !query || query === "-" || own.includes("?");
		return isWhole ? own : `${own}?${query}`;
	}

	/** The time; in two fields it is UTC. */
	#time(value: unknown): number | undefined {
		const time = this.#first(value, "time");
		const date = this.#text(value, "date");
		// A time that has its day needs none.
		const isClock = date !== undefined && /^\d\d:\d\d/.test(String(time));
		return milliseconds(isClock ? `${date.slice(0, 10)}T${time}Z` : time);
	}

	#first(value: unknown, field: LogField): unknown {
		for (const path of this.#paths[field]) {
			const found = path.of(value);
			if (found !== undefined && found !== null) return found;
		}
		return undefined;
	}

	#text(value: unknown, field: LogField): string | undefined {
		const found = this.#first(value, field);
		return typeof found === "string"
			? found
			: typeof found === "number"
				? String(found)
				: undefined;
	}
}

/** The target of a request line, "" if it is none; as in assembly/target.ts. */
function targetOf(request: string): string {
	const [, target = ""] = /^[a-z_-]+ (.*)$/is.exec(request) ?? [];
	return target.replace(/ HTTP\/[^ ]*$/, "");
}

/** Of a URL its host, of a path none. */
function hostOf(host: string): string {
	if (host.startsWith("/")) return "-";
	return /^[^/]*:\/\/([^/?#]*)/.exec(host)?.[1] ?? host;
}

/** A path in a bucket, whose name it may begin with. */
function withoutBucket(path: string, bucket: string): string {
	const isTold =
		path.startsWith(`/${bucket}`) &&
		/^(?:[/?]|$)/.test(path.slice(bucket.length + 1));
	if (!isTold) return path;
	const rest = path.slice(bucket.length + 1);
	return rest.startsWith("/") ? rest : `/${rest}`;
}

const escapes: Readonly<Record<string, string>> = {
	"\t": "\\t",
	"\n": "\\n",
	"\r": "\\r",
	"\\": "\\\\",
};

/** A target as Apache escapes it, so that the matcher gets its tabs and line ends: what they mean is for the dialect to say. */
function escaped(target: string): string {
	return /[\t\n\r\\]/.test(target)
		? target.replace(/[\t\n\r\\]/g, (byte) => escapes[byte] ?? byte)
		: target;
}

/** Tabs and line ends would end a field; in fields other than the target they cannot be. */
function withoutBreaks(text: string): string {
	return /[\t\n\r]/.test(text)
		? text.replace(
				/[\t\n\r]/g,
				(byte) => `%0${byte.charCodeAt(0).toString(16).toUpperCase()}`,
			)
		: text;
}

/**
 * Milliseconds since 1970 of RFC 3339 text, of Apache's notation, or of a number: seconds, or milli-, micro- or
 * nanoseconds when it has more than 11 digits. Undefined for what is none.
 */
function milliseconds(value: unknown): number | undefined {
	if (typeof value === "string") {
		if (/^\d+(\.\d+)?$/.test(value)) return scaled(Number(value));
		const clf =
			/^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/.exec(
				value,
			);
		const time = Date.parse(
			clf
				? `${clf[1]} ${clf[2]} ${clf[3]} ${clf[4]} ${clf[5]}`
				: // Caddy's "wall" times lack an offset; all of these are read as UTC.
					value
						.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, "$1-$2-$3")
						.replace(" ", "T")
						.replace(/(T[\d:]{8}(?:\.\d+)?)$/, "$1Z"),
		);
		return Number.isNaN(time) || time < 0 ? undefined : time;
	}
	return typeof value === "number" && value >= 0 ? scaled(value) : undefined;
}

/**
 * Fractions of seconds, and nanoseconds, have more digits than a number holds. What is lost, up to 0.00025 ms, must not make it the
 * millisecond before; more than half a microsecond would make the last microsecond of a millisecond the next one.
 */
const LOST = 0.0005;

function scaled(value: number): number {
	if (value >= 1e17) return Math.floor(value / 1e6 + LOST);
	if (value >= 1e14) return Math.floor(value / 1e3);
	return Math.floor(value >= 1e11 ? value : value * 1000 + LOST);
}
