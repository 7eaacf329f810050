import { fork } from "node:child_process";
import { once } from "node:events";
import type { LookupFunction } from "node:net";
import { fileURLToPath } from "node:url";
import { Verdict } from "robotrie";
import { RobotsClient, type RobotsStore } from "../src/index.ts";

export interface CrawlOptions {
	readonly origins: number;
	readonly urls: number;
	/** Where this file lies: bundled, it cannot tell. */
	readonly folder?: URL;
	/** A store that is empty, opened anew for every client. */
	readonly openStore: () => Promise<RobotsStore>;
	/** Hears of each part when it is done. */
	readonly report?: (part: CrawlPart) => void;
}

export interface CrawlPart {
	readonly what: string;
	readonly urls: number;
	readonly requests: number;
	readonly seconds: number;
	/** Of this process: the server is another one. */
	readonly cpuSeconds: number;
}

/** All names are this machine. */
const lookup: LookupFunction = (_, options, callback) => {
	if (options.all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
	else callback(null, "127.0.0.1", 4);
};

/**
 * Judges URLs of many origins on a server of its own, cold, warm and from the store of another client.
 * @throws {Error} When a verdict is missing or wrong, or an origin was not asked exactly once.
 */
export async function crawl(options: CrawlOptions): Promise<void> {
	const { origins, urls, openStore, report = () => {} } = options;
	const folder = options.folder ?? new URL("./", import.meta.url);
	const server = fork(fileURLToPath(new URL("crawl-server.mjs", folder)));
	try {
		const [port] = (await once(server, "message")) as [number];
		const { lines, expected } = makeUrls(origins, urls, port);
		const bytes = new TextEncoder().encode(lines.join("\n"));
		let requests = 0;
		const time = async (
			what: string,
			client: RobotsClient,
			count: number,
			judge: () => Promise<Uint8Array>,
		) => {
			const start = performance.now();
			const before = process.cpuUsage();
			const verdicts = await judge();
			const { user, system } = process.cpuUsage(before);
			const seconds = (performance.now() - start) / 1000;
			const cpuSeconds = (user + system) / 1e6;
			verify(what, verdicts, expected.subarray(0, count));
			const all = client.stats().requests;
			report({
				what,
				urls: count,
				requests: all - requests,
				seconds,
				cpuSeconds,
			});
			requests = all;
		};
		const open = async (store: RobotsStore) =>
			new RobotsClient({
				agent: "ExampleBot",
				store,
				lookup,
				allowPrivateNetwork: true,
				concurrency: 100,
			});

		const store = await openStore();
		const client = await open(store);
		await time("cold: fetched, stored, judged", client, urls, () =>
			client.matchMany(lines),
		);
		await time("warm: matchMany", client, urls, () => client.matchMany(lines));
		await time("warm: matchLines", client, urls, () =>
			client.matchLines(bytes),
		);
		const few = Math.min(urls, 100_000);
		await time("warm: isAllowed, one at a time", client, few, async () => {
			const verdicts = new Uint8Array(few);
			for (let i = 0; i < few; i++)
				verdicts[i] = (await client.isAllowed(lines[i] ?? ""))
					? Verdict.Allowed
					: // A boolean does not tell them apart.
						expected[i] === Verdict.Later
						? Verdict.Later
						: Verdict.Disallowed;
			return verdicts;
		});
		await client.close();
		await store.close();

		requests = 0;
		const again = await openStore();
		const next = await open(again);
		await time("another client, from the store", next, urls, () =>
			next.matchMany(lines),
		);
		await next.close();
		await again.close();

		server.send("counts");
		const [counts] = (await once(server, "message")) as [number[]];
		if (counts.length !== origins || counts.some((count) => count !== 1))
			throw new Error(
				`${counts.length} of ${origins} origins were asked, ${Math.max(...counts)} times at most`,
			);
	} finally {
		server.kill();
	}
}

/** URLs in an order that mixes the origins, and what is right for each. */
function makeUrls(origins: number, urls: number, port: number) {
	const lines: string[] = [];
	const expected = new Uint8Array(urls);
	for (let i = 0; i < urls; i++) {
		// A step that shares no factor with most counts: neighbours are of different origins, and all get their turn.
		const number = (i * 7919) % origins;
		const section = (i >> 3) % 7;
		const folder = i % 5 === 0 ? "open/" : "";
		lines.push(
			`http://h${number}.test:${port}/section-${section}/${folder}page-${i}`,
		);
		const isAllowed =
			number % 10 === 9 || section !== number % 7 || folder !== "";
		// A tenth of the sites answer 503 for robots.txt, another tenth have none.
		if (number % 10 === 8) expected[i] = Verdict.Later;
		else expected[i] = isAllowed ? Verdict.Allowed : Verdict.Disallowed;
	}
	return { lines, expected };
}

function verify(
	what: string,
	verdicts: Uint8Array,
	expected: Uint8Array,
): void {
	if (verdicts.length !== expected.length)
		throw new Error(
			`${what}: ${verdicts.length} verdicts for ${expected.length} URLs`,
		);
	const wrong = verdicts.findIndex((verdict, i) => verdict !== expected[i]);
	if (wrong >= 0)
		throw new Error(
			`${what}: URL ${wrong} has verdict ${verdicts[wrong]}, not ${expected[wrong]}`,
		);
}
