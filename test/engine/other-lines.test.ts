import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotrieError, RobotsTxt } from "../../src/index.ts";
import { casesOf } from "../cases.ts";
import {
	delayRows,
	longValues,
	preferenceRows,
	requestRates,
	useRows,
	visitTimes,
} from "../data/other-lines.ts";
import { dialects } from "../differential.ts";

const inGroup = (...lines: readonly string[]) =>
	RobotsTxt.parse(
		`User-agent: a\n${lines.join("\n")}\nDisallow: /\n\nUser-agent: *\nDisallow: /\n`,
	);

describe.each(dialects)("Crawl-delay, %s", (dialect) => {
	test.each(delayRows)("%s", (_, file, delays) => {
		const robots = RobotsTxt.parse(file, { dialect });
		const found = Object.keys(delays).map((agent) => [
			agent,
			robots.crawlDelay(agent),
		]);
		expect(Object.fromEntries(found)).toEqual(delays);
	});
});

/** Settings whose values say whose they are. */
const setting = fc
	.tuple(
		fc.constantFrom(
			(n: number) => `Crawl-delay: ${n}`,
			(n: number) => `Request-rate: 1/${n}`,
			(n: number) => `Visit-time: 0000-00${n}`,
			(n: number) => `Content-Usage: use-${n}=n`,
			(n: number) => `Content-Usage: /a use-${n}=y`,
			(n: number) => `Content-Signal: ${n % 2 ? "search" : "ai-train"}=no`,
			(n: number) => `Content-Signal: /a ai-input=${n % 2 ? "yes" : "no"}`,
			() => "Crawl-delay: soon",
		),
		fc.integer({ min: 10, max: 59 }),
	)
	.map(([line, value]) => line(value));

/** User-agent lines, settings below them, and perhaps a rule in front, between or behind. */
const sectionFor = (agents: readonly string[]) =>
	fc
		.tuple(
			fc.array(fc.constantFrom(...agents), { minLength: 1, maxLength: 3 }),
			fc.array(
				fc.oneof(setting, fc.constantFrom("Sitemap: https://e.com/", "Foo: 1")),
				{ maxLength: 3 },
			),
			setting,
		)
		.map(([names, settings, last]) => [
			...names.map((name) => `User-agent: ${name}`),
			...settings,
			last,
		]);

test("settings of another crawler, in front or behind, change nothing", () => {
	const own = fc.tuple(
		fc.array(sectionFor(["Bingbot", "a/1.0", "*"]), { maxLength: 3 }),
		fc.boolean(),
	);
	fc.assert(
		fc.property(
			own,
			sectionFor(["other", "otherbot/2"]),
			fc.constantFrom(...dialects),
			([sections, ruled], foreign, dialect) => {
				const lines = [...sections.flat(), ...(ruled ? ["Disallow: /p"] : [])];
				const said = (before: readonly string[], behind: readonly string[]) => {
					const file = [...before, ...lines, ...behind, ""].join("\n");
					const robots = RobotsTxt.parse(file, { dialect });
					const answers = ["bingbot", "a", "x"].map((agent) => [
						robots.crawlDelay(agent),
						robots.requestRates(agent),
						robots.visitTime(agent),
						...["/", "/a"].map((url) => robots.preferences(url, agent)),
					]);
					// Only the line numbers move.
					return JSON.stringify(answers, (key, value) =>
						key === "line" ? undefined : value,
					);
				};
				const alone = said([], []);
				expect(said(foreign, [])).toBe(alone);
				expect(said([], foreign)).toBe(alone);
			},
		),
		{ numRuns: casesOf(500) },
	);
});

describe("Request-rate", () => {
	test.each(requestRates)("%j", (value, rate) => {
		const robots = inGroup(`Request-rate: ${value}`);
		expect(robots.requestRates("a")).toEqual(
			rate === undefined ? [] : [{ ...rate, line: 2 }],
		);
		expect(robots.requestRates("b")).toEqual([]);
	});
	test("all lines of the group", () => {
		const robots = inGroup(
			"Request-rate: 1/5 0000-0600",
			"Request-rate: soon",
			"request-rate: 1/60",
		);
		expect(robots.requestRates("a").map(({ line }) => line)).toEqual([2, 4]);
	});
});

describe("Visit-time", () => {
	test.each(visitTimes)("%j", (value, window) => {
		const robots = inGroup(`Visit-time: ${value}`);
		expect(robots.visitTime("a")).toEqual(window);
		expect(robots.visitTime("b")).toBe(undefined);
	});
	test("the first valid one", () => {
		const robots = inGroup(
			"Visit-time: never",
			"Visit-time: 0100-0200",
			"Visit-time: 0300-0400",
		);
		expect(robots.visitTime("a")).toEqual({ start: 60, end: 120 });
	});
});

test.each(
	longValues.map((value) => [
		`${value.slice(0, 3)}… of ${value.length}`,
		value,
	]),
)("long values are refused at once: %s", (_, value) => {
	const fields = [
		"Clean-param",
		"Content-Signal",
		"Content-Usage",
		"Crawl-delay",
		"Host",
		"Request-rate",
		"Visit-time",
	];
	for (const field of fields) {
		const robots = RobotsTxt.parse(`User-agent: *\n${field}: ${value}\n`, {
			maxBytes: 1e7,
		});
		expect(robots.diagnostics.length, field).toBeLessThan(2);
		// Not to wait would be no answer to a number of any length.
		const isDelay = field === "Crawl-delay" && /^\d+$/.test(value);
		expect(robots.crawlDelay("x")).toBe(
			isDelay ? Number.MAX_SAFE_INTEGER : undefined,
		);
		expect(robots.requestRates("x")).toEqual([]);
		expect(robots.visitTime("x")).toBe(undefined);
		expect(robots.host).toBe(undefined);
		expect(robots.cleanParams).toEqual([]);
		expect(robots.preferences("/", "x")).toEqual({
			allowed: true,
			contentSignal: {},
			contentUse: null,
			contentUsage: {},
		});
	}
});

describe("Preferences", () => {
	test.each(preferenceRows)("$field, $where", (row) => {
		const { file, agent = "anybot", field, uses } = row;
		const robots = RobotsTxt.parse(file);
		const found = uses.map(([url]) => [
			url,
			Object.fromEntries(
				Object.entries(robots.preferences(url, agent)[field]).map(
					([use, { allowed }]) => [use, allowed],
				),
			),
		]);
		expect(found).toEqual(uses);
	});
	test("name the line", () => {
		const robots = RobotsTxt.parse(
			"User-agent: *\nContent-Usage: search=y\nContent-Usage: /a train-ai=y\nContent-Usage: /a train-ai=n\nContent-Signal: search=no\nDisallow: /b\n",
		);
		expect(robots.preferences("/a", "x")).toEqual({
			allowed: true,
			contentSignal: { search: { allowed: false, line: 5 } },
			contentUse: null,
			contentUsage: { "train-ai": { allowed: false, line: 4 } },
		});
		expect(robots.preferences("/b", "x")).toEqual({
			allowed: false,
			contentSignal: {},
			contentUse: null,
			contentUsage: {},
		});
	});
	test.each(useRows)("use, %s", (_, file, levels) => {
		const robots = RobotsTxt.parse(file);
		const found = Object.keys(levels).map((url) => [
			url,
			robots.preferences(url, "anybot").contentUse?.level,
		]);
		expect(Object.fromEntries(found)).toEqual(levels);
	});
	test("use names the line", () => {
		const robots = RobotsTxt.parse(
			"User-agent: *\nContent-Signal: use=full\nContent-Signal: use=reference\n",
		);
		expect(robots.preferences("/", "x").contentUse).toEqual({
			level: "reference",
			line: 3,
		});
	});
	test("of a text that is not a URL", () => {
		expect(() => inGroup().preferences("a", "x")).toThrow(RobotrieError);
	});
});
