import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { openStore, type RobotsStore } from "../src/index.ts";
import { hasSqlite } from "./sqlite.ts";

/** ROBOTRIE_ALL=1 asks for the whole of it, some minutes. */
const isWhole = process.env.ROBOTRIE_ALL === "1";
const KILLS = isWhole ? 200 : 10;
const COMMITS = isWhole ? 100_000 : 1000;
const HOUR = 3_600_000;

const root = mkdtempSync(join(tmpdir(), "robotrie-torture-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

const stores: readonly (readonly [string, boolean, string])[] = [
	["LMDB", true, "store"],
	["SQLite", hasSqlite, "store.sqlite"],
];

async function expectWhole(
	store: RobotsStore,
	name: string,
	most: number,
	acknowledged: ReadonlySet<number>,
	copies: number,
) {
	for (let i = 0; i < most; i++) {
		const key = `https://${name}-${i}.example`;
		const entry = await store.get(key);
		if (entry === undefined && !acknowledged.has(i)) continue;
		if (
			Buffer.from(entry ?? []).toString() !== `${key} `.repeat(1 + (i % copies))
		)
			expect.fail(`${key} is ${entry === undefined ? "lost" : "damaged"}`);
	}
}

describe.each(stores)("%s", (kind, runs, name) => {
	test.skipIf(!runs)(
		`survives ${KILLS} kills of a process that writes`,
		async () => {
			const location = join(root, `kills-${name}`);
			for (let round = 0; round < KILLS; round++) {
				const writer = `w${round}`;
				const child = spawn(
					process.execPath,
					[script("./store-writer.mjs"), location, writer],
					{ stdio: ["ignore", "pipe", "ignore"] },
				);
				const closed = once(child, "close");
				const acknowledged = new Set<number>();
				const lines = createInterface(child.stdout);
				lines.on("line", (line) => acknowledged.add(Number(line)));
				await Promise.race([once(lines, "line"), closed]);
				expect(child.exitCode).toBeNull();
				await sleep(Math.random() * 60);
				child.kill("SIGKILL");
				await closed;
				const store = await openStore(location);
				const most = Math.max(...acknowledged) + 10;
				await expectWhole(store, writer, most, acknowledged, 200);
				await store.close();
			}
		},
		HOUR,
	);

	test.skipIf(!runs)(
		`keeps what two processes write in ${COMMITS} commits each`,
		async () => {
			const location = join(root, `commits-${name}`);
			const started = performance.now();
			await Promise.all(
				["a", "b"].map((writer) =>
					run(process.execPath, [
						script("./store-commits.mjs"),
						location,
						writer,
						String(COMMITS),
					]),
				),
			);
			const seconds = (performance.now() - started) / 1000;
			if (isWhole)
				console.log(
					`${kind}, Node ${process.version}: 2 x ${COMMITS} commits in ${seconds.toFixed(1)} s`,
				);
			const store = await openStore(location);
			const all = new Set(Array.from({ length: COMMITS }, (_, i) => i));
			for (const writer of ["a", "b"])
				await expectWhole(store, writer, COMMITS, all, 9);
			await store.close();
		},
		HOUR,
	);

	for (const atATime of runs ? [1, 16] : [])
		test(`goes on after a full disk, entries written at a time: ${atATime}`, async ({
			skip,
		}) => {
			if (process.platform !== "linux" || process.getuid?.() !== 0)
				return skip("only root can mount a small disk");
			const disk = join(root, `disk-${name}-${atATime}`);
			mkdirSync(disk);
			try {
				execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], {
					stdio: "ignore",
				});
			} catch {
				return skip("mount is not permitted here");
			}
			try {
				const { stdout } = await run(
					process.execPath,
					[script("./full-disk.mjs"), join(disk, name), String(atATime)],
					{ timeout: 60_000 },
				);
				const told = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
				expect(told).toMatchObject({ lost: 0, codes: ["store-unavailable"] });
				expect(told.kept).toBeGreaterThan(100);
				expect(told.message).toMatch(/full|are free on its disk/);
				execFileSync("mount", ["-o", "remount,size=32m", disk]);
				const store = await openStore(join(disk, name));
				await store.set("https://after.example", Uint8Array.of(1));
				expect(await store.get("https://after.example")).toHaveLength(1);
				expect(await store.get("https://0.example")).toHaveLength(20_000);
				await store.close();
			} finally {
				execFileSync("umount", ["-l", disk]);
			}
		});
});
