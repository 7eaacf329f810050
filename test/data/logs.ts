/**
 * A log in each format: Googlebot asks for /private/a?b=c at 2025-10-14T12:30:45Z from 66.249.66.1, status 200, host
 * shop.example; a person comes by, and one line is broken.
 */
export interface LogCase {
	/** The format, as it is detected. */
	readonly format: string;
	readonly name: string;
	readonly lines: readonly string[];
	/** Nginx's or Apache's; given for formats that are not told by their lines. */
	readonly logFormat?: string;
	readonly fields?: string;
	/** Where lines hold less than that. */
	readonly without?: readonly ("agent" | "host" | "ip" | "time" | "status")[];
	/** The whole log, where its lines are not its records. */
	readonly text?: string;
	/** Records that count as blank: a header of CSV. */
	readonly blank?: number;
	/** The target as the log has it, if that is another. */
	readonly target?: string;
	/** Milliseconds that the time has beyond the second. */
	readonly milliseconds?: number;
}

const google =
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const firefox =
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const request = "GET /private/a?b=c HTTP/1.1";
const time = "14/Oct/2025:12:30:45 +0000";

const plus = (text: string) => text.replaceAll(" ", "+");
const percent = (text: string) => text.replaceAll(" ", "%20");

const alb = (target: string, agent: string, status = "200") =>
	`https 2025-10-14T12:30:45.186641Z app/my-lb/50dc6c495c0c9188 66.249.66.1:2817 10.0.0.1:80 0.086 0.048 0.037 ${status} 200 0 57 "GET https://shop.example:443${target} HTTP/1.1" "${agent}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "shop.example" "-" 1 2025-10-14T12:30:45.100000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"`;
const elb = (target: string, agent: string, status = "200") =>
	`2025-10-14T12:30:45.186641Z my-lb 66.249.66.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 ${status} 200 0 29 "GET https://shop.example:443${target} HTTP/1.1" "${agent}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2`;
const s3 = (agent: string) =>
	`79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop.example [${time}] 66.249.66.1 - 3E57427F33A59F07 REST.GET.OBJECT private/a "${request}" 200 - 2662992 3462992 70 10 "-" "${agent}" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader shop.example TLSv1.2 - -`;
const caddy = (agent: string, extra: object = {}) =>
	JSON.stringify({
		level: "info",
		ts: 1760445045.5,
		logger: "http.log.access",
		msg: "handled request",
		request: {
			remote_ip: "66.249.66.1",
			remote_port: "41342",
			client_ip: "66.249.66.1",
			proto: "HTTP/2.0",
			method: "GET",
			host: "shop.example",
			uri: "/private/a?b=c",
			headers: { "User-Agent": [agent], Accept: ["*/*"] },
		},
		bytes_read: 0,
		status: 200,
		...extra,
	});
const traefik = (agent: string) =>
	JSON.stringify({
		ClientAddr: "66.249.66.1:51820",
		ClientHost: "66.249.66.1",
		DownstreamStatus: 200,
		RequestAddr: "shop.example",
		RequestHost: "shop.example",
		RequestMethod: "GET",
		RequestPath: "/private/a?b=c",
		StartUTC: "2025-10-14T12:30:45.5Z",
		"request_User-Agent": agent,
		time: "2025-10-14T12:30:46Z",
	});
const cloudflare = (agent: string, timestamp: string | number) =>
	JSON.stringify({
		ClientIP: "66.249.66.1",
		ClientRequestHost: "shop.example",
		ClientRequestMethod: "GET",
		ClientRequestURI: "/private/a?b=c",
		ClientRequestUserAgent: agent,
		EdgeResponseStatus: 200,
		EdgeStartTimestamp: timestamp,
	});
const w3cHeader =
	"date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs-host sc-status sc-substatus time-taken";
const w3c = (agent: string) =>
	`2025-10-14 12:30:45 10.0.0.1 GET /private/a b=c 443 - 66.249.66.1 ${plus(agent)} shop.example 200 0 15`;
const cloudfront = (agent: string) =>
	`2025-10-14\t12:30:45\tFRA2-C1\t392\t66.249.66.1\tGET\td111111abcdef8.cloudfront.net\t/private/a\t200\t-\t${percent(agent)}\tb=c\t-\tHit\tQ4hXw==\tshop.example\thttps\t23`;

const haproxy = (captured: string, target = "/private/a?b=c", status = "200") =>
	`66.249.66.1:33317 [14/Oct/2025:12:30:45.655] http-in static/srv1 10/0/30/69/109 ${status} 2750 - - ---- 1/1/1/1/0 0/0 ${captured}"GET ${target} HTTP/1.1"`;
const heroku = (target: string) =>
	`2025-10-14T12:30:45.123456+00:00 heroku[router]: at=info method=GET path="${target}" host=shop.example request_id=8601b555-6a83-4c12-8269-97c8e32cdb22 fwd="66.249.66.1" dyno=web.1 connect=1ms service=18ms status=200 bytes=13 tls_version=tls1.3 protocol=https`;
const squid = (target: string, status = "200") =>
	`1760445045.123     57 66.249.66.1 TCP_MISS/${status} 1234 GET ${target} - HIER_DIRECT/10.0.0.1 text/html`;
const nginxJson = (agent: string, more: object = {}) =>
	JSON.stringify({
		time_local: time,
		remote_addr: "66.249.66.1",
		request,
		status: "200",
		body_bytes_sent: "5",
		http_referer: "",
		http_user_agent: agent,
		host: "shop.example",
		...more,
	});
const caddyConsole = (agent: string) =>
	`2025/10/14 12:30:45.500\tINFO\thttp.log.access.log0\thandled request\t${JSON.stringify(
		{
			request: {
				remote_ip: "66.249.66.1",
				host: "shop.example",
				uri: "/private/a?b=c",
				headers: { "User-Agent": [agent] },
			},
			size: 5,
			status: 200,
		},
	)}`;
const waf = (agent: string) =>
	JSON.stringify({
		timestamp: 1760445045000,
		formatVersion: 1,
		action: "ALLOW",
		httpSourceName: "CF",
		httpRequest: {
			clientIp: "66.249.66.1",
			country: "US",
			headers: [
				{ name: "host", value: "shop.example" },
				{ name: "user-agent", value: agent },
			],
			uri: "/private/a",
			args: "b=c",
			httpMethod: "GET",
		},
		responseCodeSent: 200,
	});
const gcp = (agent: string) =>
	JSON.stringify({
		insertId: "1f7pyj2g1b8ki2c",
		httpRequest: {
			requestMethod: "GET",
			requestUrl: "https://shop.example/private/a?b=c",
			requestSize: "119",
			status: 200,
			responseSize: "5",
			userAgent: agent,
			remoteIp: "66.249.66.1",
		},
		resource: { type: "http_load_balancer" },
		timestamp: "2025-10-14T12:30:45.123456Z",
	});
const azure = (
	agent: string,
	requestUri = "https://shop.example:443/private/a?b=c",
) => ({
	time: "2025-10-14T12:30:45Z",
	category: "FrontDoorAccessLog",
	properties: {
		httpMethod: "GET",
		requestUri,
		hostName: "shop.example",
		userAgent: agent,
		clientIp: "66.249.66.1",
		httpStatusCode: "200",
		responseBytes: "5",
	},
});
const akamai = (agent: string) =>
	JSON.stringify({
		version: 1,
		cp: "123456",
		cliIP: "66.249.66.1",
		statusCode: "200",
		bytes: "5",
		reqMethod: "GET",
		reqHost: "shop.example",
		reqPath: "private/a",
		queryStr: "b=c",
		reqTimeSec: "1760445045.250",
		UA: percent(agent),
	});
const ecs = (agent: string) =>
	JSON.stringify({
		"@timestamp": "2025-10-14T12:30:45.000Z",
		ecs: { version: "8.11" },
		client: { ip: "66.249.66.1" },
		url: { domain: "shop.example", path: "/private/a", query: "b=c" },
		user_agent: { original: agent },
		http: {
			request: { method: "GET" },
			response: { status_code: 200, body: { bytes: 5 } },
		},
	});
const envoy = (agent: string, target = "/private/a?b=c") =>
	`[2025-10-14T12:30:45.310Z] "GET ${target} HTTP/2" 200 - 154 0 226 100 "66.249.66.1" "${agent}" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "shop.example" "tcp://10.0.2.1:80"`;
const istio = (agent: string, target = "/private/a?b=c") =>
	`[2025-10-14T12:30:45.409Z] "GET ${target} HTTP/1.1" 200 - via_upstream - "-" 0 135 4 4 "-" "${agent}" "84961386-6d84-929d-98bd-c5aee93b5c88" "shop.example" "10.44.1.27:80" outbound|8000||httpbin.foo.svc.cluster.local 10.44.1.23:37652 10.0.45.184:8000 66.249.66.1:46520 - default`;
const istioJson = (agent: string, more: object = {}) =>
	JSON.stringify({
		authority: "shop.example",
		bytes_received: "0",
		bytes_sent: "615",
		connection_termination_details: null,
		downstream_local_address: "10.244.1.5:8000",
		downstream_remote_address: "66.249.66.1:45678",
		duration: "4",
		method: "GET",
		path: "/private/a?b=c",
		protocol: "HTTP/1.1",
		requested_server_name: null,
		response_code: "200",
		response_code_details: "via_upstream",
		response_flags: "-",
		start_time: "2025-10-14T12:30:45.123Z",
		upstream_cluster: "inbound|8000||",
		upstream_host: "10.244.1.5:8000",
		user_agent: agent,
		x_forwarded_for: null,
		...more,
	});
const gateway = (agent: string) =>
	JSON.stringify({
		start_time: "2025-10-14T12:30:45.929Z",
		method: "GET",
		"x-envoy-origin-path": "/private/a?b=c",
		protocol: "HTTP/2",
		response_code: "200",
		response_flags: "-",
		bytes_received: "0",
		bytes_sent: "5",
		"x-forwarded-for": "66.249.66.1",
		"user-agent": agent,
		"x-request-id": "04186347-7203-41d0-8b56-965bc32ef60a",
		":authority": "shop.example",
		upstream_host: "-",
	});
const fastly = (agent: string, more: object = {}) =>
	JSON.stringify({
		timestamp: "2025-10-14T12:30:45+0000",
		client_ip: "66.249.66.1",
		geo_country: "united states",
		host: "shop.example",
		url: "/private/a?b=c",
		request_method: "GET",
		request_protocol: "HTTP/2",
		request_referer: "",
		request_user_agent: agent,
		response_state: "HIT",
		response_status: 200,
		response_body_size: 5,
		fastly_server: "cache-fra-eddf8230020-FRA",
		fastly_is_edge: true,
		...more,
	});
const bunny = (agent: string, status = "200") =>
	`HIT|${status}|1760445045421|412|390|66.249.66.1|-|https://shop.example/private/a?b=c|WA|${agent}|322b688bd63fb63f2babe9de30a5d262|DE`;
const netlify = (agent: string, url = "https://shop.example/private/a?b=c") =>
	JSON.stringify({
		account_id: "5bcf5b8d9f2a",
		client_ip: "66.249.66.1",
		deploy_id: "63e1c0f1",
		duration: 12,
		log_type: "traffic",
		method: "GET",
		site_id: "2a3b",
		status_code: 200,
		timestamp: "2025-10-14T12:30:45.111Z",
		url,
		user_agent: agent,
	});
const vercel = (agent: string) => ({
	id: "1573817250283254651097202070",
	deploymentId: "dpl_233NRGRjVZX1caZrXWtz5g1TAksD",
	source: "lambda",
	host: "shop-abc.vercel.app",
	timestamp: 1760445045100,
	projectId: "gdufoJxB6b9b1fEqr1jUtFkyavUU",
	level: "info",
	path: "/dynamic/[route].json",
	statusCode: 200,
	proxy: {
		timestamp: 1760445045000,
		method: "GET",
		host: "shop.example",
		path: "/private/a?b=c",
		userAgent: [agent],
		region: "sfo1",
		referer: "*.vercel.app",
		statusCode: 200,
		clientIp: "66.249.66.1",
		scheme: "https",
	},
});
const kong = (agent: string, more: object = {}) =>
	JSON.stringify({
		response: { size: 9982, status: 200, headers: { via: "1.1 kong/3.8.0.0" } },
		client_ip: "66.249.66.1",
		latencies: { kong: 1, proxy: 171, request: 172 },
		request: {
			method: "GET",
			uri: "/private/a?b=c",
			url: "http://shop.example:8000/private/a?b=c",
			size: 235,
			querystring: { b: "c" },
			headers: { host: "shop.example", "user-agent": agent },
		},
		started_at: 1760445045425,
		...more,
	});
const apiGateway = (agent: string, more: object = {}) =>
	JSON.stringify({
		requestId: "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
		ip: "66.249.66.1",
		caller: "-",
		user: "-",
		requestTime: time,
		httpMethod: "GET",
		path: "/private/a?b=c",
		userAgent: agent,
		domainName: "shop.example",
		status: "200",
		protocol: "HTTP/1.1",
		responseLength: "5",
		...more,
	});
const blueCoatHeader =
	"date time time-taken c-ip cs-username cs-auth-group x-exception-id sc-filter-result cs-categories cs(Referer) sc-status s-action cs-method rs(Content-Type) cs-uri-scheme cs-host cs-uri-port cs-uri-path cs-uri-query cs-uri-extension cs(User-Agent) s-ip sc-bytes cs-bytes x-virus-id";
const blueCoat = (agent: string) =>
	`2025-10-14 12:30:45 11 66.249.66.1 - - - OBSERVED "unavailable" -  200 TCP_HIT GET text/html http shop.example 80 /private/a ?b=c - "${agent}" 82.137.200.42 16827 406 -`;
const journal = (message: string | readonly number[]) =>
	JSON.stringify({
		__CURSOR: "s=6d1c;i=1a2b",
		__REALTIME_TIMESTAMP: "1760445045186641",
		_HOSTNAME: "web1",
		_SYSTEMD_UNIT: "nginx.service",
		SYSLOG_IDENTIFIER: "nginx",
		PRIORITY: "6",
		MESSAGE: message,
	});
const docker = (line: string) =>
	JSON.stringify({
		log: `${line}\n`,
		stream: "stdout",
		time: "2025-10-14T12:30:45.186641123Z",
	});
const storage = (uri: string, agent: string, micros = "1760445045250000") =>
	`"${micros}","66.249.66.1","1","","GET","${uri}","200","0","5","74000","storage.googleapis.com","","${agent}","AEnB2U","GET_Object","shop.example","private/a"`;
const storageHeader = `"time_micros","c_ip","c_ip_type","c_ip_region","cs_method","cs_uri","sc_status","cs_bytes","sc_bytes","time_taken_micros","cs_host","cs_referer","cs_user_agent","s_request_id","cs_operation","cs_bucket","cs_object"`;
const behind = (prefix: string) =>
	[google, firefox].map(
		(agent) =>
			`${prefix}66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${agent}"`,
	);

export const logs: readonly LogCase[] = [
	{
		format: "combined",
		name: "combined",
		without: ["host"],
		lines: [
			`66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${google}"`,
			`2001:db8::7 - John Doe [${time}] "${request}" 200 5 "http://a/\\"b" "${firefox}"`,
			`66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${google}`,
		],
	},
	{
		format: "proxied",
		name: "X-Forwarded-For in front of combined",
		// The address is that of the proxy.
		without: ["host", "ip"],
		lines: [
			`192.0.2.9, 192.0.2.7 10.0.0.1 - - [${time}] "${request}" 200 5 "-" "${google}"`,
			`- 10.0.0.1 - John Doe [${time}] "${request}" 200 5 "-" "${firefox}"`,
			`192.0.2.1 10.0.0.1 - - [${time}] "${request}" 200 5 "-" "${firefox}`,
		],
	},
	{
		format: "lighttpd",
		name: "lighttpd, with the host in the second field",
		lines: [
			`66.249.66.1 shop.example - [${time}] "${request}" 200 5 "-" "${google}"`,
			`2001:db8::7 shop.example john [${time}] "${request}" 200 5 "-" "${firefox}"`,
			`66.249.66.1 shop.example - [${time}] "${request}" 200 5 "-" "${firefox}`,
		],
	},
	{
		format: "combined",
		name: "combined, with more fields behind",
		without: ["host"],
		lines: [
			`66.249.66.1 - - [14/Oct/2025:14:30:45 +0200] "${request}" 200 5 "-" "${google}" 0.003 "-"`,
			`192.0.2.1 - - [${time}] "${request}" 200 5 "-" "${firefox}" 0.003 "-"`,
			`192.0.2.1 - - [${time}] "${request}" ok 5 "-" "${firefox}" 0.003 "-"`,
		],
	},
	{
		format: "common",
		name: "common",
		without: ["host", "agent"],
		lines: [
			`66.249.66.1 - - [${time}] "${request}" 200 5`,
			`66.249.66.1 - - [${time}] "-" 408 -`,
			"66.249.66.1 - - [14/Okt/2025:12:30:45 +0000] x 200 5",
		],
	},
	{
		format: "vcombined",
		name: "vhost combined",
		lines: [
			`shop.example:443 66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${google}"`,
			`shop.example:443 2001:db8::7 - - [${time}] "${request}" 200 5 "-" "${firefox}"`,
			"\u0000\u0001\u0002",
		],
	},
	{
		format: "vcommon",
		name: "vhost common",
		without: ["agent"],
		lines: [
			`SHOP.example 66.249.66.1 - - [${time}] "${request}" 200 5`,
			`shop.example 66.249.66.1 - - [${time}] "\\x16\\x03\\x01" 400 226`,
			"shop.example 66.249.66.1 - -",
		],
	},
	{
		format: "w3c",
		name: "W3C extended, as IIS writes it",
		lines: [
			"#Software: Microsoft Internet Information Services 10.0",
			"#Version: 1.0",
			"#Date: 2025-10-14 00:00:00",
			`#Fields: ${w3cHeader}`,
			w3c(google),
			w3c(firefox),
			"2025-10-14 12:30:45 10.0.0.1 GET /private/a",
		],
	},
	{
		format: "w3c",
		name: "W3C extended, whose fields change",
		without: ["host", "ip"],
		lines: [
			"#Fields: date time cs-uri-stem sc-status",
			"#Fields: time date sc-status cs(User-Agent) cs-uri",
			`12:30:45 2025-10-14 200 ${plus(google)} /private/a?b=c`,
			`12:30:45 2025-10-14 200 ${plus(firefox)} /`,
			`12:30 2025-10-14 200 ${plus(firefox)} /`,
		],
	},
	{
		format: "w3c",
		name: "W3C extended, with the day in #Date only",
		without: ["host"],
		lines: [
			"#Date: 2025-10-14 00:00:00",
			"#Fields: time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)",
			`12:30:45 66.249.66.1 GET /private/a b=c 200 ${plus(google)}`,
			`12:30:45 192.0.2.1 GET / - 200 ${plus(firefox)}`,
			`12:30:99 192.0.2.1 GET / - 200 ${plus(firefox)}`,
		],
	},
	{
		format: "w3c",
		name: "W3C extended, with #Date behind #Fields and days of its own",
		without: ["host", "ip"],
		lines: [
			"#Fields: time cs-uri sc-status cs(User-Agent)",
			"#Date: 2025-10-13 00:00:00",
			`12:30:45 / 200 ${plus(firefox)}`,
			"#Fields: date time cs-uri sc-status cs(User-Agent)",
			`2025-10-14 12:30:45 /private/a?b=c 200 ${plus(google)}`,
			`12:30:45 / 200 ${plus(firefox)}`,
		],
	},
	{
		format: "cloudfront",
		name: "CloudFront",
		lines: [
			"#Version: 1.0",
			"#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes",
			cloudfront(google),
			cloudfront(firefox),
			"2025-10-14\t12:30:45\tFRA2-C1",
		],
	},
	{
		format: "alb",
		name: "AWS ALB",
		milliseconds: 186,
		lines: [
			alb("/private/a?b=c", google),
			alb("/", firefox, "-"),
			"https 2025-10-14T12:30:45.186641Z app/my-lb/50dc6c495c0c9188",
		],
	},
	{
		format: "elb",
		name: "AWS ELB, the classic one",
		milliseconds: 186,
		lines: [
			elb("/private/a?b=c", google),
			elb("/", firefox, "-"),
			"2025-10-14T12:30:45.186641Z my-lb 66.249.66.1:2817 10.0.0.1:80",
		],
	},
	{
		format: "s3",
		name: "AWS S3",
		lines: [
			s3(google),
			s3(firefox),
			`79a59df900b949e5 shop.example [${time}] 66.249.66.1 - 3E57427F33A59F07 REST.GET.OBJECT`,
		],
	},
	{
		format: "caddy",
		name: "Caddy",
		milliseconds: 500,
		lines: [
			caddy(google),
			caddy(firefox),
			'{"level":"info","ts":1760445045.5,"msg":"serving initial configuration"}',
		],
	},
	{
		format: "traefik",
		name: "Traefik",
		milliseconds: 500,
		lines: [
			traefik(google),
			traefik(firefox),
			`${traefik(google).slice(0, 80)}`,
		],
	},
	{
		format: "cloudflare",
		name: "Cloudflare, times as text",
		lines: [
			cloudflare(google, "2025-10-14T12:30:45Z"),
			cloudflare(firefox, "2025-10-14T12:30:45Z"),
			cloudflare(google, "yesterday"),
		],
	},
	{
		format: "cloudflare",
		name: "Cloudflare, times in nanoseconds",
		milliseconds: 250,
		lines: [
			cloudflare(google, 1760445045250000000),
			cloudflare(firefox, 1760445045),
			"{}",
		],
	},
	{
		format: "ndjson",
		name: "NDJSON by its fields",
		fields:
			"path=http.url,agent=http.ua,status=http.code,time=@timestamp,host=vhost,ip=client",
		lines: [
			JSON.stringify({
				"@timestamp": "2025-10-14T14:30:45+02:00",
				vhost: "shop.example",
				client: ["66.249.66.1", "10.0.0.1"],
				http: { url: "/private/a?b=c", ua: google, code: "200" },
			}),
			JSON.stringify({
				"@timestamp": 1760445045,
				"http.url": "/",
				http: { ua: firefox },
			}),
			"[1, 2]",
		],
	},
	{
		format: "nginx",
		name: "Nginx log_format with times in milliseconds",
		logFormat:
			// biome-ignore lint/suspicious/noTemplateCurlyInString: it is Nginx's notation
			'$msec|$host|${remote_addr}|$status|$request_method $uri$is_args$args|"$http_user_agent"',
		milliseconds: 123,
		lines: [
			`1760445045.123|shop.example|66.249.66.1|200|GET /private/a?b=c|"${google}"`,
			`1760445045.123|shop.example|66.249.66.1|200|GET /|"${firefox}"`,
			"1760445045.123|shop.example|66.249.66.1",
		],
	},
	{
		format: "nginx",
		name: "Nginx log_format with variables side by side",
		logFormat:
			'$remote_addr - $remote_user [$time_iso8601] $scheme://$host$request_uri $status "$http_user_agent" "$http_x_forwarded_for"',
		lines: [
			`66.249.66.1 - - [2025-10-14T12:30:45+00:00] https://shop.example/private/a?b=c 200 "${google}" "192.0.2.1, 10.0.0.1"`,
			`66.249.66.1 - - [2025-10-14T12:30:45+00:00] https://shop.example/ 200 "${firefox}" "-"`,
			`66.249.66.1 - - [2025-10-14] https://shop.example/ 200 "${firefox}" "-"`,
		],
	},
	{
		format: "nginx",
		name: "Nginx log_format without times",
		logFormat: '"$http_user_agent" "$request"',
		without: ["host", "ip", "time", "status"],
		lines: [
			`"${google}" "${request}"`,
			`"${firefox}" "${request}"`,
			`"${google}`,
		],
	},
	{
		format: "apache",
		name: "Apache's LogFormat, as it stands in the configuration",
		logFormat:
			'LogFormat "%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" vhost_combined',
		lines: [
			`shop.example:443 66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${google}"`,
			`shop.example:443 2001:db8::7 - - [${time}] "${request}" 304 - "http://a/\\"b" "${firefox}"`,
			`shop.example:443 66.249.66.1 - - [${time}] "${request}" 200 5 "-" ${google}`,
		],
	},
	{
		format: "apache",
		name: "Apache's LogFormat with path and query apart, and times by strftime",
		logFormat:
			"%{c}a|%{Host}i|%{begin:%Y-%m-%dT%H:%M:%S%z}t|%!200,304{X}i|%m|%U%q|%<s|100%%|%{User-agent}i",
		lines: [
			`66.249.66.1|shop.example|2025-10-14T14:30:45+0200|-|GET|/private/a?b=c|200|100%|${google}`,
			`192.0.2.1|shop.example|2025-10-14T12:30:45+0000|-|GET|/|200|100%|${firefox}`,
			`192.0.2.1|shop.example|2025-10-14T12:30:45+0000|-|GET|/|200|99%|${firefox}`,
		],
	},
	{
		format: "apache",
		name: "Apache's LogFormat with times in microseconds",
		logFormat: '%{usec}t %a %s \\"%r\\" \\"%{User-Agent}i\\"',
		without: ["host"],
		milliseconds: 123,
		lines: [
			`1760445045123456 66.249.66.1 200 "${request}" "${google}"`,
			`1760445045123456 192.0.2.1 200 "${request}" "${firefox}"`,
			`1760445045123456 192.0.2.1 200 "${request}"`,
		],
	},
	{
		format: "nginx",
		name: "a log_format in a comment, as nginx.conf is delivered with one",
		logFormat: `http {
    #log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
    #                  '$status $body_bytes_sent "$http_referer" '
    #                  '"$http_user_agent" "$http_x_forwarded_for"';

    #access_log  logs/access.log  main;`,
		without: ["host"],
		lines: [
			`66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${google}" "-"`,
			`192.0.2.1 - - [${time}] "${request}" 200 5 "http://a/\\x22" "${firefox}" "-"`,
			`192.0.2.1 - - [${time}] "${request}" 200 5 "-" "${firefox}`,
		],
	},
	{
		format: "nginx",
		name: "a log_format in double quotes, with bars between fields",
		logFormat: `log_format bars "$remote_addr | $http_x_forwarded_for | $time_local | $request | "
    "$status | $request_body | \\"$http_user_agent\\" | $hostname | $request_time";`,
		without: ["host"],
		lines: [
			`66.249.66.1 | - | ${time} | ${request} | 200 | - | "${google}" | web | 0.1`,
			`192.0.2.1 | 192.0.2.7, 192.0.2.8 | ${time} | ${request} | 200 | - | "${firefox}" | web | 0.1`,
			`192.0.2.1 | - | ${time} | ${request} | 200`,
		],
	},
	{
		format: "nginx",
		name: "a JSON log_format whose keys are nobody's",
		logFormat: `log_format app escape=json
  '{"log":"app","at":$msec,"site":"$http_host","client":{"ip":"$remote_addr", "user":"$remote_user"},'
  '"call":{"line":"$request", "took":"$request_time", "code":$status}, "browser":"$http_user_agent"}';`,
		milliseconds: 123,
		lines: [
			`{"log":"app","at":1760445045.123,"site":"shop.example","client":{"ip":"66.249.66.1", "user":""},"call":{"line":"${request}", "took":"0.1", "code":200}, "browser":"${google}"}`,
			`{"log":"app","at":1760445045.123,"site":"shop.example","client":{"ip":"192.0.2.1", "user":"\\"a"},"call":{"line":"${request}", "took":"", "code":200}, "browser":"${firefox} \\u001f"}`,
			`{"log":"app","at":1760445045.123,"site":"shop.example"}`,
		],
	},
	{
		format: "nginx",
		name: "a log_format of LTSV with a label of its own",
		logFormat: `    log_format ltsv "time:$time_iso8601"
                    "\\txff:$http_x_forwarded_for"
                    "\\tpath:$request_uri"
                    "\\tstatus:$status"
                    "\\tclient:$remote_addr"
                    "\\tua:$http_user_agent"
                    "\\tvhost:$host";`,
		lines: [
			`time:2025-10-14T14:30:45+02:00\txff:-\tpath:/private/a?b=c\tstatus:200\tclient:66.249.66.1\tua:${google}\tvhost:shop.example`,
			`time:2025-10-14T12:30:45+00:00\txff:-\tpath:/\tstatus:200\tclient:192.0.2.1\tua:${firefox}\tvhost:shop.example`,
			`time:2025-10-14T12:30:45+00:00\tpath:/\tstatus:200\tclient:192.0.2.1`,
		],
	},
	{
		format: "nginx",
		name: "a log_format with lists of upstream servers in front of fields",
		logFormat: `log_format upstream '$remote_addr $upstream_addr $upstream_status [$time_local] '
	'"$request_method $scheme://$host$request_uri" $status "$http_user_agent"';`,
		lines: [
			`66.249.66.1 10.0.0.1:80, 10.0.0.2:80 502, 200 [${time}] "GET https://shop.example/private/a?b=c" 200 "${google}"`,
			`192.0.2.1 unix:/run/a.sock 200 [${time}] "GET https://shop.example/a\\"b" 200 "${firefox}"`,
			`192.0.2.1 - - [${time}] "GET https://shop.example/" 200 ${firefox}`,
		],
	},
	{
		format: "nginx",
		name: "a log_format that escapes nothing",
		logFormat: `log_format raw escape=none '$remote_addr [$time_local] "$http_host" "$request" $status "$http_user_agent" "$http_referer"';`,
		lines: [
			`66.249.66.1 [${time}] "shop.example" "${request}" 200 "${google}" "-"`,
			`192.0.2.1 [${time}] "shop.example" "${request}" 200 "${firefox} \\" "-"`,
			`192.0.2.1 [${time}] "shop.example" "${request}" 200 "${firefox}" `,
		],
	},
	{
		format: "apache",
		name: "a LogFormat with milliseconds between time and offset",
		logFormat: `    LogFormat "[%{%Y-%m-%dT%H:%M:%S}t.%{msec_frac}t%{%z}t] [INFO] [ACCESS]: %v %h %l %u \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\" %D" structured
    CustomLog /data/logs/access.log structured`,
		milliseconds: 123,
		lines: [
			`[2025-10-14T14:30:45.123+0200] [INFO] [ACCESS]: shop.example 66.249.66.1 - - "${request}" 200 5 "-" "${google}" 17`,
			`[2025-10-14T12:30:45.123+0000] [INFO] [ACCESS]: shop.example 192.0.2.1 - - "${request}" 304 - "-" "${firefox}" 17`,
			`[2025-10-14T12:30:45.123+0000] [WARN] [ACCESS]: shop.example 192.0.2.1 - - "${request}" 304 - "-" "${firefox}" 17`,
		],
	},
	{
		format: "apache",
		name: "a JSON LogFormat with path and query under two keys",
		logFormat: `LogFormat "{ \\"requestTime\\":\\"%{%Y-%m-%d %T}t.%{msec_frac}t %{%z}t\\", \\"virtualHost\\":\\"%V\\", \\"client\\":\\"%h\\", \\"request\\":\\"%U\\", \\"query\\":\\"%q\\", \\"method\\":\\"%m\\", \\"status\\":\\"%>s\\", \\"userAgent\\":\\"%{User-agent}i\\", \\"bytes\\":\\"%B\\" }" monitoring`,
		milliseconds: 123,
		lines: [
			`{ "requestTime":"2025-10-14 14:30:45.123 +0200", "virtualHost":"shop.example", "client":"66.249.66.1", "request":"/private/a", "query":"?b=c", "method":"GET", "status":"200", "userAgent":"${google}", "bytes":"5" }`,
			`{ "requestTime":"2025-10-14 12:30:45.123 +0000", "virtualHost":"shop.example", "client":"192.0.2.1", "request":"/", "query":"", "method":"GET", "status":"200", "userAgent":"${firefox}\\x09", "bytes":"0" }`,
			`{ "requestTime":"2025-10-14 12:30:45.123 +0000", "virtualHost":"shop.example" }`,
		],
	},
	{
		format: "apache",
		name: "a LogFormat over several lines, of keys and values",
		logFormat: `LogFormat "log_time=%{sec}t.%{usec_frac}t \\
request_id=%{UNIQUE_ID}e \\
vhost=%v src_ip=%a peer_ip=%{c}a \\
raw_request=\\"%r\\" protocol=%H \\
status_code=%>s first=%<s ttfb_us=%^FB \\
user_agent=\\"%{User-Agent}i\\"" pairs`,
		milliseconds: 123,
		lines: [
			`log_time=1760445045.123456 request_id=- vhost=shop.example src_ip=66.249.66.1 peer_ip=10.0.0.1 raw_request="${request}" protocol=HTTP/1.1 status_code=200 first=404 ttfb_us=3 user_agent="${google}"`,
			`log_time=1760445045.123456 request_id=- vhost=shop.example src_ip=192.0.2.1 peer_ip=10.0.0.1 raw_request="${request}" protocol=HTTP/1.1 status_code=200 first=200 ttfb_us=- user_agent="${firefox}"`,
			"log_time=1760445045.123456 request_id=- vhost=shop.example",
		],
	},
	{
		format: "apache",
		name: "a LogFormat with X-Forwarded-For in place of the address",
		logFormat: `LogFormat "%{X-Forwarded-For}i %l %u %{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" proxied`,
		without: ["host"],
		milliseconds: 123,
		lines: [
			`66.249.66.1 - - 14/Oct/2025 12:30:45.123 +0000 "${request}" 200 5 "-" "${google}"`,
			`192.0.2.1, 192.0.2.2 - - 14/Oct/2025 14:30:45.123 +0200 "${request}" 200 5 "-" "${firefox}"`,
			`192.0.2.1 - - 14/Oct/2025 12:30 +0000 "${request}" 200 5 "-" "${firefox}"`,
		],
	},
	...(
		[
			["Docker compose", "web-1  | "],
			["Docker compose in colour", "\u001b[36mweb-1  | \u001b[0m"],
			["Docker compose with times", "web | 2025-10-14T12:30:45.186Z "],
			["syslog", "Oct 14 12:30:45 web1 nginx: "],
			[
				"syslog with a priority and a process",
				"<190>Oct  4 12:30:45 web1 nginx[12]: ",
			],
			["rsyslog's times", "2025-10-14T12:30:45.123456+00:00 web1 nginx[12]: "],
			["Fastly", "<134>2025-10-14T12:30:45Z cache-fra19150 access[62959]: "],
			[
				"syslog of RFC 5424",
				"<190>1 2025-10-14T12:30:45.003Z web1 nginx 12 - - ",
			],
			["Kubernetes", "2025-10-14T12:30:45.123456789Z stdout F "],
		] as const
	).map(
		([name, prefix]): LogCase => ({
			format: "combined",
			name: `combined in the log of ${name}`,
			without: ["host"],
			lines: [...behind(prefix), `${prefix}worker process 12 exited`],
		}),
	),
	{
		format: "varnish",
		name: "Varnish, whose requests are absolute URLs",
		target: "http://shop.example/private/a?b=c",
		lines: [
			`66.249.66.1 - - [${time}] "GET http://shop.example/private/a?b=c HTTP/1.1" 200 5 "-" "${google}"`,
			`192.0.2.1 - - [${time}] "GET http://shop.example/ HTTP/1.1" 200 5 "-" "${firefox}"`,
			`66.249.66.1 - - [${time}] "GET http://shop.example/private/a?b=c HTTP/1.1"`,
		],
	},
	{
		format: "s3",
		name: "AWS S3, paths that begin with the bucket",
		lines: [
			s3(google).replace("GET /private", "GET /shop.example/private"),
			s3(firefox).replace(
				"GET /private/a?b=c",
				"GET /shop.example?list-type=2",
			),
			"79a59df900b949e5",
		],
	},
	{
		format: "squid",
		name: "Squid",
		without: ["agent"],
		milliseconds: 123,
		target: "http://shop.example/private/a?b=c",
		lines: [
			squid("http://shop.example/private/a?b=c"),
			squid("http://shop.example/", "304"),
			squid("http://shop.example/").slice(0, 60),
		],
	},
	{
		format: "haproxy",
		name: "HAProxy, with captured headers, in a syslog",
		milliseconds: 655,
		lines: [
			`Oct 14 12:30:45 lb haproxy[14389]: ${haproxy(`{shop.example|${google}|} {} `)}`,
			`Oct 14 12:30:45 lb haproxy[14389]: ${haproxy(`{shop.example|${firefox}|} {} `)}`,
			"Oct 14 12:30:45 lb haproxy[14389]: Proxy http-in started.",
		],
	},
	{
		format: "haproxy",
		name: "HAProxy without captured headers",
		without: ["host", "agent"],
		milliseconds: 655,
		lines: [
			haproxy(""),
			haproxy("", "/", "-1"),
			haproxy("").replace("12:30:45.655", "12:30:95.655"),
		],
	},
	{
		format: "heroku",
		name: "Heroku's router",
		without: ["agent"],
		milliseconds: 123,
		lines: [
			heroku("/private/a?b=c"),
			heroku("/")
				.replace("at=info", 'at=error code=H12 desc="Request timeout"')
				.replace("status=200", "status=503"),
			"2025-10-14T12:30:45.123456+00:00 app[web.1]: Listening on 5000",
		],
	},
	{
		format: "nginx-json",
		name: "Nginx, JSON with the request line",
		lines: [
			nginxJson(google),
			nginxJson(firefox, { request: "GET / HTTP/2.0" }),
			nginxJson(google).replace("14/Oct", "14/Okt"),
		],
	},
	{
		format: "nginx-json",
		name: "Nginx, JSON with the path",
		lines: [
			nginxJson(google, { request: undefined, uri: "/private/a", args: "b=c" }),
			nginxJson(firefox, { request: undefined, request_uri: "/", uri: "/x" }),
			"{}",
		],
	},
	{
		format: "nginx-json",
		name: "Nginx's JSON in Docker compose",
		lines: [
			`web-1  | ${nginxJson(google)}`,
			`web-1  | ${nginxJson(firefox)}`,
			"web-1  | /docker-entrypoint.sh: Configuration complete; ready for start up",
		],
	},
	{
		format: "caddy",
		name: "Caddy's console",
		milliseconds: 500,
		lines: [
			caddyConsole(google),
			caddyConsole(firefox),
			"2025/10/14 12:30:45.500\tINFO\tserving initial configuration",
		],
	},
	{
		format: "waf",
		name: "AWS WAF",
		lines: [waf(google), waf(firefox), waf(google).replace("uri", "url")],
	},
	{
		format: "gcp",
		name: "Google Cloud's load balancer",
		milliseconds: 123,
		target: "https://shop.example/private/a?b=c",
		lines: [gcp(google), gcp(firefox), gcp(google).slice(1)],
	},
	{
		format: "gcp",
		name: "Google Cloud's load balancer, entries in a list",
		milliseconds: 123,
		target: "https://shop.example/private/a?b=c",
		text: `[\n${[gcp(google), gcp(firefox), "7"].join(",\n")}\n]`,
		lines: [gcp(google), gcp(firefox), "7"],
	},
	{
		format: "azure",
		name: "Azure Front Door",
		target: "https://shop.example:443/private/a?b=c",
		lines: [
			JSON.stringify(azure(google)),
			JSON.stringify(azure(firefox)),
			JSON.stringify({ ...azure(google), time: "soon" }),
		],
	},
	{
		format: "azure",
		name: "Azure's records, over many lines",
		target: "https://shop.example:443/private/a?b=c",
		text: JSON.stringify(
			{ ids: [1], records: [azure(google), azure(firefox), {}] },
			undefined,
			2,
		),
		lines: ["", "", ""],
	},
	{
		format: "azure",
		name: "Azure's records, a list a line",
		target: "https://shop.example:443/private/a?b=c",
		text: [[azure(google)], [azure(firefox), {}]]
			.map((records) => JSON.stringify({ records }))
			.join("\n"),
		lines: ["", "", ""],
	},
	{
		format: "akamai",
		name: "Akamai DataStream, paths without their slash",
		milliseconds: 250,
		lines: [akamai(google), akamai(firefox), '{"reqPath":"x"}'],
	},
	{
		format: "ecs",
		name: "Elastic Common Schema",
		lines: [ecs(google), ecs(firefox), ecs(google).replace("path", "p")],
	},
	{
		format: "ecs",
		name: "Elastic Common Schema, keys with dots",
		lines: [
			JSON.stringify({
				"@timestamp": "2025-10-14T12:30:45Z",
				"url.original": "https://shop.example/private/a?b=c",
				"user_agent.original": google,
				"http.response.status_code": 200,
				"source.ip": "66.249.66.1",
			})
				.replace("https://shop.example", "")
				.replace("{", '{"url.domain":"shop.example",'),
			ecs(firefox),
			"{}",
		],
	},
	{
		format: "combined",
		name: "combined in Docker's JSON files",
		without: ["host"],
		lines: [
			...behind("").map(docker),
			docker("/docker-entrypoint.sh: Configuration complete"),
		],
	},
	{
		format: "nginx-json",
		name: "Nginx's JSON in Docker's JSON files",
		lines: [docker(nginxJson(google)), docker(nginxJson(firefox)), docker("x")],
	},
	{
		format: "cloudstorage",
		name: "Google Cloud Storage",
		milliseconds: 250,
		blank: 1,
		lines: [
			storageHeader,
			storage("/shop.example/private/a?b=c", google),
			storage("/private/a", `${firefox} ""x, y""\tz`),
			storage("/shop.example/", google, "soon"),
		],
	},
	{
		format: "cloudflare",
		name: "CSV with Cloudflare's columns, semicolons and line feeds in quotes",
		blank: 1,
		text: [
			"ClientIP;ClientRequestHost;ClientRequestURI;ClientRequestUserAgent;EdgeResponseStatus;EdgeStartTimestamp",
			`66.249.66.1;shop.example;/private/a?b=c;"${google.replace("; ", ";\n")}";200;2025-10-14T12:30:45Z`,
			`66.249.66.1;shop.example;/;"${firefox}";200;2025-10-14T12:30:45Z`,
			`66.249.66.1;shop.example;/;"${firefox}";200;`,
		].join("\n"),
		lines: ["", "", "", ""],
	},
	{
		format: "csv",
		name: "CSV by its columns",
		fields: "request=req line,agent=ua,status=code,time=at,host=vhost,ip=from",
		blank: 1,
		lines: [
			"at,from,req line,code,ua,vhost",
			`2025-10-14 12:30:45,66.249.66.1,${request},200,"${google}",shop.example`,
			`2025-10-14 12:30:45,66.249.66.1,"GET / HTTP/1.1",200,"${firefox}",shop.example`,
			"2025-10-14 12:30:45,66.249.66.1",
		],
	},
	{
		format: "envoy",
		name: "Envoy's default format string (Envoy 1.13, Access logging)",
		milliseconds: 310,
		lines: [envoy(google), envoy(firefox, "/"), envoy(google).slice(0, 120)],
	},
	{
		format: "istio",
		name: "Istio's default format (istio.io, Envoy Access Logs, 1.8)",
		milliseconds: 409,
		lines: [istio(google), istio(firefox, "/"), istio(google).slice(0, 200)],
	},
	{
		format: "istio",
		name: "Istio's default format in Kubernetes",
		milliseconds: 409,
		lines: [
			`2025-10-14T12:30:46.123456789Z stdout F ${istio(google)}`,
			`2025-10-14T12:30:46.123456789Z stdout F ${istio(firefox)}`,
			"2025-10-14T12:30:46.123456789Z stdout F 2025-10-14T12:30:46.1Z info xdsproxy connected",
		],
	},
	{
		format: "envoy-json",
		name: "Istio's JSON (accessLogEncoding: JSON, 1.18)",
		milliseconds: 123,
		lines: [
			istioJson(google),
			istioJson(firefox, { response_code: 0 }),
			istioJson(google, { start_time: null }),
		],
	},
	{
		format: "envoy-json",
		name: "Envoy Gateway's default access log (2024)",
		milliseconds: 929,
		lines: [gateway(google), gateway(firefox), gateway(google).slice(0, 90)],
	},
	{
		format: "fastly",
		name: "Fastly's JSON (its endpoints' example format, 2023)",
		lines: [
			fastly(google),
			fastly(firefox, { response_status: "304" }),
			fastly(google, { url: null }),
		],
	},
	{
		format: "fastly",
		name: "Fastly's JSON (API's default for Kinesis), in a syslog",
		without: ["status"],
		lines: [
			`<134>2025-10-14T12:30:45Z cache-fra19150 access[62959]: ${fastly(google, { response_status: undefined, timestamp: "2025-10-14T12:30:45" })}`,
			`<134>2025-10-14T12:30:45Z cache-fra19150 access[62959]: ${fastly(firefox, { response_status: undefined, timestamp: "2025-10-14T12:30:45" })}`,
			"<134>2025-10-14T12:30:45Z cache-fra19150 access[62959]: {}",
		],
	},
	{
		format: "bunny",
		name: "bunny.net (docs.bunny.net, Log Format)",
		milliseconds: 421,
		target: "https://shop.example/private/a?b=c",
		lines: [bunny(google), bunny(firefox, "304"), bunny(google).slice(0, 70)],
	},
	{
		format: "netlify",
		name: "Netlify's traffic log (keys not seen in a document)",
		milliseconds: 111,
		target: "https://shop.example/private/a?b=c",
		lines: [
			netlify(google),
			netlify(firefox, "https://shop.example/"),
			netlify(google).replace("12:30:45", "12:30"),
		],
	},
	{
		format: "vercel",
		name: "Vercel's drain, NDJSON (Log Drains Reference)",
		lines: [
			JSON.stringify(vercel(google)),
			JSON.stringify(vercel(firefox)),
			JSON.stringify({ ...vercel(google), proxy: undefined }),
		],
	},
	{
		format: "vercel",
		name: "Vercel's drain, a list a request (Log Drains Reference)",
		text: `${JSON.stringify([vercel(google), vercel(firefox)])}\n${JSON.stringify([{ ...vercel(google), proxy: undefined }])}`,
		lines: ["", "", ""],
	},
	{
		format: "kong",
		name: "Kong's file-log (Kong Gateway 3.8)",
		milliseconds: 425,
		lines: [
			kong(google),
			kong(firefox, {
				request: { uri: "/", headers: { "user-agent": firefox } },
			}),
			kong(google, { request: {} }),
		],
	},
	{
		format: "combined",
		name: "Kong's proxy_access_log (Kong Gateway 3.8)",
		without: ["host"],
		lines: [
			`66.249.66.1 - - [${time}] "${request}" 200 5 "-" "${google}" kong_request_id: "6f7c"`,
			`192.0.2.1 - - [${time}] "${request}" 200 5 "-" "${firefox}" kong_request_id: "6f7d"`,
			"2025/10/14 12:30:45 [notice] 1#0: start worker process 12",
		],
	},
	{
		format: "apigateway",
		name: "API Gateway's JSON (HTTP API access logs, with path and userAgent)",
		lines: [
			apiGateway(google),
			apiGateway(firefox, { path: "/" }),
			apiGateway(google, { requestTime: "-" }),
		],
	},
	{
		format: "common",
		name: "API Gateway's CLF, without a blank after the time",
		without: ["host", "agent"],
		lines: [
			`66.249.66.1 - - [${time}]"${request}" 200 5 c6af9ac6-7b61-11e6-9a41-93e8deadbeef AXnq=`,
			`66.249.66.1 - - [${time}]"-" 400 - c6af9ac6-7b61-11e6-9a41-93e8deadbeef AXnq=`,
			`66.249.66.1 - - [${time}]`,
		],
	},
	{
		format: "akamai",
		name: "Akamai DataStream 2 (data set parameters, version 3), keys that are empty left out",
		lines: [
			JSON.stringify({
				version: 2,
				reqId: "1239f220",
				reqTimeSec: "1760445045",
				bytes: "4995",
				totalBytes: "5042",
				cliIP: "66.249.66.1",
				statusCode: "200",
				proto: "HTTPS",
				reqHost: "shop.example",
				reqMethod: "GET",
				reqPath: "private/a",
				queryStr: "b=c",
				UA: percent(google),
			}),
			akamai(firefox),
			JSON.stringify({ version: 2, reqPath: "private/a", UA: "x" }),
		],
	},
	{
		format: "w3c",
		name: "Blue Coat's ProxySG (SGOS 5.4.3.7, format main), two blanks between some fields",
		lines: [
			"#Software: SGOS 5.4.3.7",
			"#Version: 1.0",
			"#Start-Date: 2025-10-14 12:00:00",
			"#Date: 2025-10-14 11:15:58",
			`#Fields: ${blueCoatHeader}`,
			'#Remark: 2610140037 "SG-42" "82.137.200.42" "main"',
			blueCoat(google),
			blueCoat(firefox),
			"2025-10-14 12:30:45 11 66.249.66.1",
		],
	},
	{
		format: "combined",
		name: "combined with double blanks (not seen)",
		without: ["host"],
		lines: [
			`66.249.66.1  -  -  [${time}]  "${request}"  200  5  "-"  "${google}"`,
			`192.0.2.1 - - [${time}] "${request}" 200    5 "a  b" "${firefox}"`,
			`66.249.66.1  -  -  [${time}]  "${request}"  200  5  "-"  `,
		],
	},
	{
		format: "vcommon",
		name: "vhost common, sizes aligned with blanks (not seen)",
		without: ["agent"],
		lines: [
			`shop.example 66.249.66.1 - - [${time}] "${request}" 200     5`,
			`shop.example 66.249.66.1 - - [${time}] "GET / HTTP/1.1" 404 12345`,
			"shop.example 66.249.66.1  - -",
		],
	},
	...(
		[
			["journalctl", "Oct 14 12:30:45 web1 nginx[12]: "],
			[
				"journalctl -o short-precise",
				"Oct 14 12:30:45.186641 web1 nginx[12]: ",
			],
			["journalctl -o short-iso", "2025-10-14T12:30:45+0000 web1 nginx[12]: "],
			[
				"journalctl -o short-full",
				"Tue 2025-10-14 12:30:45 UTC web1 nginx[12]: ",
			],
		] as const
	).map(
		([name, prefix]): LogCase => ({
			format: "combined",
			name: `combined in the journal, ${name} (systemd 255, journalctl(1))`,
			without: ["host"],
			lines: [...behind(prefix), `${prefix}worker process 12 exited`],
		}),
	),
	{
		format: "combined",
		name: "combined in the journal, journalctl -o json (systemd 255)",
		without: ["host"],
		lines: [
			...behind("").map(journal),
			journal("Started nginx.service - A high performance web server."),
		],
	},
	{
		format: "combined",
		name: "combined in the journal, messages as lists of bytes (systemd 255)",
		without: ["host"],
		lines: [
			...behind("").map((line) => journal([...new TextEncoder().encode(line)])),
			journal([0xff]),
		],
	},
	{
		format: "caddy",
		name: "Caddy's JSON in the journal (systemd 255)",
		milliseconds: 500,
		lines: [journal(caddy(google)), journal(caddy(firefox)), journal("x")],
	},
];
