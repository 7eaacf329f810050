import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
	behaviours,
	type CrawledSite,
	expectCrawled,
	serveSites,
} from "../../../test/crawled-sites.ts";
import { root } from "../../../test/installed.ts";
import {
	type Origins,
	type Replica,
	serveOrigins,
	startReplica,
} from "./replicas.ts";
import { listenOnLoopback } from "./services.ts";

/** The clients of examples/service, each in its language against a service with a token. Where a language is not installed they are skipped. */

const examples = join(root, "examples/service");
const folder = mkdtempSync(join(tmpdir(), "robotrie-clients-"));
const TOKEN = "a secret of many characters";
let sites: Origins;
let replica: Replica;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
	sites = await serveOrigins(2);
	replica = await startReplica(
		["--port", "0", "--store", "none", "--allow-private-network"],
		{ env: { ROBOTRIE_TOKEN: TOKEN } },
	);
	env = {
		...process.env,
		ROBOTRIE: replica.base,
		ROBOTRIE_TOKEN: TOKEN,
		GOCACHE: join(folder, "go"),
	};
});
afterAll(async () => {
	await replica.stop();
	await sites[Symbol.asyncDispose]();
	rmSync(folder, { recursive: true, force: true });
});

const has = (command: string, ...args: string[]) => {
	try {
		execFileSync(command, args, { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
};
const python = process.env.PYTHON ?? "python3";

// Go builds net/http before it asks anything: 90 seconds beside other suites.
vi.setConfig({ testTimeout: 300_000 });

describe("Clients", () => {
	test.each([
		{
			file: "robots_service.py",
			command: [python],
			there: has(python, "-c", "import requests"),
		},
		{
			file: "robots_service.go",
			command: ["go", "run"],
			there: has("go", "version"),
		},
		{
			file: "RobotsService.java",
			command: ["java"],
			there: has("java", "--version"),
		},
	])("$file", async ({ file, command, there }) => {
		const [program = "", ...args] = command;
		const [first = "", second = ""] = sites.origins;
		const urls = [`${first}/a0/x`, `${first}/b0`, `${second}/a1`, "nonsense"];
		if (!there) {
			console.log(`skipped: ${file}: ${command.join(" ")} is not there`);
			return;
		}
		const { stdout } = await promisify(execFile)(
			program,
			[...args, join(examples, file), "ABot", ...urls],
			{ env, cwd: folder },
		);
		expect(stdout.trim().split(/\r?\n/)).toEqual([
			`disallowed\t${urls[0]}`,
			`allowed\t${urls[1]}`,
			`disallowed\t${urls[2]}`,
			"invalid\tnonsense",
		]);
	});

	test("scrapy_robotrie.py", async () => {
		if (!has(python, "-c", "import scrapy")) {
			console.log("skipped: scrapy_robotrie.py: Scrapy is not there");
			return;
		}
		const [first = ""] = sites.origins;
		const spider = join(folder, "spider.py");
		writeFileSync(
			spider,
			`import scrapy
class Spider(scrapy.Spider):
    name = "spider"
    start_urls = ["${first}/a0/x", "${first}/b0"]
    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "DOWNLOADER_MIDDLEWARES": {"scrapy_robotrie.RobotrieMiddleware": 100},
        "ROBOTRIE_URL": "${replica.base}", "ROBOTRIE_TOKEN": "${TOKEN}", "ROBOTRIE_AGENT": "ABot",
    }
    def parse(self, response):
        print("fetched", response.url)
`,
		);
		const { stdout } = await promisify(execFile)(
			python,
			["-m", "scrapy", "runspider", spider],
			{
				env: { ...env, PYTHONPATH: examples },
				cwd: folder,
			},
		);
		expect(stdout.trim()).toBe(`fetched ${first}/b0`);
	});

	test("scrapy_robotrie.py loses no page, and keeps the pace", async () => {
		if (!has(python, "-c", "import scrapy")) {
			console.log("skipped: scrapy_robotrie.py: Scrapy is not there");
			return;
		}
		await using service = await listenOnLoopback();
		await using served = await serveSites(behaviours);
		const { sites } = served;
		const spider = join(folder, "behaviours.py");
		// One download at a time: what waits takes no place of others. The service is on the host of all sites.
		writeFileSync(
			spider,
			`import scrapy
class Spider(scrapy.Spider):
    name = "spider"
    start_urls = ${JSON.stringify(sites.map(({ url }) => `${url}/`))}
    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "DOWNLOADER_MIDDLEWARES": {"scrapy_robotrie.RobotrieMiddleware": 100},
        "ROBOTRIE_URL": "${service.base}", "ROBOTRIE_AGENT": "ABot", "CONCURRENT_REQUESTS": 1,
    }
    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)
`,
		);
		await promisify(execFile)(python, ["-m", "scrapy", "runspider", spider], {
			env: { ...env, PYTHONPATH: examples },
			cwd: folder,
		});
		for (const site of sites) expectCrawled(site);
	});

	test("scrapy_robotrie.py: what waits is there after a restart", async () => {
		if (!has(python, "-c", "import scrapy")) {
			console.log("skipped: scrapy_robotrie.py: Scrapy is not there");
			return;
		}
		const [usual] = behaviours;
		const day = { status: 503, headers: { "retry-after": "86400" } };
		await using served = await serveSites([
			{ name: "a day", robots: [day, ...(usual?.robots ?? [])], asked: 2 },
		]);
		const [site] = served.sites as [CrawledSite];
		const spider = join(folder, "restart.py");
		/** Each has a service of its own, which has not asked the site before. */
		const crawl = async (isStopped: boolean) => {
			await using service = await listenOnLoopback();
			writeFileSync(
				spider,
				`import scrapy
class Spider(scrapy.Spider):
    name = "spider"
    start_urls = ["${site.url}/"]
    custom_settings = {
        "DOWNLOADER_MIDDLEWARES": {"scrapy_robotrie.RobotrieMiddleware": 100},
        "ROBOTRIE_URL": "${service.base}", "ROBOTRIE_AGENT": "ABot", "ROBOTSTXT_OBEY": False,
        "JOBDIR": "${join(folder, "job")}",
    }
    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)
`,
			);
			const scrapy = spawn(python, ["-m", "scrapy", "runspider", spider], {
				env: { ...env, PYTHONPATH: examples },
				cwd: folder,
				stdio: "ignore",
			});
			const exit = once(scrapy, "exit");
			if (isStopped) {
				await vi.waitFor(() => expect(site.asked).toBe(1), { timeout: 60_000 });
				scrapy.kill("SIGINT");
			}
			await exit;
		};
		await crawl(true);
		expect(site.pages).toEqual([]);
		await crawl(false);
		expectCrawled(site);
	});

	test.each(["robots_service.py", "robots_service.go", "RobotsService.java"])(
		"%s has at most 60 lines",
		(file) => {
			expect(
				readFileSync(join(examples, file), "utf8").trimEnd().split("\n").length,
			).toBeLessThanOrEqual(60);
		},
	);
});
