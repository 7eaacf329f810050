/**
 * What a log format is: plain data that says how the lines of a log are cut into fields, made by formats.ts or detect.ts and read by
 * the scanner. It also holds what depends on nothing but the format: which fields its lines have, how it escapes headers, and how the
 * directives of W3C's format change it while a log is read. A format must stay structured-cloneable, because threads receive it as a
 * message.
 */

import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_DATE,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_METHOD,
	FIELD_NONE,
	FIELD_QUERY,
	FIELD_REFERRER,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	FIELD_TYPE,
	STEP_BLANKS,
	STEP_STRING,
	STEP_WHOLE,
	TIME_ISO,
	TIME_NONE,
	TIME_SPLIT,
} from "../../assembly/format.ts";
import type { Step, Template } from "./template.ts";

/** The fields that a JSON record or a row of CSV may have. */
export type LogField =
	| "path"
	| "request"
	| "query"
	| "agent"
	| "status"
	| "time"
	| "host"
	| "ip"
	| "bytes"
	| "date"
	| "bucket"
	| "method"
	| "referrer"
	| "type";

/**
 * For each field the JSON keys that may hold it; the first key that is present wins, and "a.b" is key b in object a.
 *
 * - `request` is a request line ("GET /path HTTP/1.1"). It takes precedence over `path`, as it is what the client sent.
 * - `path` keys that begin with a slash, such as "/reqPath", are for logs whose paths lack their first slash: it is added.
 * - `host` may be a URL, of which the host counts.
 * - `date` is for times that lack the day.
 * - `bucket` names the bucket that paths may begin with; it is removed from them.
 * @example
 * const fields: JsonFields = { path: ["request.uri"], agent: ["request.headers.User-Agent"], time: ["ts"] };
 */
export type JsonFields = Readonly<Partial<Record<LogField, readonly string[]>>>;

/** Whether paths under a key may lack their first slash (see `JsonFields`). */
export function isRootless(key: string): boolean {
	return key.startsWith("/");
}

/** A key as records have it, without the slash that marks rootless paths. */
export function keyName(key: string): string {
	return isRootless(key) ? key.slice(1) : key;
}

/**
 * How a format writes bytes that would end a header or a target: `\x22`, `+` for a space, `%20`.
 * Which one applies is a property of the server, not of a line; a mixture is read by one rule and
 * may show a wrong header.
 */
export type Escaping = "none" | "backslash" | "plus" | "percent";

/**
 * What columns of text must look like: "client" in Apache's family, whose client comes first or after a host, and has "-" after it nearly
 * always; "host" where another column may follow it.
 */
export type Columns = "client" | "host";

/** How to read the lines of a log. Plain data, so that it can go to other threads. */
export interface LogFormat {
	/** Its name in messages. */
	readonly name: string;
	/** The fields of a line and the texts between them. */
	readonly template: Template;
	/** How headers and targets are escaped. */
	readonly escaping: Escaping;
	/** Lines that begin with "#" are directives, and #Fields says what the others hold. */
	readonly directives: boolean;
	/** The host is that of the target, an absolute URL. */
	readonly hostInTarget: boolean;
	/** The day of lines that only have a time of day, as "#Date" gives it: 2000-10-10. */
	readonly day?: string;
	/** The host is a bucket, and paths may begin with its name. */
	readonly bucketInTarget?: boolean;
	/** For lines of JSON and rows of CSV: where the fields are. */
	readonly json?: JsonFields;
	/** Set if a record is not one line. */
	readonly records?: Records;
	/** What surrounds the record in a line, outermost first: the key of a JSON object that holds it, or "" for text in front of an object. */
	readonly envelope?: readonly string[];
	/** With directives: there may be several blanks between fields. */
	readonly padded?: boolean;
	/** With directives: what is between fields; a blank without it. */
	readonly separator?: string;
	/** Targets are URLs without their scheme: the host is what is in front of the first slash. */
	readonly isSchemeless?: boolean;
	/** Its columns are looked at: they must be what they are said to be. */
	readonly columns?: Columns;
	/** The format that it reads more of: a line without that is read as well. */
	readonly more?: string;
	/** What is in front of each line: the program that wrote it there. */
	readonly prefix?: string;
	/** The user has chosen it, so that a line of another format is unparsed. */
	readonly isChosen?: boolean;
}

/** How records that are not one line each are told apart; `recordFeed` makes lines of them. */
export type Records =
	| {
			/** JSON objects in a list, which may be the value of a key in the outermost object. */
			readonly kind: "list";
			readonly key?: string;
	  }
	| {
			/** Rows whose quoted fields may contain line feeds; the first row names the columns. */
			readonly kind: "csv";
			readonly separator: string;
	  };

/** Whether bytes are the last column of Apache's family: whatever is quoted after them is a header of another format. */
export function isHeaderless({ columns, template }: LogFormat): boolean {
	return columns === "client" && template.steps.at(-1)?.field === FIELD_BYTES;
}

/** Whether lines that are not of a format are looked at one by one: they may be of another one. */
export function isChanging(format: LogFormat): boolean {
	const { json, isChosen, directives, records } = format;
	return !directives && !records && !(json && isChosen);
}

/** What a report says about the format of a log. */
export interface FormatSummary {
	readonly name: string;
	/** Its lines may have a User-Agent header. */
	readonly tellsAgent: boolean;
}

/** How many lines had a format. */
export interface FormatLines {
	/** As `formatOf` takes it; "nginx" and "apache" for format strings. */
	readonly name: string;
	/** The program that wrote a prefix in front of each line, which was removed; null without one. */
	readonly prefix: string | null;
	/** Lines that were read so. */
	readonly lines: number;
}

/** @internal */
export function summaryOf(format: LogFormat): FormatSummary {
	return { name: format.name, tellsAgent: tells(format, "agent") };
}

const fieldNumbers = {
	agent: FIELD_AGENT,
	host: FIELD_HOST,
	forwarded: FIELD_FORWARDED,
} as const;

/** Whether lines of a format have a field. With directives the answer is yes, because #Fields is only seen while the log is read. */
export function tells(
	format: LogFormat,
	field: keyof typeof fieldNumbers,
): boolean {
	if (format.directives) return true;
	if (format.hostInTarget && field === "host") return true;
	if (format.json)
		return field !== "forwarded" && format.json[field] !== undefined;
	const wanted = fieldNumbers[field];
	return format.template.steps.some((step) => step.field === wanted);
}

const decoder = new TextDecoder();

/** A User-Agent header as the client sent it, given the bytes of a log. Lists of crawlers are matched against this form. */
export function decodeHeader(bytes: Uint8Array, escaping: Escaping): string {
	const text = decoder.decode(bytes);
	switch (escaping) {
		case "backslash":
			// Both Apache and Nginx write \" \\ \xHH; only Apache writes \b \n \r \t \v, and Nginx's escape=json \f \u00HH.
			return text.replace(
				/((?:\\x[0-9a-fA-F]{2})+)|\\u00([0-9a-fA-F]{2})|\\(["\\bfnrtv])/g,
				(_, hex: string | undefined, unit: string | undefined, plain = "") =>
					hex !== undefined
						? decoder.decode(bytesOfHex(hex))
						: unit !== undefined
							? String.fromCharCode(Number.parseInt(unit, 16))
							: (controls[plain] ?? plain),
			);
		case "plus":
			return text.replaceAll("+", " ");
		case "percent":
			return percentDecoded(text);
		case "none":
			return text;
	}
}

/** The bytes of `\xC3\xA9`: a letter beyond ASCII is several. */
function bytesOfHex(text: string): Uint8Array {
	const numbers = text.split("\\x").slice(1);
	return Uint8Array.from(numbers, (hex) => Number.parseInt(hex, 16));
}

const controls: Readonly<Record<string, string>> = {
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "\t",
	v: "\v",
};

/** CloudFront escapes once; in its older logs headers are escaped twice. */
function percentDecoded(text: string): string {
	const once = (from: string) => {
		try {
			return decodeURIComponent(from);
		} catch {
			return from;
		}
	};
	const decoded = once(text);
	return /%20/.test(decoded) ? once(decoded) : decoded;
}

// Directives of W3C's extended log format (https://www.w3.org/TR/WD-logfile.html), which CloudFront uses as well.

/** W3C's field identifiers that an audit uses; all others are skipped. */
const w3cFields: ReadonlyMap<string, number> = new Map([
	["date", FIELD_DATE],
	["date-local", FIELD_DATE],
	["time", FIELD_TIME],
	["time-local", FIELD_TIME],
	["c-ip", FIELD_IP],
	["x-host-header", FIELD_HOST],
	["cs-host", FIELD_HOST],
	["cs(host)", FIELD_HOST],
	["cs-uri-stem", FIELD_TARGET],
	["cs-uri", FIELD_TARGET],
	["cs-uri-path", FIELD_TARGET],
	["cs-uri-query", FIELD_QUERY],
	["sc-status", FIELD_STATUS],
	["x-forwarded-for", FIELD_FORWARDED],
	["cs(x-forwarded-for)", FIELD_FORWARDED],
	["s-xff", FIELD_FORWARDED],
	["sc-bytes", FIELD_BYTES],
	["bytes", FIELD_BYTES],
	["cs-method", FIELD_METHOD],
	["cs(referer)", FIELD_REFERRER],
	["cs(referrer)", FIELD_REFERRER],
	["sc-content-type", FIELD_TYPE],
	["rs(content-type)", FIELD_TYPE],
	["cs(user-agent)", FIELD_AGENT],
]);

/**
 * The format after a "#Fields:" or "#Date:" line; undefined for other directives. The scanner stops at each directive of a log and
 * calls this, because IIS writes new ones after every restart, perhaps with other fields.
 */
export function withDirective(
	format: LogFormat,
	directive: string,
): LogFormat | undefined {
	const day = /^#Date:?\s*(\d{4}-\d\d-\d\d)/i.exec(directive)?.[1];
	if (day !== undefined)
		return { ...format, day, template: timed(format.template, day) };
	const list = /^#Fields:?\s*(.+?)\s*$/i.exec(directive)?.[1];
	if (list === undefined) return undefined;
	const names = list.toLowerCase().split(/\s+/);
	// CloudFront's cs(Host) is the distribution's own name; x-host-header is the host that the client asked for.
	const hasForwardedHost = names.includes("x-host-header");
	const seen = new Set<number>();
	const steps = names.map((name, index): Step => {
		let field = w3cFields.get(name) ?? FIELD_NONE;
		if (name === "cs(host)" && hasForwardedHost) field = FIELD_NONE;
		// Both may be there; entries are in UTC then.
		if (/^(?:date|time)-local$/.test(name) && names.includes(name.slice(0, 4)))
			field = FIELD_NONE;
		// A field that comes twice is skipped where it comes again: IIS can log the same column twice.
		if (seen.has(field)) field = FIELD_NONE;
		seen.add(field);
		const text = index < names.length - 1 ? (format.separator ?? " ") : "";
		const flags = format.padded ? STEP_STRING | STEP_BLANKS : STEP_STRING;
		// Where blanks in values are escaped, a blank in the last one is a field that #Fields does not name.
		const isWhole =
			text === "" && index > 0 && /^(?:plus|percent)$/.test(format.escaping);
		return { field, flags: isWhole ? flags | STEP_WHOLE : flags, text };
	});
	const template = { steps, time: TIME_NONE };
	return { ...format, template: timed(template, format.day) };
}

/** The template with the kind of time that its fields amount to; `day` is that of "#Date". */
function timed({ steps }: Template, day: string | undefined): Template {
	const has = (field: number) => steps.some((step) => step.field === field);
	const time = !has(FIELD_TIME)
		? TIME_NONE
		: has(FIELD_DATE) || day !== undefined
			? TIME_SPLIT
			: TIME_ISO;
	return { steps, time };
}
