import { describe, expect, test } from "vitest";
import { type Dialect, RobotsIndex, RobotsTxt } from "../src/index.ts";
import { type Reading, readings } from "./data/readings.ts";
import { bytes } from "./latin1.ts";

const dialects = ["rfc9309", "google", "yandex"] as const;

/** Groups, rules and other lines as text, a line each. */
function outline(robots: RobotsTxt): string[] {
	return [
		...robots.groups.flatMap(({ agents, line, rules }) => [
			`${line} ${agents.join(", ")}`,
			...rules.map((rule) => `${rule.line}   ${rule.type} ${rule.pattern}`),
		]),
		...robots.otherLines.map(
			({ field, value, line }) => `${line} ${field}: ${value}`,
		),
	];
}

describe.each(dialects)("Reading, %s", (dialect: Dialect) => {
	const rows = readings.flatMap((row: Reading) => {
		const wanted = row[dialect] ?? row.all;
		return wanted ? [{ ...row, wanted }] : [];
	});
	test.each(rows)("$what", ({ file, wanted, maxBytes }) => {
		const robots = RobotsTxt.parse(bytes(file), {
			dialect,
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		expect(outline(robots)).toEqual(wanted);
	});
});

describe("Size limits", () => {
	const head = "User-agent: *\nDisallow: /a\n";
	const KIB_500 = 500 * 1024;
	/** A file of a given size: whole lines, then a comment. */
	const at = (size: number) => head.padEnd(size, "#\n");
	const limits: readonly [Dialect, number, readonly string[]][] = [
		["rfc9309", KIB_500, ["/a"]],
		["google", KIB_500, ["/a", "/b"]],
		["yandex", KIB_500, []],
	];
	test.each(limits)("%s beyond 500 KiB", (dialect, size, disallowed) => {
		const robots = RobotsTxt.parse(`${at(size)}\nDisallow: /b\n`, { dialect });
		expect(["/a", "/b"].filter((path) => !robots.isAllowed(path, "x"))).toEqual(
			disallowed,
		);
	});
	test.each(dialects)("%s up to 500 KiB", (dialect) => {
		const text = at(KIB_500);
		expect(text).toHaveLength(KIB_500);
		const robots = RobotsTxt.parse(text, { dialect });
		expect(robots.isAllowed("/a", "x")).toBe(false);
		expect(robots.diagnostics).toEqual([]);
	});
	const cuts: readonly [string, number, readonly string[]][] = [
		["within the second rule", head.length + 13, ["/a"]],
		["in front of its line end", head.length + 14, ["/a", "/bcd"]],
		["behind its line end", head.length + 15, ["/a", "/bcd"]],
		["within the first line", 5, []],
		["nothing", 0, []],
		["beyond the file", 1e9, ["/a", "/bcd", "/e"]],
		["a fraction", head.length + 14.5, ["/a", "/bcd"]],
		["no limit", Number.POSITIVE_INFINITY, ["/a", "/bcd", "/e"]],
	];
	test.each(cuts)("maxBytes: %s", (_, maxBytes, patterns) => {
		const robots = RobotsTxt.parse(`${head}Disallow: /bcd\nDisallow: /e`, {
			maxBytes,
		});
		const rules = robots.groups.flatMap((group) => group.rules);
		expect(rules.map(({ pattern }) => pattern)).toEqual(patterns);
	});
	test("yandex takes maxBytes for the size that allows everything", () => {
		const allowed = (maxBytes: number) =>
			RobotsTxt.parse(head, { dialect: "yandex", maxBytes }).isAllowed(
				"/a",
				"x",
			);
		expect(allowed(head.length)).toBe(false);
		expect(allowed(head.length - 1)).toBe(true);
	});
});

describe("UTF-16 with a byte order mark", () => {
	const little = Buffer.from(
		"\ufeffUser-agent: *\nDisallow: /\u00e9\nDisallow: /b",
		"utf16le",
	);
	const forms: readonly [string, Uint8Array][] = [
		["little-endian", little],
		["big-endian", Buffer.from(little).swap16()],
	];
	const url = "https://e.example/\u00e9";
	test.each(forms)("%s is decoded in every way to ask", (_, file) => {
		const before = Buffer.from(file);
		const robots = RobotsTxt.parse(file);
		const index = new RobotsIndex({ agent: "x" });
		index.set("https://e.example", file);
		expect([
			robots.isAllowed(url, "x"),
			robots.for("x").match(url)?.pattern,
			robots.explain(url, "x").rule?.line,
			index.matchMany([url])[0],
			dialects.map((name) => robots.explainByDialect(url, "x")[name]?.allowed),
		]).toEqual([false, "/\u00e9", 2, 0, [false, true, false]]);
		expect(before.equals(file)).toBe(true);
	});
	// The last rule has twelve characters, and no line end.
	const cuts: readonly [Dialect, number, readonly string[]][] = [
		["rfc9309", little.length, ["/\u00e9", "/b"]],
		["rfc9309", little.length - 1, ["/\u00e9"]],
		["rfc9309", little.length - 24, ["/\u00e9"]],
		["rfc9309", little.length - 26, []],
		["rfc9309", 1, []],
		["yandex", little.length, ["/\u00e9", "/b"]],
		["yandex", little.length - 1, []],
		["google", little.length, []],
	];
	test.each(cuts)("%s, maxBytes: %s", (dialect, maxBytes, patterns) => {
		const { groups } = RobotsTxt.parse(little, { dialect, maxBytes });
		expect(
			groups.flatMap(({ rules }) => rules).map(({ pattern }) => pattern),
		).toEqual(patterns);
	});
});

describe("Strings and bytes", () => {
	test("a string is read as its UTF-8", () => {
		const text = "User-agent: *\nDisallow: /\u00e9\u3042\ud83d\ude00\n";
		expect(outline(RobotsTxt.parse(text))).toEqual(
			outline(RobotsTxt.parse(new TextEncoder().encode(text))),
		);
	});
	test("a view of a larger buffer is read from its own start", () => {
		const bytes = new TextEncoder().encode("xxUser-agent: *\nDisallow: /ayy");
		const robots = RobotsTxt.parse(bytes.subarray(2, -2));
		expect(robots.isAllowed("/a", "x")).toBe(false);
		expect(robots.groups[0]?.rules[0]?.pattern).toBe("/a");
	});
	test("many rules", () => {
		const rules = Array.from({ length: 5000 }, (_, i) => `Disallow: /${i}`);
		const robots = RobotsTxt.parse(`User-agent: *\n${rules.join("\n")}`);
		expect(robots.groups[0]?.rules).toHaveLength(5000);
		expect(robots.groups[0]?.rules.at(-1)).toEqual({
			type: "disallow",
			pattern: "/4999",
			line: 5001,
		});
	});
});

describe("A file with 300 user-agent lines", () => {
	const file = Array.from(
		{ length: 300 },
		(_, i) => `User-agent: bot-${i}x\nDisallow: /${i}/\n`,
	).join("\n");
	test.each(dialects)(
		"gives its first crawler and later ones their rules, %s",
		(dialect) => {
			const robots = RobotsTxt.parse(file, { dialect });
			const rules = (agent: string) =>
				["/7/", "/299/"].map((path) => robots.for(agent).isAllowed(path));
			// Names have no digits in the google dialect: all are "bot-".
			const all = dialect === "google" ? "bot-" : undefined;
			expect(rules(all ?? "bot-299x")).toEqual([all === undefined, false]);
			expect(rules(all ?? "bot-7x")).toEqual([false, all === undefined]);
			expect(rules("other")).toEqual([true, true]);
		},
	);
});
