import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeAll, describe, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import { file, folder, robotrie } from "./run.ts";
import { type Written, warcOf } from "./sites.ts";

/** Threads read parts of a file by themselves, and little memory has sites wait in a file: the index is the same to the byte. */

const SITES = 1500;
/** Bytes that gzip hardly makes fewer, for blocks of a megabyte. */
const padding = (i: number) =>
	Array.from({ length: 32 }, (_, k) =>
		createHash("sha512").update(`${i} ${k}`).digest("base64"),
	).join("");
const rulesOf = (i: number) =>
	`User-agent: *\nDisallow: /${i % 17}\n# ${padding(i)}\n`;
/** Some origins come twice, from far apart; some redirects lead to later ones, some nowhere. */
const hostOf = (i: number) => `s${i % (SITES - 100)}.example`;
const targetOf = (i: number) =>
	`https://s${(i * 7 + (i % 5)) % (SITES + 400)}.example/robots.txt`;

const records: readonly Written[] = Array.from({ length: SITES }, (_, i) => {
	const url = `https://${hostOf(i)}/robots.txt`;
	if (i % 9 === 0)
		return {
			url,
			status: "HTTP/1.1 301 Moved",
			fields: { Location: targetOf(i) },
		};
	if (i % 50 === 7) return { url, status: "SSH-2.0" };
	if (i % 31 === 0) return { url: `${url}?${i}`, body: "<html>" };
	return { url, body: rulesOf(i) };
});

const rows = Array.from({ length: SITES }, (_, i) => {
	const isMoved = i % 9 === 0;
	return {
		origin: i % 50 === 7 ? "nonsense" : `https://${hostOf(i)}`,
		status: isMoved ? 301 : i % 50 === 8 ? undefined : 200,
		robots: isMoved || i % 50 === 8 ? undefined : rulesOf(i),
		location: isMoved ? targetOf(i) : undefined,
	};
});
type Name = keyof (typeof rows)[number];
const column = (name: Name, type: "STRING" | "INT32") => ({
	name,
	type,
	nullable: true,
	data: rows.map((row) => row[name]),
});

const inputs: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
	["gzip.warc.gz", () => warcOf(records, (one) => gzipSync(one, { level: 1 }))],
	["plain.warc", () => warcOf(records, (one) => one)],
	[
		"rows.parquet",
		async () =>
			new Uint8Array(
				parquetWriteBuffer({
					columnData: [
						column("origin", "STRING"),
						column("status", "INT32"),
						column("robots", "STRING"),
						column("location", "STRING"),
					],
					rowGroupSize: 200,
				}),
			),
	],
	[
		"rows.ndjson",
		async () =>
			Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
	],
];

/** Verdicts that tell an index's rules apart. */
function verdictsOf(path: string): string {
	const index = RobotsIndex.fromBytes(readFileSync(path));
	const paths = Array.from({ length: 17 }, (_, i) => `/${i}`);
	const urls = [...index.origins()].flatMap((origin) =>
		paths.map((path) => origin + path),
	);
	return Buffer.from(index.matchMany(urls)).toString("base64");
}

/** The bytes of an index in a file, or of all of its shards, as hashes. */
function hashesOf(path: string): readonly string[] {
	const files = statSync(path).isDirectory()
		? readdirSync(path)
				.filter((name) => name !== "index.json")
				.map((name) => [/-(\d+)\.index$/.exec(name)?.[1] ?? name, name])
				.sort()
				.map(([, name = ""]) => join(path, name))
		: [path];
	return files.map((file) =>
		createHash("sha256").update(readFileSync(file)).digest("hex"),
	);
}

/** Options of runs that have to make the same index. */
const alike: Readonly<Record<string, readonly (readonly string[])[]>> = {
	"a file": [
		["--workers", "1"],
		["--workers", "2"],
		["--workers", "3"],
	],
	shards: [
		["--shards", "3", "--workers", "1"],
		["--shards", "3", "--workers", "1", "--memory", "1K"],
		["--shards", "3", "--workers", "2", "--memory", "2M"],
	],
};

describe("robotrie index writes the same bytes and remarks by any number of workers and with any memory", () => {
	const bytes = new Map<string, Uint8Array>();
	beforeAll(async () => {
		for (const [name, make] of inputs) bytes.set(name, await make());
	});

	test.each(
		inputs.flatMap(([name]) =>
			Object.entries(alike).map(([what, options]) => ({ name, what, options })),
		),
	)("$what of $name", async ({ name, what, options }) => {
		const input = file(name, bytes.get(name) ?? new Uint8Array());
		const runs = [];
		for (const [i, some] of options.entries()) {
			const out = join(folder, `${name}.${what}.${i}`);
			const { code, stderr } = await robotrie([
				"index",
				"-a",
				"x",
				"--summary",
				...some,
				"-o",
				out,
				input,
			]);
			const remarks = stderr.replaceAll(out, "OUT");
			expect({ some, code, remarks }).toMatchObject({ code: 0 });
			runs.push({ remarks, hashes: hashesOf(out) });
			if (what === "a file") expect(verdictsOf(out)).toMatch(/[^A]/);
		}
		const [one] = runs;
		expect(one?.hashes).toHaveLength(what === "a file" ? 1 : 3);
		expect(one?.remarks).toMatch(/ redirects, \d+ of them without/);
		expect(one?.remarks).toContain("sites could not be read");
		expect(runs).toEqual(options.map(() => one));
	});
});
