import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_DATE,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_NONE,
	FIELD_QUERY,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	STEP_STRING,
	TIME_ISO,
	TIME_NONE,
	TIME_SPLIT,
} from "../assembly/format.ts";
import type { Step, Template } from "./template.ts";

/** What a log line may tell, and the names of JSON keys that tell it. */
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
	| "bucket";

/**
 * For each field the JSON keys that may hold it, the first one present wins; "a.b" is key b in object a. The request is a request line,
 * which tells the path, and goes before it. A slash in front of a key of the path is put in front of paths without one. Of a host that is a URL its host
 * counts. A date is for times that lack it; paths may begin with a bucket's name, which is left out.
 */
export type JsonFields = Readonly<Partial<Record<LogField, readonly string[]>>>;

/** How a format writes what does not fit a header or a target: `\x22`, `+` for a blank, `%20`. */
export type Escaping = "none" | "backslash" | "plus" | "percent";

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
	/** The day of lines that have a clock time only, as "#Date" gives it: 2000-10-10. */
	readonly day?: string;
	/** The host is a bucket, of which paths may begin with the name. */
	readonly bucketInTarget?: boolean;
	/** For lines of JSON and rows of CSV: where the fields are. */
	readonly json?: JsonFields;
	/** Where records are not lines. */
	readonly records?: Records;
	/** What is around a line: Docker's JSON, or, for JSON, any text in front of it. */
	readonly envelope?: "docker" | "text";
}

/** Where records are not lines: how they become lines. Plain data, so that it can go to other threads. */
export type Records =
	| {
			/** JSON objects in a list, which may be the value of a key in the outermost object. */
			readonly kind: "list";
			readonly key?: string;
	  }
	| {
			/** Rows whose quoted fields may hold line feeds; the first one names the columns. */
			readonly kind: "csv";
			readonly separator: string;
	  };

export interface FormatSummary {
	readonly name: string;
	/** Lines may tell a User-Agent header. */
	readonly tellsAgent: boolean;
}

/** @internal */
export function summaryOf(format: LogFormat): FormatSummary {
	return { name: format.name, tellsAgent: tells(format, "agent") };
}

const fieldsTold = {
	agent: FIELD_AGENT,
	host: FIELD_HOST,
	forwarded: FIELD_FORWARDED,
} as const;

/** Whether lines of a format tell a field; those with directives may, until one says otherwise. */
export function tells(
	format: LogFormat,
	field: keyof typeof fieldsTold,
): boolean {
	if (format.directives) return true;
	if (format.hostInTarget && field === "host") return true;
	if (format.json)
		return field !== "forwarded" && format.json[field] !== undefined;
	const wanted = fieldsTold[field];
	return format.template.steps.some((step) => step.field === wanted);
}

const decoder = new TextDecoder();

/** A User-Agent header as the client sent it, from how a log writes it. */
export function decodeHeader(bytes: Uint8Array, escaping: Escaping): string {
	const text = decoder.decode(bytes);
	switch (escaping) {
		case "backslash":
			// Apache and Nginx: \" \\ \xHH; Apache: \b \n \r \t \v.
			return text.replace(
				/\\(?:x([0-9a-fA-F]{2})|(["\\bnrtv]))/g,
				(_, hex: string | undefined, plain = "") =>
					hex === undefined
						? (controls[plain] ?? plain)
						: String.fromCharCode(Number.parseInt(hex, 16)),
			);
		case "plus":
			return text.replaceAll("+", " ");
		case "percent":
			return percentDecoded(text);
		case "none":
			return text;
	}
}

const controls: Readonly<Record<string, string>> = {
	b: "\b",
	n: "\n",
	r: "\r",
	t: "\t",
	v: "\v",
};

/** CloudFront escapes once, and older logs of it twice. */
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

/** Directives of W3C's extended log format (https://www.w3.org/TR/WD-logfile.html), which CloudFront uses too. */

/** W3C's identifiers that tell something; a host as the client sent it goes before CloudFront's own. */
const w3cFields: ReadonlyMap<string, number> = new Map([
	["date", FIELD_DATE],
	["time", FIELD_TIME],
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
	["sc-bytes", FIELD_BYTES],
	["cs(user-agent)", FIELD_AGENT],
]);

/** The format with what a "#Fields:" or "#Date:" line says; undefined when the directive is another. */
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
	const separator = format.name === "cloudfront" ? "\t" : " ";
	const hasForwardedHost = names.includes("x-host-header");
	const seen = new Set<number>();
	const steps = names.map((name, index): Step => {
		let field = w3cFields.get(name) ?? FIELD_NONE;
		if (name === "cs(host)" && hasForwardedHost) field = FIELD_NONE;
		if (seen.has(field)) field = FIELD_NONE;
		seen.add(field);
		const text = index < names.length - 1 ? separator : "";
		return { field, flags: STEP_STRING, text };
	});
	const template = { steps, time: TIME_NONE };
	return { ...format, template: timed(template, format.day) };
}

/** The template with what its fields say of times; the day may be that of "#Date". */
function timed({ steps }: Template, day: string | undefined): Template {
	const has = (field: number) => steps.some((step) => step.field === field);
	const time = !has(FIELD_TIME)
		? TIME_NONE
		: has(FIELD_DATE) || day !== undefined
			? TIME_SPLIT
			: TIME_ISO;
	return { steps, time };
}
