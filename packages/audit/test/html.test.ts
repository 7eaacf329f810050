import { expect, test } from "vitest";
import { htmlReport } from "../src/html.ts";
import { LogAudit } from "../src/index.ts";
import { sampleReport } from "./sample-report.ts";

test("the file loads nothing else", async () => {
	const html = await sampleReport();
	expect(html).not.toMatch(/<[^<>]+\s(?:src|href)\s*=|url\(|@import/);
	expect(html).toContain("default-src 'none'");
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
		"<b>1 of 5,001 headers disregarded robots.txt in 4 requests</b>, of which 4 were served.",
	);
	expect(html).toContain("<h2>Requests per header</h2>");
	expect(html).toContain("<h2>All headers</h2>");
	expect(html).toContain("no requests for 26 days");
	expect(html).toContain(`title="${long}">Mozilla/5.0…example/bot)</span>`);
	expect(html).toContain(
		"1 allowed request is no contradiction to Disallow: /.",
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
