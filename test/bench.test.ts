import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCases, bytesCases } from "../bench/all-cases.ts";
import { loadData } from "../bench/data.ts";
import { coldJob } from "../bench/first-verdict.ts";
import { generatedSites } from "../bench/generate.ts";
import { measureCalls } from "../bench/index-calls.ts";
import { measureSites } from "../bench/index-sites.ts";
import { type Library, library } from "../bench/library.ts";
import { measurePools } from "../bench/pool.ts";
import { JUDGING, measureProfile, stageOf } from "../bench/profile.ts";
import { naiveDiagnostics, naiveVerdicts } from "../bench/reference.ts";
import { missedTargets, type Results } from "../bench/report.ts";
import { buildIndex, loadSnapshot } from "../bench/scale.ts";
import { hostileCurves, hugeCurves } from "../bench/scaling.ts";
import { type Dialect, type Matcher, RobotsIndex } from "../src/index.ts";

const data = generatedSites({ sites: 40, urls: 12, largest: 300 });
const ESCAPED_PATHS = 4000;

/** What a broken engine does to a file before it reads it, and to what it answers. */
interface Break {
	readonly name: string;
	readonly read?: (file: Uint8Array | string, dialect: Dialect) => unknown;
	/** `into` is where the caller wants verdicts, with what it held before. */
	readonly verdicts?: (verdicts: Uint8Array, into?: Uint8Array) => Uint8Array;
	readonly canonical?: (url: string, original: string) => string;
	readonly floor?: (ends: number) => number;
	/** Of all engines that are robotrie's, those that still give the right answers. */
	readonly spares?: RegExp;
	/** Of other measurements, the same. */
	readonly sparesOthers?: RegExp;
}

const floors = "(sum bytes|line ends|list and hash)$";
const canonical = "^Clean-param";
const diagnostics = "all diagnostics$";
const some = (...patterns: string[]) => new RegExp(patterns.join("|"));

const breaks: readonly Break[] = [
	{
		name: "`into` is returned unfilled",
		verdicts: (verdicts, into) => into ?? verdicts,
		spares: /^(?!.*robotrie into$)/,
		sparesOthers: /^(?!calls)/,
	},
	{
		name: "no bulk call fills its verdicts",
		verdicts: (verdicts, into) => into ?? new Uint8Array(verdicts.length),
		spares: some(floors, canonical, diagnostics),
	},
	{
		name: "the parser drops every rule in rfc9309",
		read: (file, dialect) => (dialect === "rfc9309" ? "" : file),
		spares: some(
			floors,
			"^(corpus paths|derived|corpus URLs, google|many|index, mixed URLs, google|index, mixed strings|strings|parse)",
		),
		// A snapshot has what was parsed before.
		sparesOthers: /^(huge|first|pool|scale, loaded)/,
	},
	{
		name: "the parser drops every rule",
		read: () => "",
		spares: some(floors),
		sparesOthers: /^scale, loaded/,
	},
	{
		name: "everything is allowed",
		verdicts: (verdicts) => verdicts.fill(1),
		spares: some(floors, canonical, diagnostics),
	},
	{
		name: "everything is disallowed",
		verdicts: (verdicts) => verdicts.fill(0),
		spares: some(floors, canonical, diagnostics),
	},
	{
		name: "one verdict of a call is wrong",
		verdicts: (verdicts) => {
			const last = verdicts.length - 1;
			if (last >= 0) verdicts[last] = 1 - (verdicts[last] ?? 0);
			return verdicts;
		},
		spares: some(floors, canonical, diagnostics),
	},
	{
		name: "verdicts come in another order",
		verdicts: (verdicts) => verdicts.reverse(),
		// One URL a call has no order.
		spares: some(
			floors,
			canonical,
			diagnostics,
			"isAllowed$",
			"Map of matchers$",
		),
		sparesOthers: /^(hostile|first verdict, robotrie isAllowed)/,
	},
	{
		name: "one verdict is missing",
		verdicts: (verdicts) => verdicts.subarray(1),
		spares: some(floors, canonical, diagnostics, "^$"),
		sparesOthers: /^$/,
	},
	{
		name: "canonical URLs are the URLs",
		canonical: (_, original) => original,
		spares: some(`^(?!Clean-param)`, floors),
		sparesOthers: /./,
	},
	{
		name: "a line end is overlooked",
		floor: (ends) => ends - 1,
		spares: some(`^(?!.*${floors})`),
		sparesOthers: /./,
	},
];

/** An object some of whose members are others. */
function changed<T extends object>(object: T, members: Partial<T>): T {
	return new Proxy(object, {
		get: (_, name) => {
			if (Object.hasOwn(members, name)) return Reflect.get(members, name);
			const member: unknown = Reflect.get(object, name, object);
			return typeof member === "function" ? member.bind(object) : member;
		},
	});
}

function broken({
	read = (file) => file,
	verdicts = (all) => all,
	canonical = (url) => url,
	floor = (ends) => ends,
}: Break): Library {
	/** Verdicts as they are returned; those in `into` are as it held them if `verdicts` says so. */
	const bulk =
		<Input>(call: (input: Input, into?: Uint8Array) => Uint8Array) =>
		(input: Input, into?: Uint8Array) => {
			const right = call(input).slice();
			const answer = verdicts(right, into);
			if (into === undefined || answer === into) return answer;
			into.set(answer);
			return into.subarray(0, answer.length);
		};
	const one = (allowed: boolean) =>
		verdicts(Uint8Array.of(Number(allowed)))[0] === 1;
	const judging = <T extends Matcher | RobotsIndex>(judge: T): T =>
		changed(judge, {
			matchLines: bulk((lines: Uint8Array) => judge.matchLines(lines)),
			matchColumn: (offsets, bytes) =>
				verdicts(judge.matchColumn(offsets, bytes)),
			matchMany: bulk((urls: readonly (string | URL)[]) =>
				judge.matchMany(urls),
			),
			isAllowed: (url: string) => one(judge.isAllowed(url)),
		} as Partial<T>);
	const indexOf = (index: RobotsIndex) =>
		changed(judging(index), {
			set: (origin, robots) =>
				index.set(
					origin,
					read(robots as string, index.dialect) as Uint8Array | string,
				),
		});
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	return {
		RobotsTxt: {
			parse: (file, options = {}) => {
				const text = read(
					file as Uint8Array | string,
					options.dialect ?? "rfc9309",
				);
				const robots = library.RobotsTxt.parse(text as string, options);
				return changed(robots, {
					for: (agent) => judging(robots.for(agent)),
					canonicalUrl: (url) => canonical(robots.canonicalUrl(url), `${url}`),
					canonicalLines: (lines) => {
						const urls = decoder.decode(lines).split("\n").slice(0, -1);
						const texts = decoder
							.decode(robots.canonicalLines(lines))
							.split("\n");
						return encoder.encode(
							urls
								.map((url, i) => `${canonical(texts[i] ?? "", url)}\n`)
								.join(""),
						);
					},
				});
			},
		},
		RobotsIndex: new Proxy(RobotsIndex, {
			construct: (_, [options]) => indexOf(new RobotsIndex(options)),
			get: (_, name) =>
				({
					fromBytes: (bytes: Uint8Array) =>
						indexOf(RobotsIndex.fromBytes(bytes)),
					load: async (source: Parameters<typeof RobotsIndex.load>[0]) =>
						indexOf(await RobotsIndex.load(source)),
				})[String(name)],
		}),
		PlacedLines: class extends library.PlacedLines {
			override sum = () => floor(super.sum());
			override count = () => floor(super.count());
			override listed = () => super.listed().slice(0, floor(super.list()));
			override hashed = () =>
				super.hashed().map((hash, i) => (i === 0 ? floor(hash) : hash));
		},
	};
}

const folder = mkdtempSync(join(tmpdir(), "robotrie-bench-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const indexFile = join(folder, "index");
beforeAll(() => {
	buildIndex(library, 200, indexFile, { urls: 400, passes: 1 });
});

type Measurement = (broken: Library) => unknown;

/** What is measured besides the cases, on little. */
const others: readonly (readonly [name: string, measure: Measurement])[] = [
	...["robotrie", "robotrie isAllowed", "robotrie index"].map(
		(name) =>
			[
				`first verdict, ${name}`,
				(engine: Library) => coldJob(engine, data, name),
			] as const,
	),
	[
		"first verdict, profiled",
		(engine) => measureProfile(engine, data, { passes: 1, sampled: 1 }),
	],
	[
		"pool",
		(engine) =>
			measurePools(
				engine,
				data,
				(snapshot) => {
					const index = engine.RobotsIndex.fromBytes(snapshot);
					return {
						matchLines: async (lines) => index.matchLines(lines as Uint8Array),
						close: async () => {},
					};
				},
				{ mib: 0.1, rounds: 1 },
			),
	],
	[
		"scale, built",
		(engine) =>
			buildIndex(engine, 200, join(folder, "other"), { urls: 400, passes: 1 }),
	],
	...(["bytes", "stream"] as const).map(
		(from) =>
			[
				`scale, loaded from ${from}`,
				(engine: Library) => loadSnapshot(engine, 200, indexFile, from),
			] as const,
	),
	["sites", (engine) => measureSites(engine, data)],
	[
		"calls",
		(engine) => measureCalls(engine, { origins: 300, urls: 100, rounds: 1 }),
	],
	...["hostile", "huge"].map(
		(name) =>
			[
				name,
				(engine: Library) => {
					const curves = [
						...hugeCurves(engine, data),
						...hostileCurves(engine, 1 / 64),
					].filter((curve) => curve.name.startsWith(name));
					for (const { points } of curves)
						for (const { check } of points) check();
				},
			] as const,
	),
];

describe("The benchmark", () => {
	test("its generated sites are judged as a naive matcher judges them", () => {
		for (const site of [...data.sites, ...data.derived])
			for (const dialect of ["google", "rfc9309"] as const)
				for (const agent of ["googlebot", "GPTBot"]) {
					const asked = { dialect, agent };
					expect(data.verdicts(site, asked)).toEqual(
						naiveVerdicts(site, asked),
					);
				}
		for (const site of data.sites)
			expect(data.diagnostics(site).right).toEqual(
				naiveDiagnostics(site).right,
			);
	});

	test("its largest file is read as far as each dialect reads it", () => {
		const large = generatedSites({ sites: 1, urls: 40, largest: 31_847 });
		const [site] = large.sites;
		expect(site?.robots.length).toBeGreaterThan(512_000);
		const [derived] = large.derived;
		const right = (["google", "rfc9309"] as const).map((dialect) =>
			[site, derived].map((each) =>
				large.verdicts(each as NonNullable<typeof each>, { dialect }),
			),
		);
		expect(right[0]).not.toEqual(right[1]);
		for (const { name, engines } of bytesCases(library, large))
			for (const { check } of engines)
				expect(check().answers, name).toBeGreaterThan(0);
	});

	test.skipIf(!existsSync("../shared/corpus/hosts.jsonl.gz"))(
		"its generated sites have files like those of real ones",
		() => {
			const kinds = {
				bytes: /./gs,
				lines: /^/gm,
				rules: /^ *(?:dis)?allow/gim,
				groups: /^ *user-agent/gim,
				comments: /^ *#/gm,
				blanks: /^ *$/gm,
				fields: /^ *(?!(?:dis)?allow|user-agent)[\w-]+ *:/gim,
				wildcards: /^ *(?:dis)?allow[^\n#]*\*[^\n#]/gim,
			};
			const shapeOf = ({ sites }: typeof data) => {
				// The largest is as large as the real one.
				const texts = sites
					.map(({ robots }) =>
						Buffer.from(robots).toString("latin1").replaceAll(/\r\n?/g, "\n"),
					)
					.sort((a, b) => a.length - b.length)
					.slice(0, -1);
				return Object.entries(kinds).map(([kind, pattern]) => {
					const counts = texts.map((text) => text.match(pattern)?.length ?? 0);
					const sum = counts.reduce((all, count) => all + count, 0);
					return [kind, sum / texts.length] as const;
				});
			};
			const real = shapeOf(loadData());
			const ratios = shapeOf(generatedSites()).map(([kind, mean], i) => ({
				kind,
				ratio: (real[i]?.[1] ?? 0) / mean,
			}));
			console.log("real files to generated ones", ratios);
			for (const { kind, ratio } of ratios) {
				expect(ratio, kind).toBeGreaterThan(0.6);
				expect(ratio, kind).toBeLessThan(1.7);
			}
		},
	);

	test("passes its own checks", async () => {
		for (const { engines } of allCases(library, data, ESCAPED_PATHS))
			for (const { check } of engines)
				expect(check().answers).toBeGreaterThan(0);
		for (const [, measure] of others) await measure(library);
	});

	test("its profile accounts for all of the time", async () => {
		const profile = await measureProfile(library, data, {
			passes: 3,
			sampled: 100,
		});
		for (const part of ["others", "largest"] as const)
			expect(
				profile.stages.reduce((sum, stage) => sum + stage[part], 0),
			).toBeCloseTo(1);
		expect(profile.files).toBe(40);
		expect(profile.rules).toBeGreaterThan(300);
		expect(profile.largestMs).toBeLessThan(profile.ms);
		for (const { lines, ns, stages, floors } of Object.values(
			profile.judging,
		)) {
			expect(stages.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1);
			expect(lines).toBe(data.sites.flatMap(({ urls }) => urls).length);
			for (const time of [ns, ...Object.values(floors)])
				expect(time).toBeGreaterThan(0);
		}
	});

	test.each([
		["assembly/url/lines/indexLines", /^line ends/],
		["assembly/match/path-spans/readPaths", /^paths/],
		["assembly/match/batch/runPrefixes", /^code of prefixes/],
		["assembly/match/batch/matchUnanchored", /^positions/],
		["assembly/match/batch/matchSlowLines", /^the slow path/],
		["assembly/match/batch/writeVerdicts", /^verdicts/],
		["assembly/index/matchLines", /^verdicts/],
		// Called by several of them.
		["assembly/match/run/runCandidates", undefined],
	])("its profile of judging counts %s as %s", (functionName, stage) => {
		const found = stageOf({ functionName, url: "wasm://wasm/1" }, JUDGING);
		if (stage) expect(found).toMatch(stage);
		else expect(found).toBeUndefined();
	});

	const NO_WORK = undefined;
	test.each([
		["assembly/index/tokenise", /^cutting/],
		["assembly/robots-txt/tokenise/readLine", /^cutting/],
		["assembly/compile/read-rule/addInput", /^reading/],
		["assembly/compile/compile/readRules", /^reading/],
		["assembly/url/normalise/normalise", /^reading/],
		["assembly/bytes/sort/distribute", /^sorting/],
		["assembly/compile/entries/sortEntries", /^sorting/],
		["assembly/compile/tables/sortByHash", /^jump tables/],
		["assembly/compile/emit/emitTexts", /^jump tables/],
		["assembly/compile/compile/beginPrefixes", /^jump tables/],
		["assembly/compile/write-program/writePart", /^writing/],
		["assembly/bytes/numbers/store24", /^writing/],
		["assembly/bytes/memory/allocate", /^memory/],
		["wasm-function[7]", /^memory/],
		["parse", /^JavaScript/],
		["(garbage collector)", /^JavaScript/],
		["(idle)", NO_WORK],
		["(root)", NO_WORK],
	])("its profile counts %s as %s", (functionName, stage) => {
		const url = /^(assembly|wasm-)/.test(functionName)
			? "wasm://wasm/0002b972"
			: "";
		const found = stageOf({ functionName, url });
		if (stage) expect(found).toMatch(stage);
		else expect(found).toBeUndefined();
	});

	test.each(breaks)("stops when $name", async (fault) => {
		const { spares = /^$/, sparesOthers = /^$/ } = fault;
		const engine = broken(fault);
		const passed: string[] = [];
		for (const { name, engines } of allCases(engine, data, ESCAPED_PATHS))
			for (const { name: own, check } of engines)
				if (!/robots-parser|robots-txt-guard/.test(own)) {
					const full = `${name}: ${own}`;
					if (passes(check)) passed.push(full);
					else expect(full).not.toMatch(spares);
				}
		expect(passed.filter((name) => !spares.test(name))).toEqual([]);
		const measured: string[] = [];
		for (const [name, measure] of others)
			await Promise.resolve()
				.then(() => measure(engine))
				.then(
					() => measured.push(name),
					() => expect(name).not.toMatch(sparesOthers),
				);
		expect(measured.filter((name) => !sparesOthers.test(name))).toEqual([]);
	});
});

describe("A target that is missed is told", () => {
	const caseOf = (name: string, ns: Readonly<Record<string, number>>) => ({
		name,
		why: "",
		items: 1,
		unit: "line",
		bytes: 1,
		rounds: 1,
		engines: Object.entries(ns).map(([engine, value]) => ({
			name: engine,
			nsFastest: value,
			nsMedian: value,
			nsFirst: value,
			answers: 1,
			wrong: 0,
			sum: 0,
		})),
	});
	const index = {
		...caseOf("index", { robotrie: 90 }),
		against: { case: "paths", engine: "robotrie", atMost: 4.5 },
	};
	const loads = (msLoad: number) =>
		({
			origins: 1e6,
			msBuild: 100,
			peakMemory: 6e8,
			loaded: { msLoad },
		}) as const;
	const workers = (...ms: number[]) => ({
		bytes: 1,
		lines: 1,
		pools: ms.map((msFastest, i) => ({
			workers: i + 1,
			msFastest,
			msMedian: msFastest,
		})),
	});
	// Missed is what is beyond a target by more than 5%.
	test.each([
		["none", { cases: [caseOf("paths", { robotrie: 20 }), index] }, 0],
		["a case's", { cases: [caseOf("paths", { robotrie: 19 }), index] }, 1],
		[
			"a case's by 4%",
			{ cases: [caseOf("paths", { robotrie: 19.3 }), index] },
			0,
		],
		[
			"that of columns",
			{ cases: [caseOf("paths", { robotrie: 10, "robotrie column": 14 })] },
			1,
		],
		[
			"none of columns",
			{ cases: [caseOf("paths", { robotrie: 10, "robotrie column": 13.6 })] },
			0,
		],
		["that of loading", { cases: [], scale: [loads(22)] }, 1],
		["none of loading", { cases: [], scale: [loads(20.9)] }, 0],
		[
			"that of memory",
			{ cases: [], scale: [{ ...loads(20), peakMemory: 7.4e8 }] },
			1,
		],
		["that of two workers", { cases: [], pools: workers(100, 71) }, 1],
		["none of two workers", { cases: [], pools: workers(100, 69) }, 0],
	])("%s", (_, results, count) =>
		expect(
			missedTargets({ cores: 2, ...results } as unknown as Results),
		).toHaveLength(count),
	);
});

function passes(check: () => unknown): boolean {
	try {
		check();
		return true;
	} catch {
		return false;
	}
}
