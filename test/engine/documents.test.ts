import { describe, expect, test } from "vitest";
import { type Dialect, RobotsTxt } from "../../src/index.ts";
import {
	groupChoice,
	groups,
	type PathMatches,
	pathMatches,
	precedence,
	type Situation,
	withoutSlash,
} from "../data/documents.ts";
import { escaping, howTo, typos } from "../data/how-to.ts";
import { relativeSitemaps } from "../data/other-lines.ts";
import { crawlDelays, hosts, yandexDocument } from "../data/yandex.ts";

function checkSituation(row: Situation, dialect: Dialect, agent: string): void {
	const { maxBytes } = row;
	const robots = RobotsTxt.parse(row.robots, {
		dialect,
		...(maxBytes === undefined ? {} : { maxBytes }),
	});
	const wanted = [
		...(row.allowed ?? []).map((url) => [url, true]),
		...(row.disallowed ?? []).map((url) => [url, false]),
	] as [string, boolean][];
	expect(wanted.length, "URLs of the row").toBeGreaterThan(0);
	expect(
		wanted.map(([url]) => [url, robots.isAllowed(url, row.agent ?? agent)]),
	).toEqual(wanted);
}

function checkMatches(row: PathMatches, dialect: Dialect): void {
	for (const type of ["Disallow", "Allow"]) {
		const matcher = RobotsTxt.parse(
			`User-agent: *\n${type}: ${row.pattern}\nDisallow: *:never`,
			{ dialect },
		).for("anybot");
		const matching = [...row.matches, ...row.misses].filter(
			(path) => matcher.match(path)?.line === 2,
		);
		expect(matching).toEqual(row.matches);
	}
}

/** "The order of directives in robots.txt does not matter": in every stretch of rules the last one comes first. */
function withRulesReversed(robots: string): string {
	return robots.replace(
		/(?:^(?:dis)?allow:[^\n]*(?:\n|$))+/gim,
		(rules) =>
			rules
				.match(/[^\n]+/g)
				?.reverse()
				.join("\n")
				.concat("\n") ?? rules,
	);
}

const bothReadings = ["rfc9309", "google"] as const;
const dialects = [...bothReadings, "yandex"] as const;

for (const dialect of dialects) {
	describe(`Example path matches, ${dialect}`, () => {
		test.each(pathMatches)("$where", (row) => checkMatches(row, dialect));
	});
	describe(`Order of precedence for group-member lines, ${dialect}`, () => {
		test.each(precedence)("$where", (row) =>
			checkSituation(row, dialect, "anybot"),
		);
	});
	describe(`Groups, ${dialect}`, () => {
		test.each(groups)("$where", (row) =>
			checkSituation(row, dialect, "anybot"),
		);
	});
}

describe.each(bothReadings)("How to write a robots.txt, %s", (dialect) => {
	test.each(howTo)("$where", (row) => checkSituation(row, dialect, "anybot"));
	test.each(escaping.filter((row) => dialect !== "google" || row.urlEscaped))(
		"$where",
		(row) => checkSituation(row, dialect, "anybot"),
	);
});

describe("Examples that only rfc9309 follows", () => {
	test.each(typos)("$where", (row) => checkSituation(row, "rfc9309", "anybot"));
	test.each(["rfc9309", "yandex"] as const)(`${withoutSlash.where}, %s`, (d) =>
		checkMatches(withoutSlash, d),
	);
	test("without a slash the google dialect matches nothing", () =>
		checkMatches(
			{ ...withoutSlash, matches: [], misses: withoutSlash.matches },
			"google",
		));
});

describe("Order of precedence for user agents, example 1", () => {
	test.each(groupChoice.crawlers)("%s", (_, agents, line) => {
		const robots = RobotsTxt.parse(groupChoice.robots);
		const { group } = robots.explain("/", agents);
		expect(group?.line).toBe(line);
		expect([1, 2, 3].filter((n) => !robots.isAllowed(`/${n}`, agents))).toEqual(
			[{ 1: 1, 4: 2, 7: 3 }[line]],
		);
	});
});

describe("The Yandex document", () => {
	test.each(yandexDocument)("$where", (row) =>
		checkSituation(row, "yandex", "Yandex"),
	);
	test.each(yandexDocument)("$where, rules in another order", (row) =>
		checkSituation(
			{ ...row, robots: withRulesReversed(row.robots) },
			"yandex",
			"Yandex",
		),
	);
	test.each(crawlDelays)("%s", (_, robots, agent, seconds) => {
		expect(
			RobotsTxt.parse(robots, { dialect: "yandex" }).crawlDelay(agent),
		).toBe(seconds);
	});
	test.each(hosts)("Host: %s", (_, file, host) => {
		expect(RobotsTxt.parse(file, { dialect: "yandex" }).host).toBe(host);
	});
	test("Sitemap: all lines", () => {
		const robots = RobotsTxt.parse(
			"User-agent: Yandex\nAllow: /\nSitemap: http://mysite.ru/site_structure/my_sitemaps1.xml\nSitemap: http://mysite.ru/site_structure/my_sitemaps2.xml\n",
			{ dialect: "yandex" },
		);
		expect(robots.sitemaps).toEqual([
			"http://mysite.ru/site_structure/my_sitemaps1.xml",
			"http://mysite.ru/site_structure/my_sitemaps2.xml",
		]);
	});
});

describe("Sitemaps", () => {
	test.each(dialects)("belong to no group, %s", (dialect) => {
		const robots = RobotsTxt.parse(
			"Sitemap: https://example.com/sitemap.xml\nUser-agent: a\nsitemap: http://www.example.com/sitemap.xml\nUser-agent: b\nDisallow: /\n",
			{ dialect },
		);
		expect(robots.sitemaps).toEqual([
			"https://example.com/sitemap.xml",
			"http://www.example.com/sitemap.xml",
		]);
		expect(robots.isAllowed("/", "a")).toBe(false);
	});
	test.each(relativeSitemaps)("%j is none", (value) => {
		const robots = RobotsTxt.parse(
			`Sitemap: ${value}\nSitemap: HTTPS://e.com/s.xml\n`,
		);
		expect(robots.sitemaps).toEqual(["HTTPS://e.com/s.xml"]);
		expect(robots.otherLines.map((line) => line.value)).toEqual([
			value,
			"HTTPS://e.com/s.xml",
		]);
	});
});
