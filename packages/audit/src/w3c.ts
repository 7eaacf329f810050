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
import type { LogFormat } from "./formats.ts";
import type { Step, Template } from "./template.ts";

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
