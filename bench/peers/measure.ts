import { Driver, TooSlow } from "./driver.ts";
import { type PeerEngine, ROBOTRIE } from "./engines.ts";
import type { Files, HostileFiles, LineKind, Lines } from "./files.ts";

/** Nanoseconds a line. */
export interface PeerTimes {
	/** The sum of each chunk's fastest run. */
	readonly hot: number;
	/** The median of whole passes, other engines' between. */
	readonly cold: number;
}

/** What came of an engine. */
export interface PeerResult {
	readonly name: string;
	readonly language: string;
	readonly takes: PeerEngine["takes"];
	readonly version: string;
	/** Of `answers` verdicts on the sites' URLs and `derivedAnswers` on those made from rules, so many are wrong. */
	readonly answers: number;
	readonly wrong: number;
	readonly derivedAnswers: number;
	readonly derivedWrong: number;
	/** By kind of lines; `paths` only of engines that take bytes. */
	readonly times: Partial<Record<TimeKind, PeerTimes>>;
	/** Milliseconds from the bytes of all robots.txt to judges: in fresh processes, and again and again in one. */
	readonly compile: { readonly first: number; readonly best: number };
	/** Milliseconds from start to end of a process that reads, compiles and judges each URL once; the best of several. */
	readonly process: number;
	/** Bytes that the judges of all sites take. */
	readonly memory: number;
	/** Milliseconds for a URL of so many KiB against a hostile file, compiled before; null when it took too long or failed. */
	readonly hostile: readonly {
		readonly name: string;
		readonly kib: number;
		readonly ms: number | null;
	}[];
}

export const timeKinds = [
	"paths",
	"urls",
	"shuffled",
	"derived",
	"largest",
] as const;
export type TimeKind = (typeof timeKinds)[number];

export interface Effort {
	/** Rounds of each chunk and of whole passes. */
	readonly rounds: number;
	/** Fresh processes. */
	readonly processes: number;
	/** Seconds that an engine may take for one kind of lines. */
	readonly seconds: number;
	/** Seconds until a hostile URL is given up. */
	readonly patience: number;
}

/** Lines to a chunk: about half a millisecond of a fast engine. */
const CHUNK = 12_000;
/** Times that a chunk is judged a round: after other engines, the first is not hot. */
const REPEAT = 3;

/** An engine with the command that starts its driver. */
export interface Ready {
	readonly engine: PeerEngine;
	readonly command: readonly string[];
}

interface Running extends Ready {
	readonly driver: Driver;
}

/** The file that an engine is asked with for a kind of times, if it takes that. */
function linesFor(
	{ takes }: PeerEngine,
	{ lines }: Files,
	kind: TimeKind,
): Lines | undefined {
	const ofPaths: Partial<Record<TimeKind, LineKind>> = {
		paths: "paths",
		derived: "derivedPaths",
		largest: "largestPaths",
	};
	const paths = ofPaths[kind];
	if (takes === "bytes" && paths) return lines[paths];
	if (takes === "paths") return paths && lines[paths];
	return kind === "paths" ? undefined : lines[kind];
}

/** All verdicts on a file's lines, and how many are wrong. */
async function wrongOf(driver: Driver, { file, right }: Lines) {
	await driver.jobs(file);
	const found = await driver.verdicts();
	if (found.length !== right.length)
		throw new Error(
			`${driver.name} gave ${found.length} verdicts on ${right.length} lines`,
		);
	const wrong = [...found].filter((one, i) => one !== right[i]).length;
	return { answers: right.length, wrong };
}

/** @throws {Error} When one of robotrie's verdicts is wrong. */
async function check(
	{ engine, driver }: Running,
	files: Files,
	kind: TimeKind,
): Promise<{ answers: number; wrong: number }> {
	const lines = linesFor(engine, files, kind);
	if (!lines) return { answers: 0, wrong: 0 };
	const checked = await wrongOf(driver, lines);
	if (checked.wrong > 0 && engine.name.startsWith("robotrie"))
		throw new Error(
			`${engine.name}: ${checked.wrong} of ${checked.answers} verdicts on ${kind} are wrong`,
		);
	return checked;
}

function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? 0;
}

/** Jobs as chunks of about CHUNK lines. */
function chunksOf(counts: readonly number[]): (readonly [number, number])[] {
	const chunks: [number, number][] = [];
	let from = 0;
	let lines = 0;
	counts.forEach((count, i) => {
		lines += count;
		if (lines < CHUNK && i < counts.length - 1) return;
		chunks.push([from, i + 1]);
		from = i + 1;
		lines = 0;
	});
	return chunks;
}

/** Times of one kind: engines in turn, chunk by chunk, and then whole passes in turn. */
async function timesOf(
	running: readonly Running[],
	files: Files,
	kind: TimeKind,
	{ rounds, seconds }: Effort,
): Promise<ReadonlyMap<string, PeerTimes>> {
	const asked = running.flatMap(({ engine, driver }) => {
		const lines = linesFor(engine, files, kind);
		return lines
			? [{ driver, lines, passes: 0, fastest: 0, whole: [] as number[] }]
			: [];
	});
	for (const one of asked) {
		const { driver, lines } = one;
		const jobs = await driver.jobs(lines.file);
		// The first of the whole passes; a slow engine gets few more of them, and each chunk at least REPEAT times.
		const [pass = 0] = await driver.judge(0, jobs, 1);
		one.whole.push(pass);
		const affordable = (seconds * 1e9) / ((REPEAT + 1) * pass);
		one.passes = Math.max(1, Math.min(rounds, Math.floor(affordable)));
	}
	const most = Math.max(0, ...asked.map(({ lines }) => lines.counts.length));
	const chunkSets = asked.map(({ lines }) => chunksOf(lines.counts));
	for (let chunk = 0; chunk < most; chunk++) {
		const best = asked.map(() => Number.POSITIVE_INFINITY);
		for (let round = 0; round < rounds; round++)
			for (const [i, { driver, passes }] of asked.entries()) {
				const [from, to] = chunkSets[i]?.[chunk] ?? [0, 0];
				if (from === to || round >= passes) continue;
				const times = await driver.judge(from, to, REPEAT);
				best[i] = Math.min(best[i] as number, ...times);
			}
		for (const [i, one] of asked.entries())
			if (chunk < (chunkSets[i]?.length ?? 0)) one.fastest += best[i] as number;
	}
	for (let round = 1; round < rounds; round++)
		for (const { driver, lines, passes, whole } of asked)
			if (round < passes) {
				const [pass = 0] = await driver.judge(0, lines.counts.length, 1);
				whole.push(pass);
			}
	return new Map(
		asked.map(({ driver, lines, fastest, whole }) => {
			const count = lines.counts.reduce((sum, one) => sum + one, 0);
			return [
				driver.name,
				{ hot: fastest / count, cold: median(whole) / count },
			];
		}),
	);
}

/** What fresh processes take that do nothing else: one compiles, another one judges each URL once as well. */
async function freshly(
	{ engine, command }: Ready,
	files: Files,
	processes: number,
): Promise<Pick<PeerResult, "process" | "memory"> & { first: number }> {
	const first: number[] = [];
	const whole: number[] = [];
	let memory = Number.POSITIVE_INFINITY;
	const lines = linesFor(engine, files, "urls") ?? files.lines.paths;
	for (let i = 0; i < (engine.isSlow ? 1 : processes); i++) {
		const driver = await Driver.start(engine.name, command, files.sites);
		const before = await driver.memory();
		first.push((await driver.compile()) / 1e6);
		memory = Math.min(memory, (await driver.memory()) - before);
		await driver.end();
		const start = performance.now();
		const other = await Driver.start(engine.name, command, files.sites);
		await other.compile();
		await other.judge(0, await other.jobs(lines.file), 1);
		await other.end();
		whole.push(performance.now() - start);
	}
	return { first: Math.min(...first), process: Math.min(...whole), memory };
}

async function hostile(
	{ engine, command }: Ready,
	{ name, sites, lines }: HostileFiles,
	patience: number,
): Promise<PeerResult["hostile"]> {
	const times: { name: string; kib: number; ms: number | null }[] = [];
	let driver: Driver | undefined;
	for (const { kib, urls, paths } of lines) {
		let ms: number | null = null;
		try {
			driver ??= await Driver.start(engine.name, command, sites);
			if (times.length === 0) await driver.compile(patience);
			const { file } =
				engine.takes === "call" || engine.takes === "strings" ? urls : paths;
			await driver.jobs(file);
			if ((await driver.verdicts(patience)) !== "1")
				throw new Error(`${engine.name}: wrong verdict on ${name}`);
			const [once = 0] = await driver.judge(0, 1, 1, patience);
			const all = once > 1e8 ? [] : await driver.judge(0, 1, 10, 10 * patience);
			ms = Math.min(once, ...all) / 1e6;
		} catch (error) {
			if (!(error instanceof TooSlow) && engine.name === ROBOTRIE) throw error;
			process.stderr.write(
				`${error instanceof Error ? error.message : error}\n`,
			);
			driver?.kill();
			times.push({ name, kib, ms });
			break;
		}
		times.push({ name, kib, ms });
	}
	await driver?.end().catch(() => {});
	return times;
}

/**
 * Measures engines; `progress` is told what is being done. An engine that cannot do the sites at all is left out, and `failed` told why.
 * @throws {Error} When robotrie fails, or one of its verdicts is wrong.
 */
export async function measurePeers(
	all: readonly Ready[],
	files: Files,
	effort: Effort,
	progress: (text: string) => void,
	failed: (name: string, why: string) => void,
): Promise<PeerResult[]> {
	const { processes, patience } = effort;
	const fresh = new Map<string, Awaited<ReturnType<typeof freshly>>>();
	const onHostile = new Map<string, PeerResult["hostile"]>();
	const ready: Ready[] = [];
	for (const one of all) {
		const { name } = one.engine;
		progress(`${name}, fresh processes and hostile files …`);
		try {
			fresh.set(name, await freshly(one, files, processes));
		} catch (error) {
			if (name.startsWith("robotrie")) throw error;
			failed(name, error instanceof Error ? error.message : String(error));
			continue;
		}
		ready.push(one);
		const times: PeerResult["hostile"][number][] = [];
		for (const file of files.hostile)
			times.push(...(await hostile(one, file, patience)));
		onHostile.set(name, times);
	}
	const running: Running[] = [];
	try {
		const compiled = new Map<string, number>();
		for (const one of ready) {
			const { name, isSlow } = one.engine;
			progress(`${name}, compiling …`);
			const driver = await Driver.start(name, one.command, files.sites);
			running.push({ ...one, driver });
			const all: number[] = [];
			for (let i = 0; i < (isSlow ? 1 : Math.max(1, 2 * processes)); i++)
				all.push((await driver.compile()) / 1e6);
			compiled.set(name, Math.min(...all));
		}
		const checked = new Map<string, Awaited<ReturnType<typeof check>>[]>();
		for (const one of running) {
			progress(`${one.engine.name}, verdicts …`);
			const all: Awaited<ReturnType<typeof check>>[] = [];
			for (const kind of timeKinds) all.push(await check(one, files, kind));
			checked.set(one.engine.name, all);
		}
		const times = new Map<TimeKind, ReadonlyMap<string, PeerTimes>>();
		for (const kind of timeKinds) {
			progress(`all engines, ${kind} …`);
			times.set(kind, await timesOf(running, files, kind, effort));
		}
		return running.map(({ engine, driver }) => {
			const { name, language, takes } = engine;
			const {
				first = 0,
				process: whole = 0,
				memory = 0,
			} = fresh.get(name) ?? {};
			const [paths, urls, , derived] = checked.get(name) ?? [];
			const own = urls && urls.answers > 0 ? urls : paths;
			return {
				name,
				language,
				takes,
				version: driver.version,
				answers: own?.answers ?? 0,
				wrong: own?.wrong ?? 0,
				derivedAnswers: derived?.answers ?? 0,
				derivedWrong: derived?.wrong ?? 0,
				times: Object.fromEntries(
					timeKinds.flatMap((kind) => {
						const one = times.get(kind)?.get(name);
						return one ? [[kind, one]] : [];
					}),
				),
				compile: { first, best: compiled.get(name) ?? 0 },
				process: whole,
				memory,
				hostile: onHostile.get(name) ?? [],
			};
		});
	} finally {
		for (const { driver } of running) await driver.end().catch(() => {});
	}
}
