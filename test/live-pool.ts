import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import type * as pools from "../src/pool.ts";

const SITES = 1000;
/** One path of a site is disallowed: that of its version. */
const VERSIONS = 8;
const GONE = -1;

const originOf = (site: number) => `https://h${site}.example`;

const LINES = Buffer.from(
	Array.from({ length: SITES * VERSIONS }, (_, i) => {
		const site = Math.floor(i / VERSIONS);
		return `${originOf(site)}/${i % VERSIONS}\n`;
	}).join(""),
);

/** Bytes that a buffer of lines may grow by: what is behind them is one more line, of NULs. */
const GROWTH = 8 * 1024 * 1024;

/** Grows each buffer that it is sent at some time within a call, in steps. */
const GROWER = `
require("node:worker_threads").parentPort.on("message", ({ buffer, spin, steps }) => {
	const step = (buffer.maxByteLength - buffer.byteLength) / steps;
	for (let i = 1; i <= steps; i++) {
		for (let n = 0; n < spin; n++) Math.sqrt(n);
		buffer.grow(i === steps ? buffer.maxByteLength : buffer.byteLength + Math.floor(step));
	}
});`;

/** Lines in ever new memory that changes its length while it is read: by another thread, or as a subclass says. */
export class GrowingLines {
	readonly #worker = new Worker(GROWER, { eval: true });
	#number = 0;

	/** The lines; more may follow. */
	readonly next = (): Uint8Array => {
		const number = this.#number++;
		if (number % 4 === 3) return new Lying(LINES);
		const buffer: SharedArrayBuffer = Reflect.construct(SharedArrayBuffer, [
			LINES.length,
			{ maxByteLength: LINES.length + GROWTH },
		]);
		const bytes = new Uint8Array(buffer);
		bytes.set(LINES);
		const spin = (number * 7919) % 200_000;
		this.#worker.postMessage({ buffer, spin, steps: 1 + (number % 3) });
		return bytes;
	};

	async end(): Promise<void> {
		await this.#worker.terminate();
	}
}

class Lying extends Uint8Array {
	override get length(): number {
		return 10;
	}
}

/** Rules of a site, of a length that differs, so that memory is given back and used again in other ways. */
function rulesOf(site: number, version: number): string {
	const more = Array.from(
		{ length: (site * 7 + version) % 13 },
		(_, i) => `Disallow: /never-${site}-${version}-${i}*x\n`,
	);
	return `User-agent: *\n${more.join("")}Disallow: /${version}$\n`;
}

/** What a site was and will be, and which of it is known to be seen by calls made now. */
interface Site {
	readonly versions: number[];
	seen: number;
}

/** A pool, or an index that is used like one. */
export type LivePool = Pick<
	pools.RobotsPool,
	"set" | "delete" | "matchLines" | "byteLength"
>;

export interface LiveResult {
	readonly changes: number;
	readonly verdicts: number;
	/** Bytes of the index, again and again once each site has had rules. */
	readonly sizes: readonly number[];
}

/**
 * Changes the rules of 1,000 sites while the pool judges, for so many milliseconds and at least until so many changes are made, and
 * checks each verdict against the versions that can hold from its call to its answer.
 */
export async function changeWhileJudging(
	pool: LivePool,
	duration: number,
	leastChanges: number,
	lines: () => Uint8Array = () => LINES,
): Promise<LiveResult> {
	const sites: Site[] = Array.from({ length: SITES }, () => ({
		versions: [GONE],
		seen: 0,
	}));
	const end = performance.now() + duration;
	const sizes: number[] = [];
	let changes = 0;
	let verdicts = 0;
	let done = false;

	const change = async (number: number) => {
		const index = (number * 7919) % SITES;
		const site = sites[index] as Site;
		const round = Math.floor(number / SITES);
		const version =
			(number * 31) % (VERSIONS + 1) === 0 ? GONE : (number + round) % VERSIONS;
		const place = site.versions.push(version) - 1;
		if (version === GONE) await pool.delete(originOf(index));
		else await pool.set(originOf(index), rulesOf(index, version));
		site.seen = Math.max(site.seen, place);
		changes++;
	};
	const changer = async () => {
		for (let number = 0; !done; ) {
			const some = Array.from({ length: 50 }, () => change(number++));
			await Promise.all(some);
			if (number > SITES) sizes.push(pool.byteLength);
			await sleep(0);
		}
	};
	const judge = async (): Promise<void> => {
		do {
			const from = sites.map(({ seen }) => seen);
			const answers = await pool.matchLines(lines());
			expect(answers.length - SITES * VERSIONS).toBeOneOf([0, 1]);
			for (const [i, verdict] of answers
				.subarray(0, SITES * VERSIONS)
				.entries()) {
				const index = Math.floor(i / VERSIONS);
				const path = i % VERSIONS;
				const possible = sites[index]?.versions.slice(from[index]) ?? [];
				const explained = possible.some(
					(version) =>
						verdict === (version === GONE ? 2 : Number(version !== path)),
				);
				if (!explained)
					expect([originOf(index), path, verdict]).toEqual(possible);
			}
			verdicts += answers.length;
		} while (performance.now() < end || changes < leastChanges);
	};
	const changing = changer();
	await Promise.all(Array.from({ length: 8 }, judge));
	done = true;
	await changing;
	const last = await pool.matchLines(LINES);
	expect([...last]).toEqual(
		Array.from(last, (_, i) => {
			const version = sites[Math.floor(i / VERSIONS)]?.versions.at(-1);
			return version === GONE ? 2 : Number(version !== i % VERSIONS);
		}),
	);
	return { changes, verdicts, sizes };
}
