import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
	Matcher,
	RobotsIndex,
	RobotsTxt,
	robotsUrlFor,
	Verdict,
} from "../../src/index.ts";
import { origins } from "../data/origins.ts";
import { dialects, isRepeated, runs } from "../differential.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const robotsOf = (...rules: readonly string[]) =>
	`User-agent: *\n${rules.join("\n")}\n`;

/** Scheme, host and port, read by the platform; null for what is no URL or has no host. */
function originOf(text: string): string | null {
	try {
		const { protocol, host } = new URL(text);
		return host === "" ? null : `${protocol}//${host}`;
	} catch {
		return null;
	}
}

/** Rules of a site; `isLater` as for "later". */
interface NaiveSite {
	readonly matcher: Matcher;
	readonly isLater: boolean;
}

/** The naive way: a map from origins to matchers. */
function verdictOf(
	text: string,
	sites: ReadonlyMap<string, NaiveSite>,
): number {
	const origin = originOf(text);
	if (origin === null) return Verdict.Invalid;
	const site = sites.get(origin);
	if (!site) return Verdict.Unknown;
	if (site.matcher.isAllowed(text)) return Verdict.Allowed;
	return site.isLater ? Verdict.Later : Verdict.Disallowed;
}

/** What every way to ask an index says; they must agree. */
function answers(index: RobotsIndex, texts: readonly string[]): number[] {
	const many = index.matchMany(texts);
	const single = texts.map((text) => index.matchMany([text])[0]);
	expect([...many]).toEqual(single);
	expect(texts.map((text) => index.explain(text).verdict)).toEqual(single);
	if (!texts.some((text) => /[\r\n]/.test(text))) {
		expect(index.matchLines(encode(texts.join("\n")))).toEqual(
			texts.at(-1) === "" ? many.subarray(0, -1) : many,
		);
		const ended = texts.map((text) => `${text}\r\n`).join("");
		expect(index.matchLines(encode(ended))).toEqual(many);
		const into = new Uint8Array(texts.length);
		expect(index.matchLines(encode(ended), into)).toEqual(many);
		expect(into).toEqual(many);
	}
	return [...many];
}

describe("a robots.txt that is parsed already", () => {
	const text = "User-agent: a\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
	const urls = ["/a", "/b", "/c"].map((path) => `https://h.example${path}`);
	test.each(dialects)(
		"counts as its text does, for each agent, %s",
		(dialect) => {
			const robots = RobotsTxt.parse(text, { dialect });
			for (const agent of ["a", "b"]) {
				const [parsed, written] = [robots, text].map((source) => {
					const index = new RobotsIndex({ agent, dialect });
					index.set("https://h.example", source);
					return answers(index, urls);
				});
				expect(parsed).toEqual(written);
				expect(parsed).toContain(Verdict.Disallowed);
			}
		},
	);
	test("is of the index's dialect", () => {
		const index = new RobotsIndex({ agent: "a", dialect: "google" });
		expect(() => index.set("https://h.example", RobotsTxt.parse(text))).toThrow(
			/google dialect.*rfc9309/,
		);
	});
});

describe("origins as the URL standard reads them", () => {
	test.each(origins)("%j", (url, origin) => {
		expect(originOf(url)).toBe(origin);
		const index = new RobotsIndex({ agent: "x" });
		const verdict = origin === null ? Verdict.Invalid : Verdict.Unknown;
		expect(answers(index, [url])).toEqual([verdict]);
		if (origin === null) return;
		index.set(url, "disallow-all");
		index.set("https://another.example", "allow-all");
		expect(index.has(origin)).toBe(true);
		expect([...index.origins()].sort()).toEqual(
			[origin, "https://another.example"].sort(),
		);
		expect(answers(index, [url])).toEqual([Verdict.Disallowed]);
		expect(index.delete(url)).toBe(true);
		expect(answers(index, [url])).toEqual([Verdict.Unknown]);
	});
	test("any text of the letters of hosts and numbers", () => {
		const piece = fc.constantFrom(
			"a",
			"example",
			"x",
			"xn",
			"0",
			"0x",
			"127",
			"-",
			"--",
			"A",
			".",
			".",
			".",
			"/",
			":",
			"@",
			"\n",
			"é",
			"_",
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
				const url = `https://${pieces.join("")}`;
				const origin = originOf(url);
				const index = new RobotsIndex({ agent: "x" });
				if (origin === null) {
					expect(() => index.set(url, "disallow-all")).toThrow(/absolute URL/);
					return;
				}
				index.set(url, "disallow-all");
				expect([...index.origins()]).toEqual([origin]);
				expect(index.has(origin)).toBe(true);
			}),
			runs(300),
		);
	});
});

describe("values that set accepts", () => {
	const urls = ["/", "/a", "/b", "/robots.txt"].map(
		(path) => `https://example.com${path}`,
	);
	const { Disallowed: D, Allowed: A, Later: L } = Verdict;
	const file = robotsOf("Disallow: /a");
	const rows: readonly [string, Parameters<RobotsIndex["set"]>[1], number[]][] =
		[
			["a text", file, [A, D, A, A]],
			["bytes", encode(file), [A, D, A, A]],
			["an empty text", "", [A, A, A, A]],
			["a matcher", RobotsTxt.parse(file).for("x"), [A, D, A, A]],
			["a loaded matcher", loaded(file), [A, D, A, A]],
			["allow-all", "allow-all", [A, A, A, A]],
			["disallow-all", "disallow-all", [D, D, D, A]],
			["later", "later", [L, L, L, A]],
		];
	function loaded(text: string) {
		return Matcher.fromBytes(RobotsTxt.parse(text).for("x").toBytes());
	}
	test.each(rows)("%s", (_, given, expected) => {
		const index = new RobotsIndex({ agent: "x" });
		index.set("https://example.com", given);
		expect(answers(index, urls)).toEqual(expected);
		index.set("https://example.com", robotsOf("Disallow: /b"));
		expect(answers(index, urls)).toEqual([A, A, D, A]);
		expect(index.size).toBe(1);
	});

	// Groups for "*" do not hold for these: what stands for a file that cannot be fetched does.
	test.each(["AdsBot-Google", "Mediapartners-Google", "x"])(
		"for %s too, disallow-all, allow-all and later",
		(agent) => {
			for (const dialect of dialects) {
				const index = new RobotsIndex({ agent, dialect });
				for (const [access, verdict] of [
					["disallow-all", D],
					["allow-all", A],
					["later", L],
				] as const) {
					index.set("https://example.com", access);
					expect(index.matchMany(["https://example.com/a"])).toEqual(
						Uint8Array.of(verdict),
					);
				}
			}
		},
	);

	test("rules are the agent's", () => {
		const text = "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n";
		for (const [agent, expected] of [
			["a", [A, D, A, A]],
			[
				["c", "b"],
				[A, A, D, A],
			],
			["c", [A, A, A, A]],
		] as const) {
			const index = new RobotsIndex({ agent });
			index.set("https://example.com", text);
			expect(answers(index, urls)).toEqual(expected);
		}
	});

	test("rules are the agent's, whose list may change later", () => {
		const text = "User-agent: b\nDisallow: /b\n";
		const agent = ["c", "b"];
		const index = new RobotsIndex({ agent });
		agent[1] = "a";
		index.set("https://example.com", text);
		expect(answers(index, urls)).toEqual([A, A, D, A]);
		expect(RobotsIndex.fromBytes(index.toBytes()).agent).toEqual(["c", "b"]);
		expect(() => (index.agent as string[]).push("a")).toThrow(TypeError);
	});
});

test("rules that were compiled a moment ago, or nearly those", () => {
	const lines = [
		"/a",
		"/ab",
		"/a*b",
		"/b$",
		"/index.html",
		"",
		"/a/*",
		"*b",
		...[1200, 1500, 2600].map((length) => `/${"c".repeat(length)}`),
	].flatMap((pattern) => [`Allow: ${pattern}`, `Disallow: ${pattern}`]);
	const paths = ["/", "/a", "/ab", "/a/x", "/b", "/bb", `/${"c".repeat(1400)}`];
	const urls = paths.map((path) => `https://h.example${path}`);
	const indexes = dialects.map((dialect) => ({
		dialect,
		index: new RobotsIndex({ agent: "x", dialect }),
	}));
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...lines), { maxLength: 3 }),
			fc.array(fc.constantFrom(...lines), { maxLength: 3 }),
			(...files) => {
				for (const file of [...files, ...files])
					for (const { dialect, index } of indexes) {
						const text = robotsOf(...file);
						index.set("https://h.example", text);
						const matcher = RobotsTxt.parse(text, { dialect }).for("x");
						expect([text, dialect, ...index.matchMany(urls)]).toEqual([
							text,
							dialect,
							...matcher.matchMany(urls),
						]);
					}
			},
		),
		{
			...runs(500),
			// A pattern that has in it what stands in front of the next one in memory.
			examples: [
				[
					["Allow: /x", "Disallow: /b\0\0\0\0/a"],
					["Allow: /x\0\0\0\0/b", "Disallow: /a"],
				],
				// Many rules of small programs, which differ in the last one.
				["/a", "/b"].map((last) => [
					...Array<string>(1000).fill("Disallow: /c"),
					`Disallow: ${last}`,
				]) as [string[], string[]],
			],
		},
	);
});

test("a site that is later is allowed by no call, and keeps that in a snapshot", async () => {
	const url = "https://example.com/a";
	const index = new RobotsIndex({ agent: "x" });
	index.set("https://other.example", "disallow-all");
	index.set(url, "later");
	const read = [
		index,
		RobotsIndex.fromBytes(index.toBytes()),
		await RobotsIndex.load(index.snapshot()),
	];
	for (const one of read) {
		expect([one.isAllowed(url), one.isAllowed(url, true)]).toEqual([
			false,
			false,
		]);
		expect(one.explain(url)).toEqual({
			verdict: Verdict.Later,
			origin: "https://example.com",
		});
		// The module alone, a row of a column, and what only the platform's parser reads.
		const lines = [url, "https://other.example/a", "HTTPS://EXAMPLE.com/a"];
		const bytes = encode(lines.join(""));
		const [first = "", second = ""] = lines;
		const ends = [first.length, first.length + second.length, bytes.length];
		expect([
			...one.matchColumn(Int32Array.of(0, ...ends), bytes),
			...one.matchMany(lines),
		]).toEqual([4, 0, 4, 4, 0, 4]);
		// All sites that are later share a program, which is none of the others.
		one.set("https://third.example", "later");
		expect(one.stats()).toMatchObject({ origins: 3, programs: 2 });
	}
	index.set(url, "");
	expect(index.isAllowed(url)).toBe(true);
});

describe("against a map of matchers", () => {
	const hosts = [
		"https://example.com",
		"http://example.com",
		"https://example.com:8080",
		"https://a.example",
		"http://192.168.0.1",
		"http://192.168.0.1:8080",
		"http://[::1]",
		"https://xn--mnchen-3ya.example",
		"ftp://example.com",
		`https://${"long-label.".repeat(9)}example`,
	];
	const files = [
		robotsOf("Disallow: /a", "Allow: /ab", "Disallow: /*c$"),
		robotsOf("Disallow: /*b*c", "Disallow: /%61%2f", "Allow: /?x"),
		robotsOf("Allow: /*%", "Disallow: /*9", "Disallow: /é"),
		robotsOf("Disallow: /"),
		"",
		"later",
	];
	const pieces = {
		scheme: ["https://", "http://", "HTTPS://", "ftp://", "https:", "//", ""],
		host: [
			...hosts.map((host) => host.replace(/^\w+:\/\//, "")),
			"EXAMPLE.com",
			"example.com:443",
			"example.com:80",
			"u@example.com",
			"münchen.example",
			"0xc0a80001",
			"192.168.0.1.:8080",
			"unknown.example",
			"xn--a",
			"exam\tple.com",
			"a..b",
			"",
		],
		path: [..."/abc9?#%*$é\\ :;@", "%61", "%2f", "//", "x".repeat(100), "\0"],
	};
	const url = fc
		.tuple(
			fc.constantFrom(...pieces.scheme),
			fc.constantFrom(...pieces.host),
			fc.array(fc.constantFrom(...pieces.path), { maxLength: 12, size: "max" }),
		)
		.map(([scheme, host, path]) => `${scheme}${host}${path.join("")}`);

	test.each(dialects)("%s", (dialect) => {
		fc.assert(
			fc.property(
				fc.array(fc.nat(files.length - 1), {
					minLength: hosts.length,
					maxLength: hosts.length,
				}),
				fc.array(url, { minLength: 1, maxLength: 400, size: "max" }),
				(chosen, urls) => {
					const index = new RobotsIndex({ agent: "x", dialect });
					const sites = new Map<string, NaiveSite>();
					hosts.forEach((host, i) => {
						const text = files[chosen[i] ?? 0] ?? "";
						const isLater = text === "later";
						const rules = isLater ? robotsOf("Disallow: /") : text;
						const matcher = RobotsTxt.parse(rules, { dialect }).for("x");
						sites.set(host, { matcher, isLater });
						index.set(host, text);
					});
					expect(answers(index, urls)).toEqual(
						urls.map((text) => verdictOf(text, sites)),
					);
				},
			),
			runs(60),
		);
	});

	test("bytes that are not UTF-8, and line ends inside texts", () => {
		const index = new RobotsIndex({ agent: "x" });
		index.set("https://example.com", robotsOf("Disallow: /a"));
		const lines = Buffer.from(
			"https://example.com/a\xff\nhttps://ex\xffample.com/a\n\xff\nhttps://example.com/\xff\n",
			"latin1",
		);
		expect([...index.matchLines(lines)]).toEqual([0, 3, 3, 1]);
		const texts = [
			"https://example.com\n/a",
			"https://example.com/b\r",
			"https://example.com/a\r\n",
			"https://exa\r\nmple.com/b",
			"a\nb",
		];
		expect(answers(index, texts)).toEqual([0, 1, 0, 1, 3]);
		// Without a CR, texts are joined first.
		const withLf = ["https://example.com\n/a", "a\nb", "https://example.com/b"];
		expect(answers(index, withLf)).toEqual([0, 3, 1]);
		// Google's library takes a line end at the end for a part of the path.
		const google = new RobotsIndex({ agent: "x", dialect: "google" });
		google.set("https://example.com", robotsOf("Disallow: /a$"));
		for (const end of ["\r", "\n", "\r\n"]) {
			const text = `https://example.com/a${end}`;
			expect(answers(google, [text])).toEqual([1]);
			expect(answers(google, [text, "https://example.com/a"])).toEqual([1, 0]);
		}
		// A text of up to 16,384 characters is judged as a line first.
		const long = [16_383, 16_384, 16_385].flatMap((length) =>
			["b", "a", "\n/a", "é"].map((start) =>
				`https://example.com${start === "\n/a" ? start : `/${start}`}`.padEnd(
					length,
					"x",
				),
			),
		);
		expect(answers(index, long)).toEqual([1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]);
	});
});

describe("as a map", () => {
	const names = Array.from({ length: 40 }, (_, i) => `https://h${i % 37}.test`);
	const command = fc.record({
		name: fc.constantFrom(...names),
		rules: fc.option(fc.nat(12), { freq: 2 }),
	});
	const matchers = Array.from({ length: 13 }, (_, i) =>
		RobotsTxt.parse(robotsOf(`Disallow: /${"a".repeat(i * 9)}`)).for("x"),
	);
	const sizes = matchers.map((matcher) => {
		const index = new RobotsIndex({ agent: "x" });
		index.set("https://example.com", matcher);
		return index.stats().programBytes;
	});
	test("set, delete, size, programs, and memory given back", () => {
		fc.assert(
			fc.property(
				fc.array(command, { maxLength: 300, size: "max" }),
				(commands) => {
					const index = new RobotsIndex({ agent: "x" });
					const model = new Map<string, number>();
					for (const { name, rules } of commands) {
						if (rules === null) {
							expect(index.delete(name)).toBe(model.delete(name));
						} else {
							index.set(name, matchers[rules] as Matcher);
							model.set(name, rules);
						}
					}
					const kept = [...model.values()].map((rules) => sizes[rules] ?? 0);
					const distinct = [...new Set(model.values())].map(
						(rules) => sizes[rules] ?? 0,
					);
					const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0);
					expect(index.size).toBe(model.size);
					expect(index.stats()).toMatchObject({
						origins: model.size,
						programs: distinct.length,
						programBytes: sum(distinct),
						unsharedProgramBytes: sum(kept),
						byteLength: index.byteLength,
					});
					expect([...index.origins()].sort()).toEqual([...model.keys()].sort());
					for (const name of names) {
						expect(index.has(name)).toBe(model.has(name));
						const rules = model.get(name);
						const url = `${name}/${"a".repeat(50)}`;
						const verdict = rules === undefined ? 2 : Number(rules * 9 > 50);
						expect([...index.matchMany([url])]).toEqual([verdict]);
					}
				},
			),
			runs(40),
		);
	});

	const replacements = isRepeated ? 50_000 : 200_000;

	test(`${replacements} replacements at 10,000 sites leave memory as it was`, () => {
		const matchers = Array.from({ length: 500 }, (_, i) =>
			RobotsTxt.parse(
				robotsOf(
					...Array.from(
						{ length: 1 + (i % 60) },
						(_, n) => `Disallow: /${i}/${n}`,
					),
				),
			).for("x"),
		);
		const index = new RobotsIndex({ agent: "x" });
		const empty = index.byteLength;
		const set = (i: number) =>
			index.set(
				`https://site-${(i * 7919) % 10_000}.test`,
				matchers[(i * 31) % 500] as Matcher,
			);
		for (let i = 0; i < 10_000; i++) set(i);
		const { byteLength, programs } = index.stats();
		for (let i = 0; i < replacements; i++) set(i);
		expect(index.stats()).toMatchObject({
			origins: 10_000,
			programs,
			byteLength,
		});
		for (let i = 0; i < 10_000; i++) index.delete(`https://site-${i}.test`);
		expect(index.stats()).toMatchObject({
			origins: 0,
			programs: 0,
			programBytes: 0,
			unsharedProgramBytes: 0,
		});
		// The tables keep their size.
		expect(index.byteLength - empty).toBeLessThan(16_384 * 12 + 1024 * 4 + 200);
	});
});

describe("an index that has just grown", () => {
	// 1,024 slots are full with 768 origins; their items then move to twice as many, and the slots are given back.
	const most = 768;
	const slots = 1024 * 4;
	const urls = Array.from(
		{ length: most + 1 },
		(_, i) => `https://${i}.example/${i % 2 === 0 ? "a" : "b"}`,
	);
	const verdicts = urls.map((_, i) => i % 2);
	/** Ways to ask for all URLs, and how often until all items have moved: 64 slots a call, and one more for eight bytes. */
	const ways: Readonly<
		Record<string, readonly [(index: RobotsIndex) => unknown, number]>
	> = {
		matchLines: [(index) => index.matchLines(encode(urls.join("\n"))), 1],
		matchMany: [(index) => index.matchMany(urls), 1],
		isAllowed: [(index) => index.isAllowed("https://0.example/b"), 15],
		explain: [(index) => index.explain("https://unknown.example/"), 15],
		set: [(index) => index.set("https://0.example", "allow-all"), 0],
	};
	test.each(Object.entries(ways))(
		"moves its items in calls of %s",
		(_, [ask, most]) => {
			const index = new RobotsIndex({ agent: "x" });
			for (const url of urls)
				index.set(new URL(url).origin, robotsOf("Disallow: /a"));
			const before = index.stats().byteLength;
			for (let i = 0; i < most; i++) {
				expect(index.stats().byteLength).toBe(before);
				ask(index);
			}
			// The allocator counts some bytes of its own for each block.
			const freed = before - index.stats().byteLength;
			expect(freed >= slots).toBe(most > 0);
			expect([...index.matchMany(urls)]).toEqual(verdicts);
		},
	);
});

describe("one URL", () => {
	const index = new RobotsIndex({ agent: "x" });
	index.set("https://example.com", robotsOf("Disallow: /a"));
	test.each<readonly [string, number, string | null]>([
		["https://example.com/a", Verdict.Disallowed, "https://example.com"],
		["HTTPS://EXAMPLE.com:443/b", Verdict.Allowed, "https://example.com"],
		["https://u@example.com\\a", Verdict.Disallowed, "https://example.com"],
		["http://example.com/a", Verdict.Unknown, "http://example.com"],
		["https://example.com:81/a", Verdict.Unknown, "https://example.com:81"],
		["/a", Verdict.Invalid, null],
		["https://", Verdict.Invalid, null],
		["mailto:a@example.com", Verdict.Invalid, null],
		["example.com:80/p", Verdict.Invalid, null],
		["", Verdict.Invalid, null],
	])("%j", (url, verdict, origin) => {
		expect(answers(index, [url])).toEqual([verdict]);
		expect(index.explain(url)).toEqual({ verdict, origin });
		const ask = (ifUnknown?: boolean) => () => index.isAllowed(url, ifUnknown);
		if (verdict === Verdict.Invalid) {
			for (const one of [ask(), ask(true)])
				expect(one).toThrow(`${JSON.stringify(url)} is not an absolute URL`);
		} else if (verdict === Verdict.Unknown) {
			expect(ask()).toThrow(
				expect.objectContaining({
					code: "unknown-origin",
					message: `the origin of ${JSON.stringify(url)} is not in the index`,
				}),
			);
			expect([ask(true)(), ask(false)()]).toEqual([true, false]);
		} else {
			const allowed = verdict === Verdict.Allowed;
			for (const one of [ask(), ask(true), ask(false)])
				expect(one()).toBe(allowed);
		}
	});
});

describe("an input without lines, after lines that the URL parser had to judge", () => {
	const index = new RobotsIndex({ agent: "x" });
	index.set("https://h.example", robotsOf("Disallow: /a"));
	const unusual = encode("https://H.example/a\n".repeat(5000));
	const columnOf = (bytes: Uint8Array, rows: number) =>
		Int32Array.from({ length: rows + 1 }, (_, i) => (bytes.length / rows) * i);
	test.each<[string, () => Uint8Array]>([
		["lines", () => index.matchLines(new Uint8Array())],
		["lines, with into", () => index.matchLines(encode(""), encode("  "))],
		["a column", () => index.matchColumn(Int32Array.of(0), encode(""))],
		["texts", () => index.matchMany([])],
	])("%s: none is judged again", (_, judge) => {
		expect(new Set(index.matchLines(unusual))).toEqual(new Set([0]));
		index.matchColumn(columnOf(unusual, 5000), unusual);
		let parsed = 0;
		vi.stubGlobal(
			"URL",
			class extends URL {
				constructor(url: string, base?: string) {
					parsed++;
					super(url, base);
				}
			},
		);
		try {
			expect(judge()).toHaveLength(0);
			expect(parsed).toBe(0);
		} finally {
			vi.unstubAllGlobals();
		}
	});
});

describe("maxBytes", () => {
	const fill = (index: RobotsIndex) => {
		let count = 0;
		try {
			for (; ; count++)
				index.set(`https://h${count}.test`, robotsOf(`Disallow: /${count}`));
		} catch (error) {
			return { count, error: error as Error & { code: string } };
		}
	};
	test("an error names both numbers, and the index stays usable", () => {
		const index = new RobotsIndex({ agent: "x", maxBytes: 50_000 });
		const { count, error } = fill(index);
		expect(error.code).toBe("limit-exceeded");
		const before = index.stats();
		expect(error.message).toBe(
			`https://h${count}.test needs ${error.message.match(/needs (\d+)/)?.[1]} bytes where ${before.byteLength} are in use; the limit is 50000`,
		);
		expect(index.size).toBe(count);
		expect(index.byteLength).toBeLessThanOrEqual(50_000);
		for (let i = 0; i < count; i++)
			expect([...index.matchMany([`https://h${i}.test/${i}`])]).toEqual([0]);
		expect(fill(index).count).toBeGreaterThanOrEqual(0);
		expect(index.stats()).toEqual(before);
		for (let i = 0; i < 10; i++) index.delete(`https://h${i}.test`);
		index.set("https://new.test", "disallow-all");
		expect([...index.matchMany(["https://new.test/"])]).toEqual([0]);
	});
	test("the missing bytes that the error names are the least that suffice", () => {
		const needs = /needs (\d+) bytes where (\d+) are in use/;
		const failure = (maxBytes: number) => {
			const index = new RobotsIndex({ agent: "x", maxBytes });
			const { error } = fill(index);
			const [text, missing, used] = needs.exec(error.message) ?? [];
			expect(Number(used)).toBe(index.byteLength);
			return { text, enough: Number(missing) + Number(used) };
		};
		for (let maxBytes = 40_000; maxBytes < 80_000; maxBytes += 4_999) {
			const { text, enough } = failure(maxBytes);
			expect(enough).toBeGreaterThan(maxBytes);
			expect(failure(enough - 1).text).toBe(text);
			expect(failure(enough).text).not.toBe(text);
		}
	});
	const full = new RobotsIndex({ agent: "x" });
	for (let i = 0; i < 500; i++)
		full.set(`https://h${i}.test`, robotsOf(`Disallow: /${i}`));
	const bytes = full.toBytes();
	test.each<[what: string, make: () => unknown, message: RegExp]>([
		[
			"an index too small for anything",
			() => new RobotsIndex({ agent: "x", maxBytes: 100 }),
			/^an empty index needs \d+ bytes where \d+ are in use; the limit is 100$/,
		],
		[
			"a part of a byte",
			() => new RobotsIndex({ agent: "x", maxBytes: 100.9 }),
			/; the limit is 100$/,
		],
		[
			"more origins are expected than there is room for",
			() =>
				new RobotsIndex({
					...{ agent: "x", maxBytes: 100_000 },
					expectedOrigins: 99_999.5,
				}),
			/^a table of 100000 origins needs \d+ bytes where \d+ are in use; the limit is 100000$/,
		],
		[
			"a snapshot of more",
			() => RobotsIndex.fromBytes(bytes, { maxBytes: 20_000 }),
			/^the index needs \d+ bytes where \d+ are in use; the limit is 20000$/,
		],
	])("%s", (_, make, message) =>
		expect(make).toThrow(
			expect.objectContaining({
				code: "limit-exceeded",
				message: expect.stringMatching(message),
			}),
		),
	);
});

describe("after its dispose an index says so:", () => {
	const calls: readonly (readonly [string, (index: RobotsIndex) => unknown])[] =
		[
			["size", (index) => index.size],
			["byteLength", (index) => index.byteLength],
			["stats", (index) => index.stats()],
			["set", (index) => index.set("https://a.test", "allow-all")],
			["delete", (index) => index.delete("https://a.test")],
			["has", (index) => index.has("https://a.test")],
			["origins", (index) => [...index.origins()]],
			["isAllowed", (index) => index.isAllowed("https://a.test/", true)],
			["explain", (index) => index.explain("https://a.test/")],
			["matchLines", (index) => index.matchLines(encode("https://a.test/"))],
			["matchMany", (index) => index.matchMany(["https://a.test/"])],
			["toBytes", (index) => index.toBytes()],
		];
	test.each(calls)("%s", (_, call) => {
		const index = new RobotsIndex({ agent: "x" });
		call(index);
		index[Symbol.dispose]();
		index[Symbol.dispose]();
		expect(() => call(index)).toThrow(
			expect.objectContaining({ code: "disposed" }),
		);
	});
});

test("long lines, across the stretches and chunks that lines are judged in", () => {
	const index = new RobotsIndex({ agent: "x" });
	const site = "https://example.com";
	index.set(site, robotsOf("Disallow: /*q$", "Disallow: /b"));
	const texts = Array.from({ length: 300 }, (_, i) => {
		const tail = "x".repeat((i * i * 37) % 20_011);
		const start = i % 5 === 0 ? "https://EXAMPLE.com" : site;
		return `${start}/${i % 3 ? "a" : "b"}${tail}${i % 7 ? "" : "#"}${i % 2 ? "q" : ""}`;
	});
	const matcher = RobotsTxt.parse(
		robotsOf("Disallow: /*q$", "Disallow: /b"),
	).for("x");
	const sites = new Map([[site, { matcher, isLater: false }]]);
	expect(answers(index, texts)).toEqual(
		texts.map((text) => verdictOf(text, sites)),
	);
	expect(robotsUrlFor(texts[0] ?? "")).toBe(`${site}/robots.txt`);
});
