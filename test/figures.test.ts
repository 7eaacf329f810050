import { spawnSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { allCases } from "../bench/all-cases.ts";
import { generatedSites } from "../bench/generate.ts";
import { library } from "../bench/library.ts";
import { machineName } from "../tools/store-result.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "robotrie-figures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (page: string) => readFileSync(join(root, page), "utf8");

/** Everything that says how fast or how large something is. */
const texts = [
	"README.md",
	"CONTRIBUTING.md",
	"bench/README.md",
	...readdirSync(join(root, "docs"))
		.filter((file) => file.endsWith(".md"))
		.map((file) => `docs/${file}`),
];
const pages = ["README.md", "docs/performance.md"];

/** Runs tools/figures.mjs. */
const figures = (...options: string[]) =>
	spawnSync(process.execPath, ["tools/figures.mjs", ...options], {
		cwd: root,
		encoding: "utf8",
	});

/** A copy of the pages, changed. */
function copyWith(change: (text: string) => string): string {
	const copy = mkdtempSync(join(folder, "pages-"));
	mkdirSync(join(copy, "docs"));
	for (const page of pages)
		writeFileSync(join(copy, page), change(textOf(page)));
	return copy;
}

const results = readdirSync(join(root, "bench/results")).filter(
	(file) => !file.startsWith("local-"),
);

test.each(results)("%s is called by its day, kind and processor", (file) => {
	const text = readFileSync(join(root, "bench/results", file), "utf8");
	const { kind, date, cpu } = JSON.parse(text) as Record<string, string>;
	const processor = cpu === undefined ? [] : [machineName({ cpu })];
	const name = [date?.slice(0, 10), kind, ...processor].join("-");
	expect(file.startsWith(name)).toBe(true);
});

test("all figures are those of the stored results", () => {
	const { status, stderr } = figures("--check");
	expect(stderr.split("\n").filter((line) => /is not what/.test(line))).toEqual(
		[],
	);
	expect(status).toBe(0);
});

const block = /<!-- (?:figures|measured): .+? -->\n(.*?)<!-- end -->/gs;

/** The kind and the machine of a result, by the name of its file. */
const subjectOf = (result: string) =>
	result.replace(/^\d{4}-\d\d(-\d\d)?-/, "");

const measurements = texts.flatMap((page) =>
	[...textOf(page).matchAll(/<!-- measured: (\d.+?) -->/g)].flatMap(
		([, names = ""]) => names.split(", ").map((name) => [page, name] as const),
	),
);

test("the figures of pages name the results that they are taken from", () =>
	expect(new Set(measurements.map(([page]) => page)).size).toBeGreaterThan(8));

test.each(measurements)(
	"%s has figures of %s, the newest of its kind",
	(_, name) => {
		const newest = results
			.map((file) => file.replace(/\.json$/, ""))
			.filter((file) => subjectOf(file) === subjectOf(name))
			.sort();
		expect(newest.at(-1)).toBe(name);
	},
);

test("another figure is found in README and docs/performance.md, and put right", () => {
	const copy = copyWith((text) =>
		text.replace(block, (all, body: string) =>
			all.replace(
				body,
				body.replace(/\d(?=[ ,.)])/, (digit) =>
					String((Number(digit) + 1) % 10),
				),
			),
		),
	);
	const { status, stderr } = figures("--check", "--pages", copy);
	expect(status).toBe(1);
	for (const page of pages)
		expect(stderr).toMatch(
			new RegExp(`^${page}:\\d+ \\(.+\\) is not what bench/results has`, "m"),
		);
	expect(figures("--pages", copy).status).toBe(0);
	for (const page of pages)
		expect(readFileSync(join(copy, page), "utf8"), page).toBe(textOf(page));
});

test.each([
	["a name that no figures have", "figures: one site", "figures: no site"],
	["a page without a place for some", "<!-- figures: harder -->", ""],
])("%s is an error", (_, from, to) => {
	const copy = copyWith((text) => text.replace(from, to));
	expect(figures("--check", "--pages", copy).status).not.toBe(0);
});

/** Pages, or their sections, all of whose tables are of what was measured. */
const measured: readonly (readonly [page: string, section: RegExp])[] = [
	["README.md", /^## Numbers\n.*?(?=^## )/ms],
	["docs/performance.md", /.+/s],
	["docs/comparison.md", /^### Google.*/ms],
	["docs/many-sites.md", /^## What it costs\n.*/ms],
];

test.each(measured)("%s has no table of figures besides", (page, section) => {
	const [text = ""] = section.exec(textOf(page)) ?? [];
	expect(text).toMatch(block);
	const besides = text.replace(block, "");
	expect(besides.split("\n").filter((line) => /^\|.*\d/.test(line))).toEqual(
		[],
	);
});

/** What only a measurement can say. Limits and targets are not measured. */
const speed =
	/(?<![\d.,]|(?:at most|at least|below|target:) )\d[\d.,]*(?: (?:ns|µs|core hours)\b| (?:million )?[\w-]+ a second\b| times (?:as (?:fast|long|much)|the (?:time|speed)))/g;

test.each(texts)("%s has no speeds beside those of stored results", (page) => {
	const besides = textOf(page)
		.replace(block, "")
		.replace(/```.*?```/gs, "");
	expect(besides.match(speed) ?? []).toEqual([]);
});

test.each(["--check", "--sources", "--names"])(
	"%s writes nothing",
	(option) => {
		const copy = copyWith((text) =>
			text.replace(/[\d.)]+ million a second/, "no million a second"),
		);
		figures(option, "--pages", copy);
		expect(readFileSync(join(copy, "README.md"), "utf8")).toContain(
			"no million",
		);
	},
);

test("the benchmark has the cases and engines that figures are taken from", () => {
	const data = generatedSites({ sites: 8, urls: 4, largest: 60 });
	const names = allCases(library, data, 4000).flatMap(({ name, engines }) =>
		engines.map((engine) => `node: ${name}, ${engine.name}`),
	);
	const asked = figures("--names").stdout.trim().split("\n");
	const here = asked.filter((name) => name.startsWith("node: "));
	expect(here.length).toBeGreaterThan(20);
	expect(here.filter((name) => !names.includes(name))).toEqual([]);
});

interface GeneratedRun {
	readonly cases: readonly {
		readonly name: string;
		readonly engines: readonly {
			readonly name: string;
			readonly ratio: number;
		}[];
	}[];
}

const generatedRuns = results.filter((file) => file.includes("-generated-"));

test("it is stored how far generated sites are from real ones", () =>
	expect(generatedRuns.length).toBeGreaterThan(0));

test.each(generatedRuns)(
	"in %s they take between half and twice the time, in every case",
	(file) => {
		const { cases } = JSON.parse(
			readFileSync(join(root, "bench/results", file), "utf8"),
		) as GeneratedRun;
		const data = generatedSites({ sites: 8, urls: 4, largest: 60 });
		expect(cases.map(({ name }) => name)).toEqual(
			allCases(library, data, 4000)
				.map(({ name }) => name)
				.filter((name) => name !== "escaped paths"),
		);
		const ratios = cases.flatMap(({ name, engines }) =>
			engines.map((engine) => ({
				engine: `${name}, ${engine.name}`,
				ratio: engine.ratio,
			})),
		);
		expect(ratios.filter(({ ratio }) => ratio < 0.5 || ratio > 2)).toEqual([]);
	},
);

/** A page's figure, in the unit of its name, as text: the digits that are shown say how exact it is. */
type Shown = readonly [
	page: string,
	find: RegExp,
	to?: (value: number) => number,
];

const perSecond = (ns: number) => 1000 / ns;

/** Figures that more than one page shows, or that follow from what it shows. */
const named: Readonly<Record<string, readonly Shown[]>> = {
	"isAllowed, million calls a second": [
		["README.md", /`isAllowed`, one URL a call \| ([\d.]+)/],
		["docs/performance.md", /`isAllowed`, one URL a call \| ([\d.]+)/],
		[
			"docs/performance.md",
			/`isAllowed`, one call per URL \| ([\d.,]+)/,
			perSecond,
		],
		["docs/comparison.md", /^\| robotrie isAllowed \| ([\d.,]+)/m, perSecond],
	],
	"robots-parser's time over that of isAllowed": [
		["README.md", /([\d.]+) \([\d.]+\) times as fast as robots-parser/],
		[
			"docs/performance.md",
			/([\d.]+) \([\d.]+\) times as fast as robots-parser/,
		],
		["docs/performance.md", /robots-parser \/ `isAllowed` \| ([\d.]+) \(/],
	],
	"robots-parser, ns a call": [
		[
			"docs/performance.md",
			/robots-parser [\d.]+, one call per URL \| ([\d,]+)/,
		],
		["docs/comparison.md", /^\| robots-parser \| ([\d,]+)/m],
	],
	"robots-txt-guard, ns a call": [
		[
			"docs/performance.md",
			/robots-txt-guard [\d.]+, one call per URL \| ([\d,]+)/,
		],
		["docs/comparison.md", /^\| robots-txt-guard \| ([\d,]+)/m],
	],
	"wrong verdicts of robots-txt-guard": [
		["docs/performance.md", /robots-txt-guard (\d+), and robotrie/],
		["docs/comparison.md", /^\| robots-txt-guard \| .* \| (\d+) \|$/m],
	],
	"wrong verdicts of robots-parser": [
		["docs/performance.md", /robots-parser gives (\d+) unlike/],
		["docs/comparison.md", /^\| robots-parser \| .* \| (\d+) \|$/m],
	],
	"matchLines of URLs, million a second": [
		[
			"README.md",
			/`matchLines`, bytes into an array, site by site \| ([\d.]+)/,
		],
		["docs/performance.md", /bytes into an array, site by site \| ([\d.]+)/],
	],
};

/** What two figures say alike: the least of what is shown of each, within its last digit. */
function agree(texts: readonly (readonly [text: string, value: number])[]) {
	const lows = texts.map(([text, value]) => value - slack(text, value));
	const highs = texts.map(([text, value]) => value + slack(text, value));
	return Math.max(...lows) <= Math.min(...highs);
}

/** A figure of n digits is within one of its last digit. */
function slack(text: string, value: number): number {
	const digits = text.replace(/\D/g, "").replace(/^0+/, "").length;
	return Math.abs(value) * 10 ** (1 - digits);
}

test.each(Object.entries(named))("%s: one figure on all pages", (_, places) => {
	const found = places.map(([page, find, to = (value) => value]) => {
		const text = find.exec(textOf(page))?.[1]?.replaceAll(",", "") ?? "";
		expect(text, `${page}: ${String(find)}`).toMatch(/\d/);
		return [text, to(Number(text))] as const;
	});
	expect(agree(found), found.map(String).join(" / ")).toBe(true);
});
