/**
 * The table of log formats: a row is all that a format needs. A row of `textRows` is a line in Nginx's notation, one of `jsonRows` names the
 * keys of records, one of `w3cRows` says which directives are its own. Detection takes the first row that fits a line, so the most specific
 * come first. formats.ts makes formats of rows, line-formats.ts finds the row of a line, docs/log-formats.md has an example of each.
 */

import { isAddress } from "../common/addresses.ts";
import {
	ABSOLUTE,
	CLF_TIME,
	CLIENT,
	hasClient,
	isClient,
	isForwarded,
	isHostColumn,
	isNamedHost,
	LAST,
	QUOTED,
	STATUS,
} from "./line-shapes.ts";
import { haproxyText, ltsvText } from "./line-texts.ts";
import type { Columns, Escaping, JsonFields } from "./log-format.ts";

/** A format whose lines are text. */
export interface TextRow {
	/**
	 * The fields of a line in Nginx's notation; anything after it is skipped. Names that Nginx does not know are fields to skip, but for
	 * `$time_haproxy`, `$time_ctime` and `$s3_key`.
	 */
	readonly text: string;
	/** What lines look like, where their fields say too little. */
	readonly shape?: RegExp;
	/** What must hold for a line of that shape. */
	readonly test?: (match: RegExpExecArray) => boolean;
	/** The text that cuts a line, where it depends on a configuration; undefined for a line of another format. In place of a shape. */
	readonly textOf?: (line: string) => string | undefined;
	/** These two: see `LogFormat`. */
	readonly columns?: Columns;
	readonly more?: string;
	/** Columns are aligned with blanks. */
	readonly padded?: true;
	/** Default: `backslash`, as Nginx and Apache do. With "none" a backslash is one: decoded, "/a\x62" would be read as another path. */
	readonly escaping?: Escaping;
	/** Targets are absolute URLs, and the host is theirs: proxies and load balancers log the URL that was asked for. */
	readonly hostInTarget?: true;
	/** See `LogFormat`. */
	readonly bucketInTarget?: true;
	/** GoAccess's name for it. */
	readonly also?: string;
}

/** A format whose records are JSON objects, or rows of CSV. */
export interface JsonRow {
	/** Of several keys the first that a record has counts: vendors renamed fields, and old logs are audited, too. */
	readonly keys: JsonFields;
	/** Keys of which a record must have one, where all others are common names: any JSON with a path and a status would fit otherwise. */
	readonly telling?: readonly string[];
	/** "percent" where User-Agent headers are percent-encoded: lists of crawlers would not recognise them as they are. */
	readonly escaping?: Escaping;
	/** The separator, if records are only found as rows of CSV. */
	readonly csv?: string;
}

/** A format whose directives name the fields (W3C's extended log format). */
export interface W3cRow {
	/** What one of the first lines of its logs looks like. */
	readonly shape: RegExp;
	/** What an entry looks like, to tell a log whose directives are missing. */
	readonly entry?: RegExp;
	readonly escaping: Escaping;
	/** What is between fields; without it, a tab if most of the first entries have one. */
	readonly separator?: string;
	/** There may be several blanks between fields. */
	readonly padded?: true;
	/** See `LogFormat`. */
	readonly isSchemeless?: true;
	/** Its own name is that of another row, of which it is a variant. */
	readonly of?: string;
}

/** The Common Log Format of NCSA and Apache. */
const COMMON =
	'$remote_addr $remote_ident $remote_user [$time_local] "$request" $status $body_bytes_sent';
/** Apache's combined format: the headers Referer and User-Agent follow. */
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;
/** What lines of these two look like after the address. */
const OF_COMMON = `${CLF_TIME} ${QUOTED} ${STATUS}`;
const OF_COMBINED = `${OF_COMMON} \\S+ ${QUOTED} ${QUOTED}`;

/** What follows in a line after its shape. */
const rest = ({ 0: whole, index, input }: RegExpExecArray) =>
	input.slice(index + whole.length);

export const textRows: Readonly<Record<string, TextRow>> = {
	alb: {
		text: '$type $time_iso8601 $elb $remote_addr $target $t1 $t2 $t3 $status $target_status $received $bytes_sent "$request" "$http_user_agent"',
		also: "awsalb",
		shape:
			/^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+ \S+ \S+ \S+ \S+ \S+ \S+ \d+ \d+ "/,
		hostInTarget: true,
	},
	elb: {
		text: '$time_iso8601 $elb $remote_addr $backend $t1 $t2 $t3 $status $backend_status $received $bytes_sent "$request" "$http_user_agent"',
		also: "awselb",
		shape:
			/^\d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+:\d+ \S+ [-\d.]+ [-\d.]+ [-\d.]+ \S+ \S+ \d+ \d+ "/,
		hostInTarget: true,
	},
	s3: {
		text: '$owner $http_host [$time_local] $remote_addr $requester $id $operation $s3_key "$request" $status $error $bytes_sent $size $t1 $t2 "$http_referer" "$http_user_agent"',
		also: "awss3",
		shape: new RegExp(
			`^\\S+ \\S+ ${CLF_TIME} \\S+ \\S+ \\S+ [A-Z0-9]+\\.\\S+ \\S+ (?:${QUOTED}|-) `,
		),
		bucketInTarget: true,
	},
	istio: {
		text: '[$time_iso8601] "$request" $status $flags $details $termination "$failure" $received $bytes_sent $duration $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$http_host" "$upstream" $cluster $upstream_local $local $remote_addr $server $route',
		escaping: "none",
	},
	// Envoy's remote address is that of the client already, if it trusts the proxies in front.
	envoy: {
		text: '[$time_iso8601] "$request" $status $flags $received $bytes_sent $duration $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$http_host" "$upstream"',
		escaping: "none",
	},
	bunny: {
		text: "$cache|$status|$msec|$bytes_sent|$zone|$remote_addr|$http_referer|$request_uri|$location|$http_user_agent|$id|$country",
		shape:
			/^[A-Z-]+\|\d{3}\|\d{10,13}\|\d+\|\d+\|[^|]*\|[^|]*\|https?:\/\/[^|]+\|[A-Z]+\|[^|]*\|/,
		escaping: "none",
		hostInTarget: true,
	},
	squid: {
		text: "$msec $elapsed $remote_addr $result/$status $bytes_sent $method $request_uri $user $peer $sent_http_content_type",
		shape: /^\d{10}\.\d{3} +\d+ \S+ [A-Z_]+\/\d{3} \d+ [A-Z_]+ \S+ \S+ \S+ /,
		padded: true,
		escaping: "none",
		hostInTarget: true,
	},
	heroku: {
		text: '$time_iso8601 $router method=$method path="$request_uri" host=$http_host $id fwd="$remote_addr" $timers status=$status bytes=$bytes_sent',
		shape:
			/^\S+ heroku\[router\]: .*?\bmethod=\S+ path="[^"]*" host=\S+ .*?fwd="[^"]*" .*?status=\d+ bytes=/,
	},
	"nginx-proxy-manager": {
		text: '[$time_local] $cache $upstream_status $status - $request_method $scheme $http_host "$request_uri" [Client $remote_addr] [Length $bytes_sent] [Gzip $ratio] [Sent-to $server] "$http_user_agent" "$http_referer"',
	},
	// Hosts that are not proxied.
	"nginx-proxy-manager-local": {
		text: '[$time_local] $status - $request_method $scheme $http_host "$request_uri" [Client $remote_addr] [Length $bytes_sent] [Gzip $ratio] "$http_user_agent" "$http_referer"',
	},
	kinsta: {
		text: '$http_host $remote_addr [$time_local] $request_method "$request_uri" $protocol $status "$http_referer" "$http_user_agent" $edge "$script" $cache $elapsed $bytes_sent',
		columns: "host",
	},
	gandi: {
		text: '$http_host $remote_addr $remote_ident $remote_user [$time_local] ($elapsed) "$request" $status $bytes_sent "$http_referer" "$http_user_agent"',
	},
	"ovh-cdn": {
		text: '$remote_addr $http_host $remote_user [$time_local] "$request_method $request_uri $protocol $status $bytes_sent" $http_referer $http_user_agent "$c1"',
		columns: "host",
	},
	uwsgi: {
		text: "[pid: $pid|app: $app|req: $req] $remote_addr ($user) {$vars} [$time_ctime] $request_method $request_uri => generated $bytes_sent bytes in $elapsed (HTTP/$protocol $status)",
		escaping: "none",
	},
	aiohttp: {
		text: '$remote_addr [$time_local] "$request" $status $bytes_sent "$http_referer" "$http_user_agent"',
		escaping: "none",
		columns: "host",
	},
	ltsv: { text: "$request", textOf: ltsvText },
	vproxied: {
		text: `$http_host $http_x_forwarded_for ${COMBINED}`,
		shape: new RegExp(`^(\\S+) ${CLIENT} (\\S+) \\S+ \\S.*? ${OF_COMBINED}`),
		test: ([, host = "", list = "", ip = ""]) =>
			isNamedHost(host) &&
			(/^"?-"?$/.test(list) || isForwarded(list)) &&
			// With a port it is where Nginx passed the request ($upstream_addr), and the address is in front.
			isAddress(ip),
		columns: "client",
	},
	proxied: {
		text: `$http_x_forwarded_for ${COMBINED}`,
		shape: new RegExp(`^${CLIENT} (\\S+) \\S+ \\S.*? ${OF_COMBINED}`),
		// An address, a list or "-" in front of an address. A host that is an address is rarer, but for nginx-proxy, which writes at the
		// end to which address and port it passed the request.
		test: (match) => {
			const [, forwarded = "", ip = ""] = match;
			return (
				(/^"?-"?$/.test(forwarded) ||
					isClient(forwarded.replaceAll('"', "").split(", ").at(-1))) &&
				isClient(ip) &&
				!/^ "[\da-f.:[\]]+:\d+[",]/.test(rest(match))
			);
		},
		columns: "client",
	},
	vcombined: {
		text: `$http_host ${COMBINED}`,
		shape: new RegExp(`^(\\S+) (\\S+) \\S+ .+? ${OF_COMBINED}`),
		// A host in front and an address after it: without this test, "main" lines would be read as
		// "vcombined". With a port in front, "-" may be in place of the address.
		test: ([, host = "", ip = ""]) =>
			isHostColumn(host) &&
			(isClient(ip) || (ip === "-" && /\D:\d+$/.test(host))),
		columns: "client",
	},
	lighttpd: {
		text: '$remote_addr $http_host $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
		shape: new RegExp(`^(\\S+) (\\S+) \\S+ ${OF_COMBINED}`),
		test: ([, client, host = ""]) =>
			isClient(client, true) && isNamedHost(host),
		columns: "host",
	},
	varnish: {
		text: COMBINED,
		shape: new RegExp(
			`^${CLIENT} (\\S+) (.+?) ${CLF_TIME} ${ABSOLUTE} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		test: hasClient,
		columns: "client",
		hostInTarget: true,
	},
	// The rest of the line begins with X-Forwarded-For (`ClientAddresses` reads it from there). Lines that end before it match as well, so
	// that none is lost where a server's log_format was changed in the middle of a log.
	main: {
		text: `${COMBINED}$http_x_forwarded_for`,
		shape: new RegExp(
			`^${CLIENT} (\\S+) (.+?) ${OF_COMBINED} "(?:-"$|([^"\\\\]*)"(?: |$))`,
		),
		test: (match) => {
			const list = match[4];
			return hasClient(match) && (list === undefined || isForwarded(list));
		},
		columns: "client",
		more: "combined",
	},
	combined: {
		text: COMBINED,
		also: "traefikclf",
		shape: new RegExp(`^${CLIENT} (\\S+) (.+?) ${OF_COMBINED}`),
		test: hasClient,
		columns: "client",
	},
	vcommon: {
		text: `$http_host ${COMMON}`,
		shape: new RegExp(`^(\\S+) (\\S+) \\S+ .+? ${OF_COMMON} ${LAST}`),
		test: ([, host = "", ip]) => isHostColumn(host) && isClient(ip),
		columns: "client",
	},
	common: {
		text: COMMON,
		shape: new RegExp(`^${CLIENT} (\\S+) (.+?) ${OF_COMMON} ${LAST}`),
		test: hasClient,
		columns: "client",
	},
	haproxy: {
		text: '$remote_addr [$time_haproxy] $frontend $backend $timers $status $bytes_sent $c1 $c2 $end $connections $queue "$request"',
		textOf: haproxyText,
		padded: true,
		escaping: "none",
	},
};

/** The name that an empty log gets. */
export const usual = "combined";

export const jsonRows: Readonly<Record<string, JsonRow>> = {
	cloudflare: {
		keys: {
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
	},
	vercel: {
		keys: {
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
	},
	caddy: {
		keys: {
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
	},
	traefik: {
		keys: {
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
	},
	waf: {
		keys: {
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
	},
	gcp: {
		keys: {
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
	},
	azure: {
		keys: {
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
	},
	akamai: {
		escaping: "percent",
		keys: {
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
	},
	cloudstorage: {
		csv: ",",
		keys: {
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
	},
	"cloudfront-json": {
		escaping: "percent",
		keys: {
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
	},
	kong: {
		keys: {
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
	},
	fastly: {
		keys: {
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
	},
	"envoy-json": {
		telling: ["start_time"],
		keys: {
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
	},
	netlify: {
		telling: ["deploy_id", "site_id"],
		keys: {
			path: ["url"],
			agent: ["user_agent"],
			status: ["status_code"],
			time: ["timestamp"],
			host: ["url"],
			ip: ["client_ip"],
			method: ["method"],
			referrer: ["referrer"],
		},
	},
	apigateway: {
		telling: ["requestTime", "requestTimeEpoch"],
		keys: {
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
	},
	ecs: {
		keys: {
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
	},
	// A LogFormat that many guides have; its request is a path.
	"apache-json": {
		telling: ["remoteIP", "userAgent"],
		keys: {
			path: ["request"],
			query: ["query"],
			agent: ["userAgent"],
			status: ["status"],
			time: ["time"],
			host: ["host"],
			ip: ["remoteIP"],
			method: ["method"],
			referrer: ["referer"],
		},
	},
	"nginx-json": {
		keys: {
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
	},
};

export const w3cRows: Readonly<Record<string, W3cRow>> = {
	cloudfront: {
		shape: /^#Fields:.*x-edge-/i,
		entry: /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t\S+\t\d+\t/,
		escaping: "percent",
		separator: "\t",
	},
	imperva: {
		shape: /^#Software: (?:Incapsula|Imperva)/i,
		escaping: "none",
		isSchemeless: true,
	},
	weblogic: { shape: /^#Software:\s*WebLogic|^#Fields:\t/i, escaping: "none" },
	// Blue Coat's proxies quote headers, write them as they are, and two blanks between some fields.
	proxysg: {
		shape: /^#Software: SGOS/i,
		escaping: "none",
		padded: true,
		of: "w3c",
	},
	w3c: {
		shape: /^#/,
		entry: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:\S+ )*?[A-Z]{3,7} \/\S* /,
		escaping: "plus",
	},
};

/**
 * Keys under which programs that collect logs put the line of another one, or the record that they made of it; the first that a record has
 * and whose value is of a known format. Docker and Fluent Bit write `log`, Filebeat, Vector, Logstash and GELF `message`, Loki `line`, Google's
 * logging `textPayload` and `jsonPayload`, OpenTelemetry `body`, Elasticsearch `_source`, Splunk `_raw`, CloudWatch `@message`.
 */
export const envelopes: readonly string[] = [
	"MESSAGE",
	"log",
	"message",
	"line",
	"textPayload",
	"jsonPayload",
	"Body",
	"body.stringValue",
	"body",
	"_source",
	"event.original",
	"_raw",
	"@message",
	"result",
	"msg",
];

/** Keys of lists of records that are not in the outermost object: OpenTelemetry's, and those of an answer of Elasticsearch. */
export const innerLists: readonly string[] = ["logRecords", "hits"];
