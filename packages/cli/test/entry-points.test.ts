import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import type * as pools from "../../../src/pool.ts";
import { casesOf } from "../../../test/cases.ts";
import { dialects } from "../../../test/differential.ts";
import {
	columnFrame,
	frame,
	framesOf,
	recordFrame,
} from "../../../test/frames.ts";
import { isLine } from "../../../test/fuzz/entry-points.ts";
import { questions } from "../../../test/fuzz/verdicts.ts";
import { bytes } from "../../../test/latin1.ts";
import { file, folder, robotrie } from "./run.ts";

const dist = new URL("../../../dist/pool.js", import.meta.url).href;
const { RobotsPool } = (await import(dist)) as typeof pools;

const AGENT = "foo";
const names = ["disallowed", "allowed"];

describe.each(dialects)(
	"The command line and the pool agree with the library, %s",
	(dialect) => {
		const samples = fc.sample(questions, { seed: 9309, numRuns: casesOf(12) });
		const sites = samples.map(({ robots }, i) => ({
			origin: `https://h${i}.example`,
			robots: RobotsTxt.parse(bytes(robots), { dialect }),
			robots_b64: bytes(robots).toString("base64"),
		}));
		const paths = [...new Set(samples.flatMap(({ urls }) => urls))].filter(
			(url) => url.startsWith("/") && isLine(url),
		);
		const options = ["--agent", AGENT, "--dialect", dialect];

		test("match and explain", async () => {
			for (const { robots, robots_b64 } of sites.slice(0, 2)) {
				const path = file("fuzzed.txt", Buffer.from(robots_b64, "base64"));
				const stdin = `${paths.join("\n")}\n`;
				const args = ["--robots", path, ...options];
				const allowed = paths.map((url) => robots.isAllowed(url, AGENT));
				const matched = await robotrie(["match", ...args], { stdin });
				expect(matched.stdout.toString()).toBe(
					paths
						.map((url, i) => `${names[Number(allowed[i])]}\t${url}\n`)
						.join(""),
				);
				const explained = await robotrie(["explain", "--json", ...args], {
					stdin,
				});
				expect(JSON.parse(explained.stdout.toString())).toEqual(
					paths.map((url) => ({ url, dialect, ...robots.explain(url, AGENT) })),
				);
			}
		});

		test("index, match --index, stream and RobotsPool", async () => {
			const stdin = sites
				.map(
					({ origin, robots_b64 }) =>
						`${JSON.stringify({ origin, robots_b64 })}\n`,
				)
				.join("");
			const out = join(folder, `${dialect}.index`);
			const built = await robotrie(["index", "--out", out, ...options], {
				stdin,
			});
			expect(built.code).toBe(0);
			const urls = paths.flatMap((path) =>
				sites.map(({ origin }) => origin + path),
			);
			const allowed = paths.flatMap((path) =>
				sites.map(({ origin, robots }) =>
					robots.isAllowed(origin + path, AGENT),
				),
			);
			const lines = `${urls.join("\n")}\n`;
			const matched = await robotrie(["match", "--index", out], {
				stdin: lines,
			});
			expect(matched).toMatchObject({ code: 0, stderr: "" });
			expect(matched.stdout.toString()).toBe(
				urls.map((url, i) => `${names[Number(allowed[i])]}\t${url}\n`).join(""),
			);
			const records = sites.map(({ origin, robots_b64 }) =>
				recordFrame(origin, 200, Buffer.from(robots_b64, "base64")),
			);
			const frames = [columnFrame(urls), frame("L", Buffer.from(lines))];
			const streams = [
				{ args: options, stdin: Buffer.concat([...records, ...frames]) },
				{ args: ["--index", out], stdin: Buffer.concat(frames) },
			];
			for (const { args, stdin } of streams) {
				const answered = await robotrie(["stream", ...args], { stdin });
				expect(answered).toMatchObject({ code: 0, stderr: "" });
				const run = allowed.map(Number);
				expect(framesOf(answered.stdout).slice(1)).toEqual(
					["A", "L"].map((type) => ({ type, payload: Buffer.from(run) })),
				);
			}
			await using pool = new RobotsPool(readFileSync(out), { workers: 2 });
			const wanted = Uint8Array.from(allowed, Number);
			expect(await pool.matchLines(Buffer.from(lines))).toEqual(wanted);
			expect(await pool.matchMany(urls)).toEqual(wanted);
		});
	},
);
