import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	truncateSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { bytes as latin1 } from "../../../test/latin1.ts";
import type { Result } from "./collected.ts";
import { file, folder, robotrie, robotrieProcess, robots } from "./run.ts";

/** Files are read in blocks of so many bytes, by index in parts of them. Threads of match read larger plain files themselves. */
const BLOCK = 1024 * 1024;

type Line = (number: number) => string;

/** So many lines, each with its end. */
const lines = (line: Line, count: number) =>
	Array.from({ length: count }, (_, number) => `${line(number)}\n`).join("");

/** Lines of exactly so many bytes; the last one is a longer one that is none of the others. */
function linesOf(line: Line, size: number): string {
	const most = lines(line, Math.floor(size / line(9999).length));
	const text = most.slice(0, most.lastIndexOf("\n", size - 200) + 1);
	return `${text}${"x".repeat(size - text.length - 1)}\n`;
}

/** What files hold, given one of their lines. */
const inputs: Readonly<
	Record<string, (line: Line) => readonly (string | Uint8Array)[]>
> = {
	"no byte": () => [""],
	"a byte": () => ["x"],
	"a line with its end": (line) => [`${line(0)}\n`],
	"a block that ends with a line end, and another one": (line) => [
		linesOf(line, BLOCK) + linesOf(line, BLOCK),
	],
	"lines of all lengths around the ends of blocks, CRLF, no last line end": (
		line,
	) =>
		[-2, -1, 0, 1, 2].map(
			(more) =>
				`${linesOf(line, BLOCK + more)}${line(0)}\r\n${linesOf(line, BLOCK)}${line(1)}`,
		),
	"a line of three blocks, and one that is the rest of its block": (line) => [
		`${line(0)}\n/${"x".repeat(3 * BLOCK)}\n${line(1)}\n`,
		`${line(2)}\n/${"x".repeat(BLOCK)}`,
	],
	"large files: plain, with a byte order mark, gzip, plain": (line) => {
		const large = lines(line, Math.ceil((1.5 * BLOCK) / line(0).length));
		return [large, `\uFEFF${large}`, gzipSync(large), large];
	},
	"small files, with a last line end and without, gzip or not": (line) => [
		`${line(0)}\n`,
		line(1),
		"",
		gzipSync(lines(line, 3)),
		gzipSync(line(4)),
		linesOf(line, BLOCK),
		lines(line, 5),
	],
};

const single = join(folder, "workers.index");
const shards = join(folder, "workers-shards");
const out = join(folder, "workers-out.index");

const host = (number: number) => `https://s${number % 50}.example`;
const urlAt: Line = (number) => `${host(number)}/${number % 7}`;
const siteAt: Line = (number) =>
	JSON.stringify({
		origin: `https://t${number}.example`,
		robots: `User-agent: *\nDisallow: /${number % 7}\n#${"-".repeat(300)}`,
	});
const requestAt: Line = (number) =>
	`192.0.2.1 - - [01/Nov/2026:00:00:${String(number % 60).padStart(2, "0")} +0000] "GET /private/${number} HTTP/1.1" 200 1 "-" "GPTBot/1.0"`;

/** Arguments in front of the files, and the lines of those. */
const commands: Readonly<Record<string, readonly [readonly string[], Line]>> = {
	"match by a robots.txt": [["match", "-r", robots, "-a", "x"], urlAt],
	"match --only --summary": [
		["match", "-r", robots, "-a", "x", "--only", "invalid", "--summary"],
		(number) => (number % 3 > 0 ? urlAt(number) : `no URL ${number}`),
	],
	"match by an index": [["match", "-i", single], urlAt],
	"match by shards": [["match", "-i", shards], urlAt],
	"match by shards of which one fits into memory": [
		["match", "-i", shards, "--memory", "1K"],
		urlAt,
	],
	index: [["index", "-a", "x", "-o", out], siteAt],
	audit: [["audit", "-r", robots, "-o", "json"], requestAt],
};

/** The threads of an audit get no lines, but files. */
const rows = Object.keys(commands).flatMap((command) =>
	Object.keys(inputs)
		.filter((name) => command !== "audit" || name.includes("files"))
		.map((name) => ({ name, command })),
);

/** What `robotrie index` has written, if anything. */
function written(): string | undefined {
	return existsSync(out) ? readFileSync(out, "base64") : undefined;
}

describe("any number of workers gives the same bytes", () => {
	beforeAll(async () => {
		const sites = Array.from({ length: 50 }, (_, number) =>
			JSON.stringify({
				origin: host(number),
				robots: `User-agent: *\nDisallow: /${number % 7}`,
			}),
		);
		const input = file("workers-sites.ndjson", `${sites.join("\n")}\n`);
		const make = ["index", "-a", "x", "--no-summary"];
		for (const to of [
			["-o", single],
			["-o", shards, "--shards", "3"],
		])
			expect(await robotrie([...make, ...to, input])).toMatchObject({
				code: 0,
				stderr: "",
			});
	});

	test.each(rows)("$command: $name", async ({ name, command }) => {
		const [args, line] = commands[command] as (typeof commands)[string];
		const contents = inputs[name]?.(line) ?? [];
		const files = contents.map((content, i) => file(`workers-${i}`, content));
		const counts = contents.length > 1 ? [1, 2, 3] : [1, 2];
		const runs: unknown[] = [];
		for (const workers of counts) {
			rmSync(out, { force: true });
			const more = ["--workers", `${workers}`, ...files];
			const { code, stdoutHash, stderr } = await robotrie([...args, ...more]);
			runs.push({ code, stdoutHash, stderr, written: written() });
		}
		expect(runs).toEqual(counts.map(() => runs[0]));
		if (contents.length > 1) expect(runs[0]).toMatchObject({ code: 0 });
	});

	/** Two inputs that cannot be read, of which a second thread comes to the later one first. */
	const faults: Readonly<Record<string, () => readonly string[]>> = {
		audit: () => [
			"audit",
			"-r",
			robots,
			...[100_000, 5000].map((count, i) =>
				file(
					`workers-cut-${i}.gz`,
					gzipSync(lines(requestAt, count)).subarray(0, -9),
				),
			),
		],
		"match by shards of which one fits into memory": () => {
			const cut = join(folder, "workers-cut-shards");
			cpSync(shards, cut, { recursive: true });
			for (const name of readdirSync(cut))
				if (/-000[02]\.index$/.test(name)) truncateSync(join(cut, name), 50);
			const urls = file("workers-cut-urls", lines(urlAt, 500));
			return ["match", "-i", cut, "--memory", "1K", urls];
		},
	};
	test.each(Object.keys(faults))(
		"and names the same fault: %s",
		async (name) => {
			const args = faults[name]?.() ?? [];
			const runs: unknown[] = [];
			for (const workers of ["1", "2", "3"]) {
				const result = await robotrie([...args, "--workers", workers]);
				expect(result).toMatchObject({ code: 2, stdout: Buffer.from("") });
				runs.push(result.stderr);
			}
			expect(runs).toEqual(runs.map(() => runs[0]));
			expect(runs[0]).toMatch(/^robotrie: .*(cut-0\.gz|-0000\.index)/);
		},
	);

	test.each([
		["is not there", undefined],
		["is compressed with xz", "\xfd7zXZ\0"],
		["is Parquet", "PAR1"],
	])(
		"match by a robots.txt: all lines in front of a file that %s",
		async (_, content) => {
			const first = file("workers-good", linesOf(urlAt, 3 * BLOCK));
			const bad = join(folder, "workers-bad");
			rmSync(bad, { force: true });
			if (content !== undefined) file("workers-bad", latin1(content));
			const results: Partial<Result>[] = [];
			for (const workers of [1, 2, 3]) {
				const args = ["match", "-r", robots, "-a", "x", first, bad];
				const result = await robotrie([...args, "--workers", `${workers}`]);
				const { code, stdoutHash, stdoutSize, stderr } = result;
				results.push({ code, stdoutHash, stdoutSize, stderr });
			}
			const [one, ...more] = results;
			expect(one).toMatchObject({ code: 2 });
			expect(one?.stdoutSize).toBeGreaterThan(3 * BLOCK);
			expect(more).toEqual([one, one]);
		},
	);

	test.each([1, 2, 3])(
		"match by a robots.txt, %i: a line that is too long",
		async (workers) => {
			const path = file("workers-long", "");
			// Its bytes are NUL.
			truncateSync(path, 64 * BLOCK + 1);
			const args = ["match", "-r", robots, "-a", "x", path];
			const result = await robotrie([...args, "--workers", `${workers}`]);
			expect(result).toMatchObject({
				code: 2,
				stdoutSize: 0,
				stderr: `robotrie: a line of ${path} is longer than 67108864 bytes\n`,
			});
		},
	);

	test("match by a robots.txt: a reader that goes away", async () => {
		const path = file("workers-closed", linesOf(urlAt, 4 * BLOCK));
		const args = ["match", "-r", robots, "-a", "x", "--workers", "2", path];
		const result = await robotrieProcess(args, { closeAfter: 1000 });
		expect(result).toMatchObject({ code: 0, stderr: "" });
	});
});
