/**
 * conformance/*.jsonl: what is stored is what conformance-rows.ts makes, the engine agrees with it in each of its ways, the naive matcher with
 * what it can judge, and nothing in it contradicts the verdicts of Google's library where those are there.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { RobotsIndex, RobotsTxt, Verdict } from "../src/index.ts";
import { chooseRanges } from "../src/matching/dialect-file.ts";
import { dialectRules } from "../src/robots-txt/dialect.ts";
import { extentOf } from "../src/robots-txt/parse.ts";
import {
	bytesOf,
	conformanceFiles,
	textOf,
	type VerdictRow,
} from "./conformance-rows.ts";
import { latin1 } from "./latin1.ts";
import { oracle } from "./oracle.ts";
import { dialectIn } from "./saved-rows.ts";

const MOST_BYTES = 1 << 20;
const folder = fileURLToPath(new URL("../conformance/", import.meta.url));
const files = conformanceFiles();
const { verdicts } = files;

if (process.env.ROBOTRIE_WRITE_CONFORMANCE) {
	mkdirSync(folder, { recursive: true });
	for (const [name, rows] of Object.entries(files))
		writeFileSync(`${folder}${name}.jsonl`, textOf(rows));
}

test.each(Object.entries(files))("%s.jsonl is as it is made", (name, rows) => {
	expect(rows.length).toBeGreaterThan(10);
	expect(readFileSync(`${folder}${name}.jsonl`, "utf8")).toBe(textOf(rows));
});

test("the README counts the rows that hosts are asked for", () => {
	const counts = [
		"verdicts",
		"groups",
		"agents",
		"crawl-delay",
		"saved",
	] as const;
	const [verdicts, groups, agents, delays, saved] = counts.map((name) =>
		files[name].length.toLocaleString("en"),
	);
	expect(
		readFileSync(`${folder}README.md`, "utf8").replaceAll(/\s+/g, " "),
	).toContain(
		`all ${verdicts} verdicts with their lines, ${groups} choices of groups, ${agents} more by names and headers, ${delays} Crawl-delays and ${saved} saved files`,
	);
});

test("rows of all origins and dialects", () => {
	for (const dialect of ["rfc9309", "google", "yandex"])
		expect(
			verdicts.filter((row) => row.dialect === dialect).length,
		).toBeGreaterThan(1000);
	expect([...new Set(verdicts.map(({ origin }) => origin))].sort()).toEqual([
		"Google's documentation",
		"RFC 9309",
		"Yandex's documentation",
		"robotrie",
	]);
});

/** Rows on which something disagrees. */
const wrong = (isRight: (row: VerdictRow) => boolean) =>
	verdicts.filter((row) => !isRight(row)).slice(0, 3);

describe("The engine gives the verdicts", () => {
	const fileOf = (row: VerdictRow) =>
		RobotsTxt.parse(bytesOf(row), { dialect: row.dialect });
	test("isAllowed, and the line", () =>
		expect(
			wrong((row) => {
				const { allowed, rule } = fileOf(row).explain(row.url, row.agent);
				return allowed === row.allowed && (rule?.line ?? 0) === row.line;
			}),
		).toEqual([]));
	test("matchMany", () =>
		expect(
			wrong((row) => {
				const matcher = fileOf(row).for(row.agent);
				return matcher.matchMany([row.url])[0] === Number(row.allowed);
			}),
		).toEqual([]));
	// An index of its own for each row takes more than a millisecond.
	test("an index, a row of five", () =>
		expect(
			wrong((row) => {
				if (verdicts.indexOf(row) % 5 !== 0) return true;
				const { agent, dialect, url, allowed } = row;
				if (!/^\/(?!\/)/.test(url)) return true;
				const index = new RobotsIndex({ agent, dialect });
				index.set("https://h.example", bytesOf(row));
				const [verdict] = index.matchMany([`https://h.example${url}`]);
				return verdict === Number(allowed);
			}),
		).toEqual([]));
});

test.each(["groups", "agents"] as const)(
	"%s are chosen by the module, and by the index",
	(name) => {
		const found = files[name].map((row) => {
			const robots = RobotsTxt.parse(bytesOf(row), { dialect: row.dialect });
			const lineOf = (index: number) => robots.groups[index]?.line;
			const ranges = chooseRanges(
				extentOf(bytesOf(row), dialectRules(row.dialect), MOST_BYTES),
				row.agent,
				dialectRules(row.dialect),
			);
			// Groups without rules are in no range.
			const judged = ranges.filter((_, at) => at % 2 === 0).length;
			return {
				groups: robots.groupsOf(row.agent).map(lineOf),
				count: judged,
			};
		});
		const wanted = files[name].map(({ groups }) => ({
			groups,
			count: groups.length,
		}));
		expect(found).toEqual(wanted);
	},
);

/** Node 24 refuses more names than Node 20; a row says so, and the platform's own parser decides which it is. */
test.each(files.urls)("$kind: $url", (row) => {
	const { url, site, refused_by } = row;
	const matcher = RobotsTxt.parse(bytesOf(row)).for(row.agent);
	const index = new RobotsIndex({ agent: row.agent });
	index.set(site, bytesOf(row));
	const isRefused = refused_by.includes("node 24") && !URL.canParse(url);
	const verdict = isRefused ? Verdict.Invalid : row.index;
	const lines = Buffer.from(`${url}\n`);
	expect([
		matcher.matchMany([url])[0],
		matcher.matchLines(lines)[0],
		index.matchMany([url])[0],
		index.matchLines(lines)[0],
	]).toEqual([row.matcher, row.matcher, verdict, verdict]);
});

test("saved bytes load or are refused, at once and in chunks", async () => {
	const { saved } = files;
	expect(saved.filter(({ dialect }) => dialect).length).toBeGreaterThan(50);
	expect(saved.filter((row) => dialectIn(row) !== row.dialect)).toEqual([]);
	// An index in chunks takes tens of milliseconds.
	const indexes = saved.filter(
		({ form }, i) => form === "index" && i % 3 === 0,
	);
	for (const row of indexes) {
		const bytes = Buffer.from(row.bytes_b64, "base64");
		const loading = RobotsIndex.load([bytes.subarray(0, 9), bytes.subarray(9)]);
		if (row.dialect === null)
			await expect(loading, row.where).rejects.toMatchObject({
				code: "invalid-byte-code",
			});
		else expect((await loading).dialect, row.where).toBe(row.dialect);
	}
});

test("the naive matcher gives the verdicts of drawn rules", () => {
	const drawn = verdicts.filter(({ where }) => where.startsWith("drawn rules"));
	expect(drawn.length).toBeGreaterThan(2000);
	const disagreeing = drawn.filter(({ robots = "", url, dialect, allowed }) => {
		const rules = robots
			.trimEnd()
			.split("\n")
			.slice(1)
			.map((line, i) => ({
				allow: line.startsWith("Allow"),
				pattern: latin1(line.slice(line.indexOf(" ") + 1)),
				line: i + 2,
			}));
		// What the naive matcher leaves out: the directory of an index page, and how a path is found.
		if (dialect === "google" && robots.includes("/index.htm")) return false;
		const path = latin1(url.replace(/#.*/, ""));
		if (!path.startsWith("/") || path.startsWith("//")) return false;
		return oracle(rules, dialect)(path).allowed !== allowed;
	});
	expect(disagreeing.slice(0, 3)).toEqual([]);
});

test("Google's library says the same of every case that both have", () => {
	const key = (robots: Uint8Array, agent: unknown, url: string) =>
		JSON.stringify([Buffer.from(robots).toString("base64"), agent, url]);
	const own = new Map(
		verdicts
			.filter(({ dialect }) => dialect === "google")
			.map((row) => [key(bytesOf(row), row.agent, row.url), row]),
	);
	const lines = gunzipSync(readFileSync(`${folder}google.jsonl.gz`))
		.toString()
		.trim()
		.split("\n");
	const texts = new Set<string>();
	for (const line of lines) {
		const { robots_b64, cases } = JSON.parse(line) as {
			robots_b64: string;
			cases: [string, string, number, number][];
		};
		texts.add(robots_b64);
		for (const [agent, url, allowed] of cases) {
			const row = own.get(key(Buffer.from(robots_b64, "base64"), agent, url));
			if (row) expect(Number(row.allowed)).toBe(allowed);
		}
	}
	// Nothing was copied: drawn files are ours.
	for (const row of verdicts)
		if (row.where.startsWith("drawn"))
			expect(texts.has(Buffer.from(bytesOf(row)).toString("base64"))).toBe(
				false,
			);
});
