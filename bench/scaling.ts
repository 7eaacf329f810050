import { readFile } from "../test/fuzz/line-reader.ts";
import {
	pathOf as attackPath,
	robotsOf as attackRules,
	worstAttack,
} from "./attack.ts";
import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import type { Library } from "./library.ts";
import { robotsParser } from "./peer.ts";
import { naiveDiagnostics, naiveVerdicts } from "./reference.ts";
import type { Data } from "./site.ts";

/** The same work at growing sizes: does time grow in proportion? */
export interface Curve {
	readonly name: string;
	readonly why: string;
	readonly points: readonly {
		readonly label: string;
		/** Bytes of rules and path. */
		readonly bytes: number;
		/** Throws when an answer is not as the reference has it. */
		readonly check: () => void;
		readonly run: () => unknown;
		/** One call of robots-parser on the same input, where it ends in bearable time. */
		readonly peer?: () => boolean;
	}[];
}

function robotsOf(lines: readonly string[]): string {
	return `User-agent: *\n${lines.map((line) => `Disallow: ${line}\n`).join("")}`;
}

/** URLs that the largest file's matchers are checked with. */
const CHECKED_URLS = 20;

/** The largest file, once, twice, four times: with its diagnostics, and compiled. A `RobotsTxt` alone reads nothing yet. */
export function hugeCurves(
	library: Library,
	{ sites, derived }: Pick<Data, "sites" | "derived">,
): Curve[] {
	const largest = sites.reduce((a, b) =>
		a.robots.length > b.robots.length ? a : b,
	);
	const made = derived.find(({ host }) => host === largest.host);
	const some = [...(made?.urls ?? []), ...largest.urls].slice(0, CHECKED_URLS);
	const text = new TextDecoder().decode(largest.robots);
	const files = [1, 2, 4].map((times) => {
		// Copies with other patterns, so that none of them is a duplicate; URLs for the last one, too.
		const mark = (copy: number) => (copy === 0 ? "" : String(copy));
		const copies = Array.from({ length: times }, (_, i) =>
			text.replace(/(allow: *\/)/gi, `$1${mark(i)}`),
		);
		return {
			label: `x${times}`,
			host: largest.host,
			robots: new TextEncoder().encode(copies.join("\n")),
			urls: [
				...some,
				...some.map((url) =>
					url.replace(/^(\w+:\/\/[^/]*\/)/, `$1${mark(times - 1)}`),
				),
			],
		};
	});
	type File = (typeof files)[number];
	const dialect = "google";
	const read = ({ robots }: File) =>
		library.RobotsTxt.parse(robots, { dialect });
	const points = (check: (file: File) => void, run: (file: File) => unknown) =>
		files.map((file) => ({
			label: file.label,
			bytes: file.robots.length,
			check: () => check(file),
			run: () => run(file),
		}));
	return [
		{
			name: "huge file, read",
			why: `The largest robots.txt (${largest.host}) with all its diagnostics.`,
			points: points(
				(file) => {
					const { right, comparable } = naiveDiagnostics(file);
					const found = read(file)
						.diagnostics.map(({ line, code }) => `${line} ${code}`)
						.filter(comparable);
					demandSame(
						"huge file, diagnostics",
						[found.length, ...found.sort()],
						[right.length, ...right],
					);
					demandSame(
						"huge file, groups",
						[read(file).groups.flatMap(({ rules }) => rules).length],
						[rulesIn(file)],
					);
				},
				(file) => read(file).diagnostics.length,
			),
		},
		{
			name: "huge file, compile",
			why: "The same, from bytes to a matcher.",
			points: points(
				(file) => {
					const found = read(file).for(AGENT).matchMany(file.urls);
					const right = naiveVerdicts(file, { dialect });
					demandSame("huge file, compiled", found, right);
				},
				(file) => read(file).for(AGENT),
			),
		},
	];
}

/** Rules by the tests' naive reader. */
function rulesIn({ robots }: { readonly robots: Uint8Array }): number {
	const text = Buffer.from(robots).toString("latin1");
	return readFile(text, "google").groups.flatMap(({ rules }) => rules).length;
}

const KIB = 1024;

/** Rules of a thousand wildcards each. */
function stars(bytes: number): string {
	const line = `/${"*a".repeat(999)}`;
	return robotsOf(
		Array.from(
			{ length: Math.ceil(bytes / line.length) },
			(_, i) => `${line}*${i}`,
		),
	);
}

/** Sixteen times "*a" or "*aa", never the same twice, and "*b". */
function combinationsOf(count: number): string {
	return robotsOf(
		Array.from({ length: count }, (_, i) => {
			const chosen = Array.from({ length: 16 }, (_, bit) =>
				((i * 7) >> bit) & 1 ? "*aa" : "*a",
			);
			return `/${chosen.join("")}*b`;
		}),
	);
}

/** One "a" more in each rule, and a "b". */
function runsOf(count: number): string {
	return robotsOf(
		Array.from({ length: count }, (_, i) => `/*${"a".repeat(i + 1)}*b`),
	);
}

function repeated(bytes: number, unit: string): string {
	return `/${unit.repeat(Math.ceil(bytes / unit.length))}`.slice(0, bytes);
}

/** A file and a path of so many bytes, which none of its rules matches. */
export interface Hostile {
	readonly name: string;
	readonly robots: string;
	readonly path: (bytes: number) => string;
}

/** The files that other engines are asked with, too; `share` of their usual rules. */
export function hostileFiles(share = 1): Hostile[] {
	const few = (count: number) => Math.ceil(count * share);
	const letters = (bytes: number) => repeated(bytes, "a");
	return [
		{
			name: "combinations",
			robots: combinationsOf(few(9_212)),
			path: (bytes) => letters(bytes).replace("/a", "/b"),
		},
		{ name: "stars", robots: stars(few(500 * KIB)), path: letters },
		{ name: "runs", robots: runsOf(few(1000)), path: letters },
	];
}

/** Files and URLs that are made to be slow; `share` of their usual rules. */
export function hostileCurves(library: Library, share = 1): Curve[] {
	const few = (count: number) => Math.ceil(count * share);
	const numbered = (count: number) =>
		robotsOf(Array.from({ length: count }, (_, i) => `/*x${10_000 + i}`));
	// All but the last byte of one literal after another.
	const nearly = Array.from({ length: 2000 }, (_, i) => `x${1000 + i}`).join(
		"",
	);
	const url = repeated;
	const combinations = combinationsOf(few(9_212));
	const count = few(24_371);
	const occurring = robotsOf(
		Array.from({ length: count }, (_, i) => `/*x${i}*b`),
	);
	const literals = Array.from({ length: count }, (_, i) => `x${i}`).join("");
	/** No rule matches the path; one matches with `rest` behind it. */
	const point = (label: string, text: string, path: string, rest: string) => {
		const matcher = library.RobotsTxt.parse(text, { maxBytes: 1e9 }).for(AGENT);
		const peer = robotsParser("https://example.com/robots.txt", text);
		return {
			label,
			bytes: text.length + path.length,
			check: () => {
				const verdicts = [path, path + rest].map((url) =>
					Number(matcher.isAllowed(url)),
				);
				demandSame(label, verdicts, [1, 0]);
			},
			run: () => matcher.isAllowed(path),
			peer: () => peer.isAllowed(`https://example.com${path}`, AGENT) !== false,
		};
	};
	return [
		{
			name: "hostile, stars",
			why: "Rules of a thousand wildcards each, against 64 KiB of their letter.",
			points: [31, 125, 500].map((kib) =>
				point(
					`${kib} KiB of rules`,
					stars(few(kib * KIB)),
					url(64 * KIB, "a"),
					"0",
				),
			),
		},
		{
			name: "hostile, stars, long URLs",
			why: "500 KiB of such rules, against longer and longer URLs.",
			points: [4, 16, 64].map((kib) =>
				point(
					`${kib} KiB of URL`,
					stars(few(500 * KIB)),
					url(kib * KIB, "a"),
					"0",
				),
			),
		},
		{
			name: "hostile, combinations",
			why: "9,212 rules of 17 literals, whose last is at the path's front only.",
			points: [4, 16, 64].map((kib) =>
				point(
					`${kib} KiB of URL`,
					combinations,
					url(kib * KIB, "a").replace("/a", "/b"),
					"b",
				),
			),
		},
		{
			name: "hostile, literals that occur",
			why: "24,371 rules /*x<number>*b, against a URL of such literals that has its only b in front of them.",
			points: [4, 16, 64].map((kib) =>
				point(
					`${kib} KiB of URL`,
					occurring,
					`/b${literals}`.slice(0, kib * KIB),
					"b",
				),
			),
		},
		{
			name: "hostile, numbered literals",
			why: "20,000 rules /*x<number>, against a URL that nearly matches everywhere.",
			points: [1_250, 5_000, 20_000].map((count) =>
				point(
					`${count} rules`,
					numbered(few(count)),
					url(64 * KIB, nearly),
					"x10000",
				),
			),
		},
		{
			name: "hostile, literals that fail later",
			why: "20,371 rules /*x<number>*b*q*z, against 64 KiB of such literals with a b behind them and no q.",
			points: [64].map((kib) =>
				point(
					`${kib} KiB of URL`,
					robotsOf(
						Array.from({ length: few(20_371) }, (_, i) => `/*x${i}*b*q*z`),
					),
					`/${literals}`.slice(0, kib * KIB).replace(/.$/, "b"),
					"qz",
				),
			),
		},
		{
			name: "hostile, runs",
			why: "1,000 rules /*a*b, /*aa*b, /*aaa*b and so on, against a URL of their letter.",
			points: [4, 64].map((kib) =>
				point(`${kib} KiB of URL`, runsOf(few(1000)), url(kib * KIB, "a"), "b"),
			),
		},
		{
			name: "hostile, the worst found",
			why: "What `npm run bench -- worst` has found that takes longest: bench/attack.ts.",
			points: [4, 64].map((kib) =>
				point(
					`${kib} KiB of URL`,
					attackRules(worstAttack, share),
					attackPath(worstAttack, kib * KIB),
					"a%3A%",
				),
			),
		},
	];
}
