import { expect, test } from "vitest";
import { LogAudit } from "../src/audit.ts";

const SITES = 50_000;
const VISITED = 100;
const NAMES = 9_000;

/** Every other site disallows everything. */
const source = (site: number) => ({
	file: `${site}.txt`,
	host: `h${site}.example`,
	bytes: Buffer.from(
		`User-agent: *\nCrawl-delay: 5\nDisallow:${site % 2 === 0 ? " /" : ""}\n`,
	),
});

const line = (site: number, name: number) =>
	`h${site}.example 192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "Name${name}Bot/1.0"\n`;

test("very many sites and very many crawlers: memory is taken only for those that meet", async () => {
	const audit = new LogAudit({
		robots: Array.from({ length: SITES }, (_, site) => source(site)),
		format: "vcombined",
	});
	const lines = Array.from({ length: 2 * NAMES }, (_, index) =>
		line((index * 7) % VISITED, index % NAMES),
	);
	await audit.add("access.log", [Buffer.from(lines.join(""))]);
	const report = audit.report();
	const sum = (of: "requests" | "allowed" | "disallowed") =>
		report.crawlers.reduce((total, crawler) => total + crawler[of], 0);
	expect(sum("requests")).toBe(2 * NAMES);
	expect(sum("allowed")).toBe(NAMES);
	expect(sum("disallowed")).toBe(NAMES);
});
