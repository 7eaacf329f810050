import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { LogAudit } from "../src/index.ts";
import { htmlReport } from "../src/show/html.ts";
import { sampleReport } from "./sample-report.ts";

test("the file loads nothing else", async () => {
	const html = await sampleReport();
	expect(html).not.toMatch(/<[^<>]+\s(?:src|href)\s*=|url\(|@import/);
	expect(html).toContain("default-src 'none'");
	// The policy allows the one style sheet and the one script that the page has.
	for (const [name, tag] of [
		["style-src", "style"],
		["script-src", "script"],
	]) {
		const texts = [
			...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs")),
		].map(([, text = ""]) => text);
		const hash = createHash("sha256")
			.update(texts.at(-1) ?? "")
			.digest("base64");
		expect(html).toContain(`${name} 'sha256-${hash}';`);
	}
	expect(html).not.toContain("unsafe-inline");
	// What shows it may have a policy against these.
	expect(html).not.toMatch(/<[^<>]+\sstyle\s*=/);
});

/** Requests of the sample's first lines, with gaps of days, and of very many names. */
test("gaps are folded, names are cut in the middle, and 6,000 names make a small page", async () => {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: Buffer.from("User-agent: *\nDisallow: /\nAllow: /open\n"),
			},
		],
		format: "combined",
		groupBy: "header",
	});
	const line = (day: string, path: string, header: string) =>
		`192.0.2.1 - - [${day}/Oct/2025:01:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${header}"\n`;
	const long =
		"Mozilla/5.0 (compatible; AVeryLongNameOfACrawler/1.0; +http://x.example/bot)";
	await audit.add("a.log", [
		Buffer.from(line("01", "/a", long).repeat(3)),
		Buffer.from(line("01", "/robots.txt", long)),
		Buffer.from(line("02", "/open", long)),
		Buffer.from(line("28", "/a", long)),
		...Array.from({ length: 6000 }, (_, at) =>
			Buffer.from(line("28", "/open", `New${at}Bot/1.0`)),
		),
	]);
	const html = htmlReport(audit.report());
	expect(html).toContain(
		"<b>1 of 5,001 headers disregarded robots.txt</b> since 1 October 2025, in 4 requests, of which 4 were served.",
	);
	expect(html).toContain("Requests per header</h2>");
	expect(html).toContain("<h2>All headers</h2>");
	expect(html).toContain("no requests for 26 days");
	expect(html).toContain(`title="${long}">Mozilla/5.0…example/bot)</span>`);
	expect(html).toContain(
		"1 request was allowed in spite of &ldquo;Disallow: /&rdquo;",
	);
	expect(html.match(/<tr>/g)?.length).toBe(501);
	expect(html).toContain("4,501 more, with");
	expect(html.length).toBeLessThan(1_000_000);
});

test("an empty report is a valid page", async () => {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: new Uint8Array(0) }],
	});
	await audit.add("empty.log", []);
	expect(htmlReport(audit.report())).toContain("No request of a crawler");
});

test.each([
	[5, "a minute"],
	[40, "a minute"],
	[90, "2 minutes"],
	[23 * 60, "30 minutes"],
	[3 * 24 * 60, "2 hours"],
	[30 * 24 * 60, "a day"],
	[5 * 364 * 24 * 60, "8 weeks"],
])("cells fit a log of %d minutes: each is %s", async (minutes, cell) => {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: new Uint8Array(0) }],
		format: "combined",
	});
	const line = (time: number) => {
		const [date = "", clock = ""] = new Date(time).toISOString().split("T");
		const [year, month, day] = date.split("-");
		const name = new Date(time).toUTCString().split(" ")[2];
		return `192.0.2.1 - - [${day}/${name}/${year}:${clock.slice(0, 8)} +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.${month}"\n`;
	};
	const start = Date.UTC(2025, 0, 1);
	await audit.add("a.log", [
		Buffer.from(line(start) + line(start + minutes * 60_000)),
	]);
	expect(htmlReport(audit.report())).toContain(`A cell is ${cell};`);
});

/** The report of a log with one request, where nothing is allowed. */
async function reportOfOne(agent: string): Promise<string> {
	const bytes = Buffer.from("User-agent: *\nDisallow: /\n");
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes }],
		format: "combined",
	});
	await audit.add("a.log", [
		Buffer.from(
			`192.0.2.1 - - [14/Oct/2025:01:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "${agent}"\n`,
		),
	]);
	return htmlReport(audit.report());
}

test("exempt crawlers have a colour of their own, and are explained", async () => {
	const html = await reportOfOne("ChatGPT-User/1.0");
	expect(html).toContain("<b>No crawler disregarded robots.txt</b>; 1 came.");
	expect(html).toContain(
		"1 disallowed request of ChatGPT-User is exempt and not counted as disregarding robots.txt",
	);
	expect(html).toContain(
		'aria-label="0 disallowed, 1 exempt, 0 allowed, 0 other"',
	);
	expect(html).toMatch(
		/<path class="disallowed" d=""\/><path class="exempt" d="M/,
	);
	expect(html).toContain('class="unbound">1 disallowed, exempt<');
	expect(html).not.toContain('class="bad"');
	expect(html).not.toContain("What to do");
});

test.each([
	["ChatGPT-User/1.0", true],
	["GPTBot/1.0", false],
])(
	"a report about %s alone speaks of exempt crawlers: %s",
	async (agent, is) => {
		const [, page = ""] = (await reportOfOne(agent)).split("</style>");
		// The charts have an empty path for each kind of request.
		const said = page.replaceAll('<path class="exempt" d=""/>', "");
		expect(/exempt/i.test(said)).toBe(is);
		const [head = "", row = ""] = page.match(/<tr>.*?<\/tr>/gs) ?? [];
		expect(row.split("<td").length).toBe(head.split("<th").length);
	},
);
