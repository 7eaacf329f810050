import { describe, expect, test } from "vitest";
import {
	FIELD_AGENT,
	FIELD_DATE,
	FIELD_IP,
	FIELD_NONE,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	STEP_BLANKS,
	STEP_LEAD,
	STEP_LIST,
	STEP_QUOTED,
	STEP_STRING,
	STEP_WHOLE,
	TIME_CLF,
	TIME_CTIME,
	TIME_EPOCH,
	TIME_HAPROXY,
	TIME_ISO,
	TIME_NONE,
	TIME_SPLIT,
} from "../assembly/format.ts";
import {
	fieldFormats,
	formatOfString,
	parseFields,
} from "../src/formats/formats.ts";
import { ofLine } from "../src/formats/line-formats.ts";
import { tells, withDirective } from "../src/formats/log-format.ts";
import {
	apacheFormat,
	formatNames,
	formatOf,
	jsonFormat,
	nginxFormat,
} from "../src/index.ts";

type Steps = readonly (readonly [
	field: number,
	text: string,
	flags?: number,
])[];
const stepsOf = (steps: Steps) =>
	steps.map(([field, text, flags = 0]) => ({ field, flags, text }));

describe("The fields of a format in the notation of Nginx or Apache:", () => {
	const plain: Steps = [
		[FIELD_IP, " ", STEP_LIST],
		[FIELD_REQUEST, ""],
	];
	test.each<readonly [format: string, name: string, steps: Steps]>([
		["$remote_addr $request", "nginx", plain],
		["$request", "nginx", [[FIELD_REQUEST, ""]]],
		[
			"x $request y",
			"nginx",
			[
				[FIELD_NONE, "x ", STEP_LEAD],
				[FIELD_REQUEST, " y"],
			],
		],
		[
			'"$request" $status',
			"nginx",
			[
				[FIELD_NONE, '"', STEP_LEAD],
				[FIELD_REQUEST, '" ', STEP_QUOTED],
				[FIELD_STATUS, ""],
			],
		],
		[
			'"$request $status"',
			"nginx",
			[
				[FIELD_NONE, '"', STEP_LEAD],
				[FIELD_REQUEST, " "],
				[FIELD_STATUS, '"', STEP_QUOTED],
			],
		],
		[
			"5% $request",
			"nginx",
			[
				[FIELD_NONE, "5% ", STEP_LEAD],
				[FIELD_REQUEST, ""],
			],
		],
		["%h %r", "apache", plain],
		['"%h %r"', "apache", plain],
		['  LogFormat   "%h %r"   nick-name  ', "apache", plain],
		['LogFormat "%h %r"', "apache", plain],
		[
			"$ %r",
			"apache",
			[
				[FIELD_NONE, "$ ", STEP_LEAD],
				[FIELD_REQUEST, ""],
			],
		],
		[
			'%h "%r"',
			"apache",
			[
				[FIELD_IP, ' "', STEP_LIST],
				[FIELD_REQUEST, '"', STEP_QUOTED],
			],
		],
		[
			'"%h" %r',
			"apache",
			[
				[FIELD_NONE, '"', STEP_LEAD],
				[FIELD_IP, '" ', STEP_QUOTED],
				[FIELD_REQUEST, ""],
			],
		],
		["%r 100%%", "apache", [[FIELD_REQUEST, " 100%"]]],
		[
			"%i %r",
			"apache",
			[
				[FIELD_NONE, " "],
				[FIELD_REQUEST, ""],
			],
		],
	])("%s", (text, name, steps) => {
		const format = formatOfString(text);
		expect(format.name).toBe(name);
		expect(format.template.steps).toEqual(stepsOf(steps));
	});

	test.each([
		// "'$request'" is a string of the configuration; quotes within a line are what the server writes.
		["'$remote_addr ' '$request'", "$remote_addr $request"],
		["'$remote_addr '\n\t'$request';", "$remote_addr $request"],
		["main '$remote_addr $request'", "$remote_addr $request"],
		["main escape=json '$remote_addr $request';", "$remote_addr $request"],
		['"$remote_addr " "$request";', "$remote_addr $request"],
		['"$remote_addr \\"$request\\""', '$remote_addr "$request"'],
		['log_format x "$remote_addr" " $request"', "$remote_addr $request"],
		["log_format x $remote_addr\\t$request;", "$remote_addr\t$request"],
		["$remote_addr\\t$request\n", "$remote_addr\t$request"],
		[
			"log_format x '$remote_addr '# why\n '$request';",
			"$remote_addr $request",
		],
		["{log_format x '$remote_addr ' \\\n '$request'", "$remote_addr $request"],
		["log_format x '$request'\nlog_format x '$request';", "$request"],
		["# log_format x '$status';\n log_format y '$request';", "$request"],
		['logformat "%h %r" x', "%h %r"],
		["LogFormat '%h \"%r\"' x", '%h "%r"'],
		['LogFormat "%h %r" a\nLogFormat a', "%h %r"],
		['CustomLog "|/bin/rotate logs" "%h %r" env=x', "%h %r"],
		['LogFormat "%h %r" a\nCustomLog logs/access a', "%h %r"],
		['LogFormat "%h \\\n%r" a\r\n', "%h %r"],
	])("%j is %j", (pasted, text) =>
		expect(formatOfString(pasted)).toEqual(formatOfString(text)),
	);

	const several = `http {
		log_format a '$remote_addr "$request"';
		log_format b '$remote_addr $status';
		log_format a '$request';
	}`;
	test.each([
		[several, "there are 3 log formats (a, b): choose one by its name"],
		[several, 'there is no log format "c", but a, b', "c"],
		[
			several,
			"has neither $request nor $request_uri, but $remote_addr, $status",
			"b",
		],
		[
			"$request",
			'there is no log format "c": no line begins with log_format',
			"c",
		],
		["user nginx;\nhttp {\n}", "has several lines, of which none begins with"],
		["log_format x '$request", "has a quote that is not closed"],
		["LogFormat \"%h '%r", "has a quote that is not closed"],
		[
			"log_format x escape=xml '$request';",
			'"escape=xml" is not escape=default',
		],
		["log_format x '$request\n$status';", "has a line break"],
		[
			"$remote_addr $requets",
			"has neither $request nor $request_uri, but $remote_addr, $requets",
		],
		["%h %{Request}i", "has neither %r nor %U, but %h, %{Request}i"],
		["%{%begin:s}t %r", "has a time that cannot be read, %{%begin:s}t"],
		[
			"%{usec_frac}t %{%c}t %r",
			"has a time that cannot be read, %{usec_frac}t",
		],
	])("%j is refused: %s", (text, reason, name?: string) =>
		expect(() => formatOfString(text, name)).toThrow(reason),
	);

	test("of several, the last one with a name is read", () =>
		expect(formatOfString(several, "a")).toEqual(formatOfString("$request")));

	test.each([
		["%t", TIME_CLF],
		["%{%d/%b/%Y:%T %z}t", TIME_CLF],
		["%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t", TIME_HAPROXY],
		["%{%F}tT%{%T}t.%{usec_frac}tZ", TIME_ISO],
		["%{%F %T %z}t", TIME_ISO],
		["%{end:%s}t%{end:msec_frac}t", TIME_EPOCH],
		["%{sec}t.%{usec_frac}t", TIME_EPOCH],
		["%{%a %b %d %T %Y}t", TIME_CTIME],
		["%{%c}t %{msec}t", TIME_EPOCH],
	])("%s is a time", (time, kind) => {
		expect(formatOfString(`[${time}] %r`).template.time).toBe(kind);
		expect(() => nginxFormat(`[${time}] %r`)).toThrow("has neither $request");
	});
});

describe("A format by its name", () => {
	const given = {
		escaping: "backslash",
		directives: false,
		hostInTarget: false,
	};
	test.each<[name: string, format: object, isPadded?: boolean]>([
		["combined", { ...given, columns: "client" }],
		["main", { ...given, columns: "client", more: "combined" }],
		["lighttpd", { ...given, columns: "host" }],
		["alb", { ...given, hostInTarget: true }],
		["varnish", { ...given, hostInTarget: true, columns: "client" }],
		["s3", { ...given, bucketInTarget: true }],
		["squid", { ...given, escaping: "none", hostInTarget: true }, true],
		["haproxy", { ...given, escaping: "none" }, true],
		["heroku", given],
		["w3c", { ...given, escaping: "plus", directives: true }],
		[
			"cloudfront",
			{ ...given, escaping: "percent", directives: true, separator: "\t" },
		],
		["caddy", { ...given, escaping: "none" }],
		["akamai", { ...given, escaping: "percent" }],
		[
			"cloudstorage",
			{ ...given, escaping: "none", records: { kind: "csv", separator: "," } },
		],
	])("%s", (name, expected, isPadded = false) => {
		const { name: own, template, json, ...format } = formatOf(name);
		expect(own).toBe(name);
		expect(format).toEqual(expected);
		for (const { text, flags } of template.steps)
			if (!json)
				expect((flags & STEP_BLANKS) !== 0).toBe(isPadded && text === " ");
	});

	test.each([
		["nope", 'there is no log format "nope", but aiohttp, akamai'],
		["ndjson", "the format ndjson needs the keys of its fields"],
		["csv", "the format csv needs the keys of its fields"],
	])("%s is refused", (name, message) =>
		expect(() => formatOf(name)).toThrow(message),
	);

	test.each([
		...[...formatNames, "awsalb", "traefikclf"].map(
			(name) => [name, true] as const,
		),
		...["nope", "", "toString"].map((name) => [name, false] as const),
	])("%j is one: %s", (name, isOne) => {
		const call = expect(() => formatOf(name));
		if (isOne && !fieldFormats.includes(name)) call.not.toThrow();
		else call.toThrow(isOne ? "needs the keys" : "there is no log format");
	});

	test("a format string is one, too", () => {
		expect(formatOf("combined\n")).toEqual(formatOf("combined"));
		expect(formatOf('$remote_addr "$request"')).toEqual(
			nginxFormat('$remote_addr "$request"'),
		);
		expect(formatOf("%h %r")).toEqual(apacheFormat("%h %r"));
		const several = "log_format a $request;\nlog_format b $request_uri;";
		expect(formatOf(several, "a")).toEqual(nginxFormat("$request"));
		expect(() => formatOf("apache combined")).toThrow("has neither");
	});
});

describe("Fields of JSON", () => {
	test.each([
		["path=uri", { path: ["uri"] }],
		[" path = x", undefined],
		[" path=/a b , agent=b ", { path: ["/a b"], agent: ["b"] }],
		["request=r", { request: ["r"] }],
		["path=a=b", { path: ["a=b"] }],
		[".path=x", undefined],
		["x=y,path=a", undefined],
		["path", undefined],
		["path=", undefined],
		["agent=b", undefined],
		["", undefined],
	])("%j", (text, fields) => {
		if (fields) {
			expect(parseFields(text)).toEqual(fields);
			expect(jsonFormat(text)).toEqual(jsonFormat(fields));
		} else
			expect(() => parseFields(text)).toThrow(
				/is not a field|lack path=… or request=…/,
			);
	});

	test.each([
		[{ path: "p" }, "put the key in an array"],
		[{ path: 5 }, "strings"],
		[{}, "path"],
		[undefined, "jsonFormat"],
	])("%j is refused", (fields, message) =>
		expect(() => jsonFormat(fields as never)).toThrow(message),
	);

	test("a key that is no array gets no hint unless it is a string", () => {
		expect(() => jsonFormat({ path: 5 } as never)).not.toThrow(/put the key/);
		expect(jsonFormat({ request: ["r"] }).json).toEqual({ request: ["r"] });
	});
});

test.each([
	["common", false, false],
	["combined", true, false],
	["vcommon", false, true],
	["vcombined", true, true],
	["alb", true, true],
	["squid", false, true],
	["varnish", true, true],
	["w3c", true, true],
	["caddy", true, true],
])("lines of %s tell the header: %s, the host: %s", (name, agent, host) => {
	const format = formatOf(name);
	expect([tells(format, "agent"), tells(format, "host")]).toEqual([
		agent,
		host,
	]);
});
test("lines of JSON tell what there are keys for", () => {
	const format = jsonFormat({ path: ["p"], agent: ["a"] });
	expect([tells(format, "agent"), tells(format, "host")]).toEqual([
		true,
		false,
	]);
});

describe("The directives of a W3C log:", () => {
	test.each<
		[directives: readonly string[], steps: Steps, time: number, day?: string]
	>([
		[["#Fields: cs-uri"], [[FIELD_TARGET, ""]], TIME_NONE],
		[["#Fields cs-uri"], [[FIELD_TARGET, ""]], TIME_NONE],
		[
			["#Fields:  cs-uri   c-ip "],
			[
				[FIELD_TARGET, " "],
				[FIELD_IP, ""],
			],
			TIME_NONE,
		],
		[["#Fields: time"], [[FIELD_TIME, ""]], TIME_ISO],
		[
			["#Fields: time date"],
			[
				[FIELD_TIME, " "],
				[FIELD_DATE, ""],
			],
			TIME_SPLIT,
		],
		[
			["#Date: 2025-10-14 00:00", "#Fields: time"],
			[[FIELD_TIME, ""]],
			TIME_SPLIT,
			"2025-10-14",
		],
		[
			["#Fields: time", "#Date  2025-10-14"],
			[[FIELD_TIME, ""]],
			TIME_SPLIT,
			"2025-10-14",
		],
		[["#Version: 1.0"], [], TIME_NONE],
		[["# the #Date: 2025-10-14, and #Fields: time"], [], TIME_NONE],
	])("%j", (directives, steps, time, day) => {
		const format = directives.reduce(
			(before, directive) => withDirective(before, directive) ?? before,
			formatOf("w3c"),
		);
		const strings = stepsOf(steps).map((step, index) => ({
			...step,
			flags:
				index > 0 && index === steps.length - 1
					? STEP_STRING | STEP_WHOLE
					: STEP_STRING,
		}));
		expect(format.template).toEqual({ steps: strings, time });
		expect(format.day).toBe(day);
	});
});

describe("Headers that HAProxy captured:", () => {
	const line = (captured: string) =>
		`10.0.0.1:33317 [14/Oct/2025:12:30:45.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 ${captured}"GET / HTTP/1.1"`;
	const rest: Steps = [[FIELD_REQUEST, '"', STEP_QUOTED]];
	test.each<readonly [captured: string, steps: Steps]>([
		["", rest],
		["{GPTBot/1} ", [[FIELD_AGENT, '} "'], ...rest]],
		[
			"{a|GPTBot/1|b} ",
			[[FIELD_NONE, "|"], [FIELD_AGENT, "|"], [FIELD_NONE, '} "'], ...rest],
		],
		["{GPTBot/1} {x} ", [[FIELD_AGENT, "} {"], [FIELD_NONE, '} "'], ...rest]],
	])("%s", (captured, steps) => {
		const found = ofLine(line(captured))?.template.steps ?? [];
		expect(found.slice(-steps.length)).toEqual(stepsOf(steps));
		expect(found).toHaveLength(
			formatOf("haproxy").template.steps.length + steps.length - 1,
		);
	});
});
