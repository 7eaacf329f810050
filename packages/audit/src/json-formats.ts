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

/** Formats of which every record is a JSON object or a row of CSV, by where the fields are; the most particular first. */
export const jsonFormats = {
	cloudflare: {
		path: ["ClientRequestURI", "ClientRequestPath"],
		agent: ["ClientRequestUserAgent"],
		status: ["EdgeResponseStatus"],
		time: ["EdgeStartTimestamp", "Datetime"],
		host: ["ClientRequestHost"],
		ip: ["ClientIP"],
		bytes: ["EdgeResponseBytes"],
	},
	vercel: {
		path: ["proxy.path"],
		agent: ["proxy.userAgent"],
		status: ["proxy.statusCode"],
		time: ["proxy.timestamp", "timestamp"],
		host: ["proxy.host", "host"],
		ip: ["proxy.clientIp"],
		bytes: ["proxy.responseByteSize"],
	},
	caddy: {
		path: ["request.uri"],
		agent: ["request.headers.User-Agent"],
		status: ["status"],
		time: ["ts"],
		host: ["request.host"],
		ip: ["request.client_ip", "request.remote_ip", "request.remote_addr"],
		bytes: ["size"],
	},
	traefik: {
		path: ["RequestPath"],
		agent: ["request_User-Agent"],
		status: ["DownstreamStatus", "OriginStatus"],
		time: ["StartUTC", "time"],
		host: ["RequestHost", "RequestAddr"],
		ip: ["ClientHost", "ClientAddr"],
		bytes: ["DownstreamContentSize"],
	},
	waf: {
		path: ["httpRequest.uri"],
		query: ["httpRequest.args"],
		agent: ["httpRequest.headers.User-Agent"],
		status: ["responseCodeSent"],
		time: ["timestamp"],
		host: ["httpRequest.headers.Host", "httpRequest.host"],
		ip: ["httpRequest.clientIp"],
	},
	gcp: {
		path: ["httpRequest.requestUrl"],
		agent: ["httpRequest.userAgent"],
		status: ["httpRequest.status"],
		time: ["timestamp"],
		host: ["httpRequest.requestUrl"],
		ip: ["httpRequest.remoteIp"],
		bytes: ["httpRequest.responseSize"],
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
	},
	"cloudfront-json": {
		path: ["cs-uri-stem", "cs_uri_stem"],
		query: ["cs-uri-query", "cs_uri_query"],
		agent: ["cs(User-Agent)", "cs_user_agent"],
		status: ["sc-status", "sc_status"],
		time: ["time"],
		date: ["date"],
		host: ["x-host-header", "x_host_header", "cs(Host)", "cs_host"],
		ip: ["c-ip", "c_ip"],
		bytes: ["sc-bytes", "sc_bytes"],
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
	},
} as const satisfies Record<string, JsonFields>;

export type JsonFormatName = keyof typeof jsonFormats;

/** Formats of which agents are percent-encoded. */
export const encodedAgents: readonly string[] = ["akamai", "cloudfront-json"];
/** Formats that are CSV. */
export const csvNames: readonly string[] = ["cloudstorage"];
