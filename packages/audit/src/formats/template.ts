/**
 * Templates: how a line of delimited text is cut into fields, as a list of steps that the module runs (assembly/format.ts describes their
 * layout). They are compiled here from Nginx's `log_format` and Apache's `LogFormat` strings, which every named text format is written in,
 * too. formats.ts calls this; the module's half is assembly/fields.ts.
 */

import { RobotrieError } from "robotrie";
import { quote } from "#robotrie/common/quote";
import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_KEY,
	FIELD_METHOD,
	FIELD_NONE,
	FIELD_QUERY,
	FIELD_REFERRER,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	FIELD_TYPE,
	STEP_BLANKS,
	STEP_KEEP,
	STEP_LEAD,
	STEP_LIST,
	STEP_QUOTED,
	STEP_WIDTH,
	TIME_CLF,
	TIME_CTIME,
	TIME_EPOCH,
	TIME_HAPROXY,
	TIME_ISO,
	TIME_NONE,
} from "../../assembly/format.ts";

/** One step: a field of a line and the text that ends it; see STEP_ in assembly/format.ts. */
export interface Step {
	readonly field: number;
	readonly flags: number;
	readonly text: string;
}

/** How to cut up a line of delimited text. */
export interface Template {
	readonly steps: readonly Step[];
	/** A TIME_ kind. */
	readonly time: number;
}

/**
 * Nginx's variables that an audit uses; the fields of all others are skipped. Variables of the same
 * meaning have the same field; the first in a format string counts.
 */
const variables: ReadonlyMap<string, readonly [field: number, time?: number]> =
	new Map([
		["remote_addr", [FIELD_IP]],
		["realip_remote_addr", [FIELD_IP]],
		["proxy_protocol_addr", [FIELD_IP]],
		["http_x_forwarded_for", [FIELD_FORWARDED]],
		["proxy_add_x_forwarded_for", [FIELD_FORWARDED]],
		["time_local", [FIELD_TIME, TIME_CLF]],
		["time_iso8601", [FIELD_TIME, TIME_ISO]],
		["msec", [FIELD_TIME, TIME_EPOCH]],
		// Not Nginx's: for formats of ours.
		["time_haproxy", [FIELD_TIME, TIME_HAPROXY]],
		["time_ctime", [FIELD_TIME, TIME_CTIME]],
		["s3_key", [FIELD_KEY]],
		["request", [FIELD_REQUEST]],
		["request_method", [FIELD_METHOD]],
		["method", [FIELD_METHOD]],
		["http_referer", [FIELD_REFERRER]],
		["sent_http_content_type", [FIELD_TYPE]],
		["request_uri", [FIELD_TARGET]],
		["uri", [FIELD_TARGET]],
		["document_uri", [FIELD_TARGET]],
		["args", [FIELD_QUERY]],
		["query_string", [FIELD_QUERY]],
		["status", [FIELD_STATUS]],
		["body_bytes_sent", [FIELD_BYTES]],
		["bytes_sent", [FIELD_BYTES]],
		["http_user_agent", [FIELD_AGENT]],
		["http_host", [FIELD_HOST]],
		["host", [FIELD_HOST]],
		["server_name", [FIELD_HOST]],
	]);

/** The template for columns that are separated by one space or more. */
export function padded({ steps, time }: Template): Template {
	// HAProxy and Squid align columns with spaces, so that one space or more ends a field.
	return {
		time,
		steps: steps.map((step) =>
			step.text === " " ? { ...step, flags: step.flags | STEP_BLANKS } : step,
		),
	};
}

/** Whether there may be several blanks between some fields. */
export function hasBlanks({ steps }: Template): boolean {
	return steps.some(({ flags }) => (flags & STEP_BLANKS) !== 0);
}

/**
 * The template for the Common Log Format with any number of blanks between fields. A text that
 * begins with a blank stays: what is before the last blank belongs to a field that is skipped.
 */
export function loosened({ steps, time }: Template): Template {
	return {
		time,
		steps: steps.flatMap((step): readonly Step[] => {
			const [, before, after = ""] = /^([^ ]*) (.*)$/.exec(step.text) ?? [];
			if (before === undefined || (before === "" && after !== ""))
				return [step];
			const flags = step.flags | STEP_BLANKS;
			// Without the blank, so that there may be none: AWS writes a request right after the time.
			const end: Step = { ...step, flags, text: before || " " };
			return after === ""
				? [end]
				: [end, { field: FIELD_NONE, flags: STEP_LEAD, text: after }];
		}),
	};
}

/**
 * The template for lines with a prefix, given the texts that end its fields. Fields in front are
 * skipped by their ends alone, as forwarders write what they like into them.
 */
export function prefixed(
	{ steps, time }: Template,
	ends: readonly string[],
): Template {
	const prefix = ends.map((text) => ({ field: FIELD_NONE, flags: 0, text }));
	return { time, steps: [...prefix, ...steps] };
}

/** A variable or directive of a format string. */
interface Placeholder {
	/** The text between it and the one before. */
	readonly before: string;
	/** As the format string has it, for errors. */
	readonly name: string;
	readonly field: number;
	/** A TIME_ kind, for FIELD_TIME. */
	readonly time?: number | undefined;
	/** The bytes of a time that has a blank within. */
	readonly width?: number | undefined;
	/** Whether it may be a list whose items end in ", ". */
	readonly isList?: boolean;
}

/**
 * Both notations fail in the same words.
 * @throws {RobotrieError} invalid-argument.
 */
function failOf(format: string, reason: string): never {
	throw new RobotrieError(
		"invalid-argument",
		`the log format ${quote(format)} ${reason}`,
	);
}

/**
 * A template from Nginx's `log_format` string: variables as `$name` or `${name}`; all other text must be in the line as it is.
 * @param isEscaped Whether quotes in values are escaped, as they are but for `escape=none`.
 * @throws {RobotrieError} invalid-argument, if it has no target, or nothing between two variables.
 */
export function templateOf(format: string, isEscaped = true): Template {
	// Path and query as two variables are joined, so that a target keeps its query. Only these two
	// pairs: other adjacent variables are an error, below.
	const text = format.replaceAll(
		/\$(?:uri|document_uri)(?:\$is_args|\?)\$(?:args|query_string)/g,
		"$request_uri",
	);
	// Texts and the two groups of the expression take turns.
	const texts = text.split(/\$(?:\{(\w+)\}|(\w+))/);
	const placeholders: Placeholder[] = [];
	for (let at = 1; at < texts.length; at += 3) {
		const name = texts[at] ?? texts[at + 1] ?? "";
		const [field, time] = variables.get(name) ?? [FIELD_NONE];
		const before = texts[at - 1] ?? "";
		// Nginx may have asked several servers one after the other.
		const isList = isAddresses(field) || name.startsWith("upstream_");
		placeholders.push({ before, name: `$${name}`, field, time, isList });
	}
	return templateWith(
		format,
		placeholders,
		texts.at(-1) ?? "",
		["$request", "$request_uri"],
		isEscaped,
	);
}

/**
 * A template from the placeholders of a format string and the text after the last one.
 * @param wanted What the notation calls a request line and a target, for errors.
 * @throws {RobotrieError} invalid-argument.
 */
function templateWith(
	format: string,
	// The text before the first placeholder must be at the start of the line: it is the only step
	// with STEP_LEAD.
	placeholders: readonly Placeholder[],
	tail: string,
	wanted: readonly [request: string, target: string],
	isEscaped = true,
): Template {
	const lead = placeholders[0]?.before ?? tail;
	const steps: Step[] =
		lead === "" ? [] : [{ field: FIELD_NONE, flags: STEP_LEAD, text: lead }];
	if ([...placeholders.map(({ before }) => before), tail].join().includes("\n"))
		failOf(format, "has a line break: an entry is one line");
	let time = TIME_NONE;
	let isWithin = false;
	const seen = new Set<number>();
	placeholders.forEach((placeholder, index) => {
		const next = placeholders[index + 1];
		const after = next ? next.before : tail;
		for (const byte of placeholder.before)
			if (byte === '"') isWithin = !isWithin;
		// The first placeholder of a field counts.
		const field = seen.has(placeholder.field) ? FIELD_NONE : placeholder.field;
		seen.add(field);
		if (field === FIELD_TIME) time = placeholder.time ?? TIME_NONE;
		// A text ends a field. Without one, the next field must begin with a byte that is known.
		if (after !== "" || !next) {
			// Within quotes a server escapes them, so the module looks for an unescaped one.
			const quoted = isEscaped && isWithin && after.startsWith('"');
			const isSpaced = after.startsWith(" ");
			const flags = quoted
				? STEP_QUOTED
				: isSpaced && placeholder.isList
					? STEP_LIST
					: isSpaced && field === FIELD_TIME && placeholder.width
						? placeholder.width * STEP_WIDTH
						: 0;
			steps.push({ field, flags, text: after });
			return;
		}
		// No text ends the field. Only a target may follow, as its first byte, a slash, can serve as the end.
		if (next.field !== FIELD_TARGET)
			failOf(
				format,
				`has nothing between ${placeholder.name} and ${next.name}`,
			);
		steps.push({ field, flags: STEP_KEEP, text: "/" });
	});
	// An audit without targets would have nothing to judge. A misspelt name is one of those that are there.
	if (!seen.has(FIELD_REQUEST) && !seen.has(FIELD_TARGET)) {
		const names = placeholders.map(({ name }) => name).join(", ");
		failOf(
			format,
			`has neither ${wanted.join(" nor ")}${names && `, but ${names}`}`,
		);
	}
	return { steps, time };
}

/** Whether a field may be a list of addresses. */
function isAddresses(field: number): boolean {
	return field === FIELD_IP || field === FIELD_FORWARDED;
}

/** A directive of mod_log_config: optional status codes, "<" or ">" for the request before or after a redirect, an argument, a letter. */
const DIRECTIVE =
	/%(?:%|(?:!?\d{3}(?:,\d{3})*)?[<>]?(?:\{([^}]*)\})?[<>]?(\^[a-z]{2}|\^FB|[a-z]))/gi;

/** Apache's directives that an audit uses; the fields of all others are skipped. */
const fields: ReadonlyMap<string, number> = new Map([
	// `%h` may be a name, which is no address; it is shown as it is.
	["h", FIELD_IP],
	["a", FIELD_IP],
	["r", FIELD_REQUEST],
	["m", FIELD_METHOD],
	["U", FIELD_TARGET],
	["q", FIELD_QUERY],
	["s", FIELD_STATUS],
	["b", FIELD_BYTES],
	["B", FIELD_BYTES],
	["O", FIELD_BYTES],
	["v", FIELD_HOST],
	["V", FIELD_HOST],
]);
const headers: ReadonlyMap<string, number> = new Map([
	["user-agent", FIELD_AGENT],
	["referer", FIELD_REFERRER],
	["host", FIELD_HOST],
	["x-forwarded-for", FIELD_FORWARDED],
]);

/** Kinds of times by their notation in strftime's terms; %3 and %6 are the digits of a fraction. */
const times: readonly (readonly [notation: RegExp, kind: number])[] = [
	[/^%d\/%b\/%Y:%H:%M:%S %z$/, TIME_CLF],
	[/^%d\/%b\/%Y[: ]%H:%M:%S(?:[.,]%[36])?(?: ?%z)?$/, TIME_HAPROXY],
	[/^%Y-%m-%d[T ]%H:%M:%S(?:[.,]%[36])?(?:Z| ?%z)?$/, TIME_ISO],
	[/^%s(?:\.?%[36])?$/, TIME_EPOCH],
	[/^%a %b %[de] %H:%M:%S %Y$/, TIME_CTIME],
];

/** What Apache's own names of times, and abbreviations of strftime's, stand for. */
const abbreviations: Readonly<Record<string, string>> = {
	sec: "%s",
	msec: "%s%3",
	usec: "%s%6",
	msec_frac: "%3",
	usec_frac: "%6",
	"%T": "%H:%M:%S",
	"%R": "%H:%M",
	"%F": "%Y-%m-%d",
	"%h": "%b",
};

/** Bytes of strftime's fields, for those that are not two. */
const widths: Readonly<Record<string, number>> = {
	"%a": 3,
	"%b": 3,
	"%3": 3,
	"%Y": 4,
	"%z": 5,
	"%6": 6,
	"%s": 10,
};

/** A directive of a LogFormat string, other than a percent sign. */
interface Directive {
	/** The text between it and the one before. */
	readonly before: string;
	/** As the string has it. */
	readonly name: string;
	readonly argument: string | undefined;
	readonly letter: string;
}

/**
 * A template from Apache's `LogFormat` string.
 * @throws {RobotrieError} invalid-argument, if it has no request, two directives are adjacent, or a time's format is unknown.
 */
export function apacheTemplateOf(format: string): Template {
	// As above: path and query are joined.
	const text = format.replace(/%U%q/g, "%U");
	const directives: Directive[] = [];
	let before = "";
	let end = 0;
	for (const match of text.matchAll(DIRECTIVE)) {
		const [name, argument, letter] = match;
		before += literalOf(format, text.slice(end, match.index));
		end = match.index + name.length;
		if (letter === undefined) {
			before += "%";
			continue;
		}
		const isBracketed = letter === "t" && argument === undefined;
		// %t writes brackets around the time; %{…}t does not.
		if (isBracketed) before += "[";
		directives.push({ before, name, argument, letter });
		before = isBracketed ? "]" : "";
	}
	const tail = before + literalOf(format, text.slice(end));
	return templateWith(format, placeholdersOf(format, directives), tail, [
		"%r",
		"%U",
	]);
}

/**
 * What directives stand for. Times may consist of several: `%{%F %T}t.%{msec_frac}t %{%z}t`.
 * @throws {RobotrieError} invalid-argument, if there are times and none can be read.
 */
function placeholdersOf(
	format: string,
	directives: readonly Directive[],
): readonly Placeholder[] {
	const placeholders: Placeholder[] = [];
	let unread: string | undefined;
	for (let at = 0; at < directives.length; ) {
		const { before, name, argument, letter } = directives[at] as Directive;
		if (letter !== "t") {
			const field = fieldOf(letter, argument);
			const isList = isAddresses(field);
			placeholders.push({ before, name, field, isList });
			at++;
			continue;
		}
		const { time, width, count } = timeOf(directives.slice(at));
		const field = time === undefined ? FIELD_NONE : FIELD_TIME;
		if (time === undefined) unread ??= name;
		placeholders.push({ before, name, field, time, width });
		at += count;
	}
	if (
		unread !== undefined &&
		!placeholders.some(({ field }) => field === FIELD_TIME)
	)
		failOf(format, `has a time that cannot be read, ${unread}`);
	return placeholders;
}

/** The time that begins with the first of some directives, the longest that can be read, and of how many it consists. */
function timeOf(directives: readonly Directive[]): {
	readonly time?: number;
	readonly width?: number | undefined;
	readonly count: number;
} {
	const [first] = directives;
	if (first?.argument === undefined) return { time: TIME_CLF, count: 1 };
	const found: { time: number; width: number | undefined; count: number }[] =
		[];
	let notation = "";
	for (const [index, { before, argument, letter }] of directives.entries()) {
		if (letter !== "t" || argument === undefined) break;
		notation += `${index === 0 ? "" : before}${notationOf(argument)}`;
		const [, time] = times.find(([shape]) => shape.test(notation)) ?? [];
		if (time === undefined) continue;
		const fields = notation.replace(/%./g, (name) =>
			"0".repeat(widths[name] ?? 2),
		);
		const width = notation.includes(" ") ? fields.length : undefined;
		found.push({ time, width, count: index + 1 });
	}
	return found.at(-1) ?? { count: 1 };
}

/** The notation of `%{…}t` in strftime's terms, without abbreviations. */
function notationOf(argument: string): string {
	const text = argument.replace(/^(?:begin|end):/, "");
	return (
		abbreviations[text] ??
		text.replace(/%[TRFh]/g, (name) => abbreviations[name] ?? name)
	);
}

/**
 * A text between directives, which must not contain a "%" that was not read as one. A misspelt
 * directive must not become a text that no line contains: every line would count as unparsed.
 */
function literalOf(format: string, text: string): string {
	if (text.includes("%"))
		failOf(
			format,
			`has a "%" that begins no directive; write "%%" for a percent sign`,
		);
	return text;
}

/** The field of a directive that is not a time. */
function fieldOf(letter: string, argument: string | undefined): number {
	if (letter === "i" && argument !== undefined)
		return headers.get(argument.toLowerCase()) ?? FIELD_NONE;
	if (letter === "o" && argument?.toLowerCase() === "content-type")
		return FIELD_TYPE;
	return fields.get(letter) ?? FIELD_NONE;
}
