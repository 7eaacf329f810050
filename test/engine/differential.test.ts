import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import {
	answers,
	dialects,
	oracleRules,
	type RuleText,
	robotsOf,
	runs,
} from "../differential.ts";
import { bytes, latin1 } from "../latin1.ts";
import { oracle } from "../oracle.ts";

/** Lengths up to the limit, not mostly short ones. */
const full = { minLength: 1, size: "max" } as const;

const concat = (pieces: readonly string[], maxLength: number) =>
	fc
		.array(fc.constantFrom(...pieces), { maxLength, size: "max" })
		.map((chosen) => chosen.join(""));

const hostile = [..."/ab*$%2FfA4?=:", "\u00e9", "\u3042", "%2A", "%24", "%3A"];
const escapes = [
	"%",
	"%%",
	"44",
	"%30",
	"%34",
	"D",
	"0",
	"C3",
	"%C3",
	"\u00e9",
];
// Runs longer than the 16 bytes that are decoded at a time, and what may end one.
const runsOfEscapes = [
	"%D0%B0",
	"%d0%b0%D0%B0".repeat(4),
	"\u0430".repeat(3),
	"%e3%81%82".repeat(7),
	"\u3042".repeat(2),
	"abcdefghijklmnopq",
	..."a/?",
	"%61",
	"%3a",
	"%7F",
	"%",
	"%D",
	"%g0",
	"%8g",
];
const noUrlBytes = [
	..."/a*$? {|}<",
	"%20",
	"%7B",
	"%7c",
	"%2%30",
	"%7",
	"%",
	"0",
	"9",
	"\x01",
	"%01",
	"%09",
	":",
	"%3A",
];
const wild = [..."ab*", "*", "a*b", "?", ":", "%3A", "@"];
const long = "ab".repeat(127);
const longTexts = [
	long,
	`${long}a`,
	`${long}ab`,
	`${long}c`,
	"a",
	"b",
	"*",
	"c",
];
const twoForms = [
	..."ab*?:@",
	"%3A",
	"%2F/",
	"%3A".repeat(60),
	":@".repeat(90),
];
const sharedKey = [..."abcdefgh*", "QZ", "QZ", "*QZ", "QZ$", ":QZ", "%3AQZ"];
const branches = Array.from({ length: 90 }, (_, i) =>
	String.fromCharCode(48 + i),
)
	.concat([..."\u00e9\u00ea\u00eb\u3042\u3044\u4e00"])
	.filter((byte) => !"%#".includes(byte));

/** Keys of three bytes and more, some of which begin with others. */
const keys = Array.from(
	{ length: 90 },
	(_, i) => `${"abcdefghij"[i % 10]}-${i}${i % 7 ? "" : "-more"}`,
);

interface Corpus {
	readonly what: string;
	readonly pieces: readonly string[];
	readonly length: number;
	readonly rules: number;
	readonly runs: number;
	/** How every pattern and every path begins, rather than variously. */
	readonly start?: string;
}

const corpora: readonly Corpus[] = [
	{ what: "hostile bytes", pieces: hostile, length: 7, rules: 6, runs: 3000 },
	{ what: "half escapes", pieces: escapes, length: 5, rules: 4, runs: 2000 },
	{
		what: "runs of escapes",
		pieces: runsOfEscapes,
		length: 8,
		rules: 8,
		runs: 1500,
	},
	{
		what: "bytes that no URL has",
		pieces: noUrlBytes,
		length: 7,
		rules: 6,
		runs: 3000,
	},
	{ what: "wildcards", pieces: wild, length: 8, rules: 8, runs: 2000 },
	{ what: "long literals", pieces: longTexts, length: 5, rules: 5, runs: 600 },
	{ what: "two forms", pieces: twoForms, length: 6, rules: 12, runs: 1000 },
	{ what: "a shared key", pieces: sharedKey, length: 4, rules: 60, runs: 300 },
	{ what: "many branches", pieces: branches, length: 3, rules: 120, runs: 200 },
	{
		what: "hashed keys",
		pieces: keys,
		length: 2,
		rules: 300,
		runs: 100,
		start: "/shop/",
	},
	{
		what: "a crowd behind a prefix",
		pieces: [..."abc*?:", "%3A"],
		length: 6,
		rules: 200,
		runs: 150,
		start: "/ab*",
	},
];

/** White space and control characters at the end are no part of a path, but for Google's library. */
const blank = /[\0- ]+$/;
const blankEnds = { rfc9309: blank, yandex: blank, google: /^\b$/ };

const patterns = ({ pieces, length, start }: Corpus) =>
	fc
		.tuple(
			start
				? fc.constant(start)
				: fc.constantFrom("/", "/", "/*", "*", "", "/a"),
			concat(pieces, length),
			fc.constantFrom("", "", "$", "*"),
		)
		.map((parts) => parts.join(""))
		// White space around a value is no part of it.
		.filter((pattern) => pattern !== "" && pattern === pattern.trim());

describe.each(dialects)("As the oracle says, %s", (dialect) => {
	test.each(corpora)("$what", (corpus) => {
		const rule: fc.Arbitrary<RuleText> = fc.tuple(
			fc.boolean(),
			patterns(corpus),
		);
		const path = concat(corpus.pieces, corpus.length + 2);
		fc.assert(
			fc.property(
				fc.array(rule, { ...full, maxLength: corpus.rules }),
				fc.array(path, { ...full, maxLength: 24 }),
				(rules, texts) => {
					// "//" begins a host for Google's library; that is none of the matcher's.
					const first = corpus.start?.replace("*", "") ?? "/";
					const paths = texts.map((text) =>
						(first + text.replace(/^\/+/, "")).replace(blankEnds[dialect], ""),
					);
					const says = oracle(oracleRules(rules), dialect);
					expect(answers(rules, paths, dialect)).toEqual(
						paths.map((url) => says(latin1(url))),
					);
				},
			),
			// The modules do the same for Yandex as for RFC 9309.
			runs(dialect === "yandex" ? corpus.runs / 2 : corpus.runs),
		);
	});
});

// On paths this long, what is far away is looked up in tables once searches have gone over the path often enough.
const gaps = ["c".repeat(300), "dc".repeat(200), "c".repeat(700)];
const longPaths = [...gaps, ..."ab?:", "%3A", "ba", "b7654321", "xb7654321"];
const farTexts = [
	..."~abd?:",
	"*",
	"*",
	"*",
	"%3A",
	"ba",
	"b7654321",
	"yb7654321",
	// Windows of 16 and 32 bytes.
	"b7654321b7654321",
	`${"dc".repeat(20)}a`,
	"c".repeat(33),
	`${"c".repeat(60)}a`,
];
/** None of them matches: no path has an "e". Each searches whole paths, and they are tried first. */
const searches = Array.from(
	{ length: 60 },
	(_, i): RuleText => [false, `/*~*${"e".repeat(100 + i)}`],
);

test.each(dialects)("As the oracle says, %s, long paths", (dialect) => {
	const rule: fc.Arbitrary<RuleText> = fc.tuple(
		fc.boolean(),
		fc
			.tuple(fc.constant("/*"), concat(farTexts, 8), fc.constantFrom("", "$"))
			.map((parts) => parts.join("")),
	);
	const path = fc
		.tuple(
			concat([..."~abd?", "ba"], 4),
			concat(gaps, 2),
			concat(longPaths, 14),
		)
		.map(([front, gap, rest]) => `/~${front}${gaps[2]}${gap}${rest}`);
	fc.assert(
		fc.property(
			fc.array(rule, { ...full, maxLength: 12 }),
			fc.array(path, { ...full, maxLength: 8 }),
			(rules, paths) => {
				const all = [...searches, ...rules];
				const says = oracle(oracleRules(all), dialect);
				expect(answers(all, paths, dialect)).toEqual(
					paths.map((url) => says(latin1(url))),
				);
			},
		),
		runs(250),
	);
});

// Hundreds of texts of one length, each found by two windows until they have a level of their own, and short periods so that most occur.
test.each(dialects)(
	"As the oracle says, %s, many words of one length",
	(dialect) => {
		const period = fc.string({
			unit: fc.constantFrom(..."ab?"),
			minLength: 20,
			maxLength: 90,
		});
		const word = fc.record({ from: fc.nat(89), flip: fc.nat(40) });
		fc.assert(
			fc.property(
				period,
				fc.integer({ min: 9, max: 34 }),
				fc.array(fc.tuple(fc.boolean(), word, word), {
					...full,
					minLength: 220,
					maxLength: 260,
				}),
				(text, length, pairs) => {
					const path = `/${text.repeat(Math.ceil(420 / text.length))}`;
					const all = pairs.map(([allow, ...words]): RuleText => {
						const literals = words.map(({ from, flip }) => {
							const literal = [...path.slice(1 + from, 1 + from + length)];
							// Past the end for some: those occur.
							if (flip < length)
								literal[flip] = literal[flip] === "a" ? "b" : "a";
							return literal.join("");
						});
						return [allow, `/*${literals.join("*")}`];
					});
					const says = oracle(oracleRules(all), dialect);
					const paths = [path, `${path}ab`, path.slice(0, 258)];
					expect(answers(all, paths, dialect)).toEqual(
						paths.map((url) => says(latin1(url))),
					);
				},
			),
			runs(60),
		);
	},
);

/** All texts of up to `length` pieces. */
function allTexts(pieces: readonly string[], length: number): string[] {
	let layer = [""];
	const texts = [""];
	for (let n = 0; n < length; n++) {
		layer = layer.flatMap((text) => pieces.map((piece) => text + piece));
		texts.push(...layer);
	}
	return texts;
}

const exhaustive = [
	{ pieces: [..."ab*$"], length: 5, paths: [..."ab*$"], pathLength: 4 },
	{ pieces: [..."a/*?:"], length: 4, paths: [..."a/?:"], pathLength: 4 },
	{
		pieces: ["%", "2", "A", "*", "%41", "\u00e9"],
		length: 3,
		paths: ["%", "2", "A", "*", "a", "\u00e9", "%C3"],
		pathLength: 3,
	},
	{
		pieces: ["*", "%3A", ":", "?", "$"],
		length: 4,
		paths: ["%3A", ":", "?", "a"],
		pathLength: 4,
	},
] as const;

describe.each(dialects)("Exhaustive, %s", (dialect) => {
	test.each(exhaustive)(
		"all patterns of $length of $pieces with all paths of $pathLength of $paths",
		({ pieces, length, paths, pathLength }) => {
			const urls = allTexts(paths, pathLength)
				.map((text) => `/${text}`)
				.filter((url) => !url.startsWith("//"));
			const bytes = new TextEncoder().encode(urls.join("\n"));
			const compared = urls.map(latin1);
			for (const text of allTexts(pieces, length)) {
				const rules: RuleText[] = [[false, `/${text}`]];
				using matcher = RobotsTxt.parse(robotsOf(rules), { dialect }).for("x");
				const verdicts = matcher.matchLines(bytes);
				const says = oracle(oracleRules(rules), dialect);
				const wrong = compared.findIndex(
					(url, i) => verdicts[i] !== Number(says(url).allowed),
				);
				if (wrong >= 0)
					expect.fail(
						`Disallow: /${text} with ${urls[wrong]}: ${verdicts[wrong]}`,
					);
			}
		},
	);

	test("all pairs of short rules: verdict and line", () => {
		const texts = allTexts([..."a*$"], 2);
		const rules = texts.flatMap((text): RuleText[] => [
			[true, `/${text}`],
			[false, `/${text}`],
		]);
		const paths = allTexts([..."a$*"], 3).map((text) => `/${text}`);
		for (const first of rules) {
			for (const second of rules) {
				const pair = [first, second];
				const says = oracle(oracleRules(pair), dialect);
				expect(answers(pair, paths, dialect)).toEqual(
					paths.map((path) => says(latin1(path))),
				);
			}
		}
	});
});

describe.each(dialects)("Bytes that are not UTF-8, %s", (dialect) => {
	test("patterns and lines of any bytes but line ends, comments and NUL", () => {
		const byte = fc.constantFrom(
			..."/a*$%F\u00e9\u00ff\u0080\u00c3\u007f\u0001\t {3".split(""),
		);
		const text = fc.array(byte, { maxLength: 8 }).map((all) => all.join(""));
		fc.assert(
			fc.property(
				fc.array(text, { minLength: 1, maxLength: 4 }),
				fc.array(text, { minLength: 1, maxLength: 12 }),
				(patternTexts, pathTexts) => {
					const trimmed = patternTexts.map((pattern) =>
						`/${pattern}`.trimEnd(),
					);
					const paths = pathTexts.map((path) =>
						`/${path.replace(/^\/+/, "")}`.replace(blankEnds[dialect], ""),
					);
					const robots = bytes(
						`User-agent: *\n${trimmed.map((p) => `Disallow: ${p}\n`).join("")}`,
					);
					using matcher = RobotsTxt.parse(robots, { dialect }).for("x");
					const says = oracle(
						trimmed.map((pattern, i) => ({
							allow: false,
							pattern,
							line: i + 2,
						})),
						dialect,
					);
					expect([...matcher.matchLines(bytes(paths.join("\n")))]).toEqual(
						paths.map((path) => Number(says(path).allowed)),
					);
				},
			),
			runs(1000),
		);
	});
});
