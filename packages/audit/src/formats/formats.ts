/**
 * The functions that make a format: of a name, which is a row of the table (format-table.ts), of Nginx's or Apache's format string, of the keys
 * of JSON records. detect.ts finds out which of them a log has; docs/log-formats.md describes them to users.
 */

import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	type Kind,
	type OptionTable,
} from "#robotrie/common/arguments";
import { list, textKind } from "#robotrie/common/kinds";
import { quote } from "#robotrie/common/quote";
import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_HOST,
	FIELD_IP,
	FIELD_METHOD,
	FIELD_NONE,
	FIELD_REFERRER,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	FIELD_TYPE,
	TIME_EPOCH,
	TIME_NONE,
} from "../../assembly/format.ts";
import { type FormatString, formatStringOf } from "./directives.ts";
import { jsonRows, textRows, type W3cRow, w3cRows } from "./format-table.ts";
import { hasDetails } from "./json-lines.ts";
import type { JsonFields, LogField, LogFormat } from "./log-format.ts";
import {
	apacheTemplateOf,
	padded,
	type Step,
	type Template,
	templateOf,
} from "./template.ts";

/** The names that `--format` takes; "ndjson" and "csv" need fields as well. */
export const formatNames: readonly string[] = [
	...[textRows, jsonRows].flatMap((rows) => Object.keys(rows)),
	// The others are variants.
	...Object.keys(w3cRows).filter((name) => !w3cRows[name]?.of),
	"ndjson",
	"csv",
].sort();

/** The formats of `formatNames` that are only known together with their fields: see `jsonFormat`. */
export const fieldFormats: readonly string[] = ["ndjson", "csv"];

/** GoAccess's names for the same formats. */
const aliases: ReadonlyMap<string, string> = new Map(
	Object.entries(textRows).flatMap(([name, { also }]) =>
		also === undefined ? [] : [[also, name]],
	),
);

/**
 * The line that `JsonLines` makes of a record. Tabs separate its fields, as no field contains one
 * then. The module so has one template for all JSON, however records name their fields.
 */
function transcoded(json: JsonFields): Template {
	const fields = [
		FIELD_IP,
		FIELD_HOST,
		FIELD_TIME,
		FIELD_STATUS,
		FIELD_BYTES,
		FIELD_TARGET,
		FIELD_AGENT,
		...(hasDetails(json) ? [FIELD_METHOD, FIELD_REFERRER, FIELD_TYPE] : []),
	];
	return {
		steps: fields.map(
			(field, index): Step => ({
				field,
				flags: 0,
				text: index < fields.length - 1 ? "\t" : "",
			}),
		),
		// Without a time field, all times are NaN: such a log is counted without series and pauses.
		time: json.time ? TIME_EPOCH : TIME_NONE,
	};
}

/**
 * A format without the fields that only rows and conditions ask for. Cutting them costs a little for
 * each line, and a JSON line whose referrer has an escape would have to go through JSON.parse.
 */
export function withoutDetails(format: LogFormat): LogFormat {
	if (format.json) {
		const { method: _, referrer: __, type: ___, ...json } = format.json;
		return { ...format, json, template: transcoded(json) };
	}
	const { steps, time } = format.template;
	const isDetail = (field: number) =>
		field === FIELD_METHOD || field === FIELD_REFERRER || field === FIELD_TYPE;
	return {
		...format,
		template: {
			time,
			steps: steps.map((step) =>
				isDetail(step.field) ? { ...step, field: FIELD_NONE } : step,
			),
		},
	};
}

/**
 * A format by its name, in any case and with blanks around it, or by a format string, as `nginxFormat` and `apacheFormat` take them.
 * @param name The name of one format, where the text is a configuration with several.
 * @example
 * formatOf("traefikclf").name; // "combined"
 * formatOf('$remote_addr "$request" $status').name; // "nginx"
 * @throws {RobotrieError} invalid-argument, for an unknown name, for `name` beside one, for "ndjson" and "csv", which need `jsonFormat`, and for a string that cannot be read.
 */
export function formatOf(text: string, name?: string): LogFormat {
	check("text", text, textKind);
	if (name !== undefined) check("name", name, textKind);
	const word = text.trim();
	// Names are single words, which no format string is.
	if (/[^\w-]/.test(word)) return formatOfString(text, name);
	if (name !== undefined)
		throw new RobotrieError(
			"invalid-argument",
			`${quote(word)} is no configuration, in which a format could have the name ${quote(name)}`,
		);
	const lower = word.toLowerCase();
	const key = aliases.get(lower) ?? lower;
	if (formatNames.includes(key) && !fieldFormats.includes(key))
		return formatOfRow(key);
	throw new RobotrieError(
		"invalid-argument",
		fieldFormats.includes(key)
			? `the format ${key} needs the keys of its fields: path=KEY,agent=KEY,…`
			: `there is no log format ${quote(word)}, but ${formatNames.join(", ")}`,
	);
}

/**
 * The format of a row of the table.
 * @param text In place of the row's own, for a line whose fields depend on a configuration.
 */
export function formatOfRow(name: string, text?: string): LogFormat {
	const row = textRows[name];
	if (row) {
		const template = templateOf(text ?? row.text);
		const { columns, more, escaping } = row;
		return {
			...delimited(name, row.padded ? padded(template) : template),
			...(escaping ? { escaping } : {}),
			hostInTarget: row.hostInTarget ?? false,
			...(row.bucketInTarget ? { bucketInTarget: true } : {}),
			...(columns ? { columns } : {}),
			...(more ? { more } : {}),
		};
	}
	const json = jsonRows[name];
	if (json) {
		const { keys, escaping, csv } = json;
		return {
			...jsonFormat(keys, name),
			...(escaping ? { escaping } : {}),
			...(csv ? { records: { kind: "csv", separator: csv } } : {}),
		};
	}
	const {
		escaping,
		separator,
		padded: isPadded,
		...w3c
	} = w3cRows[name] as W3cRow;
	return {
		name: w3c.of ?? name,
		// No fields until a #Fields directive names them.
		template: { steps: [], time: TIME_NONE },
		escaping,
		directives: true,
		hostInTarget: false,
		...(separator ? { separator } : {}),
		...(isPadded ? { padded: true } : {}),
		...(w3c.isSchemeless ? { isSchemeless: true } : {}),
	};
}

/**
 * The format of an Nginx `log_format` string, as it is or as it is pasted from nginx.conf: with the directive, quotes, several strings, `escape=`.
 * @param name The name of one format, where the text is a configuration with several.
 * @example
 * const format = nginxFormat('$remote_addr [$time_local] "$request" $status "$http_user_agent"');
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }], format });
 * @throws {RobotrieError} invalid-argument, without a request, for several formats, and for one that cannot be read.
 */
export function nginxFormat(format: string, name?: string): LogFormat {
	check("format", format, textKind);
	return ofString(formatStringOf(format, name, "nginx"));
}

/**
 * The format of an Apache `LogFormat` string, as it is or as it is pasted from httpd.conf: with the directive, escapes, over several lines.
 * @param name The name of one format, where the text is a configuration with several.
 * @example
 * const format = apacheFormat('%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"');
 * @throws {RobotrieError} invalid-argument, without a request, for several formats, and for one that cannot be read.
 */
export function apacheFormat(format: string, name?: string): LogFormat {
	check("format", format, textKind);
	return ofString(formatStringOf(format, name, "apache"));
}

/**
 * The format of a text of either notation, told apart by the directive, or by Nginx's variables, such as $status.
 * @throws {RobotrieError} invalid-argument.
 */
export function formatOfString(format: string, name?: string): LogFormat {
	return ofString(formatStringOf(format, name));
}

function ofString({ notation, text, escaping }: FormatString): LogFormat {
	const template =
		notation === "nginx"
			? templateOf(text, escaping !== "none")
			: apacheTemplateOf(text);
	return { ...delimited(notation, template), escaping, columns: "host" };
}

const keyList = list(textKind, "strings");

/** A list of keys for a field, at least one. */
const keysKind: Kind = {
	...keyList,
	accepts: (value) =>
		keyList.accepts(value) && Array.isArray(value) && value.length > 0,
	hint: (value) => {
		if (typeof value === "string") return "put the key in an array";
		return Array.isArray(value) && value.length === 0
			? "leave the field out, or name its key"
			: undefined;
	},
};

/** The fields that `jsonFormat` and --fields take. */
const jsonFields: OptionTable<JsonFields> = {
	path: keysKind,
	request: keysKind,
	query: keysKind,
	agent: keysKind,
	status: keysKind,
	time: keysKind,
	host: keysKind,
	ip: keysKind,
	bytes: keysKind,
	date: keysKind,
	bucket: keysKind,
	method: keysKind,
	referrer: keysKind,
	type: keysKind,
};

/**
 * The format of lines that are JSON objects, or of CSV. Nested keys are joined by dots; of a list the first element counts. The fields may also be a
 * text, as `--fields` takes them.
 * @example
 * jsonFormat("path=request.uri,agent=request.headers.User-Agent,time=ts").name; // "ndjson"
 * const format = jsonFormat({ path: ["request.uri"], agent: ["request.headers.User-Agent"], time: ["ts"] });
 * @throws {RobotrieError} invalid-argument, for unknown fields, for a text that has a field twice, and without a path or a request.
 */
export function jsonFormat(
	fields: JsonFields | string,
	name = "ndjson",
): LogFormat {
	const json = typeof fields === "string" ? parseFields(fields) : fields;
	checkOptions("jsonFormat", json, jsonFields, json?.request ? [] : ["path"]);
	check("name", name, textKind);
	return {
		name,
		template: transcoded(json),
		escaping: "none",
		directives: false,
		hostInTarget: false,
		json,
	};
}

const fieldNames = Object.keys(jsonFields) as readonly LogField[];

/**
 * Reads "path=uri,agent=headers.user-agent,…".
 * @throws {RobotrieError} invalid-argument, for anything else, and without a path or a request.
 */
export function parseFields(text: string): JsonFields {
	const fields: Partial<Record<LogField, readonly string[]>> = {};
	// One key per field is enough on the command line; several need `jsonFormat`.
	for (const item of text.split(",")) {
		const [, name = "", key = ""] = /^\s*(\w+)=(.+?)\s*$/.exec(item) ?? [];
		if (!fieldNames.includes(name as LogField))
			throw new RobotrieError(
				"invalid-argument",
				`${quote(item)} is not a field: fields are ${fieldNames.join(", ")}, each with "=" and a key`,
			);
		if (fields[name as LogField])
			throw new RobotrieError(
				"invalid-argument",
				`the fields ${quote(text)} have ${name} twice`,
			);
		fields[name as LogField] = [key];
	}
	if (!fields.path && !fields.request)
		throw new RobotrieError(
			"invalid-argument",
			`the fields ${quote(text)} lack path=… or request=…`,
		);
	return fields;
}

/** A format of delimited text, escaped as Nginx and Apache do. */
function delimited(name: string, template: Template): LogFormat {
	return {
		name,
		template,
		escaping: "backslash",
		directives: false,
		hostInTarget: false,
	};
}
