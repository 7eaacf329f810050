// Ten minutes of whatever clients do: npm run bench:mixture. Requests of all kinds, several in one write, cut, with bodies that never end,
// over connections that are destroyed, half-closed or kept, to three services: HTTP/1.1, HTTP/2 and a Unix socket. Sites answer, wait or
// never answer. Prints memory and gauges of each minute. Fails if a gauge is not 0 when the clients have gone and the time of the last
// request is over, if a connection is still open then or a place of a crawler in use, or if a service died.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createService } from "@robotrie/server";
import { storeResult } from "../../../tools/store-result.mjs";

const own = fileURLToPath(import.meta.url);
/** Milliseconds that a request may take. */
const MAX_TIME = 2000;
/** How much later than that everything has to be given back: a busy machine's timers are late. */
const GRACE = 1000;
const MAX_BODY = 300_000;
/** Crawlers that a service keeps, and those that requests name. */
const MAX_AGENTS = 3;
const AGENTS = ["ABot", "BBot", "CBot", "DBot", "EBot"];
/** Connections at a time to each service. */
const AT_A_TIME = 48;
const GAUGES = ["requests_waiting", "held_bytes", "fetches_active"];
const MIB = 2 ** 20;

/** In the process of a service: it says where it listens, and on request what it holds. */
async function runService(kind, place) {
	const service = await createService({
		agent: "ExampleBot",
		maxTime: MAX_TIME,
		maxBody: MAX_BODY,
		maxAgents: MAX_AGENTS,
		...(kind === "HTTP/2" && {
			fastify: { http2: true, http2SessionTimeout: MAX_TIME },
		}),
		client: { allowPrivateNetwork: true, timeout: 10 * MAX_TIME },
	});
	await service.listen(
		kind === "Unix socket" ? { path: place } : { port: 0, host: "127.0.0.1" },
	);
	process.on("message", async (message) => {
		if (message.agent !== undefined) {
			const url = `/allowed?url=${message.url}&agent=${message.agent}`;
			const { statusCode } = await service.inject(url);
			process.send({ statusCode });
			return;
		}
		const { body } = await service.inject("/metrics");
		const gauges = GAUGES.map((name) =>
			Number(new RegExp(`^robotrie_${name} (\\d+)`, "m").exec(body)?.[1]),
		);
		gauges.push(
			await promisify(service.server.getConnections).call(service.server),
		);
		// One collection alone leaves what weak references were asked for, and native memory that is given back a turn later.
		for (let i = 0; message.collects && i < 5; i++) {
			globalThis.gc?.();
			await sleep(20);
		}
		const { rss, heapUsed, external } = process.memoryUsage();
		process.send({ gauges, rss, heapUsed, external });
	});
	process.on("disconnect", () => process.exit());
	process.send({ port: service.server.address().port });
}

async function main() {
	const args = process.argv.slice(2);
	if (args.includes("--help")) {
		console.log(
			"usage: npm run bench:mixture -- [--minutes 10] [--connections N]\n--connections: as many to each service in place of minutes; then no time is checked, and what is stored gives no figures.",
		);
		return;
	}
	const option = (name, otherwise) => {
		const at = args.indexOf(`--${name}`);
		return at < 0 ? otherwise : Number(args[at + 1]);
	};
	const minutes = option("minutes", 10);
	const most = option("connections", Number.POSITIVE_INFINITY);
	const isCounted = Number.isFinite(most);
	const end = isCounted
		? Number.POSITIVE_INFINITY
		: performance.now() + minutes * 60_000;

	const folder = mkdtempSync(join(tmpdir(), "robotrie-mixture-"));
	const sites = await startSites();
	const services = await Promise.all(
		["HTTP/1.1", "HTTP/2", "Unix socket"].map((kind, i) =>
			startService(kind, join(folder, "service.sock"), i + 1),
		),
	);
	try {
		console.log(
			"| minute | service | connections | requests | waiting | held, KiB | fetches | open | resident, MiB | JavaScript heap, MiB |\n|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
		);
		const rows = [];
		const loads = services.map((service) =>
			load(service, sites, () =>
				isCounted ? service.connections < most : performance.now() < end,
			),
		);
		const all = Promise.all(loads);
		for (let minute = 1; !isCounted && minute <= minutes; minute++) {
			await sleep(60_000, undefined, { ref: false });
			for (const service of services)
				rows.push({ minute, ...(await sampleOf(service)) });
			for (const row of rows.slice(-services.length)) print(row);
		}
		await all;
		// The clients have gone.
		const left = await Promise.all(
			services.map((service) => untilIdle(service)),
		);
		for (const [i, service] of services.entries()) {
			const { agent, url } = { agent: "NewBot", url: urlOf(sites, 0) };
			const { statusCode } = await service.ask({ agent, url });
			if (statusCode !== 200)
				throw new Error(`${service.kind}: a crawler's place is still in use`);
			const row = { minute: "end", ...(await sampleOf(service, true)) };
			rows.push({ ...row, idleAfter: left[i] });
			print(row);
		}
		for (const [i, { kind }] of services.entries())
			console.log(
				`${kind}: all gauges are 0 and no connection is open${isCounted ? "" : ` after ${Math.round(left[i])} ms`}`,
			);
		if (!isCounted && Math.max(...left) > MAX_TIME + GRACE)
			throw new Error(`a gauge is not 0 within ${MAX_TIME} ms`);
		const statuses = services.map(({ kind, statuses }) => ({
			kind,
			...Object.fromEntries([...statuses].toSorted()),
		}));
		console.log(
			`answers: ${statuses.map((one) => JSON.stringify(one)).join(", ")}`,
		);
		const result = { minutes, maxTime: MAX_TIME, statuses, rows };
		const part = isCounted || minutes < 10 ? "part" : "";
		console.log(`saved as ${storeResult("mixture", result, part)}`);
	} finally {
		for (const { child } of services) child.disconnect();
		sites.server.closeAllConnections();
		sites.server.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Sites on addresses of loopback: by its number one answers, answers late, cuts its answer, or never answers. */
async function startSites() {
	const server = createServer(({ socket }, response) => {
		const number = Number((socket.localAddress ?? "").split(".").at(-1));
		response.setHeader("content-type", "text/plain");
		const body = "User-agent: *\nDisallow: /private\n";
		if (number % 4 === 0) response.end(body);
		else if (number % 4 === 1) setTimeout(() => response.end(body), 50);
		else if (number % 4 === 2) {
			response.write(body);
			setTimeout(() => response.destroy(), 20);
		}
	}).listen(0, "0.0.0.0");
	await once(server, "listening");
	return { server, port: server.address().port };
}

const SITES = 200;
/** Number 0 answers at once. */
const urlOf = ({ port }, number) =>
	`http://127.0.1.${4 + (number % SITES)}:${port}/a/${number}`;

async function startService(kind, place, seed) {
	const child = fork(own, ["service", kind, place], {
		execArgv: ["--expose-gc"],
	});
	const died = new Promise((_, reject) =>
		child.once("exit", (code, signal) =>
			reject(new Error(`${kind}: the service died: ${code ?? signal}`)),
		),
	);
	died.catch(() => {});
	const answer = async () => {
		const [message] = await Promise.race([once(child, "message"), died]);
		return message;
	};
	const { port } = await answer();
	let last = Promise.resolve();
	return {
		kind,
		child,
		address: kind === "Unix socket" ? { path: place } : { port },
		connections: 0,
		requests: 0,
		statuses: new Map(),
		random: randomOf(seed),
		/** One question at a time. */
		ask(message) {
			last = last.then(async () => {
				child.send(message);
				return answer();
			});
			return last;
		},
	};
}

/** Marsaglia's xorshift: numbers below a limit. */
function randomOf(seed) {
	let state = seed * 2654435769;
	return (below) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % below;
	};
}

async function sampleOf(service, collects = false) {
	const { kind, connections, requests } = service;
	return { kind, connections, requests, ...(await service.ask({ collects })) };
}

function print({ minute, kind, connections, requests, gauges, rss, heapUsed }) {
	const [waiting, held, fetches, open] = gauges;
	console.log(
		`| ${minute} | ${kind} | ${connections} | ${requests} | ${waiting} | ${Math.round(held / 1024)} | ${fetches} | ${open} | ${Math.round(rss / MIB)} | ${Math.round(heapUsed / MIB)} |`,
	);
}

/** Milliseconds until all gauges are 0; it has to come to that. */
async function untilIdle(service) {
	const begin = performance.now();
	for (;;) {
		const { gauges } = await service.ask({});
		const time = performance.now() - begin;
		if (gauges.every((gauge) => gauge === 0)) return time;
		await sleep(10);
	}
}

async function load(service, sites, goesOn) {
	const one = service.kind === "HTTP/2" ? session : connection;
	await Promise.all(
		Array.from({ length: AT_A_TIME }, async () => {
			while (goesOn()) {
				service.connections++;
				await one(service, sites);
			}
		}),
	);
}

/** A request at random: method, path and body, and how much longer the body is said to be. */
function requestOf({ random }, sites) {
	const url = urlOf(sites, random(1_000_000));
	const agent =
		random(3) === 0 ? `&agent=${AGENTS[random(AGENTS.length)]}` : "";
	const lines = (count) =>
		Array.from({ length: count }, () => urlOf(sites, random(1_000_000))).join(
			"\n",
		);
	switch (random(12)) {
		case 0:
			return { path: "/healthz" };
		case 1:
			return { path: "/metrics" };
		case 2:
			return { path: `/allowed?url=${url}${agent}` };
		case 3:
			return { path: `/allowed?url=${url}&fetch=no` };
		case 4:
			return { path: `/explain?url=${url}${agent}` };
		case 5:
			return { path: `/visits?url=${url}${agent}` };
		case 6:
			return { path: `/visits?url=${url}${agent}`, body: "" };
		case 7:
			return { path: "/origins", body: lines(1 + random(5)) };
		case 8:
			return { path: "/match", body: lines(random(100)), more: random(5000) };
		case 9:
			return { path: "/match", body: "x".repeat(MAX_BODY + random(50_000)) };
		case 10:
			return { path: "/nothing" };
		default:
			return {
				path: `/match?x=1${random(2) ? "&fetch=no" : ""}${agent}`,
				body: lines(random(3000)),
			};
	}
}

function textOf({ path, body, more = 0 }, isChunked) {
	if (body === undefined)
		return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
	const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`;
	return isChunked
		? `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n${more ? "" : "0\r\n\r\n"}`
		: `${head}Content-Length: ${body.length + more}\r\n\r\n${body}`;
}

/** How a connection ends, and milliseconds until then. */
function endOf({ random }) {
	const ways = ["destroys", "half-closes", "stays"];
	return { way: ways[random(ways.length)], after: [0, 1, 20, 200][random(4)] };
}

/** Some requests, in one write or two, perhaps cut; then the end. */
async function connection(service, sites) {
	const { random } = service;
	const socket = connect({ allowHalfOpen: true, ...service.address });
	socket.on("error", () => {});
	const closed = new Promise((resolve) => socket.once("close", resolve));
	socket.on("data", (bytes) => {
		for (const [, status] of bytes
			.toString("latin1")
			.matchAll(/HTTP\/1\.1 (\d{3})/g))
			count(service, status);
	});
	// It ends its side when it has answered all, or will not.
	socket.once("end", () => socket.end());
	let text = "";
	for (let left = 1 + random(6); left > 0; left--) {
		text += textOf(requestOf(service, sites), random(4) === 0);
		service.requests++;
	}
	if (random(20) === 0) text += "nonsense\r\n\r\n";
	if (random(3) === 0) text = text.slice(0, text.length - random(300));
	const cut = random(2) ? random(text.length) : text.length;
	socket.write(text.slice(0, cut));
	if (cut < text.length) {
		await sleep(random(20));
		socket.write(text.slice(cut));
	}
	const { way, after } = endOf(service);
	await sleep(after);
	if (way === "destroys") socket.destroy();
	else if (way === "half-closes") socket.end();
	// One that stays does so until the time of its requests is over.
	await Promise.race([closed, sleep(way === "stays" ? MAX_TIME : 200)]);
	socket.destroy();
	await closed;
}

/** The same as streams of HTTP/2. */
async function session(service, sites) {
	const { random } = service;
	const client = connectHttp2(`http://127.0.0.1:${service.address.port}`);
	client.on("error", () => {});
	const closed = new Promise((resolve) => client.once("close", resolve));
	const streams = [];
	for (let left = 1 + random(6); left > 0; left--) {
		const { path, body, more } = requestOf(service, sites);
		const method = body === undefined ? "GET" : "POST";
		const stream = client.request(
			{
				":method": method,
				":path": path,
				...(body !== undefined && { "content-type": "text/plain" }),
			},
			{ endStream: body === undefined },
		);
		stream.on("error", () => {});
		stream.on("response", (head) => count(service, head[":status"]));
		stream.resume();
		if (body !== undefined) {
			stream.write(body);
			if (!more) stream.end();
		}
		streams.push(stream);
		service.requests++;
	}
	const { way, after } = endOf(service);
	await sleep(after);
	if (way === "destroys") client.destroy();
	else if (way === "half-closes") {
		for (const stream of streams) if (random(2)) stream.close(8);
		client.close();
	}
	await Promise.race([closed, sleep(way === "stays" ? MAX_TIME : 200)]);
	// Some never say that they are closed: nobody waits for it.
	client.destroy();
}

function count({ statuses }, status) {
	statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1);
}

const [, , role, kind, place] = process.argv;
if (role === "service") await runService(kind, place);
else {
	await main();
	process.exit();
}
