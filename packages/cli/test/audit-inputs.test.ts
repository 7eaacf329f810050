import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { file, folder, robotrie } from "./run.ts";

const rules = file(
	"inputs-robots.txt",
	"User-agent: *\nDisallow: /b\nCrawl-delay: 2\n",
);
const line = (clock: string, path = "/b", agent = "GPTBot/1.0") =>
	`192.0.2.1 - - [14/Oct/2025:${clock} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`;

async function audit(...args: readonly string[]) {
	const { stdout, stderr, code } = await robotrie(["audit", ...args]);
	return { text: stdout.toString(), stderr, code };
}
const reportOf = (text: string) => JSON.parse(text) as AuditReport;

describe("Lines that cannot be parsed:", () => {
	test.each([
		["half of them", 5, 5, 0],
		["more than half", 5, 6, 2],
		["more than half, blank ones apart", 5, 6, 2, "\n".repeat(20)],
		["all of them, and none", 0, 0, 0, "\n"],
	])("%s", async (_, good, bad, code, more = "") => {
		const log = file(
			`unparsed-${good}-${bad}-${more.length}.log`,
			line("01:00:00").repeat(good) + "junk\n".repeat(bad) + more,
		);
		const out = join(folder, "unparsed.json");
		const made = await audit(
			"-r",
			rules,
			"-f",
			"combined",
			"-o",
			"json",
			"--out",
			out,
			log,
		);
		expect(made.code).toBe(code);
		expect(made.stderr.includes("more than half of the lines")).toBe(code > 0);
		expect(reportOf(readFileSync(out, "utf8"))).toMatchObject({
			unparsed: bad,
			judged: good,
		});
	});
});

describe("The format is that of each line, not only of the first ones:", () => {
	test("700 lines of common, and then 5,000 of combined", async () => {
		const common = line("01:00:00").replace(/ "-" .*\n/, "\n");
		const log = file(
			"late.log",
			common.repeat(700) + line("01:00:00").repeat(5000),
		);
		const { text, code } = await audit("-r", rules, "-o", "json", log);
		expect(code).toBe(0);
		expect(reportOf(text)).toMatchObject({
			judged: 5000,
			unparsed: 0,
			formats: [
				{ name: "combined", lines: 5000 },
				{ name: "common", lines: 700 },
			],
		});
	});
});

describe("Requests without a User-Agent header are told, in the format", () => {
	const path = "/private/a?b=c";
	test.each([
		[
			"squid",
			`1760445045.123     57 192.0.2.1 TCP_MISS/200 5 GET http://a.example${path} - HIER_DIRECT/10.0.0.1 text/html\n`,
		],
		[
			"traefik",
			`{"ClientHost":"192.0.2.1","DownstreamStatus":200,"RequestHost":"a.example","RequestPath":"${path}","StartUTC":"2025-10-14T12:30:45Z"}\n`,
		],
		["w3c", `#Fields: date time cs-uri-stem\n2025-10-14 12:30:45 ${path}\n`],
		["common", line("01:00:00").replace(/ "-" .*\n/, "\n")],
	])("%s, also beside other logs", async (name, text) => {
		const log = file(`silent-${name}.log`, text);
		const other = file("with-header.log", line("01:00:00"));
		const { stderr } = await audit("-r", rules, log, other);
		expect(stderr).toBe(
			`robotrie: warning: no line of ${log} (${name}) has a User-Agent header, so none of its requests is judged; --default-agent names the crawler to count them for\n`,
		);
	});
});

describe("The same content under two names is told:", () => {
	const text = line("01:00:00") + line("01:00:05");
	const one = file("same-1.log", text);
	test.each([
		["a copy", file("same-2.log", text), true],
		["compressed", file("same-3.log.gz", gzipSync(text)), true],
		["a longer one", file("same-4.log", text + line("01:00:06")), false],
	])("a log and %s", async (_, other, isSame) => {
		const { stderr } = await audit("-r", rules, one, other);
		const said = `${other} has the same content as ${one}, so that its requests count twice`;
		expect(stderr).toBe(isSame ? `robotrie: warning: ${said}\n` : "");
	});

	test("a state and its copy", async () => {
		const state = join(folder, "same.state");
		await audit("-r", rules, "--state", state, one);
		const copy = file("same-copy.state", readFileSync(state));
		const { stderr } = await audit("merge", state, copy);
		expect(stderr).toContain(
			`${copy} has the same content as ${state}, so that its requests count twice`,
		);
	});
});

test("states merge in the order of their first times, however they are named", async () => {
	const logs = [
		line("01:00:00", "/robots.txt") + line("01:00:01"),
		line("02:00:00") + line("02:00:01", "/"),
		line("03:00:00", "/b/2"),
	].map((text, at) => file(`ordered-${at}.log`, text));
	const states = await Promise.all(
		logs.map(async (log, at) => {
			const state = join(folder, `ordered-${at}.state`);
			await audit("-r", rules, "--state", state, log);
			return state;
		}),
	);
	const whole = await audit("-r", rules, "-o", "json", ...logs);
	for (const order of [
		[0, 1, 2],
		[2, 0, 1],
		[2, 1, 0],
	]) {
		const named = order.map((at) => states[at] ?? "");
		expect(await audit("merge", "-o", "json", ...named)).toEqual(whole);
	}
	const [first = "", ...others] = states.toReversed();
	const { stdout } = await robotrie(
		["audit", "merge", "-o", "json", "-", ...others],
		{ stdin: readFileSync(first) },
	);
	expect(stdout.toString()).toBe(whole.text);
});

describe("Requests that robots.txt does not bind", () => {
	const exempt = line("01:00:00", "/b", "ChatGPT-User/1.0").repeat(3);
	const both = file("both.log", exempt + line("01:00:00"));
	const alone = file("exempt.log", exempt);
	test("are no offence for --check", async () => {
		expect((await audit("-r", rules, "--check", alone)).code).toBe(0);
		expect((await audit("-r", rules, "--check", both)).code).toBe(1);
	});
	test("are counted apart in every report", async () => {
		const { text } = await audit("-r", rules, both);
		expect(text.replaceAll("\n", " ")).toContain(
			"1 of them disallowed, and 3 more to crawlers that robots.txt does not bind (exempt)",
		);
		const { text: html } = await audit("-r", rules, "-o", "html", both);
		expect(html).toContain(
			"<b>1 of 1 AI crawler disregarded robots.txt</b> since 14 October 2025 (GPTBot), in 1 request,",
		);
		expect(html).toContain("<b>1</b>disallowed request, 25% of the 4");
		expect(html).toContain(
			"3 disallowed requests of ChatGPT-User are exempt and not counted as disregarding robots.txt",
		);
		const { text: json } = await audit("-r", rules, "-o", "json", both);
		expect(
			reportOf(json).crawlers.map(({ name, disallowed, exemptDisallowed }) => [
				name,
				disallowed,
				exemptDisallowed,
			]),
		).toEqual([
			["ChatGPT-User", 3, 3],
			["GPTBot", 1, 0],
		]);
	});
});

test("--trusted-proxy says which logs have no addresses for it", async () => {
	const args = ["-r", rules, "--trusted-proxy", "10.0.0.0/8"];
	const plain = file("plain.log", line("01:00:00"));
	expect((await audit(...args, plain)).stderr).toBe(
		`robotrie: warning: lines of ${plain} (combined) have no X-Forwarded-For, so --trusted-proxy changes nothing there\n`,
	);
	for (const text of [
		line("01:00:00").replace(/\n/, ' "192.0.2.1"\n'),
		`192.0.2.7, ${line("01:00:00")}`,
		"#Fields: cs-uri-stem cs(User-Agent) X-Forwarded-For\n/b GPTBot/1 192.0.2.1\n",
	])
		expect((await audit(...args, file("told.log", text))).stderr).toBe("");
});

test("cells of CSV have no control characters", async () => {
	const log = file(
		"escape.log",
		line("01:00:00", "/b\x1b[2J", "Evil\x1b]0;x\x07Bot/1.0"),
	);
	const each = join(folder, "escape.csv");
	const { text } = await audit(
		"-r",
		rules,
		"-g",
		"header",
		"-o",
		"csv",
		"--each",
		each,
		log,
	);
	for (const csv of [text, readFileSync(each, "utf8")]) {
		expect(csv).toContain("\\x1b[2J");
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
		expect(csv).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
	}
	expect(text).toContain("Evil\\x1b]0;x\\x07Bot/1.0");
});

describe("Times of Parquet:", () => {
	const day = new Date("2025-10-14T00:00:00Z");
	const micros = (12 * 3600 + 30 * 60 + 45) * 1_000_000;
	const strings = (name: string, text: string) => ({
		name,
		data: [text, text],
	});
	const dates = { name: "date", data: [day, day] };
	const times = { name: "time", data: [BigInt(micros), BigInt(micros)] };
	const clock = strings("time", "12:30:45");
	test.each([
		["DATE and text", [dates, clock], undefined],
		["text and TIME", [strings("date", "2025-10-14"), times], "TIME_MICROS"],
		["DATE and TIME", [dates, times], "TIME_MICROS"],
		["text", [strings("date", "2025-10-14"), clock], undefined],
	] as const)("%s", async (what, columns, timeType) => {
		const columnData = [
			...columns,
			strings("cs-uri-stem", "/b"),
			strings("sc-status", "200"),
			strings("cs(User-Agent)", "GPTBot/1"),
		];
		const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
		const types = {
			...(columns[0] === dates && {
				date: { type: "INT32", converted_type: "DATE" } as const,
			}),
			...(timeType && {
				time: { type: "INT64", converted_type: timeType } as const,
			}),
		};
		const buffer = parquetWriteBuffer({
			columnData: columnData.map(({ name, data }) => ({
				name,
				data: [...data],
			})),
			schema: [
				{ name: "root", num_children: columnData.length },
				...columnData.map(({ name }) => ({
					name,
					repetition_type: "REQUIRED" as const,
					...(types[name as keyof typeof types] ?? text),
				})),
			],
		});
		const log = file(`${what}.parquet`, new Uint8Array(buffer));
		const made = await audit("-r", rules, "-o", "json", log);
		expect(made.stderr).toBe("");
		expect(reportOf(made.text)).toMatchObject({
			unparsed: 0,
			crawlers: [{ requests: 2, firstSeen: "2025-10-14T12:30:45.000Z" }],
		});
	});
});
