import { describe, expect, test } from "vitest";
import { compareCrawlers, compareFiles } from "../src/compare.ts";
import { dialectFor, findCrawler, RobotsTxt } from "../src/index.ts";
import { OwnDialects } from "../src/matching/own-dialects.ts";
import { ownRows } from "./data/own-dialects.ts";

describe("each crawler in its operator's dialect", () => {
	test.each(ownRows)("$name: $agent, $url", (row) => {
		const { robots, agent, url, dialect, allowed } = row;
		expect(dialectFor(agent)).toBe(dialect);
		const own = new OwnDialects(robots, "auto").of(agent);
		expect(own.dialect).toBe(dialect);
		// By bytes, by the index, compiled, and explained.
		expect(own.isAllowed(url, agent)).toBe(allowed);
		expect(own.for(agent).isAllowed(url)).toBe(allowed);
		expect(own.explain(url, agent).allowed).toBe(allowed);
		const header = `Mozilla/5.0 (compatible; ${agent}/2.1)`;
		if (findCrawler(header)?.name === agent)
			expect(own.isAllowed(url, header)).toBe(allowed);
		const known = findCrawler(agent);
		if (!known) return;
		const read = new OwnDialects(robots, "auto");
		const answer = compareCrawlers((name) => read.of(name), url).find(
			({ crawler }) => crawler.name === agent,
		);
		expect(answer).toMatchObject({ allowed, dialect });
		expect(answer?.crawler).toBe(known);
		const { changes } = compareFiles(
			() => RobotsTxt.parse(""),
			(name) => read.of(name),
			{ agents: [agent], urls: [url] },
		);
		expect(changes).toMatchObject(allowed ? [] : [{ url, agents: [agent] }]);
		for (const { dialects } of changes) expect(dialects).toEqual([dialect]);
	});

	test.each(["rfc9309", "google", "yandex"] as const)(
		"a dialect chosen by hand, %s, is the library's",
		(dialect) => {
			for (const { robots, agent, url } of ownRows)
				expect(
					new OwnDialects(robots, dialect).of(agent).explain(url, agent),
				).toEqual(RobotsTxt.parse(robots, { dialect }).explain(url, agent));
		},
	);
});

describe("knowsCrawlers", () => {
	const robots =
		"User-agent: Googlebot-News\nDisallow: /news\n\nUser-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /all\n";
	test.each([
		["google", true, ["Googlebot-News", "Googlebot"], "/news"],
		["google", undefined, ["Googlebot-News", "Googlebot"], "/news /g"],
		["google", true, ["Googlebot-Image", "Googlebot"], "/g"],
		["google", true, "Googlebot-Video", "/g"],
		["google", false, "Googlebot-Video", "/all"],
		["google", undefined, "Googlebot-Video", "/all"],
		["google", true, "AdsBot-Google", ""],
		["google", undefined, "AdsBot-Google", "/all"],
		["google", true, "Googlebot/2.1", "/g"],
		["google", undefined, "Googlebot/2.1", "/all"],
		["google", true, "NoSuchBot/1.0", "/all"],
		["rfc9309", false, "Googlebot-Video", "/all"],
		["rfc9309", false, "AdsBot-Google", "/all"],
		["rfc9309", false, ["Googlebot-Video", "Googlebot"], "/g"],
		["rfc9309", true, "Googlebot-Video", "/g"],
		["yandex", undefined, "YandexDirect", "/all"],
		["yandex", true, "YandexDirect", ""],
	] as const)("%s, %s: %j may not fetch %s", (dialect, knows, agent, paths) => {
		const read = RobotsTxt.parse(robots, {
			dialect,
			...(knows === undefined ? {} : { knowsCrawlers: knows }),
		});
		const refused = ["/news", "/g", "/all"].filter(
			(path) => !read.isAllowed(path, agent),
		);
		expect(refused.join(" ")).toBe(paths);
		// The index of many names gives the same.
		expect(read.explain("/all", agent).allowed).toBe(!paths.includes("/all"));
	});
});
