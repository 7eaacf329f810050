import { RobotrieError } from "robotrie";
import { quote } from "robotrie/internal";
import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_KEY,
	FIELD_NONE,
	FIELD_QUERY,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	STEP_BLANKS,
	STEP_KEEP,
	STEP_LEAD,
	STEP_QUOTED,
	TIME_CLF,
	TIME_EPOCH,
	TIME_HAPROXY,
	TIME_ISO,
	TIME_NONE,
} from "../assembly/format.ts";

/** A field of a line and the text that ends it; see assembly/format/log.ts. */
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

/** Nginx's variables that tell something; others are passed over. */
const variables: ReadonlyMap<string, readonly [field: number, time?: number]> =
	new Map([
		["remote_addr", [FIELD_IP]],
		["realip_remote_addr", [FIELD_IP]],
		["http_x_forwarded_for", [FIELD_FORWARDED]],
		["proxy_add_x_forwarded_for", [FIELD_FORWARDED]],
		["time_local", [FIELD_TIME, TIME_CLF]],
		["time_iso8601", [FIELD_TIME, TIME_ISO]],
		["msec", [FIELD_TIME, TIME_EPOCH]],
		// Of no Nginx, for formats of our own.
		["time_haproxy", [FIELD_TIME, TIME_HAPROXY]],
		["s3_key", [FIELD_KEY]],
		["request", [FIELD_REQUEST]],
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

/** The template for columns that are set apart by one blank or more. */
export function padded({ steps, time }: Template): Template {
	return {
		time,
		steps: steps.map((step) =>
			step.text === " " ? { ...step, flags: step.flags | STEP_BLANKS } : step,
		),
	};
}

/** The template for lines that begin with other fields, of which a text ends each. */
export function prefixed(
	{ steps, time }: Template,
	ends: readonly string[],
): Template {
	const prefix = ends.map((text) => ({ field: FIELD_NONE, flags: 0, text }));
	return { time, steps: [...prefix, ...steps] };
}

/** What stands in front of a field, and what the field tells. */
export interface FormatPart {
	readonly before: string;
	/** As the format has it. */
	readonly name: string;
	readonly field: number;
	/** A TIME_ kind, for FIELD_TIME. */
	readonly time?: number | undefined;
}

/** @throws {RobotrieError} invalid-argument. */
export function failOf(format: string, reason: string): never {
	throw new RobotrieError(
		"invalid-argument",
		`the log format ${quote(format)} ${reason}`,
	);
}

/**
 * A template from Nginx's `log_format` string: variables as `$name` or `${name}`, all else stands in the line as it is.
 * @throws {RobotrieError} invalid-argument, where it has no target or variables stand side by side.
 */
export function templateOf(format: string): Template {
	// Of the path and its query, as Nginx has them apart, only the whole is of use.
	const text = format.replaceAll(
		/\$(?:uri|document_uri)(?:\$is_args|\?)\$(?:args|query_string)/g,
		"$request_uri",
	);
	const pieces = text.split(/\$(?:\{(\w+)\}|(\w+))/);
	const parts: FormatPart[] = [];
	for (let at = 1; at < pieces.length; at += 3) {
		const name = pieces[at] ?? pieces[at + 1] ?? "";
		const [field, time] = variables.get(name) ?? [FIELD_NONE];
		parts.push({ before: pieces[at - 1] ?? "", name: `$${name}`, field, time });
	}
	return templateOfParts(format, parts, pieces.at(-1) ?? "", [
		"$request",
		"$request_uri",
	]);
}

/**
 * A template from the parts of a format and what stands behind the last of them.
 * @param wanted What the format calls a request line and a target, for errors.
 * @throws {RobotrieError} invalid-argument.
 */
export function templateOfParts(
	format: string,
	parts: readonly FormatPart[],
	tail: string,
	wanted: readonly [request: string, target: string],
): Template {
	const lead = parts[0]?.before ?? tail;
	const steps: Step[] =
		lead === "" ? [] : [{ field: FIELD_NONE, flags: STEP_LEAD, text: lead }];
	let time = TIME_NONE;
	const seen = new Set<number>();
	parts.forEach((part, index) => {
		const next = parts[index + 1];
		const after = next ? next.before : tail;
		const field = seen.has(part.field) ? FIELD_NONE : part.field;
		seen.add(field);
		if (field === FIELD_TIME) time = part.time ?? TIME_NONE;
		if (after !== "" || !next) {
			const quoted = part.before.endsWith('"') && after.startsWith('"');
			steps.push({ field, flags: quoted ? STEP_QUOTED : 0, text: after });
			return;
		}
		if (next.field !== FIELD_TARGET)
			failOf(
				format,
				`does not tell where ${part.name} ends and ${next.name} begins`,
			);
		steps.push({ field, flags: STEP_KEEP, text: "/" });
	});
	if (!seen.has(FIELD_REQUEST) && !seen.has(FIELD_TARGET))
		failOf(format, `has neither ${wanted.join(" nor ")}`);
	return { steps, time };
}

/**
 * A directive of mod_log_config: perhaps status codes that it is limited to, which request is meant after an internal
 * redirect, an argument, and its letter.
 */
const DIRECTIVE =
	/%(?:%|(?:!?\d{3}(?:,\d{3})*)?[<>]?(?:\{([^}]*)\})?[<>]?(\^[a-z]{2}|\^FB|[a-z]))/gi;

/** Directives that tell something; others are passed over. */
const fields: ReadonlyMap<string, number> = new Map([
	["h", FIELD_IP],
	["a", FIELD_IP],
	["r", FIELD_REQUEST],
	["U", FIELD_TARGET],
	["s", FIELD_STATUS],
	["b", FIELD_BYTES],
	["B", FIELD_BYTES],
	["O", FIELD_BYTES],
	["v", FIELD_HOST],
	["V", FIELD_HOST],
]);
const headers: ReadonlyMap<string, number> = new Map([
	["user-agent", FIELD_AGENT],
	["host", FIELD_HOST],
	["x-forwarded-for", FIELD_FORWARDED],
]);

/** What strftime's notation of a time comes down to. */
const times: ReadonlyMap<string, number> = new Map([
	["%d/%b/%Y:%H:%M:%S %z", TIME_CLF],
	["%d/%b/%Y:%T %z", TIME_CLF],
	...["%Y-%m-%d", "%F"].flatMap((day) =>
		["T", " "].flatMap((separator) =>
			["%H:%M:%S", "%T"].flatMap((clock) =>
				["", "Z", "%z", " %z"].map((zone): [string, number] => [
					`${day}${separator}${clock}${zone}`,
					TIME_ISO,
				]),
			),
		),
	),
	["%s", TIME_EPOCH],
	["sec", TIME_EPOCH],
	["msec", TIME_EPOCH],
	["usec", TIME_EPOCH],
]);

/** What Apache's configuration escapes within quotes. */
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

/**
 * A template from Apache's `LogFormat` string, as it stands in the configuration: with or without backslashes in front of
 * its quotes, the quotes around it, `LogFormat` and its nickname.
 * @throws {RobotrieError} invalid-argument, where it has no request, directives stand side by side, or a time is not known.
 */
export function apacheTemplateOf(format: string): Template {
	const [, quoted = format] =
		/^\s*(?:LogFormat\s+)?"((?:[^"\\]|\\.)*)"(?:\s+[\w-]+)?\s*$/i.exec(
			format,
		) ?? [];
	const text = quoted
		.replace(/\\(.)/g, (_, byte: string) => escapes[byte] ?? byte)
		// Of the path and its query, as Apache has them apart, only the whole is of use.
		.replace(/%U%q/g, "%U");
	const parts: FormatPart[] = [];
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
		const isTime = letter === "t";
		// By itself it stands in brackets.
		if (isTime && argument === undefined) before += "[";
		parts.push({ before, name, ...meaningOf(format, letter, argument) });
		before = isTime && argument === undefined ? "]" : "";
	}
	const tail = before + literalOf(format, text.slice(end));
	return templateOfParts(format, parts, tail, ["%r", "%U"]);
}

function literalOf(format: string, text: string): string {
	if (text.includes("%"))
		failOf(format, `has a "%" that begins no directive; "%%" stands for one`);
	return text;
}

function meaningOf(
	format: string,
	letter: string,
	argument: string | undefined,
): { field: number; time?: number | undefined } {
	if (letter === "i" && argument !== undefined)
		return { field: headers.get(argument.toLowerCase()) ?? FIELD_NONE };
	if (letter !== "t") return { field: fields.get(letter) ?? FIELD_NONE };
	if (argument === undefined) return { field: FIELD_TIME, time: TIME_CLF };
	const time = times.get(argument.replace(/^(?:begin|end):/, ""));
	if (time === undefined)
		failOf(format, `has times that cannot be read, %{${argument}}t`);
	return { field: FIELD_TIME, time };
}
