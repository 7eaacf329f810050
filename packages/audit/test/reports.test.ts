import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import {
	type AuditOptions,
	checkReport,
	compareReports,
	csvReport,
	LogAudit,
	openMetrics,
	reportTable,
	textComparison,
	textReport,
} from "../src/index.ts";

const rules = "User-agent: *\nDisallow: /private\n";

/** A request; "-" is no header. */
const line = (header: string, path: string) =>
	`192.0.2.1 - - [14/Oct/2025:03:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${header}"\n`;

async function reportOn(
	lines: readonly string[],
	options: Partial<AuditOptions> = {},
) {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: Buffer.from(rules) }],
		format: "combined",
		...options,
	});
	await audit.add("a.log", [Buffer.from(lines.join(""))]);
	return audit.report();
}

const closed = await reportOn([
	line("GPTBot/1.0", "/private/a"),
	line("GPTBot/1.0", "/a"),
	line("CCBot/2.0", "/a"),
]);
const open = await reportOn([line("GPTBot/1.0", "/a")]);

/** Codes of colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CODES = /\x1b\[\d+m/g;

describe("A report as text", () => {
	test("has no codes for terminals unless they are asked for", async () => {
		const text = await textReport(closed);
		expect(text).not.toMatch(CODES);
		const colored = await textReport(closed, { colors: true });
		expect(colored).toContain("\x1b[31m1\x1b[39m");
		expect(colored.replace(CODES, "")).toBe(text);
	});

	test("names options of the command line only for it", async () => {
		const [text, ofCommand] = await Promise.all([
			textReport(closed, { top: 1 }),
			textReport(closed, { top: 1, commandHints: true }),
		]);
		expect(text).toContain("… and 1 more crawler\n");
		expect(text).not.toContain("--");
		expect(ofCommand).toContain("… and 1 more crawler; --top 2 shows all");
		expect(ofCommand).toContain("--suggest robots.txt");
		expect(ofCommand).toContain("--verify");
	});

	test("escapes what could drive a terminal", async () => {
		const report = await reportOn([line("a\\x1b[2J\\u202ebot/1", "/a")], {
			groupBy: "header",
		});
		const [crawler] = report.crawlers;
		const name = "e\x1b[2Jvil\u202e";
		const crawlers = crawler ? [{ ...crawler, name }] : [];
		const text = await textReport({ ...report, crawlers });
		expect(text).toContain("e\\x1b[2Jvil\\u202e");
		expect(text).not.toContain("\x1b");
	});

	test("lines columns up by what a terminal shows", async () => {
		const names = ["百度bot/1", "🤖spider/1", "plainbot/1"];
		const text = await textReport(
			await reportOn(
				names.map((name) => line(name, "/a")),
				{ groupBy: "header" },
			),
		);
		const rows = names.map(
			(name) =>
				text
					.split("\n")
					.find((row) => row.startsWith(`${name} `) && row.endsWith("-")) ?? "",
		);
		// Each of the two characters, and the emoji, takes two columns.
		const [baidu = "", robot = "", plain = ""] = rows;
		expect(baidu.length + 2).toBe(plain.length);
		expect([...robot].length + 1).toBe(plain.length);
	});

	test("keeps its width, and characters whole, whatever logs contain", async () => {
		const header = `${"中😀".repeat(500)}bot/1`;
		const bytes = Buffer.from(
			`User-agent: *\nDisallow: /${"😀".repeat(40)}\nDisallow: /${"a".repeat(25)}${"中".repeat(60)}\n`,
		);
		const text = await textReport(
			await reportOn(
				[
					line(header, `/${"😀".repeat(40)}`),
					line(header, `/${"a".repeat(25)}${"中".repeat(60)}`),
				],
				{ groupBy: "header", robots: [{ file: "robots.txt", bytes }] },
			),
		);
		expect(text).toMatch(/Disallow: \/😀+…/u);
		expect(text).not.toMatch(/\p{Surrogate}/u);
		for (const each of text.split("\n"))
			expect(stringWidth(each)).toBeLessThanOrEqual(80);
		// One cut, in the middle.
		expect(text).toMatch(/^中\S*[^…]…[^…]\S* +2 /m);
	});

	test("takes no longer for names of a million characters", async () => {
		const name = `漢字${"漢字é".repeat(300_000)}bot/1`;
		const report = await reportOn([line("bot/1", "/a")], { groupBy: "header" });
		const crawlers = report.crawlers.map((each) => ({ ...each, name }));
		const text = await textReport({ ...report, crawlers });
		expect(text).toMatch(/^漢\S*…\S*bot\/1 /m);
		for (const each of text.split("\n"))
			expect(stringWidth(each)).toBeLessThanOrEqual(80);
	});

	test("escapes names of files, too", async () => {
		const robots = [{ file: "a\x1b[31m.txt", bytes: Buffer.from("\x89PNG\0") }];
		const text = await textReport(
			await reportOn([line("GPTBot/1.0", "/a")], { robots }),
		);
		expect(text).toContain("Nothing was judged: a\\x1b[31m.txt");
		expect(text).not.toContain("\x1b");
	});

	test("has room for large numbers", async () => {
		const [crawler] = open.crawlers;
		if (!crawler) throw new Error("no crawler");
		const crawlers = [{ ...crawler, requests: 1_234_567_890 }];
		expect(await textReport({ ...open, crawlers })).toContain("1,234,567,890 ");
	});

	test("says what changed", async () => {
		const text = await textComparison(open, closed, { top: 1 });
		expect(text).toContain("GPTBot began to disregard robots.txt");
		expect(text).toContain("… and 1 more\n");
		expect(
			await textComparison(open, closed, { top: 1, commandHints: true }),
		).toContain("… and 1 more; --top 2 shows all\n");
	});
});

test("A report as a table has a value for each column", async () => {
	const { columns, rows } = await reportTable(closed);
	const [first = {}] = [...rows];
	expect(columns.slice(0, 2)).toEqual(["name", "category"]);
	expect(Object.keys(first).sort()).toEqual([...columns].sort());
});

test("Rows of a table can be read twice", async () => {
	const report = await reportOn([line("GPTBot/1.0", "/a")], { every: "day" });
	const { rows } = await reportTable(report);
	expect([...rows]).toEqual([...rows]);
	expect(rows).toMatchObject([{ name: "GPTBot", allowed: 1 }]);
});

test("CSV has no characters that turn the direction of writing", async () => {
	const [crawler] = closed.crawlers;
	const name = "a\x1b\u202eb\nc";
	const crawlers = crawler ? [{ ...crawler, name }] : [];
	expect(await csvReport({ ...closed, crawlers })).toContain(
		'"a\\x1b\\u202eb\nc"',
	);
});

test.each(["address", "header"] as const)(
	"There are no metrics by %s, as anybody could make up time series",
	async (groupBy) => {
		const report = await reportOn([line("GPTBot/1.0", "/a")], { groupBy });
		await expect(openMetrics(report)).rejects.toMatchObject({
			code: "invalid-argument",
			message: `openMetrics takes a report by name or category, not by ${groupBy}`,
		});
	},
);

test("Reports by different things are not compared", async () => {
	const other = await reportOn([line("GPTBot/1.0", "/a")], {
		groupBy: "header",
	});
	const fault = {
		code: "invalid-argument",
		message: "cannot compare a report by name with one by header",
	};
	expect(() => compareReports(open, other)).toThrow(
		expect.objectContaining(fault),
	);
	await expect(textComparison(open, other)).rejects.toMatchObject(fault);
});

describe("What a job decides by", () => {
	test("requests that disregarded robots.txt", () => {
		expect(checkReport(closed)).toEqual({ violations: 1, problems: [] });
		expect(checkReport(open)).toEqual({ violations: 0, problems: [] });
	});

	test("a log of another format", async () => {
		const report = await reportOn(["a\n", "b\n", line("GPTBot/1.0", "/a")]);
		expect(checkReport(report).problems).toEqual(["unparsed"]);
	});

	test("a robots.txt that is none", async () => {
		const bytes = Buffer.from("<!doctype html><p>Not found</p>");
		const report = await reportOn([line("GPTBot/1.0", "/a")], {
			robots: [{ file: "robots.txt", bytes }],
		});
		expect(checkReport(report).problems).toEqual(["no-robots"]);
	});

	test("requests without a header, and to other hosts", async () => {
		const silent = await reportOn([line("-", "/a")]);
		expect(checkReport(silent).problems).toEqual(["not-judged"]);
		const person =
			"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
		const quiet = await reportOn([line("-", "/a"), line(person, "/a")]);
		expect(checkReport(quiet).problems).toEqual([]);
		const bytes = Buffer.from(rules);
		const elsewhere = await reportOn(
			[`shop.test ${line("GPTBot/1.0", "/a")}`],
			{
				format: "vcombined",
				robots: [{ file: "robots.txt", bytes, host: "other.test" }],
			},
		);
		expect(checkReport(elsewhere).problems).toEqual(["not-judged"]);
	});
});
