import { expect, test } from "vitest";
import { formatOfString } from "../src/formats/formats.ts";
import { jsonFormat, LogAudit, type LogFormat } from "../src/index.ts";

const robots = [{ file: "robots.txt", bytes: Buffer.from("") }];
const json = jsonFormat({ path: ["p"], agent: ["ua"] });
const line = (p: string) => JSON.stringify({ p, ua: "GPTBot/1" });
const text = formatOfString('"$http_user_agent" $request_uri $status');

test.each<
	readonly [
		what: string,
		format: LogFormat,
		lines: readonly string[],
		warning: string | undefined,
	]
>([
	[
		"a request line in place of a path",
		json,
		[line("GET /a HTTP/1.1"), line("GET / HTTP/1.1"), line("/")],
		'2 of 3 judged requests are not for a URL, such as "GET /a HTTP/1.1" in a.log; that is a request line: name it with request=KEY in --fields, with $request or %r in --log-format',
	],
	[
		"paths without a slash",
		json,
		[line("a/b.html")],
		'1 of 1 judged requests are not for a URL, such as "a/b.html" in a.log; paths lack their first slash: put one in front of the key, path=/KEY in --fields',
	],
	[
		"a User-Agent header",
		json,
		[line("GPTBot/1")],
		'1 of 1 judged requests are not for a URL, such as "GPTBot/1" in a.log; that is a User-Agent header: look where the format has the path',
	],
	[
		"a number",
		text,
		['"GPTBot/1" 200 404'],
		'1 of 1 judged requests are not for a URL, such as "200" in a.log; look where the format has the path or the request',
	],
	["half of them", json, [line("*"), line("/a")], undefined],
	["none of them", json, [line("/robots.txt"), line("/a")], undefined],
	["no requests", json, [], undefined],
	[
		"no header in any line",
		json,
		['{"p":"/"}', '{"p":"/a"}'],
		"no line of a.log (ndjson) has a User-Agent header, so none of its requests is judged; --default-agent names the crawler to count them for",
	],
	["a header in one line", json, ['{"p":"/"}', line("/a")], undefined],
	["nothing that can be read", json, ["x"], undefined],
])("%s", async (_, format, lines, warning) => {
	const audit = new LogAudit({ robots, format });
	await audit.add("a.log", [Buffer.from(lines.join("\n"))]);
	const found = audit.report().warnings;
	expect(found).toEqual(warning === undefined ? [] : [warning]);
});
