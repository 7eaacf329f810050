import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
	accessFor,
	type HttpOutcome,
	type RobotsAccess,
} from "../src/access.ts";
import {
	appliesTo,
	type Dialect,
	findCrawler,
	RobotsTxt,
	robotsUrlFor,
} from "../src/index.ts";
import { lint } from "../src/lint.ts";
import {
	type Check,
	type Statement,
	silent,
	statements,
	type VerdictCheck,
} from "./data/statements.ts";
import { root } from "./installed.ts";

const dialects = ["rfc9309", "google", "yandex"] as const;
const page = readFileSync(join(root, "docs/deviations.md"), "utf8");
const HOUR = 3_600_000;

function checkVerdicts(check: VerdictCheck): void {
	const { robots, agent = "anybot", allowed = [], disallowed = [] } = check;
	expect(allowed.length + disallowed.length).toBeGreaterThan(0);
	for (const dialect of check.dialects ?? dialects) {
		const file = RobotsTxt.parse(robots, { dialect });
		const matcher = file.for(agent);
		for (const [urls, wanted] of [
			[allowed, true],
			[disallowed, false],
		] as const)
			for (const url of urls) {
				const verdict = { dialect, url, allowed: wanted };
				expect({ ...verdict, allowed: file.isAllowed(url, agent) }).toEqual(
					verdict,
				);
				expect({ ...verdict, allowed: matcher.isAllowed(url) }).toEqual(
					verdict,
				);
			}
	}
}

function checkReading({
	robots,
	dialect = "rfc9309",
	agent = "anybot",
	...wanted
}: NonNullable<Check["reads"]>): void {
	const file = RobotsTxt.parse(robots, { dialect });
	for (const [before, after] of wanted.canonical ?? [])
		expect(file.canonicalUrl(before)).toBe(after);
	const read = {
		sitemaps: file.sitemaps,
		host: file.host,
		crawlDelay: file.crawlDelay(agent),
		cleanParams: file.cleanParams.length,
		groups: file.groups.map(({ agents }) => agents),
	};
	const { canonical: _, ...fields } = wanted;
	expect(read).toMatchObject(fields);
}

function checkGoverning({
	file,
	valid = [],
	invalid = [],
}: NonNullable<Check["governs"]>): void {
	for (const url of valid) {
		expect([url, appliesTo(file, url)]).toEqual([url, true]);
		expect(robotsUrlFor(url)).toBe(robotsUrlFor(file));
	}
	for (const url of invalid)
		expect([url, appliesTo(file, url)]).toEqual([url, false]);
}

/** What a statement's table row says; each kind of check that it has is made. */
const checks: {
	readonly [Kind in keyof Check]-?: (check: NonNullable<Check[Kind]>) => void;
} = {
	verdicts: (rows) => rows.forEach(checkVerdicts),
	reads: checkReading,
	lint({ robots, dialect = "rfc9309", finds = [], without = [] }) {
		const codes = lint(robots, { dialect }).map(({ code }) => code);
		expect(codes).toEqual(expect.arrayContaining([...finds]));
		for (const code of without) expect(codes).not.toContain(code);
	},
	governs: checkGoverning,
	answers(rows) {
		for (const { outcome, access, options, hours, before = [] } of rows) {
			const now = Math.max(0, ...before.map(([earlier]) => earlier));
			let previous: RobotsAccess | null = null;
			for (const [earlier, answer] of [...before, [0, outcome] as const])
				previous = accessFor(answer, previous, {
					...options,
					now: (now - earlier) * HOUR,
				});
			expect([outcome, previous?.access]).toEqual([outcome, access]);
			if (hours !== undefined)
				expect(previous?.expires).toBe((now + hours) * HOUR);
		}
	},
	crawlers(rows) {
		for (const [name, row] of Object.entries(rows))
			expect(findCrawler(name)).toMatchObject(row);
	},
	explains([robots, url, reason]) {
		expect(RobotsTxt.parse(robots).explain(url, "anybot").reason).toMatch(
			reason,
		);
	},
	test([file, text]) {
		const path = file.startsWith("packages/") ? file : join("test", file);
		const source = readFileSync(join(root, path), "utf8");
		expect([file, text, source.includes(text)]).toEqual([file, text, true]);
	},
	deviates(heading) {
		const isThere = page.includes(`\n### ${heading}\n`);
		expect([heading, isThere]).toEqual([heading, true]);
	},
};

function check(statement: Statement): void {
	const kinds = (Object.keys(checks) as (keyof Check)[]).filter(
		(kind) => statement[kind] !== undefined,
	);
	expect(kinds.length, "checks of the statement").toBeGreaterThan(0);
	for (const kind of kinds)
		(checks[kind] as (check: unknown) => void)(statement[kind]);
}

/** "003:120-122" as document, first and last line. */
function placesOf(where: string) {
	return where.split(" ").map((place) => {
		const [, document = "", first = "", last = first] =
			/^(\d{3}):(\d+)(?:-(\d+))?$/.exec(place) ?? [];
		if (document === "") throw new Error(`no place: ${place}`);
		return { document, first: Number(first), last: Number(last) };
	});
}

describe("Statements of the documents", () => {
	const rows = statements.flatMap((statement) =>
		statement.where
			.split(" ")
			.map((place) => [place, statement.says, statement] as const),
	);
	test("there are as many as were counted", () => {
		expect(statements.length).toBeGreaterThanOrEqual(150);
		expect(rows.length).toBeGreaterThanOrEqual(300);
	});
	test.each(rows)("%s: %s", (_, __, statement) => check(statement));
});

const sources = join(root, "../shared/sources");

describe.skipIf(!existsSync(sources))("All lines of document", () => {
	const files = existsSync(sources) ? readdirSync(sources) : [];
	test.each(files)("%s have a statement, or say nothing about it", (file) => {
		const document = file.slice(0, 3);
		const lines = readFileSync(join(sources, file), "utf8").split("\n");
		const known = new Set(
			[
				...statements.flatMap(({ where }) => placesOf(where)),
				...placesOf(
					(silent[document] ?? "")
						.split(" ")
						.map((place) => `${document}:${place}`)
						.join(" "),
				),
			].flatMap((place) => {
				if (place.document !== document) return [];
				expect(place.last).toBeGreaterThanOrEqual(place.first);
				expect(place.last).toBeLessThanOrEqual(lines.length);
				return Array.from(
					{ length: place.last - place.first + 1 },
					(_, i) => place.first + i,
				);
			}),
		);
		const unread = lines.flatMap((line, i) =>
			/[\p{L}\d]/u.test(line) && !known.has(i + 1)
				? [`${i + 1}: ${line.slice(0, 60)}`]
				: [],
		);
		expect(unread).toEqual([]);
	});
});

type Cells = ReadonlyMap<string, string>;

/** The rows of a page's tables, by their columns' headings, each with the heading of its section. */
const rowsOf = (text: string) =>
	text.split(/^### /m).flatMap((section) => {
		const [heading = ""] = section.split("\n", 1);
		return section
			.split("\n\n")
			.filter((block) => block.startsWith("| "))
			.flatMap((table) => {
				const [headings = [], , ...lines] = table
					.trim()
					.split("\n")
					.map((line) =>
						line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")),
					);
				return lines.map((cells): readonly [string, string, Cells] => [
					heading,
					cells.join(" | "),
					new Map(headings.map((name, i) => [name, cells[i] ?? ""])),
				]);
			});
	});
const rows = rowsOf(page);

/** The file that a cell shows. */
function fileIn(cell: string): string | Uint8Array {
	const [first, ...rest] = cell.split("<br>");
	return first === "(UTF-16)"
		? Buffer.from(`\ufeff${textIn(rest.join("<br>"))}`, "utf16le")
		: textIn(cell);
}

function textIn(cell: string): string {
	return cell
		.split("<br>")
		.map((part) => {
			const comment = /^\(([\d,]+) bytes\)$/.exec(part)?.[1];
			return comment === undefined
				? part.replace(/^`(.*)`$/, "$1")
				: "#".repeat(Number(comment.replaceAll(",", "")));
		})
		.join("\n");
}

/** The outcome that a cell shows: "429", "301, 200", "200 max-age=3600", "timeout". */
function outcomeIn(cell: string): HttpOutcome {
	const statuses = cell.split(", ");
	const [, status, age] =
		/^(\d+)(?: (max-age=\d+))?$/.exec(statuses.at(-1) ?? "") ?? [];
	if (status === undefined)
		return { failure: { code: cell as "dns", message: "it failed" } };
	return {
		url: "https://example.com/robots.txt",
		status: Number(status),
		headers: age === undefined ? {} : { "cache-control": age },
		body: new TextEncoder().encode("User-agent: *\nDisallow: /a\n"),
		redirects: statuses.slice(0, -1).map((code) => ({
			status: Number(code),
			url: "https://example.com/elsewhere",
		})),
	};
}

/** The last of the answers that a cell shows: "200; 25 h: 503; 38 h: timeout". Options are as a cell shows them: "copyAfter 12 h". */
function answerTo(
	cell: string,
	option: string,
	dialect: Dialect,
	hours: boolean,
) {
	const [, name = "", value] = /^`(\w+)` (\d+) h$/.exec(option) ?? [];
	const options = value === undefined ? {} : { [name]: Number(value) * HOUR };
	let answer: RobotsAccess | null = null;
	for (const part of cell.split("; ")) {
		const [, at = "0", outcome = part] = /^(\d+) h: (.*)$/.exec(part) ?? [];
		answer = accessFor(outcomeIn(outcome), answer, {
			...options,
			dialect,
			now: Number(at) * HOUR,
		});
	}
	const { access, expires } = answer as RobotsAccess;
	return hours ? `${access} for ${expires / HOUR} h` : access;
}

/** What is to be found in a row's cell, by the heading of the row's column. */
function found(cells: Cells, dialect: Dialect): string {
	const cell = (name: string) => cells.get(name) ?? "";
	if (cells.has("answer"))
		return answerTo(
			cell("answer"),
			cell("option"),
			dialect,
			cell(dialect).includes(" h"),
		);
	const robots = RobotsTxt.parse(fileIn(cell("robots.txt")), { dialect });
	const agents = cell("crawler").split(", ");
	const [first = ""] = agents;
	const agent = agents.length === 1 ? first : agents;
	if (cell("read") === "crawlDelay") return String(robots.crawlDelay(agent));
	if (cell("read") === "requestRates")
		return String(robots.requestRates(agent).length);
	return robots.isAllowed(urlIn(cell("URL")), agent) ? "allowed" : "disallowed";
}

const controls: Readonly<Record<string, string>> = {
	t: "\t",
	r: "\r",
	n: "\n",
};

/** A URL whose tabs and line ends are written as \t, \r and \n. */
function urlIn(cell: string): string {
	return cell.replace(/\\([trn])/g, (_, letter) => controls[letter] ?? "");
}

describe("docs/deviations.md", () => {
	test("every section has rows, and a statement that points to it or a reason of its own", () => {
		const sections = page.match(/^### .*$/gm)?.map((line) => line.slice(4));
		expect([...new Set(rows.map(([heading]) => heading))]).toEqual(sections);
		const pointedTo = new Set(statements.map(({ deviates }) => deviates));
		const others = sections?.filter((heading) => !pointedTo.has(heading));
		expect(others).toEqual([
			"Versions and junk in names",
			"A name with a space",
			"A rule that the size limit cuts",
			"UTF-16",
			"Escapes in URLs",
			"A `%` that begins no escape",
			"Tabs and line ends inside a URL",
			"How long a rule is",
			"The robots.txt itself",
			"Index pages in the google dialect",
		]);
	});
	test.each(rows)("%s: %s", (_, __, cells) => {
		const cell = (name: string) => cells.get(name) ?? "";
		if (cells.has("test")) return checks.test([cell("test"), cell("name")]);
		if (cells.has("governs"))
			return expect(appliesTo(cell("file"), cell("URL"))).toBe(
				cell("governs") === "yes",
			);
		if (cells.has("canonical"))
			return expect(
				RobotsTxt.parse(fileIn(cell("robots.txt"))).canonicalUrl(cell("URL")),
			).toBe(cell("canonical"));
		for (const dialect of dialects)
			expect([dialect, found(cells, dialect)]).toEqual([
				dialect,
				cell(dialect),
			]);
	});
});

describe("docs/library.md says how the dialects differ", () => {
	const library = readFileSync(join(root, "docs/library.md"), "utf8");
	const [section = ""] =
		/^## Which dialect do I choose\?\n.*?(?=^## )/ms.exec(library) ?? [];
	const differences = rowsOf(section).map(([, , cells]) => cells);
	test("in a dozen rows", () => expect(differences).toHaveLength(12));
	test.each(differences.map((cells) => [cells.get("what"), cells] as const))(
		"%s",
		(_, cells) => {
			const answers = dialects.map((dialect) => cells.get(dialect));
			expect(new Set(answers).size).toBe(2);
			expect(dialects.map((dialect) => found(cells, dialect))).toEqual(answers);
		},
	);
});
