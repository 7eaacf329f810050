import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LogAudit } from "../../src/index.ts";
import { referenceAudit } from "../reference.ts";

const root = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root));

/** 10,000 real lines, if they are there. */
const corpus = new URL("../shared/corpus/access-combined.log.gz", root);

const robotsOfCorpus = `User-agent: *
Disallow: /files/
Disallow: /*?flav=
Disallow: /presentations/
Allow: /presentations/*.html$
Disallow: /blog/tags/

User-agent: Googlebot
Disallow: /blog/geekery/
Disallow: /?flav=
Crawl-delay: 10

User-agent: bingbot
User-agent: msnbot
Disallow: /
Allow: /$
`;

const cases = [
	{
		name: "the sample",
		log: () => read("sample/access.log").toString(),
		robots: read("sample/robots.txt").toString(),
		absent: false,
	},
	{
		name: "10,000 real lines",
		log: () => gunzipSync(readFileSync(corpus)).toString(),
		robots: robotsOfCorpus,
		absent: !existsSync(corpus),
	},
];

describe.each(cases)("Counts of $name", ({ log, robots, absent }) => {
	test.skipIf(absent)(
		"are those of a slow audit, header by header",
		async () => {
			const text = log();
			const expected = referenceAudit(text, robots);
			const audit = new LogAudit({
				robots: [{ file: "robots.txt", bytes: Buffer.from(robots) }],
				groupBy: "header",
			});
			await audit.add("access.log", [Buffer.from(text)]);
			const report = audit.report();
			expect(report).toMatchObject({
				lines: expected.lines,
				unparsed: expected.unparsed,
				people: expected.people,
				withoutAgent: expected.withoutAgent,
				judged:
					expected.lines -
					expected.unparsed -
					expected.people -
					expected.withoutAgent,
				blank: 0,
				outside: 0,
				leftOut: 0,
				withoutRobots: 0,
			});
			expect(report.crawlers).toHaveLength(expected.byHeader.size);
			for (const [header, counted] of expected.byHeader) {
				const found = report.crawlers.find(({ name }) => name === header);
				const rules = Object.fromEntries(
					(found?.rules ?? []).map(({ line, count }) => [line, count]),
				);
				expect({ header, ...found, rules }).toMatchObject({
					header,
					...counted,
				});
			}
			expect(report.crawlers.some(({ disallowed }) => disallowed > 0)).toBe(
				true,
			);
		},
	);
});
