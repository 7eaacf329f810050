import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	list,
	type OptionTable,
	quote,
	textKind,
} from "robotrie/internal";
import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	TIME_EPOCH,
	TIME_NONE,
} from "../assembly/format.ts";
import { apacheTemplateOf } from "./apache.ts";
import {
	csvNames,
	encodedAgents,
	type JsonFields,
	type JsonFormatName,
	jsonFormats,
	type LogField,
} from "./json-formats.ts";
import type { Records } from "./records.ts";
import { padded, type Step, type Template, templateOf } from "./template.ts";

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

const COMMON =
	'$remote_addr $remote_ident $remote_user [$time_local] "$request" $status $body_bytes_sent';
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;

/** Formats that are one string, in Nginx's notation; what follows in a line is passed over. */
const templates = {
	common: COMMON,
	combined: COMBINED,
	main: COMBINED,
	vcommon: `$http_host ${COMMON}`,
	vcombined: `$http_host ${COMBINED}`,
	alb: '$type $time_iso8601 $elb $remote_addr $target $t1 $t2 $t3 $status $target_status $received $bytes_sent "$request" "$http_user_agent"',
	elb: '$time_iso8601 $elb $remote_addr $backend $t1 $t2 $t3 $status $backend_status $received $bytes_sent "$request" "$http_user_agent"',
	s3: '$owner $http_host [$time_local] $remote_addr $requester $id $operation $s3_key "$request" $status $error $bytes_sent $size $t1 $t2 "$http_referer" "$http_user_agent"',
	squid:
		"$msec $elapsed $remote_addr $result/$status $bytes_sent $method $request_uri $user $peer $type",
	varnish: COMBINED,
	haproxy:
		'$remote_addr [$time_haproxy] $frontend $backend $timers $status $bytes_sent $c1 $c2 $end $connections $queue "$request"',
	heroku:
		'$time_iso8601 $router method=$method path="$request_uri" host=$http_host $id fwd="$remote_addr" $timers status=$status bytes=$bytes_sent',
} as const;

/** Formats whose host is that of the target, an absolute URL. */
const withHostInTarget: readonly string[] = ["alb", "elb", "squid", "varnish"];

/** Names for `--format`; "ndjson" and "csv" need fields, "nginx" is a log_format string. */
export const formatNames: readonly string[] = [
	...Object.keys(templates),
	"w3c",
	"cloudfront",
	...Object.keys(jsonFormats),
	"ndjson",
	"csv",
];

/** Names that need fields. */
export const fieldFormats: readonly string[] = ["ndjson", "csv"];

/** GoAccess's names of the same formats. */
const aliases: Readonly<Record<string, string>> = {
	awsalb: "alb",
	awselb: "elb",
	awss3: "s3",
	traefikclf: "combined",
};

/** Whether `formatOf` knows a name. */
export function isFormatName(name: string): boolean {
	return formatNames.includes(name) || Object.hasOwn(aliases, name);
}

/** The line that a JSON object is brought into. */
const TRANSCODED: Template = {
	steps: [
		FIELD_IP,
		FIELD_HOST,
		FIELD_TIME,
		FIELD_STATUS,
		FIELD_BYTES,
		FIELD_TARGET,
	]
		.map((field): Step => ({ field, flags: 0, text: "\t" }))
		.concat({ field: FIELD_AGENT, flags: 0, text: "" }),
	time: TIME_EPOCH,
};

/** Without directives a W3C log has no fields. */
const NO_FIELDS: Template = { steps: [], time: TIME_NONE };

/**
 * A format by its name, in any case.
 * @throws {RobotrieError} invalid-argument, for a name that is none, and for "ndjson", which needs `jsonFormat`.
 */
export function formatOf(name: string): LogFormat {
	check("name", name, textKind);
	const lower = name.toLowerCase();
	const key = aliases[lower] ?? lower;
	if (Object.hasOwn(templates, key)) {
		const template = templateOf(templates[key as keyof typeof templates]);
		const isPadded = key === "squid" || key === "haproxy";
		if (key === "main") return delimited(key, withForwarded(template), false);
		return {
			...delimited(
				key,
				isPadded ? padded(template) : template,
				withHostInTarget.includes(key),
			),
			...(key === "haproxy" || key === "squid" ? { escaping: "none" } : {}),
			...(key === "s3" ? { bucketInTarget: true } : {}),
		};
	}
	if (Object.hasOwn(jsonFormats, key)) {
		const format = jsonFormat(jsonFormats[key as JsonFormatName], key);
		const isCsv = csvNames.includes(key);
		return {
			...format,
			...(encodedAgents.includes(key) ? { escaping: "percent" } : {}),
			...(isCsv ? { records: { kind: "csv", separator: "," } } : {}),
		};
	}
	if (key === "w3c" || key === "cloudfront") return w3c(key, NO_FIELDS);
	throw new RobotrieError(
		"invalid-argument",
		fieldFormats.includes(key)
			? `the format ${key} needs to be told where its fields are: path=KEY,agent=KEY,…`
			: `there is no log format ${quote(name)}; there are ${formatNames.join(", ")}`,
	);
}

/**
 * The format of an Nginx `log_format` string.
 * @throws {RobotrieError} invalid-argument.
 */
export function nginxFormat(format: string): LogFormat {
	check("format", format, textKind);
	return delimited("nginx", templateOf(format), false);
}

/**
 * The format of an Apache `LogFormat` string.
 * @throws {RobotrieError} invalid-argument.
 */
export function apacheFormat(format: string): LogFormat {
	check("format", format, textKind);
	return delimited("apache", apacheTemplateOf(format), false);
}

/**
 * The format of an Nginx or an Apache string: only the first one has variables.
 * @throws {RobotrieError} invalid-argument.
 */
export function formatOfString(format: string): LogFormat {
	return /\$\{?[a-z]/.test(format) || !format.includes("%")
		? nginxFormat(format)
		: apacheFormat(format);
}

const keysKind = {
	...list(textKind, "strings"),
	hint: (value: unknown) =>
		typeof value === "string" ? "put the key in an array" : undefined,
};

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
};

/**
 * The format of lines that are JSON objects; keys within keys are joined by a dot, of lists the first element counts.
 * @throws {RobotrieError} invalid-argument, for fields of another name or without a path or a request.
 */
export function jsonFormat(json: JsonFields, name = "ndjson"): LogFormat {
	checkOptions("jsonFormat", json, jsonFields, json?.request ? [] : ["path"]);
	check("name", name, textKind);
	return {
		name,
		template: json.time ? TRANSCODED : { ...TRANSCODED, time: TIME_NONE },
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
	for (const part of text.split(",")) {
		const [, name = "", key = ""] = /^\s*(\w+)=(.+?)\s*$/.exec(part) ?? [];
		if (!fieldNames.includes(name as LogField))
			throw new RobotrieError(
				"invalid-argument",
				`${quote(part)} is not a field: fields are ${fieldNames.join(", ")}, each with "=" and a key`,
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

function delimited(
	name: string,
	template: Template,
	hostInTarget: boolean,
): LogFormat {
	return {
		name,
		template,
		escaping: "backslash",
		directives: false,
		hostInTarget,
	};
}

function w3c(name: "w3c" | "cloudfront", template: Template): LogFormat {
	return {
		name,
		template,
		escaping: name === "w3c" ? "plus" : "percent",
		directives: true,
		hostInTarget: false,
	};
}

/**
 * What follows the header, from X-Forwarded-For on (`ClientAddresses` finds it there): lines without it are of the format, too, so that
 * none is lost where a server's log_format was changed.
 */
function withForwarded({ steps, time }: Template): Template {
	const rest = { field: FIELD_FORWARDED, flags: 0, text: "" };
	return { time, steps: [...steps, rest] };
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
