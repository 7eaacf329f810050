// A store of a million origins: how long the service takes to start over it, to give its first verdict, and to judge a URL of each, and what
// memory that takes. Entries are what a client stores, so no site is asked; if one is, or a verdict is wrong, it fails.
//   node packages/server/bench/origins.mjs [--origins 1000000] [--store FOLDER|redis://127.0.0.1:6379]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openStore } from "@robotrie/client";
import { encodeEntry } from "@robotrie/client/internal";
import { accessFor } from "robotrie/access";

const args = process.argv.slice(2);
const option = (name, otherwise) => {
	const at = args.indexOf(`--${name}`);
	return at < 0 ? otherwise : args[at + 1];
};
const ORIGINS = Number(option("origins", 1_000_000));
/** Origins of a bulk request. */
const BATCH = 50_000;
/** Entries that are written at a time: more take longer than a call of the store may. */
const WRITES = 5000;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "robotrie-origins-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const place = option("store", folder);
const isRedis = /^rediss?:/.test(place);

const originOf = (i) => `https://site-${i}.example`;
const robotsOf = (i) =>
	`User-agent: *\nDisallow: /cart\nDisallow: /search\nDisallow: /private-${i % 1000}/\nAllow: /search/about\n\nSitemap: ${originOf(i)}/sitemap.xml\n`;
const urlOf = (i) => `${originOf(i)}/${i % 2 ? "cart" : "articles"}/${i}`;
const wordOf = (i) => (i % 2 ? "disallowed" : "allowed");

const number = (value) => Math.round(value).toLocaleString("en-US");
const row = (what, value) => console.log(`| ${what} | ${value} |`);
console.log(
	`${number(ORIGINS)} origins, Node ${process.version}, ${isRedis ? "Redis" : "SQLite or LMDB"}\n\n| what | |\n|---|---:|`,
);

async function fill() {
	const store = await openStore(
		isRedis || !process.getBuiltinModule("node:sqlite")
			? place
			: `sqlite:${join(place, "robots.sqlite")}`,
	);
	const begin = performance.now();
	for (let from = 0; from < ORIGINS; from += WRITES) {
		const to = Math.min(from + WRITES, ORIGINS);
		const writes = [];
		for (let i = from; i < to; i++) {
			const origin = originOf(i);
			const answer = {
				status: 200,
				headers: {
					"content-type": "text/plain",
					"cache-control": "max-age=86400",
				},
				body: Buffer.from(robotsOf(i)),
				url: `${origin}/robots.txt`,
			};
			const access = accessFor(answer, null, { now: Date.now() });
			writes.push(store.set(origin, encodeEntry(origin, access)));
		}
		await Promise.all(writes);
	}
	row(
		"entries written a second",
		number((ORIGINS / (performance.now() - begin)) * 1000),
	);
	await store.close();
	if (!isRedis) {
		const files = readdirSync(place).map(
			(name) => statSync(join(place, name)).size,
		);
		row(
			"bytes on disk an origin",
			number(files.reduce((a, b) => a + b, 0) / ORIGINS),
		);
	}
}

/** Starts the service and waits until it listens. */
async function start() {
	const begin = performance.now();
	const child = spawn(
		process.execPath,
		[
			join(root, "packages/cli/main.js"),
			"serve",
			"--port",
			"0",
			"--agent",
			"ExampleBot",
			"--store",
			place,
			"--log-level",
			"warn",
		],
		{ stdio: ["ignore", "inherit", "pipe"] },
	);
	for await (const line of createInterface({ input: child.stderr })) {
		const [, base] = /listening on (.*)/.exec(line) ?? [];
		if (base === undefined) continue;
		child.stderr.resume();
		return { base, child, time: performance.now() - begin };
	}
	throw new Error("the service does not start");
}

async function ask(base, i) {
	const begin = performance.now();
	const answer = await fetch(
		`${base}/allowed?url=${encodeURIComponent(urlOf(i))}`,
	);
	const { verdict } = await answer.json();
	if (verdict !== wordOf(i)) throw new Error(`${urlOf(i)}: ${verdict}`);
	return performance.now() - begin;
}

/** The sum of a metric's samples. */
async function metric(base, name) {
	const text = await (await fetch(`${base}/metrics`)).text();
	const samples = text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)`, "gm"));
	return [...samples].reduce((sum, [, , value]) => sum + Number(value), 0);
}
const resident = async (base) =>
	`${number((await metric(base, "process_resident_memory_bytes")) / 2 ** 20)} MiB`;

/** One URL of each origin, in bulk. Gives origins a second. */
async function askAll(base) {
	const begin = performance.now();
	for (let from = 0; from < ORIGINS; from += BATCH) {
		const places = Array.from(
			{ length: Math.min(BATCH, ORIGINS - from) },
			(_, i) => from + i,
		);
		const answer = await fetch(`${base}/match`, {
			method: "POST",
			headers: { "content-type": "text/plain" },
			body: places.map(urlOf).join("\n"),
		});
		if ((await answer.text()) !== places.map((i) => `${wordOf(i)}\n`).join(""))
			throw new Error("a verdict is wrong");
	}
	return (ORIGINS / (performance.now() - begin)) * 1000;
}

await fill();
for (const run of ["after a start", "after a kill and a start"]) {
	const { base, child, time } = await start();
	row(`${run}: it listens after`, `${number(time)} ms`);
	row(
		`${run}: the first verdict takes`,
		`${(await ask(base, 12_345 % ORIGINS)).toFixed(1)} ms`,
	);
	row(
		`${run}: the second one, of another origin`,
		`${(await ask(base, 54_321 % ORIGINS)).toFixed(1)} ms`,
	);
	row(`${run}: resident memory`, await resident(base));
	if (run === "after a start") {
		row(
			"a URL of each origin, from the store, a second",
			number(await askAll(base)),
		);
		row("resident memory with all of them", await resident(base));
		row("the same again, from memory, a second", number(await askAll(base)));
		row("resident memory then", await resident(base));
		row(
			"verdicts one by one meanwhile",
			`${(await ask(base, 777)).toFixed(1)} ms`,
		);
	}
	const fetched = await metric(base, "robotrie_fetches_total");
	if (fetched > 0) throw new Error(`${fetched} origins were asked`);
	child.kill("SIGKILL");
	await once(child, "exit");
}
