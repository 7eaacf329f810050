import { RobotsTxt } from "../src/index.ts";
import { AGENT } from "./cases.ts";
import { robotsParser } from "./peer.ts";
import type { Site } from "./site.ts";

/** The same work at growing sizes: does time grow in proportion? */
export interface Curve {
	readonly name: string;
	readonly why: string;
	readonly points: readonly {
		readonly label: string;
		/** Bytes of rules and path. */
		readonly bytes: number;
		/** Throws when a verdict is not as expected. */
		readonly check?: () => void;
		readonly run: () => unknown;
		/** One call of robots-parser on the same input, where it ends in bearable time. */
		readonly peer?: () => unknown;
	}[];
}

function robotsOf(lines: readonly string[]): string {
	return `User-agent: *\n${lines.map((line) => `Disallow: ${line}\n`).join("")}`;
}

/** The largest file, once, twice, four times: with its diagnostics, and compiled. A `RobotsTxt` alone reads nothing yet. */
export function hugeCurves(sites: readonly Site[]): Curve[] {
	const largest = sites.reduce((a, b) =>
		a.robots.length > b.robots.length ? a : b,
	);
	const text = new TextDecoder().decode(largest.robots);
	const file = (times: number) => {
		// Copies with other patterns, so that none of them is a duplicate.
		const copies = Array.from({ length: times }, (_, i) =>
			i === 0 ? text : text.replace(/(allow: *\/)/gi, `$1${i}`),
		);
		return new TextEncoder().encode(copies.join("\n"));
	};
	const options = { dialect: "google" } as const;
	const points = (run: (bytes: Uint8Array) => unknown) =>
		[1, 2, 4].map((times) => {
			const bytes = file(times);
			return { label: `x${times}`, bytes: bytes.length, run: () => run(bytes) };
		});
	return [
		{
			name: "huge file, read",
			why: `The largest robots.txt (${largest.host}) with all its diagnostics.`,
			points: points(
				(bytes) => RobotsTxt.parse(bytes, options).diagnostics.length,
			),
		},
		{
			name: "huge file, compile",
			why: "The same, from bytes to a matcher.",
			points: points((bytes) => {
				const matcher = RobotsTxt.parse(bytes, options).for(AGENT);
				if (matcher.byteLength < bytes.length / 4)
					throw new Error(`${matcher.byteLength} bytes of byte-code`);
			}),
		},
	];
}

/** Files and URLs that are made to be slow. */
export function hostileCurves(): Curve[] {
	const stars = (bytes: number) => {
		const line = `/${"*a".repeat(999)}`;
		return robotsOf(
			Array.from(
				{ length: Math.ceil(bytes / line.length) },
				(_, i) => `${line}*${i}`,
			),
		);
	};
	const numbered = (count: number) =>
		robotsOf(Array.from({ length: count }, (_, i) => `/*x${10_000 + i}`));
	// All but the last byte of one literal after another.
	const nearly = Array.from({ length: 2000 }, (_, i) => `x${1000 + i}`).join(
		"",
	);
	const url = (bytes: number, unit: string) =>
		`/${unit.repeat(Math.ceil(bytes / unit.length))}`.slice(0, bytes);
	// Sixteen times "*a" or "*aa", never the same twice.
	const combinations = robotsOf(
		Array.from({ length: 9_212 }, (_, i) => {
			const chosen = Array.from({ length: 16 }, (_, bit) =>
				((i * 7) >> bit) & 1 ? "*aa" : "*a",
			);
			return `/${chosen.join("")}*b`;
		}),
	);
	const count = 24_371;
	const occurring = robotsOf(
		Array.from({ length: count }, (_, i) => `/*x${i}*b`),
	);
	const literals = Array.from({ length: count }, (_, i) => `x${i}`).join("");
	/** No rule matches the path; one matches with `rest` behind it. */
	const point = (label: string, text: string, path: string, rest: string) => {
		const matcher = RobotsTxt.parse(text, { maxBytes: 1e9 }).for(AGENT);
		const peer = robotsParser("https://example.com/robots.txt", text);
		return {
			label,
			bytes: text.length + path.length,
			check: () => {
				const verdicts = [path, path + rest].map(
					(url) => +matcher.isAllowed(url),
				);
				if (verdicts.join() !== "1,0") throw new Error(`${label}: ${verdicts}`);
			},
			run: () => matcher.isAllowed(path),
			peer: () => peer.isAllowed(`https://example.com${path}`, AGENT),
		};
	};
	const KIB = 1024;
	return [
		{
			name: "hostile, stars",
			why: "Rules of a thousand wildcards each, against 64 KiB of their letter.",
			points: [31, 125, 500].map((kib) =>
				point(`${kib} KiB of rules`, stars(kib * KIB), url(64 * KIB, "a"), "0"),
			),
		},
		{
			name: "hostile, stars, long URLs",
			why: "500 KiB of such rules, against longer and longer URLs.",
			points: [4, 16, 64].map((kib) =>
				point(`${kib} KiB of URL`, stars(500 * KIB), url(kib * KIB, "a"), "0"),
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
					numbered(count),
					url(64 * KIB, nearly),
					"x10000",
				),
			),
		},
	];
}
