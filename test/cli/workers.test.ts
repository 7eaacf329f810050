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
import { file, folder, robotrie, robots } from "./run.ts";

/** Files are read in blocks of so many bytes, by index in parts of them. */
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
			...["audit", "-r", robots],
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
});
