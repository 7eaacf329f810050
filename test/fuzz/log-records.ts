import fc from "fast-check";
import { JsonLines } from "../../packages/audit/src/formats/json-lines.ts";
import {
	jsonFormat,
	LogAudit,
	type LogFormat,
} from "../../packages/audit/src/index.ts";
import { bytes } from "../latin1.ts";
import { expectSame, target } from "./target.ts";
import { joined, robotsTxt, spliced } from "./texts.ts";

const fields = {
	path: ["uri", "url.path", "/raw"],
	request: ["request"],
	query: ["query"],
	agent: ["ua", "headers.User-Agent"],
	status: ["status"],
	time: ["ts", "@timestamp"],
	host: ["host", "uri"],
	ip: ["ip"],
	bytes: ["size"],
};
/** Slashes are put in front of all paths or of none in the module. */
const usual = { ...fields, path: ["uri", "url.path"] };

const pieces = [
	'{"ts":1760445045.5,"ua":"GPTBot/1","uri":"/a","status":200,"size":5}\n',
	'{"@timestamp":"2025-10-14T12:30:45Z","headers":{"User-Agent":["FooBot/1"]},"url":{"path":"/b"},"query":"c"}\n',
	'{"ts":"14/Oct/2025:12:30:45 +0000","ua":"curl/8","request":"GET /a HTTP/1.1","host":"h.example"}\n',
	'{"ts":1760445045250,"ua":"x","uri":"https://h.example/\\u00e9","ip":"::1"}\n',
	'{"raw":"a","ua":"FooBot/1","ts":1760445045,"x":{"uri":[1,{"a":null}]}}\n',
	"\n",
	"{}\n",
	"[",
	"]",
	",",
	'"',
	"\\",
	"\r\n",
	"a,b,c\n",
];
const log = spliced(joined(pieces, 12));

async function reportOf(
	robots: string,
	format: LogFormat,
	chunks: readonly Uint8Array[],
) {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: bytes(robots) }],
		format,
		groupBy: "header",
	});
	await audit.add("a.log", chunks);
	const { unparsedLines, ...report } = audit.report();
	return { ...report, broken: unparsedLines.map(({ line }) => line) };
}

/** Lines of JSON mean what JSON.parse makes of them; records in lists and rows are the same, however the bytes are cut. */
export const logRecords = target({
	name: "logRecords",
	few: 20,
	inputs: fc.record({
		robots: robotsTxt,
		log,
		kind: fc.constantFrom("lines", "raw lines", "list", "rows"),
		cuts: fc.array(fc.nat(2000), { maxLength: 5 }),
	}),
	check: async ({ robots, log, kind, cuts }) => {
		const json = kind === "raw lines" ? fields : usual;
		const format: LogFormat = {
			...jsonFormat(json, "any"),
			...(kind === "list" ? { records: { kind: "list" } } : {}),
			...(kind === "rows" ? { records: { kind: "csv", separator: "," } } : {}),
		};
		const text = bytes(log);
		const whole = await reportOf(robots, format, [text]);
		const at = [0, ...cuts.sort((a, b) => a - b), text.length];
		const chunks = at.map((from, i) => text.subarray(from, at[i + 1]));
		expectSame("in chunks", await reportOf(robots, format, chunks), whole);
		const { unparsed, judged, people, withoutAgent, blank, lines } = whole;
		const counted = unparsed + judged + people + withoutAgent + blank;
		expectSame("sum", counted, lines);
		if (format.records) return;
		const reader = new JsonLines(json);
		const { json: _, ...plain } = format;
		const transcoded = new TextDecoder("utf-8", { ignoreBOM: true })
			.decode(text)
			.split("\n")
			.map((line) => reader.transcode(line))
			.join("\n");
		// A last line without an end may become an empty one.
		const end = log === "" || log.endsWith("\n") ? "" : "\n";
		expectSame(
			"by JSON.parse",
			whole,
			await reportOf(robots, plain, [
				new TextEncoder().encode(transcoded + end),
			]),
		);
	},
});
