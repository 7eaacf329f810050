import { describe, expect, test } from "vitest";
import { RobotrieError, RobotsTxt } from "../../src/index.ts";
import {
	longValues,
	preferenceRows,
	requestRates,
	visitTimes,
} from "../data/other-lines.ts";

const inGroup = (...lines: readonly string[]) =>
	RobotsTxt.parse(
		`User-agent: a\n${lines.join("\n")}\nDisallow: /\n\nUser-agent: *\nDisallow: /\n`,
	);

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
		expect(robots.crawlDelay("x")).toBe(undefined);
		expect(robots.requestRates("x")).toEqual([]);
		expect(robots.visitTime("x")).toBe(undefined);
		expect(robots.host).toBe(undefined);
		expect(robots.cleanParams).toEqual([]);
		expect(robots.preferences("/", "x")).toEqual({
			allowed: true,
			contentSignal: {},
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
			contentUsage: { "train-ai": { allowed: false, line: 4 } },
		});
		expect(robots.preferences("/b", "x")).toEqual({
			allowed: false,
			contentSignal: {},
			contentUsage: {},
		});
	});
	test("of no URL", () => {
		expect(() => inGroup().preferences("a", "x")).toThrow(RobotrieError);
	});
});
