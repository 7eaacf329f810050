/**
 * All log formats by name, and the functions that make a format: of a name, of Nginx's or Apache's format string, of the keys of JSON records.
 * A format that is one string is an entry of `templates`; one of JSON records is an entry of `jsonFormats`. detect.ts finds out
 * which of them a log has; docs/log-formats.md describes them to users.
 */

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
	FIELD_METHOD,
	FIELD_NONE,
	FIELD_REFERRER,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	FIELD_TYPE,
	TIME_EPOCH,
	TIME_NONE,
} from "../assembly/format.ts";
import { hasDetails } from "./json-lines.ts";
import type { JsonFields, LogField, LogFormat } from "./log-format.ts";
import {
	apacheTemplateOf,
	padded,
	type Step,
	type Template,
	templateOf,
} from "./template.ts";

/** The Common Log Format of NCSA and Apache. */
const COMMON =
	'$remote_addr $remote_ident $remote_user [$time_local] "$request" $status $body_bytes_sent';
/** Apache's combined format: the headers Referer and User-Agent follow. */
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;

/**
 * Formats that are one string, in Nginx's notation; anything after it in a line is skipped. `$t1`
 * and other names that Nginx does not know are fields to skip.
 */
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
		"$msec $elapsed $remote_addr $result/$status $bytes_sent $method $request_uri $user $peer $sent_http_content_type",
	proxied: `$http_x_forwarded_for ${COMBINED}`,
	lighttpd:
		'$remote_addr $http_host $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
	varnish: COMBINED,
	haproxy:
		'$remote_addr [$time_haproxy] $frontend $backend $timers $status $bytes_sent $c1 $c2 $end $connections $queue "$request"',
	// Envoy's remote address is that of the client already, if it trusts the proxies in front.
	envoy:
		'[$time_iso8601] "$request" $status $flags $received $bytes_sent $duration $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$http_host" "$upstream"',
	istio:
		'[$time_iso8601] "$request" $status $flags $details $termination "$failure" $received $bytes_sent $duration $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$http_host" "$upstream" $cluster $upstream_local $local $remote_addr $server $route',
	bunny:
		"$cache|$status|$msec|$bytes_sent|$zone|$remote_addr|$http_referer|$request_uri|$location|$http_user_agent|$id|$country",
	heroku:
		'$time_iso8601 $router method=$method path="$request_uri" host=$http_host $id fwd="$remote_addr" $timers status=$status bytes=$bytes_sent',
} as const;

/**
 * Formats whose host is that of the target, an absolute URL. Proxies and load balancers log the
 * whole URL that was asked for.
 */
const withHostInTarget: readonly string[] = [
	"alb",
	"elb",
	"squid",
	"varnish",
	"bunny",
];

/**
 * Formats that write bytes as they are, so that a backslash is one: decoded, a path like "/a\x62"
 * would be read as another path.
 */
const withoutEscapes: readonly string[] = [
	"haproxy",
	"squid",
	"envoy",
	"istio",
	"bunny",
];

/**
 * Formats whose records are JSON objects or rows of CSV, by the keys of their fields. Detection takes the first that fits, so the most
 * specific come first.
 */
export const jsonFormats = {
	cloudflare: {
		// Of several keys the first that a record has counts: vendors renamed fields, and old logs are
		// audited, too.
		path: ["ClientRequestURI", "ClientRequestPath"],
		agent: ["ClientRequestUserAgent"],
		status: ["EdgeResponseStatus"],
		time: ["EdgeStartTimestamp", "Datetime"],
		host: ["ClientRequestHost"],
		ip: ["ClientIP"],
		bytes: ["EdgeResponseBytes"],
		method: ["ClientRequestMethod"],
		referrer: ["ClientRequestReferer"],
		type: ["EdgeResponseContentType"],
	},
	vercel: {
		path: ["proxy.path"],
		agent: ["proxy.userAgent"],
		status: ["proxy.statusCode"],
		time: ["proxy.timestamp", "timestamp"],
		host: ["proxy.host", "host"],
		ip: ["proxy.clientIp"],
		bytes: ["proxy.responseByteSize"],
		method: ["proxy.method"],
		referrer: ["proxy.referer"],
	},
	caddy: {
		path: ["request.uri"],
		agent: ["request.headers.User-Agent"],
		status: ["status"],
		time: ["ts"],
		host: ["request.host"],
		ip: ["request.client_ip", "request.remote_ip", "request.remote_addr"],
		bytes: ["size"],
		method: ["request.method"],
		referrer: ["request.headers.Referer"],
		type: ["resp_headers.Content-Type"],
	},
	traefik: {
		path: ["RequestPath"],
		agent: ["request_User-Agent"],
		status: ["DownstreamStatus", "OriginStatus"],
		time: ["StartUTC", "time"],
		host: ["RequestHost", "RequestAddr"],
		ip: ["ClientHost", "ClientAddr"],
		bytes: ["DownstreamContentSize"],
		method: ["RequestMethod"],
		referrer: ["request_Referer"],
		type: ["downstream_Content-Type"],
	},
	waf: {
		path: ["httpRequest.uri"],
		query: ["httpRequest.args"],
		agent: ["httpRequest.headers.User-Agent"],
		status: ["responseCodeSent"],
		time: ["timestamp"],
		host: ["httpRequest.headers.Host", "httpRequest.host"],
		ip: ["httpRequest.clientIp"],
		method: ["httpRequest.httpMethod"],
		referrer: ["httpRequest.headers.Referer"],
	},
	gcp: {
		path: ["httpRequest.requestUrl"],
		agent: ["httpRequest.userAgent"],
		status: ["httpRequest.status"],
		time: ["timestamp"],
		// A URL here, of which `hostOf` in json-lines.ts takes the host; the path is taken from it by
		// the target's own parser.
		host: ["httpRequest.requestUrl"],
		ip: ["httpRequest.remoteIp"],
		bytes: ["httpRequest.responseSize"],
		method: ["httpRequest.requestMethod"],
		referrer: ["httpRequest.referer"],
	},
	azure: {
		path: ["properties.originalRequestUriWithArgs", "properties.requestUri"],
		query: ["properties.requestQuery"],
		agent: ["properties.userAgent"],
		status: ["properties.httpStatusCode", "properties.httpStatus"],
		time: ["time", "timeStamp"],
		host: [
			"properties.hostName",
			"properties.originalHost",
			"properties.host",
			"properties.requestUri",
		],
		ip: ["properties.clientIp", "properties.clientIP"],
		bytes: ["properties.responseBytes", "properties.sentBytes"],
		method: ["properties.httpMethod"],
		referrer: ["properties.referer"],
	},
	akamai: {
		path: ["/reqPath"],
		query: ["queryStr"],
		agent: ["UA"],
		status: ["statusCode"],
		time: ["reqTimeSec"],
		host: ["reqHost"],
		ip: ["cliIP"],
		bytes: ["bytes"],
		method: ["reqMethod"],
		referrer: ["referer"],
		type: ["rspContentType"],
	},
	cloudstorage: {
		path: ["cs_uri"],
		agent: ["cs_user_agent"],
		status: ["sc_status"],
		time: ["time_micros"],
		host: ["cs_bucket"],
		bucket: ["cs_bucket"],
		ip: ["c_ip"],
		bytes: ["sc_bytes"],
		method: ["cs_method"],
		referrer: ["cs_referer"],
	},
	"cloudfront-json": {
		path: ["cs-uri-stem", "cs_uri_stem"],
		query: ["cs-uri-query", "cs_uri_query"],
		agent: ["cs(User-Agent)", "cs_user_agent"],
		status: ["sc-status", "sc_status"],
		// Fields that may be chosen in place of date and time.
		time: ["time", "timestamp(ms)", "timestamp_ms", "timestamp"],
		date: ["date"],
		host: ["x-host-header", "x_host_header", "cs(Host)", "cs_host"],
		ip: ["c-ip", "c_ip"],
		bytes: ["sc-bytes", "sc_bytes"],
		method: ["cs-method", "cs_method"],
		referrer: ["cs(Referer)", "cs_referer"],
		type: ["sc-content-type", "sc_content_type"],
	},
	kong: {
		path: ["request.uri"],
		agent: ["request.headers.user-agent"],
		status: ["response.status"],
		time: ["started_at"],
		host: ["request.headers.host", "request.url"],
		ip: ["client_ip"],
		bytes: ["response.size"],
		method: ["request.method"],
		referrer: ["request.headers.referer"],
		type: ["response.headers.content-type"],
	},
	fastly: {
		path: ["url"],
		agent: ["request_user_agent"],
		status: ["response_status"],
		time: ["timestamp"],
		host: ["host"],
		ip: ["client_ip"],
		bytes: ["response_body_size"],
		method: ["request_method"],
		referrer: ["request_referer"],
	},
	"envoy-json": {
		// Istio's keys, then those of Envoy Gateway.
		path: ["path", "x-envoy-origin-path"],
		agent: ["user_agent", "user-agent"],
		status: ["response_code"],
		time: ["start_time"],
		host: ["authority", ":authority"],
		ip: ["downstream_remote_address", "x_forwarded_for", "x-forwarded-for"],
		bytes: ["bytes_sent"],
		method: ["method"],
	},
	netlify: {
		path: ["url"],
		agent: ["user_agent"],
		status: ["status_code"],
		time: ["timestamp"],
		host: ["url"],
		ip: ["client_ip"],
		method: ["method"],
		referrer: ["referrer"],
	},
	apigateway: {
		// A resource path has placeholders where a request has values: "/pets/{id}".
		path: ["path", "resourcePath"],
		agent: ["userAgent"],
		status: ["status"],
		time: ["requestTime", "requestTimeEpoch"],
		host: ["domainName"],
		ip: ["ip", "sourceIp"],
		bytes: ["responseLength"],
		method: ["httpMethod"],
	},
	ecs: {
		path: ["url.original", "url.path"],
		query: ["url.query"],
		agent: ["user_agent.original"],
		status: ["http.response.status_code"],
		time: ["@timestamp"],
		host: ["url.domain", "url.original"],
		ip: ["client.ip", "source.ip", "client.address", "source.address"],
		bytes: ["http.response.body.bytes", "http.response.bytes"],
		method: ["http.request.method"],
		referrer: ["http.request.referrer"],
		type: ["http.response.mime_type"],
	},
	"nginx-json": {
		request: ["request"],
		path: ["request_uri", "uri"],
		query: ["args", "query_string"],
		agent: ["http_user_agent", "user_agent"],
		status: ["status"],
		time: [
			"time_iso8601",
			"time_local",
			"msec",
			"time",
			"timestamp",
			"@timestamp",
		],
		host: ["http_host", "host", "server_name"],
		ip: ["remote_addr", "realip_remote_addr"],
		bytes: ["body_bytes_sent", "bytes_sent"],
		method: ["request_method"],
		referrer: ["http_referer"],
		type: ["sent_http_content_type"],
	},
} as const satisfies Record<string, JsonFields>;

export type JsonFormatName = keyof typeof jsonFormats;

/**
 * Of formats whose other keys are common names: keys of which a record has one. Any JSON with a
 * `path` and a `status` would be detected as such a format otherwise.
 */
export const tellingKeys: Readonly<
	Partial<Record<JsonFormatName, readonly string[]>>
> = {
	"envoy-json": ["start_time"],
	netlify: ["deploy_id", "site_id"],
	apigateway: ["requestTime", "requestTimeEpoch"],
};

/**
 * JSON formats whose User-Agent headers are percent-encoded. Lists of crawlers would not recognise
 * them as they are.
 */
const encodedAgents: readonly string[] = ["akamai", "cloudfront-json"];
/** Formats of `jsonFormats` whose records are rows of CSV. */
export const csvNames: readonly string[] = ["cloudstorage"];

/** The names that `--format` takes; "ndjson" and "csv" need fields as well. */
export const formatNames: readonly string[] = [
	...Object.keys(templates),
	"w3c",
	"cloudfront",
	...Object.keys(jsonFormats),
	"ndjson",
	"csv",
];

/** Formats that are only known together with their fields. */
export const fieldFormats: readonly string[] = ["ndjson", "csv"];

/** GoAccess's names for the same formats. */
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

/**
 * The line that `JsonLines` makes of a record. Tabs separate its fields, as no field contains one
 * then. The module so has one template for all JSON, however records name their fields.
 */
function transcoded(json: JsonFields): Template {
	const fields = [
		...[FIELD_IP, FIELD_HOST, FIELD_TIME, FIELD_STATUS, FIELD_BYTES],
		...[FIELD_TARGET, FIELD_AGENT],
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

/** A W3C log has no fields until a #Fields directive names them. */
const NO_FIELDS: Template = { steps: [], time: TIME_NONE };

/**
 * A format by its name, in any case.
 * @example
 * formatOf("traefikclf").name; // "combined"
 * @throws {RobotrieError} invalid-argument, for an unknown name, and for "ndjson" and "csv", which need `jsonFormat`.
 */
export function formatOf(name: string): LogFormat {
	check("name", name, textKind);
	const lower = name.toLowerCase();
	const key = aliases[lower] ?? lower;
	if (Object.hasOwn(templates, key)) {
		const template = templateOf(templates[key as keyof typeof templates]);
		// Their columns are aligned with spaces. One space or more between columns; without the flag an
		// empty column would shift all that follow.
		const isPadded = key === "squid" || key === "haproxy";
		// `main` may lack its last field: see `withForwarded`.
		if (key === "main") return delimited(key, withForwarded(template), false);
		return {
			...delimited(
				key,
				isPadded ? padded(template) : template,
				withHostInTarget.includes(key),
			),
			...(withoutEscapes.includes(key) ? { escaping: "none" } : {}),
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
			? `the format ${key} needs the keys of its fields: path=KEY,agent=KEY,…`
			: `there is no log format ${quote(name)}; the formats are ${formatNames.join(", ")}`,
	);
}

/**
 * The format of an Nginx `log_format` string.
 * @example
 * const format = nginxFormat('$remote_addr [$time_local] "$request" $status "$http_user_agent"');
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }], format });
 * @throws {RobotrieError} invalid-argument.
 */
export function nginxFormat(format: string): LogFormat {
	check("format", format, textKind);
	return delimited("nginx", templateOf(format), false);
}

/**
 * The format of an Apache `LogFormat` string.
 * @example
 * const format = apacheFormat('%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"');
 * @throws {RobotrieError} invalid-argument.
 */
export function apacheFormat(format: string): LogFormat {
	check("format", format, textKind);
	return delimited("apache", apacheTemplateOf(format), false);
}

/**
 * The format of an Nginx or Apache string, told apart by Nginx's variables, such as $status. A
 * format string of Apache has "%", one of Nginx has "$": no string of one is a string of the other
 * by accident, and errors name the right notation.
 * @throws {RobotrieError} invalid-argument.
 */
export function formatOfString(format: string): LogFormat {
	return /\$\{?[a-z]/.test(format) || !format.includes("%")
		? nginxFormat(format)
		: apacheFormat(format);
}

/** A list of keys for a field. */
const keysKind = {
	...list(textKind, "strings"),
	hint: (value: unknown) =>
		typeof value === "string" ? "put the key in an array" : undefined,
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
 * The format of lines that are JSON objects. Nested keys are joined by dots; of a list the first element counts.
 * @example
 * const format = jsonFormat({ path: ["request.uri"], agent: ["request.headers.User-Agent"], time: ["ts"] });
 * @throws {RobotrieError} invalid-argument, for unknown fields, and without a path or a request.
 */
export function jsonFormat(json: JsonFields, name = "ndjson"): LogFormat {
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

/** A format whose fields #Fields will name. */
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
 * The template of `main`: the rest of the line after `combined`, which begins with X-Forwarded-For (`ClientAddresses` reads it from
 * there). Lines that end before it match as well, so that none is lost where a server's log_format was changed in the middle of a log.
 */
function withForwarded({ steps, time }: Template): Template {
	const rest = { field: FIELD_FORWARDED, flags: 0, text: "" };
	return { time, steps: [...steps, rest] };
}
