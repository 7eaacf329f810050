import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	openShards,
	readManifest,
} from "../../sites/src/shards/index-folder.ts";
import { ShardSet } from "../../sites/src/shards/shard-set.ts";
import { file, folder, robotrie, root } from "./run.ts";

const sites = Array.from({ length: 300 }, (_, i) => ({
	origin: `https://s${i}.example${i % 3 ? "" : ":8080"}`,
	robots: `User-agent: x\nDisallow: /${i % 7}\n`,
}));
const input = file(
	"sites.ndjson",
	sites.map((site) => `${JSON.stringify(site)}\n`).join(""),
);
const urls = new TextEncoder().encode(
	sites.map(({ origin }) => `${origin}/1\n`).join(""),
);

test("killed at any time, the old index stays whole until the new one is", async () => {
	const place = join(folder, "killed");
	const make = (sites: string) => [
		"index",
		"-a",
		"x",
		"--shards",
		"64",
		"-o",
		place,
		sites,
	];
	await robotrie(make(input));
	const open = file(
		"open.ndjson",
		sites
			.map(
				({ origin }) => `${JSON.stringify({ origin, access: "allow-all" })}\n`,
			)
			.join(""),
	);
	const line = new TextEncoder().encode("https://s6.example:8080/6\n");
	const verdictNow = async () => {
		const manifest = await readManifest(place);
		const files = openShards(place, manifest);
		const set = new ShardSet({
			folder: place,
			shards: manifest.shards,
			files,
			memory: 2 ** 30,
		});
		expect(await set.matchLines(urls)).toHaveLength(sites.length);
		return (await set.matchLines(line))[0];
	};
	const files = () =>
		readdirSync(place).filter((name) => name.startsWith("shard-")).length;
	const manifestNow = () => readFileSync(join(place, "index.json"), "utf8");
	let killedWhileWriting = 0;
	// If the machine stops this process, the other one may have written all by the time that it would be killed.
	for (let shards = 1; shards <= 64 || killedWhileWriting === 0; shards += 21) {
		const old = manifestNow();
		const child = spawn(process.execPath, [
			join(root, "packages/cli/main.js"),
			...make(open),
		]);
		const over = new Promise((resolve) => child.on("close", resolve));
		const before = files();
		const watch = setInterval(() => {
			if (files() >= before + (shards % 84)) child.kill("SIGKILL");
		}, 1);
		await over;
		clearInterval(watch);
		const isOld = manifestNow() === old;
		expect(await verdictNow()).toBe(isOld ? 0 : 1);
		if (isOld) killedWhileWriting++;
		else await robotrie(make(input));
	}
	expect(killedWhileWriting).toBeGreaterThan(0);
	await robotrie(["index", "-a", "x", "--shards", "3", "-o", place, open]);
	expect(await verdictNow()).toBe(1);
	// What the killed ones left is gone.
	expect(readdirSync(place)).toHaveLength(4);
});

test.each([
	["SIGTERM", "1"],
	["SIGTERM", "2"],
	["SIGINT", "2"],
] as const)(
	"%s while %s workers write shards leaves the folder as it was",
	async (signal, workers) => {
		const place = join(folder, `written-${signal}-${workers}`);
		const make = ["index", "-a", "x", "-o", place, "--workers", workers];
		const interrupted = async () => {
			await robotrie([...make, "--shards", "1", input]);
			const before = readdirSync(place);
			// Enough shards for seconds.
			const child = spawn(process.execPath, [
				join(root, "packages/cli/main.js"),
				...make,
				"--shards",
				"4096",
				input,
			]);
			const over = new Promise((resolve) => child.on("close", resolve));
			while (readdirSync(place).length < before.length + 3)
				await new Promise((resolve) => setTimeout(resolve, 1));
			child.kill(signal);
			await over;
			return { before, code: child.exitCode, by: child.signalCode };
		};
		let { before, code, by } = await interrupted();
		// It may have written all while the machine stopped this process.
		while (code === 0) ({ before, code, by } = await interrupted());
		expect(by).toBe(signal);
		expect(readdirSync(place)).toEqual(before);
	},
);
