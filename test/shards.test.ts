import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { crc32Of, shardOf } from "../packages/sites/src/shards/shard.ts";

interface Vector {
	readonly url: string;
	readonly host: string;
	readonly crc32: number;
	/** The shard of the host by the number of shards. */
	readonly shards: Readonly<Record<string, number>>;
}

const read = (file: string) =>
	readFileSync(new URL(file, import.meta.url), "utf8");
const vectors: readonly Vector[] = JSON.parse(read("data/shard-vectors.json"));
const page = read("../docs/sharding.md");

/** Bit by bit, as ISO 3309 has it. */
function crcBitByBit(text: string): number {
	let crc = 0xffffffff;
	for (const byte of new TextEncoder().encode(text)) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++)
			crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
	}
	return (crc ^ 0xffffffff) >>> 0;
}

describe("the shard of a host", () => {
	test.each(vectors)("$url", ({ url, host, crc32, shards }) => {
		expect(new URL(url).hostname).toBe(host);
		expect(crcBitByBit(host)).toBe(crc32);
		for (const [count, shard] of Object.entries(shards)) {
			expect(crc32 % Number(count)).toBe(shard);
			expect(shardOf(host, Number(count))).toBe(shard);
			const bytes = Buffer.from(`-${host}-`);
			const sum = crc32Of(bytes, 1, bytes.length - 1);
			expect(sum % Number(count)).toBe(shard);
		}
		expect(page).toContain(
			`| \`${url}\` | \`${host}\` | ${crc32} | ${shards[7]} | ${shards[16]} | ${shards[256]} |`,
		);
	});
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)("in Python, as the page has it", () => {
	const [, code = "", output = ""] =
		/```python\n(.*?)```.*?```text\n(.*?)```/s.exec(page) ?? [];
	const run = (script: string) =>
		execFileSync("python3", ["-c", script], { encoding: "utf8" });
	expect(run(code)).toBe(output);
	const found = run(
		`${code}\nfor host in ${JSON.stringify(vectors.map(({ host }) => host))}: print(shard_of(host, 256))`,
	);
	expect(found).toBe(
		`${output}${vectors.map(({ shards }) => `${shards[256]}\n`).join("")}`,
	);
});
