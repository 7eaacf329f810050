import { expect, test } from "vitest";
import { compareCrawlers } from "../../src/compare.ts";
import { crawlers, RobotsTxt } from "../../src/index.ts";

const robots = RobotsTxt.parse(
	"User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n\nUser-agent: GPTBot\nDisallow: /",
);

test("one answer for each known crawler, as explain gives it", () => {
	const answers = compareCrawlers(robots, "/a");
	expect(answers.map(({ crawler }) => crawler)).toEqual(crawlers);
	for (const { crawler, dialect, ...answer } of answers) {
		expect(dialect).toBe("rfc9309");
		expect(answer).toEqual(robots.explain("/a", crawler.name));
	}
});

test.each([
	["Googlebot", true, null],
	["Googlebot-News", true, null],
	["GPTBot", false, 8],
	["bingbot", false, 2],
	["AdsBot-Google", true, null],
])("%s: %j, line %j", (name, allowed, line) => {
	const answer = compareCrawlers(robots, new URL("https://a.test/a")).find(
		({ crawler }) => crawler.name === name,
	);
	expect(answer).toMatchObject({ allowed });
	expect(answer?.rule?.line ?? null).toBe(line);
});
