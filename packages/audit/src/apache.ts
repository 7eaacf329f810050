import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_NONE,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	TIME_CLF,
	TIME_EPOCH,
	TIME_ISO,
} from "../assembly/format.ts";
import {
	type FormatPart,
	failOf,
	type Template,
	templateOfParts,
} from "./template.ts";

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
