import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import {
	serveOrigins,
	startReplica,
} from "../../packages/server/test/replicas.ts";
import { listenOnLoopback } from "../../packages/server/test/services.ts";
import {
	behaviours,
	expectCrawled,
	LINKS,
	serveSites,
} from "../crawled-sites.ts";
import { root } from "../installed.ts";

/** The packages as they are packed, unpacked, with the examples beside them: there they lie as in a clone. */
const clone = mkdtempSync(join(tmpdir(), "robotrie-examples-"));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const run = (folder: string, command: string, ...args: string[]) =>
	execFileSync(command, args, {
		cwd: folder,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "inherit"],
	});

for (const name of [".", "packages/client"]) {
	const folder = join(clone, name);
	mkdirSync(folder, { recursive: true });
	const [{ filename }] = JSON.parse(
		run(folder, "npm", "pack", join(root, name), "--json", "--ignore-scripts"),
	) as [{ filename: string }];
	run(folder, "tar", "xzf", filename, "--strip-components=1");
}
cpSync(join(root, "examples"), join(clone, "examples"), {
	recursive: true,
	filter: (path) => !path.includes("node_modules"),
});

// What "npm ci" puts beside them, and a link to the library.
mkdirSync(join(clone, "node_modules"));
for (const name of readdirSync(join(root, "node_modules")))
	if (name !== "robotrie" && name !== "@robotrie")
		symlinkSync(
			join(root, "node_modules", name),
			join(clone, "node_modules", name),
		);
symlinkSync(clone, join(clone, "node_modules/robotrie"));

const installed = new Set<string>();
function install(name: string): string {
	const folder = join(clone, "examples", name);
	if (installed.has(name)) return folder;
	installed.add(name);
	run(folder, "npm", "install", "--ignore-scripts", "--prefer-offline");
	return folder;
}

/** What was asked of the sites of examples/site.js. */
const visited = [
	"site 1, robots.txt 200: / /coffee /robots.txt /tea",
	"site 2, robots.txt 404: / /coffee /private/prices /robots.txt /search?q=tea /tea",
	"site 3, robots.txt 503: /robots.txt",
];

describe("Examples", () => {
	test.each([
		{
			name: "scheduler",
			own: /^disallowed http:\/\/127\.0\.0\.1:\d+\/private\/prices$/m,
			sites: visited,
		},
		{
			name: "crawlee",
			own: /^robotsTxt http:\/\/127\.0\.0\.1:\d+\/private\/prices$/m,
			sites: visited,
		},
		{
			name: "stream",
			own: /^http:\/\/127\.0\.0\.1:\d+\/tea\nhttp:\/\/127\.0\.0\.1:\d+\/tea\nhttp:\/\/127\.0\.0\.1:\d+\/private\/prices\nhttp:\/\/127\.0\.0\.1:\d+\/search\?q=tea\n(later http:\/\/127\.0\.0\.1:\d+\/(tea|private\/prices|search\?q=tea)\n){3}site 1/m,
			sites: visited.map((site) => site.replace(/: .*/, ": /robots.txt")),
		},
	])("$name: what robots.txt disallows is not asked for", (example) => {
		const output = run(install(example.name), "npm", "run", "--silent", "demo");
		expect(output).toMatch(example.own);
		expect(output.match(/^site .*$/gm)).toEqual(example.sites);
	});

	test("scheduler: a crawl that is killed goes on, loses no page and keeps the pace", async () => {
		const folder = install("scheduler");
		const state = mkdtempSync(join(tmpdir(), "robotrie-crawl-"));
		const paths = Array.from({ length: 10 }, (_, i) => `/page-${i}`);
		const asked: { path: string; at: number }[] = [];
		let robotsAsked = 0;
		let kill = () => {};
		const server = createServer(({ url = "" }, response) => {
			// It fails once.
			if (url === "/robots.txt")
				return robotsAsked++ === 0
					? response.writeHead(503, { "retry-after": "1" }).end()
					: response.end(
							"User-agent: *\nDisallow: /private\nCrawl-delay: 0.3\n",
						);
			asked.push({ path: url, at: performance.now() });
			if (asked.length === 4) return kill();
			const links = [...paths, "/private"].map((path) => `href="${path}"`);
			// So does a page.
			const isFirst = asked.filter(({ path }) => path === url).length === 1;
			if (url === "/page-7" && isFirst)
				return response.writeHead(503, { "retry-after": "1" }).end();
			return response.end(links.join(" "));
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		const crawl = () =>
			spawn(
				process.execPath,
				["crawl.js", state, `http://127.0.0.1:${port}/`],
				{ cwd: folder, env: { ...process.env, PRIVATE: "yes" } },
			);
		const first = crawl();
		kill = () => first.kill("SIGKILL");
		await once(first, "exit");
		const killedAt = asked.length;
		const [code] = await once(crawl(), "exit");
		server.close();
		rmSync(state, { recursive: true });
		expect([code, killedAt]).toEqual([0, 4]);
		const all = asked.map(({ path }) => path);
		expect([...new Set(all)].sort()).toEqual(["/", ...paths]);
		// The one that was being downloaded, and the one that failed.
		expect(all).toHaveLength(paths.length + 3);
		// A pause begins after its answer; that of the killed visit when it began, which was a pause after the answer before.
		for (const [i, { at }] of asked.entries()) {
			const pauses = i === killedAt ? 2 : 1;
			const before = asked[i - pauses]?.at ?? Number.NEGATIVE_INFINITY;
			expect(at - before).toBeGreaterThanOrEqual(299 * pauses);
		}
	});

	test("crawlee, with HttpCrawler", () => {
		const folder = install("crawlee");
		const output = run(
			folder,
			process.execPath,
			"../site.js",
			process.execPath,
			"crawl.js",
			"--allow-private-network",
			"--http",
		);
		expect(output.match(/^site .*$/gm)).toEqual([
			"site 1, robots.txt 200: / /robots.txt",
			"site 2, robots.txt 404: / /robots.txt",
			"site 3, robots.txt 503: /robots.txt",
		]);
	});

	const delayed = {
		name: "Crawl-delay: 30, longer than the crawler waits",
		robots: [{ status: 200, body: "User-agent: *\nCrawl-delay: 30\n" }],
	};
	test("crawlee: no page is lost, and the pace is kept", async () => {
		const folder = install("crawlee");
		// Of Crawlee's limits only that of a request counts; the pages of the site with a delay wait for longer.
		writeFileSync(
			join(folder, "behaviours.js"),
			`import { CheerioCrawler } from "@crawlee/cheerio";
import { Configuration } from "@crawlee/http";
import { RobotsClient } from "@robotrie/client";
import { polite } from "./polite.js";
const client = new RobotsClient({ agent: "ExampleBot", minRetryDelay: 200, allowPrivateNetwork: true });
const crawler = new (polite(CheerioCrawler, client, "ExampleBot"))({
	maxRequestRetries: 10,
	maxWait: 20_000,
	requestHandler: ({ enqueueLinks }) => enqueueLinks(),
	onLater: ({ url }) => console.log("later " + url),
}, new Configuration({ persistStorage: false, logLevel: "OFF" }));
crawler.requestHandlerTimeoutMillis = 2000;
await crawler.run(process.argv.slice(2));
await client.close();
`,
		);
		await using served = await serveSites([...behaviours, delayed]);
		const { sites } = served;
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["behaviours.js", ...sites.map(({ url }) => `${url}/`)],
			{ cwd: folder },
		);
		const slow = sites.at(-1);
		expect(slow?.fetched).toEqual(["/"]);
		// They are still in the queue.
		expect(stdout.trim().split("\n").sort()).toEqual(
			["/coffee", "/milk", "/private/prices", "/tea"].map(
				(path) => `later ${slow?.url}${path}`,
			),
		);
		for (const site of sites.slice(0, -1)) expectCrawled(site);
	});

	test("crawlee/service.js: the same with the robots service", async () => {
		const folder = install("crawlee");
		await using service = await listenOnLoopback();
		await using served = await serveSites([...behaviours, delayed]);
		const { sites } = served;
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["service.js", ...sites.map(({ url }) => `${url}/`)],
			{
				cwd: folder,
				env: { ...process.env, ROBOTRIE: service.base, PAGES: "500" },
			},
		);
		const slow = sites.at(-1);
		expect(slow?.fetched).toEqual(["/"]);
		expect(stdout.match(/^later .*$/gm)).toHaveLength(LINKS.length - 1);
		for (const site of sites.slice(0, -1)) expectCrawled(site);
	});

	test("crawlee/service.js: what the service disallows is not asked for", async () => {
		await using sites = await serveOrigins(1);
		const replica = await startReplica([
			"--port",
			"0",
			"--store",
			"none",
			"--allow-private-network",
		]);
		const folder = install("crawlee");
		const [site = ""] = sites.origins;
		const urls = ["/b0", "/b0/open", "/elsewhere"].map((path) => site + path);
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["service.js", ...urls],
			{ cwd: folder, env: { ...process.env, ROBOTRIE: replica.base } },
		);
		expect(await replica.stop()).toBe(0);
		expect(stdout.match(/^(fetched|disallowed).*$/gm)?.sort()).toEqual([
			`disallowed by robots.txt ${urls[0]}`,
			`fetched ${urls[1]}`,
			`fetched ${urls[2]}`,
		]);
		expect(sites.asked.get(site)).toBe(1);
	});

	test("edge-worker: crawlers do not get what robots.txt disallows", () => {
		const folder = install("edge-worker");
		const output = run(folder, "npm", "run", "--silent", "demo");
		expect(output.split("\n").slice(0, 4)).toEqual([
			"200 /tea for a browser ",
			"200 /tea for GPTBot ",
			"200 /private/prices for a browser ",
			"403 /private/prices for GPTBot Disallow: /private/ (line 2) is the longest rule that matches.",
		]);
		expect(output).toContain(
			"site 1, robots.txt 200: /private/prices /robots.txt /tea /tea\n",
		);
	});

	const browser = "/usr/bin/chromium";
	test.skipIf(!existsSync(browser))("page: judges what is typed", async () => {
		const folder = install("page");
		const server = spawn(
			join(folder, "node_modules/.bin/sirv"),
			[".", "--dev", "--port", "0", "--host", "127.0.0.1"],
			{ cwd: folder },
		);
		const started = await launched(server.stdout);
		const chrome = await chromium.launch({
			executablePath: browser,
			args: ["--no-sandbox"],
		});
		try {
			const page = await chrome.newPage();
			await page.goto(started);
			const answer = page.locator("#answer");
			await answer
				.filter({ hasText: /^Disallowed: Disallow: \/private\/ \(line 2\)/ })
				.waitFor();
			await page.fill("#url", "/open");
			await answer.filter({ hasText: /^Allowed: / }).waitFor();
			await page.fill("#url", "nonsense");
			await answer.filter({ hasText: "is neither an absolute URL" }).waitFor();
		} finally {
			await chrome.close();
			server.kill();
		}
	});
});

/** The address that the server prints. It goes on printing, so its output stays open. */
function launched(output: NodeJS.ReadableStream): Promise<string> {
	let text = "";
	return new Promise((resolve, reject) => {
		output.on("data", (chunk: Buffer) => {
			text += chunk;
			const [address] = /http:\/\/[\w.]+:\d+/.exec(text) ?? [];
			if (address) resolve(address);
		});
		output.on("end", () => reject(new Error(`the server ended: ${text}`)));
	});
}

test("examples/README.md names each", () => {
	const text = readFileSync(join(root, "examples/README.md"), "utf8");
	for (const name of ["scheduler", "crawlee", "stream", "edge-worker", "page"])
		expect(text).toContain(`(${name}/README.md)`);
});
