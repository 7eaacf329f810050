// How much the service answers on loopback: npm run bench:service. The service is a process of its own, the load generator (autocannon)
// another one. Beside it, where Python and Go are there, FastAPI over Protego and net/http over temoto's library, with the same rules.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { RobotsIndex } from "robotrie";
import { storeResult } from "../../../tools/store-result.mjs";

const args = process.argv.slice(2);
const option = (name, otherwise) => {
	const at = args.indexOf(`--${name}`);
	return at < 0 ? otherwise : Number(args[at + 1]);
};
if (args.includes("--help")) {
	console.log(
		"usage: npm run bench:service -- [--sites 1000] [--seconds 10] [--minutes 0] [--peers 1]\n--minutes: how long memory is watched under load\n--peers 0: without the services in other languages\nWith any of these, what is stored in bench/results gives no figures.",
	);
	process.exit();
}
const SITES = option("sites", 1000);
const SECONDS = option("seconds", 10);
const MINUTES = option("minutes", 0);
const PEERS = option("peers", 1);
const LINES = 100_000;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "robotrie-service-"));
const children = [];
process.on("exit", () => {
	for (const child of children) child.kill("SIGKILL");
	rmSync(folder, { recursive: true, force: true });
});

// Sites with ten rules each, on addresses of this machine.
const names = [
	"search",
	"cart",
	"login",
	"tmp",
	"private",
	"api",
	"users",
	"feed",
];
const robotsOf = (number) =>
	`User-agent: *\n${names.map((name, i) => `Disallow: /${name}${(number + i) % 3 === 0 ? "/*.html" : ""}`).join("\n")}\nDisallow: /*?session=\nAllow: /search/about\n`;
const server = createServer(({ headers }, response) => {
	const [, , b, c] = headers.host.split(":")[0].split(".");
	response.end(robotsOf(Number(b) * 256 + Number(c)));
}).listen(0, "0.0.0.0");
await once(server, "listening");
const { port } = server.address();
const origins = Array.from(
	{ length: SITES },
	(_, i) => `http://127.1.${i >> 8}.${i & 255}:${port}`,
);
let seed = 1;
const random = (most) => {
	seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
	return (seed >>> 8) % most;
};
const urls = Array.from({ length: LINES }, () => {
	const name = random(4) === 0 ? names[random(names.length)] : "articles";
	return `${origins[random(SITES)]}/${name}/2026/${random(100_000)}/page.html`;
});
const body = join(folder, "urls.txt");
writeFileSync(body, urls.map((url) => `${url}\n`).join(""));
const rules = join(folder, "rules.json");
writeFileSync(
	rules,
	JSON.stringify(
		Object.fromEntries(origins.map((origin, i) => [origin, robotsOf(i)])),
	),
);

/** Starts a service that says on a line of its output where it listens. */
async function start(command, ...rest) {
	const child = spawn(command, rest, {
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
	});
	children.push(child);
	child.stdout.resume();
	for await (const line of createInterface({ input: child.stderr })) {
		const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
		if (base) {
			child.stderr.resume();
			return { base, child };
		}
		if (process.env.DEBUG) console.error(line);
	}
	throw new Error(`${command} does not start`);
}

const run = promisify(execFile);
async function load(url, ...rest) {
	const { stdout } = await run(
		process.execPath,
		[
			join(root, "node_modules/autocannon/autocannon.js"),
			"--json",
			"--no-progress",
			"-d",
			String(SECONDS),
			...rest,
			url,
		],
		{ maxBuffer: 2 ** 26 },
	);
	const result = JSON.parse(stdout);
	if (result.errors + result.non2xx + result.timeouts > 0)
		throw new Error(
			`${url}: ${result.errors} errors, ${result.non2xx} refusals`,
		);
	return result;
}
const bulk = [
	"-m",
	"POST",
	"-H",
	"content-type=text/plain",
	"-i",
	body,
	"-c",
	"2",
	"-t",
	"60",
];
const number = (value) => Math.round(value).toLocaleString("en-US");
/** What is stored: requests or URLs a second, and milliseconds that requests took. */
const rows = [];
const row = (what, rate, note = "", latency = {}) => {
	rows.push({ what, rate, ...latency });
	console.log(`| ${what} | ${number(rate)} | ${note} |`);
};
/** Requests at a given rate, and how long they took. */
async function paced(what, url, rate) {
	const { requests, latency } = await load(url, "-c", "32", "-R", String(rate));
	const { p50, p99 } = latency;
	row(what, requests.average, `p50 ${p50} ms, p99 ${p99} ms`, { p50, p99 });
}

console.log(
	`${SITES} sites of ten rules, ${number(LINES)} URLs in random order; ${cpus().length} cores of ${cpus()[0].model}, Node ${process.version}, ${SECONDS} s each\n`,
);
console.log("| what | a second | |\n|---|---:|---|");

// In the process: the median of rounds, warmed up.
const index = new RobotsIndex({ agent: "ExampleBot" });
for (const [i, origin] of origins.entries()) index.set(origin, robotsOf(i));
const rounds = [];
const until = performance.now() + Math.min(SECONDS, 5) * 1000;
let verdicts;
while (performance.now() < until || rounds.length < 5) {
	const begin = performance.now();
	verdicts = index.matchMany(urls);
	rounds.push(performance.now() - begin);
}
rounds.sort((a, b) => a - b);
const inProcess = (LINES / rounds[rounds.length >> 1]) * 1000;
row(
	"`RobotsIndex.matchMany` in the process, URLs",
	inProcess,
	"median of rounds",
);

const { base } = await start(
	process.execPath,
	join(root, "packages/cli/main.js"),
	"serve",
	"--port",
	"0",
	"--store",
	"none",
	"--agent",
	"ExampleBot",
	"--allow-private-network",
	"--log-level",
	"warn",
);
const prefetched = performance.now();
const known = await fetch(`${base}/origins`, {
	method: "POST",
	headers: { "content-type": "text/plain" },
	body: origins.join("\n"),
});
if (!known.ok) throw new Error(await known.text());
const fetchTime = performance.now() - prefetched;
row("robots.txt fetched and read", (SITES / fetchTime) * 1000);
const answer = await fetch(`${base}/match`, {
	method: "POST",
	headers: { "content-type": "text/plain" },
	body: urls.map((url) => `${url}\n`).join(""),
});
const words = ["disallowed", "allowed"];
const expected = Array.from(verdicts, (verdict) => `${words[verdict]}\n`).join(
	"",
);
if ((await answer.text()) !== expected)
	throw new Error("verdicts differ from the library's");

const bulkResult = await load(`${base}/match`, ...bulk);
const bulkRate = bulkResult.requests.average * LINES;
row(
	"`POST /match`, URLs",
	bulkRate,
	`${(bulkRate / inProcess).toFixed(2)} of the library in the process`,
);
const url = `/allowed?url=${encodeURIComponent(urls[0])}`;
const empty = (await load(`${base}/healthz`, "-c", "32")).requests.average;
row("`GET /healthz`, an empty route", empty);
const allowed = (await load(base + url, "-c", "32")).requests.average;
row(
	"`GET /allowed`",
	allowed,
	`${(allowed / empty).toFixed(2)} of the empty route`,
);
// The load generator takes a core as well: the empty route says what of the time is its own.
// One at least: in the second of a small run the machine may stop the service.
const half = Math.max(1, Math.floor(allowed / 2));
await paced("`GET /allowed` at half of that", base + url, half);
await paced("`GET /healthz` at the same rate", `${base}/healthz`, half);

async function peer(name, start) {
	if (PEERS === 0) return;
	let service;
	try {
		service = await start();
	} catch (error) {
		console.log(
			`| ${name} | | not run: ${String(error.message).split("\n")[0]} |`,
		);
		return;
	}
	// They are asked about fewer lines, as they take longer.
	const some = join(folder, "some.txt");
	writeFileSync(
		some,
		urls
			.slice(0, 5000)
			.map((one) => `${one}\n`)
			.join(""),
	);
	const lines = await load(
		`${service.base}/match`,
		...bulk.map((arg) => (arg === body ? some : arg)),
	);
	row(`${name}: \`POST /match\`, URLs`, lines.requests.average * 5000);
	const single = await load(service.base + url, "-c", "32");
	row(`${name}: \`GET /allowed\``, single.requests.average);
	service.child.kill("SIGKILL");
}
await peer("FastAPI and uvicorn over Protego, one process", () => {
	const python = join(folder, "venv/bin/python");
	execFileSync("python3", ["-m", "venv", join(folder, "venv")], {
		stdio: "pipe",
	});
	execFileSync(
		python,
		["-m", "pip", "install", "--quiet", "fastapi", "uvicorn", "protego"],
		{ stdio: "pipe" },
	);
	return start(python, join(here, "fastapi_service.py"), rules);
});
await peer("net/http over temoto's library", () => {
	const binary = join(folder, "service");
	execFileSync("go", ["build", "-o", binary, "."], {
		cwd: join(here, "go"),
		stdio: "pipe",
	});
	return start(binary, rules);
});

if (MINUTES > 0) {
	// Bulk requests and single ones at the same time, and memory each ten seconds.
	const SAMPLE = 10_000;
	const memory = async () => {
		const metrics = await (await fetch(`${base}/metrics`)).text();
		return [
			"process_resident_memory_bytes",
			"nodejs_heap_size_used_bytes",
			"nodejs_external_memory_bytes",
		].map(
			(name) =>
				Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1]) / 2 ** 20,
		);
	};
	const end = performance.now() + MINUTES * 60_000;
	const all = { requests: 0, urls: 0 };
	const loads = [
		async () => {
			while (performance.now() < end)
				all.requests += (await load(base + url, "-c", "32")).requests.sent;
		},
		async () => {
			while (performance.now() < end)
				all.urls += (await load(`${base}/match`, ...bulk))["2xx"] * LINES;
		},
	].map((each) => each());
	console.log(
		"\n| minute | resident, MiB | JavaScript heap | other memory |\n|---:|---:|---:|---:|",
	);
	const range = (values) =>
		`${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
	let samples = [];
	for (let minute = 1; minute <= MINUTES; ) {
		await new Promise((resolve) => setTimeout(resolve, SAMPLE));
		samples.push(await memory());
		if (samples.length < 60_000 / SAMPLE) continue;
		const columns = [0, 1, 2].map((i) => range(samples.map((one) => one[i])));
		console.log(`| ${minute} | ${columns.join(" | ")} |`);
		samples = [];
		minute++;
	}
	await Promise.all(loads);
	console.log(
		`\n${number(all.urls)} URLs in bulk and ${number(all.requests)} requests one by one in that time`,
	);
}
server.closeAllConnections();
server.close();
for (const child of children) child.kill("SIGKILL");
const part = args.length > 0 ? "part" : "";
const stored = { sites: SITES, lines: LINES, seconds: SECONDS, rows };
process.chdir(root);
console.log(`\nsaved as ${storeResult("service", stored, part)}`);
