import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "redis";
import { describe, expect, test, vi } from "vitest";
import { RobotsIndex, Verdict } from "../../../src/index.ts";
import { hasRedis, startRedis } from "../../client/test/redis.ts";
import {
	type Origins,
	type Replica,
	serveOrigins,
	startReplica,
} from "./replicas.ts";

/**
 * Crawls through three replicas that share a Redis server: three crawlers in two languages, 200 origins. ROBOTRIE_CRAWL=10000 crawls as many.
 * Every origin is asked once, at most once more for each replica that is killed or that the machine stops, and all verdicts are the library's.
 */
const ORIGINS = Number(process.env.ROBOTRIE_CRAWL ?? 200);

const python = "python3";
const crawlers = [
	{ agent: "ABot", command: [python, "crawler.py"] },
	{ agent: "BBot", command: [python, "crawler.py"] },
	{ agent: "CBot", command: [process.execPath, "crawler.mjs"] },
] as const;

/** Pages of all origins, in an order of the crawler's own. */
function urlsFor(origins: readonly string[], step: number): string[] {
	return origins
		.flatMap((origin) =>
			["/", "/a1/x", "/a3", "/b2", "/b0/open"].map((path) => origin + path),
		)
		.map((url, i, all) => all[(i * step) % all.length] ?? url);
}

async function crawl(
	[command, script]: readonly [string, string],
	agent: string,
	urls: readonly string[],
	replicas: readonly string[],
): Promise<string[]> {
	const file = fileURLToPath(new URL(script, import.meta.url));
	const child = spawn(command, [file, agent, ...replicas], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	child.stdin.end(urls.map((url) => `${url}\n`).join(""));
	return (await text(child.stdout)).split("\n").filter((line) => line !== "");
}

/** Milliseconds. The lease of a replica that the machine stops lapses after 3.5 seconds, one of which may have passed before. */
const STILL = 2000;

/** How often an answer took that long, until it is over. */
async function stalls(
	ask: () => Promise<unknown>,
	isOver: () => boolean,
): Promise<number> {
	let count = 0;
	while (!isOver()) {
		const start = performance.now();
		// Replicas are killed, too.
		await ask().catch(() => {});
		if (performance.now() - start > STILL) count++;
		await sleep(100);
	}
	return count;
}

/** What the library says. */
function expected(
	sites: Origins,
	agent: string,
	urls: readonly string[],
): string[] {
	const index = new RobotsIndex({ agent });
	for (const origin of sites.origins)
		index.set(origin, sites.robotsOf(origin) ?? "allow-all");
	return Array.from(index.matchMany(urls), (verdict) =>
		verdict === Verdict.Allowed ? "allowed" : "disallowed",
	);
}

describe.skipIf(!hasRedis)("A crawl through three replicas", () => {
	test.each([{ kills: 0 }, { kills: 2 }])(
		"of which $kills are killed meanwhile",
		async ({ kills }) => {
			await using redis = await startRedis();
			await using sites = await serveOrigins(ORIGINS, 30);
			const args = [
				"--store",
				redis.url,
				"--agent",
				"ABot",
				"--allow-private-network",
				"--concurrency",
				"20",
			];
			const start = (port = 0) =>
				startReplica([...args, "--port", String(port)]);
			const replicas: Replica[] = await Promise.all([
				start(),
				start(),
				start(),
			]);
			const bases = replicas.map(({ base }) => base);
			// Steps that have no factor in common with five paths an origin: every URL once.
			const steps = [1, 5 * ORIGINS - 1, 5 * ORIGINS - 1];
			const lists = crawlers.map((_, i) =>
				urlsFor(sites.origins, steps[i] ?? 1),
			);
			const admin = createClient({ url: redis.url });
			await admin.connect();
			let isOver = false;
			const watched = Promise.all(
				[
					() => admin.ping(),
					...bases.map((base) => async () => {
						await (await fetch(`${base}/healthz`)).text();
					}),
				].map((ask) => stalls(ask, () => isOver)),
			);
			const crawls = Promise.all(
				crawlers.map(({ agent, command }, i) =>
					crawl(command, agent, lists[i] ?? [], bases),
				),
			);
			for (let kill = 0; kill < kills; kill++) {
				const from = (ORIGINS * (kill + 1)) / (kills + 2);
				await vi.waitFor(() => expect(sites.asked.size).toBeGreaterThan(from), {
					timeout: 300_000,
					interval: 5,
				});
				const { base } = replicas[kill] as Replica;
				await replicas[kill]?.kill();
				replicas[kill] = await start(Number(new URL(base).port));
			}
			const verdicts = await crawls;
			isOver = true;
			const stopped = (await watched).reduce((sum, count) => sum + count, 0);
			admin.destroy();
			for (const [i, { agent }] of crawlers.entries())
				expect(verdicts[i]).toEqual(expected(sites, agent, lists[i] ?? []));
			const times = [...sites.asked.values()];
			expect(times).toHaveLength(ORIGINS);
			expect(Math.max(...times)).toBeLessThanOrEqual(1 + kills + stopped);
			const again = times.filter((count) => count > 1).length;
			// What a replica had in progress then is asked for again, and no more: --concurrency at most.
			expect(again).toBeLessThanOrEqual(20 * (kills + stopped));
			const codes = await Promise.all(
				replicas.map((replica) => replica.stop()),
			);
			expect(codes).toEqual([0, 0, 0]);
			if (process.env.ROBOTRIE_CRAWL)
				console.log(
					`${ORIGINS} origins, ${kills} kills: ${again} asked again, ${3 * 5 * ORIGINS} verdicts right`,
				);
		},
		900_000,
	);
});
