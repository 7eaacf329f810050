// How long the client works on a file in one go, and in all: for the files that a site may send to hold it up, at several sizes. The
// steps are those between which the client lets the event loop turn. Of files that go to a thread it is turns of the event loop that are
// measured, from the request on. Called by `npm run growth -- turns`, which stores the tables as the kind "turns"; docs/security.md shows
// them.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { RobotsTxt } from "../dist/index.js";
import { storeResult } from "./store-result.mjs";
import { threadTime } from "./thread-time.mjs";

const own = fileURLToPath(import.meta.url);
const KIB = 1024;
const SIZES = [125, 250, 500];
const ROUNDS = 15;
const LONG_URL = `/${"i".repeat(8 * KIB - 1)}`;

/** Each a call of the client, as it works on a file. */
const calls = {
	"isAllowed, compiling": (robots) => robots.compactSteps("x"),
	explain: (robots) => robots.explainSteps(LONG_URL, "x"),
	nextVisit: (robots) => robots.paceSteps("x"),
	sitemaps: (robots) => robots.sitemapSteps(),
};

/** Lines of a file; "#" is another text in each of them. Every call is measured with those that take it most time. */
const files = [
	["Allow:*i$", ["isAllowed, compiling", "explain"]],
	["Allow:*#", ["isAllowed, compiling", "explain"]],
	["Allow:*a%3f#", ["isAllowed, compiling", "explain"]],
	["Allow:/a*#", ["isAllowed, compiling", "explain"]],
	["User-agent:*\nAllow:/#", ["explain"]],
	["User-agent:#", ["explain", "nextVisit"]],
	["User-agent: a\nCrawl-delay: 1", ["explain", "nextVisit"]],
	["Request-rate: 1/5 0100-0200", ["nextVisit"]],
	["Visit-time: x", ["nextVisit"]],
	["Sitemap:http://a/#", ["sitemaps"]],
	["X:", ["explain", "nextVisit", "sitemaps"]],
];

const cases = ["rfc9309", "yandex"].flatMap((dialect) =>
	files.flatMap(([lines, names]) =>
		names.map((call) => ({ call, dialect, lines })),
	),
);

/** Sizes of files for the thread; the largest is all that the client reads. */
const HUGE_SIZES = [1, 4, 16];
const HUGE_ROUNDS = 3;
const DIALECT = "google";
/** Milliseconds after the answer in which turns still count: the answer is taken in, and compressed for the store. */
const AFTER = 500;

/** Each a call of the client that reads, asks and answers, in a process of its own. */
const huge = [
	["Allow:/#", "isAllowed"],
	["Allow:/#", "explain"],
	["User-agent:#", "explain"],
	["Request-rate: 1/5 0100-0200", "nextVisit"],
	["Sitemap:http://a/#", "sitemaps"],
	["X:", "isAllowed"],
].map(([lines, call]) => ({ call, dialect: DIALECT, lines }));

/** Judging by rules made to cost time, in each dialect, each URL in a turn of its own. */
const JUDGED_URLS = 20;
const judging = ["rfc9309", "yandex", DIALECT].flatMap((dialect) =>
	["isAllowed, judging", "matchMany, judging"].map((call) => ({
		call,
		dialect,
		lines: "Disallow: *@*~",
	})),
);

/** A large entry is set, read by the next client, and set anew with the failure when the site is gone. */
const stores = ["SqliteStore", "LmdbStore", "RedisStore"].flatMap((store) =>
	["isAllowed", "isAllowed, stored", "isAllowed, the site fails"].map(
		(call) => ({ call, dialect: DIALECT, lines: "Allow:/#", store }),
	),
);
const WEEK = 7 * 24 * 3600 * 1000;

/** New stores: how they are opened, and how what they are kept in is removed. */
const storePlaces = {
	SqliteStore: () => inFolder("store.sqlite"),
	LmdbStore: () => inFolder("store"),
	async RedisStore() {
		const socket = createServer().listen(0, "127.0.0.1");
		await once(socket, "listening");
		const port = String(socket.address().port);
		socket.close();
		const server = spawn(
			"redis-server",
			["--port", port, "--bind", "127.0.0.1", "--save", ""],
			{ stdio: ["ignore", "pipe", "inherit"] },
		);
		for await (const text of server.stdout.iterator({ destroyOnReturn: false }))
			if (String(text).includes("Ready to accept")) break;
		server.stdout.resume();
		return {
			open: () => openLocation(`redis://127.0.0.1:${port}`),
			close: () => server.kill(),
		};
	},
};

function inFolder(name) {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-turns-"));
	return {
		open: () => openLocation(join(folder, name)),
		close: () => rmSync(folder, { recursive: true }),
	};
}

async function openLocation(location) {
	const { openStore } = await import("../packages/client/dist/index.js");
	return openStore(location);
}

/** Whether this Node and machine have what a store needs. */
const hasStore = {
	SqliteStore: () => process.getBuiltinModule("node:sqlite") !== undefined,
	LmdbStore: () => true,
	RedisStore: () => spawnSync("redis-server", ["--version"]).status === 0,
};

const WORD = 12;

/** Letters at random, the same ones each time: no two of its words of 12 bytes are the same. */
function tossed(length, seed) {
	let state = seed;
	return Array.from({ length }, () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return "abcdefgh0123"[(state >>> 0) % 12];
	}).join("");
}

/** "@" is a word of the URL, "~" one that is nowhere. */
function make(lines, size) {
	const all = ["User-agent: *"];
	const path = tossed(8 * 1024, 1);
	const others = tossed(2 ** 20, 2);
	const wordOf = (text, number) => {
		const from = (number * 7919) % (text.length - WORD);
		return text.slice(from, from + WORD);
	};
	for (let number = 0, length = 14; ; number++) {
		const next = lines
			.replaceAll("#", number.toString(36))
			.replaceAll("@", () => wordOf(path, number))
			.replaceAll("~", () => wordOf(others, number));
		length += next.length + 1;
		if (length > size) return Buffer.from(`${all.join("\n")}\n`);
		all.push(next);
	}
}

/** A site in a thread: its file takes no time of the main thread, and no memory that is collected there. */
const SITE = `
const { parentPort, workerData } = require("node:worker_threads");
const WORD = ${WORD};
const tossed = ${tossed};
const make = ${make};
const { lines, size } = workerData;
const body = make(lines, size);
const server = require("node:http").createServer((_, response) => {
	response.setHeader("content-type", "text/plain");
	response.end(body);
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;

/** In the process of a case: milliseconds of the call, and of the turn in which the main thread ran for longest. */
async function measureTurns({ call, dialect, lines, store: kind }, mib) {
	// Here, as the growth of other calls is measured in processes that load this file, too.
	const { RobotsClient } = await import("../packages/client/dist/index.js");
	const place = kind && (await storePlaces[kind]());
	const store = kind ? { store: await place.open() } : {};
	const [named, state] = call.split(", ");
	// What reads and compiles is measured by isAllowed.
	const method = state === "judging" ? "isAllowed" : named;
	const newClient = (options = {}) =>
		new RobotsClient({
			agent: "x",
			dialect,
			allowPrivateNetwork: true,
			...store,
			...options,
		});
	const site = async (size) => {
		const worker = new Worker(SITE, {
			eval: true,
			workerData: { lines, size },
		});
		const [port] = await once(worker, "message");
		return { url: `http://127.0.0.1:${port}/`, worker };
	};
	let client = newClient();
	// Modules are loaded, and code is compiled, with a file that needs no thread.
	const first = await site(KIB);
	await client[method](first.url);
	const { url, worker } = await site(mib * KIB * KIB);
	if (state && kind) {
		await client[method](url);
		await client.close();
		const later = { now: () => Date.now() + WEEK };
		client = newClient(state === "the site fails" ? later : {});
		await worker.terminate();
		await client[method](first.url);
	}
	const path = tossed(8 * KIB, 1);
	const urls = Array.from(
		{ length: JUDGED_URLS },
		(_, i) => `${url}${path.slice(i + 30)}`,
	);
	const work = {
		"isAllowed, judging": () => client.isAllowed(urls[0]),
		"matchMany, judging": () => client.matchMany(urls),
	}[call];
	if (work) await client.isAllowed(url);
	let longest = 0;
	let isDone = false;
	const turn = (since) => {
		longest = Math.max(longest, threadTime() - since);
		if (!isDone) setImmediate(turn, threadTime());
	};
	setImmediate(turn, threadTime());
	const started = performance.now();
	await (work?.() ?? client[method](url));
	const sum = performance.now() - started;
	await sleep(AFTER);
	isDone = true;
	await client.close();
	await store.store?.close();
	await place?.close();
	await Promise.all([first.worker.terminate(), worker.terminate()]);
	return { sum, longest };
}

/** In the process of a case: milliseconds of all steps and of the longest, each the fastest of its runs. */
function measure({ call, dialect, lines }, kib) {
	const bytes = make(lines, kib * KIB);
	const fastest = [];
	for (let round = 0; round < ROUNDS; round++) {
		const steps = calls[call](RobotsTxt.parse(bytes, { dialect }));
		for (let number = 0, isDone = false; !isDone; number++) {
			const started = performance.now();
			isDone = steps.next().done;
			const ms = performance.now() - started;
			fastest[number] = Math.min(fastest[number] ?? ms, ms);
		}
	}
	const sum = fastest.reduce((all, ms) => all + ms, 0);
	return { steps: fastest.length, sum, longest: Math.max(...fastest) };
}

/** What a case gives in a process of its own. */
function inProcess(kind, index, size) {
	const { stdout, stderr } = spawnSync(
		process.execPath,
		[own, kind, String(index), String(size)],
		{ encoding: "utf8" },
	);
	if (!stdout) throw new Error(`${kind}, case ${index}, ${size}: ${stderr}`);
	return JSON.parse(stdout);
}

/** Prints a table of cases; its rows. `find` gives what one of them takes at a size. */
function rowsOf(all, sizes, unit, find) {
	console.log(
		`| call | dialect | lines | ${sizes.map((size) => `${size} ${unit}`).join(" | ")} |\n|---|---|---|${"---|".repeat(sizes.length)}`,
	);
	const shown = (ms) => ms.toFixed(1);
	return all.map((one, index) => {
		const found = sizes.map((size) => find(index, size));
		const cells = found.map(
			({ sum, longest }) => `${shown(sum)}, ${shown(longest)}`,
		);
		const lines = one.lines.replace("\n", "`, `");
		console.log(
			`| ${one.store ? `${one.store}, ` : ""}${one.call} | ${one.dialect} | \`${lines}\` | ${cells.join(" | ")} |`,
		);
		return { ...one, sizes, found };
	});
}

/** Each the least of several processes. */
function leastOf(kind, index, size, rounds) {
	const all = Array.from({ length: rounds }, () =>
		inProcess(kind, index, size),
	);
	const least = (field) => Math.min(...all.map((one) => one[field]));
	return { sum: least("sum"), longest: least("longest") };
}

/** Of the stores that can be opened here; SQLite needs Node 22.13. */
export function storeTable(isSmall) {
	console.log("");
	const sizes = isSmall ? HUGE_SIZES.slice(0, 1) : HUGE_SIZES;
	const rows = rowsOf(stores, sizes, "MiB", (index, mib) =>
		hasStore[stores[index].store]()
			? leastOf("stores", index, mib, isSmall ? 1 : HUGE_ROUNDS)
			: { sum: Number.NaN, longest: Number.NaN },
	);
	return rows.filter(({ store }) => hasStore[store]());
}

/** Prints the tables and stores them. */
export function turnTable(isSmall) {
	const rows = rowsOf(
		isSmall ? cases.slice(0, 2) : cases,
		SIZES,
		"KiB",
		(index, kib) => inProcess("steps", index, kib),
	);
	console.log("");
	const inThread = rowsOf(
		isSmall ? huge.slice(0, 1) : huge,
		isSmall ? HUGE_SIZES.slice(0, 1) : HUGE_SIZES,
		"MiB",
		(index, mib) => leastOf("turns", index, mib, isSmall ? 1 : HUGE_ROUNDS),
	);
	console.log("");
	const inJudging = rowsOf(
		isSmall ? judging.slice(0, 1) : judging,
		isSmall ? HUGE_SIZES.slice(0, 1) : HUGE_SIZES,
		"MiB",
		(index, mib) => leastOf("judging", index, mib, isSmall ? 1 : HUGE_ROUNDS),
	);
	const inStores = storeTable(isSmall);
	process.chdir(fileURLToPath(new URL("..", import.meta.url)));
	console.log(
		`\nsaved as ${storeResult("turns", { rows, inThread, inJudging, inStores }, isSmall ? "small" : "")}`,
	);
}

const [, script, kind, index, size] = process.argv;
if (script === own && kind === "steps")
	console.log(JSON.stringify(measure(cases[Number(index)], Number(size))));
const turnCases = { turns: huge, judging, stores }[kind];
if (script === own && turnCases)
	console.log(
		JSON.stringify(await measureTurns(turnCases[Number(index)], Number(size))),
	);
