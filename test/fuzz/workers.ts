import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
	packed,
	unpacked,
} from "../../packages/audit/src/count/packed-counts.ts";
import { Totals } from "../../packages/audit/src/count/totals.ts";
import { runTask, type Task } from "../../packages/audit/src/files/tasks.ts";
import { formatOf } from "../../packages/audit/src/formats/formats.ts";
import { scanSettings } from "../../packages/audit/src/options/options.ts";
import { RuleBook } from "../../packages/audit/src/options/rule-book.ts";
import { reportOf } from "../../packages/audit/src/report/make-report.ts";
import { LogScanner } from "../../packages/audit/src/scan/scanner.ts";
import { RobotsIndex } from "../../src/index.ts";
import type * as pools from "../../src/pool.ts";
import { bytes } from "../latin1.ts";
import { log } from "./logs.ts";
import { expectSame, target } from "./target.ts";
import { robotsTxt, someUrls } from "./texts.ts";

/** Work that is split: what comes together in the end does not depend on where, or on how many workers there are. */

const index = new RobotsIndex({ agent: "foo" });
index.set("https://h.example", "User-agent: *\nDisallow: /a\nAllow: /*b\n");
index.set("http://h1.example", "User-agent: foo\nDisallow: /*?\n");
index.set("https://h0.example", "disallow-all");

const opened = new Map<number, pools.RobotsPool>();

/** Pools are kept: those that are idle do not keep the process running. Their threads run what the build made of them. */
async function poolOf(workers: number): Promise<pools.RobotsPool> {
	const known = opened.get(workers);
	if (known) return known;
	// From here and from build/fuzz alike.
	const file = new URL("../../dist/pool.js", import.meta.url).href;
	const { RobotsPool } = (await import(file)) as typeof pools;
	const pool = new RobotsPool(index.toBytes(), { workers });
	opened.set(workers, pool);
	return pool;
}

const encoder = new TextEncoder();
const plain = Array.from(
	{ length: 640 },
	(_, i) => `https://h.example/${i % 3 ? "a" : "b"}${"c".repeat(i % 160)}\n`,
).join("");

export const poolAnswers = target({
	name: "pools",
	few: 5,
	inputs: fc.record({
		urls: someUrls,
		end: fc.constantFrom("\n", "\r\n"),
		/** So that borders of pieces fall anywhere in the lines. */
		first: fc.nat(100),
		/** Pieces are of a mebibyte. */
		size: fc.constantFrom(1, 1000, 2 ** 20, 1.2 * 2 ** 20),
		isEnded: fc.boolean(),
		workers: fc.integer({ min: 1, max: 4 }),
		cuts: fc.array(fc.nat(2 ** 20), { maxLength: 2 }),
	}),
	check: async ({ urls, end, first, size, isEnded, workers, cuts }) => {
		// Most URLs of the fuzzer are judged one by one, which takes long: between them lie 64 KiB that are not.
		const block = `${urls.join(end)}${end}${plain.replaceAll("\n", end)}`;
		const text = `${"x".repeat(first)}${end}${block.repeat(size / block.length + 1)}`;
		const lines = encoder.encode(isEnded ? text : text.slice(0, -end.length));
		const pool = await poolOf(workers);
		const wanted = index.matchLines(lines);
		const calls = [lines, ...cuts.map((at) => lines.subarray(at))];
		const verdicts = await Promise.all(
			calls.map((call) => pool.matchLines(call)),
		);
		// As numbers of those that differ: the lists are long.
		const differing = (some: Uint8Array, others: Uint8Array) =>
			some.length === others.length
				? some.findIndex((verdict, at) => verdict !== others[at])
				: `${some.length} for ${others.length} lines`;
		for (const [at, call] of calls.entries())
			expectSame(
				`call ${at}`,
				differing(
					verdicts[at] ?? new Uint8Array(),
					at === 0 ? wanted : index.matchLines(call),
				),
				-1,
			);
		const many = await pool.matchMany(urls);
		expectSame("matchMany", [...many], [...index.matchMany(urls)]);
		// Rows that end anywhere in the lines, and some nulls.
		const step = 1 + (first % 90);
		const rows = Math.floor(lines.length / step);
		const offsets = Int32Array.from({ length: rows + 1 }, (_, i) => i * step);
		const validity = lines.subarray(0, (rows + 15) >> 3);
		for (const options of [{}, { validity, bitOffset: first % 8 }]) {
			expectSame(
				"matchColumn",
				differing(
					await pool.matchColumn(offsets, lines, options),
					index.matchColumn(offsets, lines, options),
				),
				-1,
			);
		}
	},
});

/** The report over tasks that end at any bytes, each scanned by a worker of its own, which sends copies of its counts. */
async function reportOfTasks(
	robots: string,
	file: string,
	ends: readonly number[],
) {
	const rules = [{ file: "robots.txt", bytes: bytes(robots) }];
	const totals = new Totals();
	let from = 0;
	for (const to of ends) {
		const format = formatOf("combined");
		const task: Task = {
			name: file,
			format,
			kind: "plain",
			from,
			to,
			bytes: 0,
		};
		const scanner = new LogScanner(scanSettings({ robots: rules }, false));
		for await (const { segment } of runTask(scanner, task))
			if (segment)
				totals.append("a.log", unpacked(structuredClone(packed(segment))));
		from = to;
	}
	return reportOf(totals, new RuleBook(rules, {}), "header");
}

export const auditTasks = target({
	name: "tasks",
	few: 10,
	inputs: fc.record({
		robots: robotsTxt,
		log,
		cuts: fc.array(fc.nat(3000), { maxLength: 5 }),
	}),
	check: async ({ robots, log, cuts }) => {
		const text = bytes(log);
		const ends = cuts
			.map((at) => Math.min(at, text.length))
			.sort((a, b) => a - b);
		const folder = mkdtempSync(join(tmpdir(), "robotrie-fuzz-"));
		try {
			const file = join(folder, "a.log");
			writeFileSync(file, text);
			expectSame(
				`tasks that end at ${ends}`,
				await reportOfTasks(robots, file, [...ends, text.length]),
				await reportOfTasks(robots, file, [text.length]),
			);
		} finally {
			rmSync(folder, { recursive: true });
		}
	},
});
