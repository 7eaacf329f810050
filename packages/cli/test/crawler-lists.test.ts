import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "vitest";
import { crawlers } from "../../../src/index.ts";
import { type Site, serve } from "../../client/test/site.ts";
import {
	fetchLists,
	type ListAnswer,
	publishedLists,
	rangesOfFolder,
} from "../src/audit/crawler-lists.ts";
import { file, folder, robotrie } from "./run.ts";

/** `fetchLists` and --lists, with a server on loopback: the table's own URLs are never asked for. */
let site: Site;
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
beforeAll(async () => {
	site = await serve((request, response) => answer(request, response));
});
afterAll(() => site[Symbol.asyncDispose]());

const JSON_LIST = '{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}';
let folders = 0;
let into = "";
beforeEach(() => {
	into = join(folder, `lists-${folders++}`);
	answer = (_, response) => response.end();
});

async function fetched(
	paths: readonly string[],
	more: { readonly timeout?: number; readonly maxBytes?: number } = {},
): Promise<readonly ListAnswer[]> {
	const answers: ListAnswer[] = [];
	await fetchLists(
		paths.map((path) => ({
			url: `${site.origin("127.0.0.1")}${path}`,
			file: path.slice(1),
			crawlers: ["GPTBot"],
		})),
		into,
		{
			agent: "robotrie",
			allowPrivateNetwork: true,
			defaultDelay: 0,
			timeout: 30_000,
			...more,
		},
		async (answer) => {
			answers.push(answer);
		},
	);
	return answers;
}

/** What the server sends for the list, and why it is not taken. */
const refused: readonly (readonly [
	what: string,
	send: (response: ServerResponse) => unknown,
	reason: RegExp,
])[] = [
	["404", (r) => r.writeHead(404).end(), /: HTTP 404$/],
	["a page without ranges", (r) => r.end("<html>soon"), /it has no ranges$/],
	["an empty list", (r) => r.end('{"prefixes": []}'), /it has no ranges$/],
	["an error in JSON", (r) => r.end('{"error": 1}'), /no "prefixes" or "ips"/],
	["no range", (r) => r.end('["a.example"]'), /a\.example.* is not a range$/],
	["half of it", (r) => r.end(JSON_LIST.slice(0, -5)), /it is not JSON$/],
	[
		"a body that breaks off",
		(r) => {
			r.writeHead(200, { "content-length": "99" });
			r.write(JSON_LIST, () => r.destroy());
		},
		/the connection ended before the body did/,
	],
	[
		"more than 8 MiB",
		(r) => r.end("192.0.2.1\n".repeat(900_000)),
		/larger than 8388608 bytes$/,
	],
	[
		"a redirect to what robots.txt forbids",
		(r) => r.writeHead(302, { location: "/closed/list.json" }).end(),
		/redirects to .*\/closed\/list.json, whose robots.txt does not allow it$/,
	],
];

describe("what cannot be fetched leaves the folder as it is", () => {
	const robots = "User-agent: robotrie\nDisallow: /closed/\n";

	test.each(refused)("%s", async (_, send, reason) => {
		answer = ({ url }, response) =>
			url === "/robots.txt" ? response.end(robots) : response.end(JSON_LIST);
		await fetched(["/a.json"]);
		const before = readFileSync(join(into, "a.json"));
		answer = ({ url }, response) =>
			url === "/robots.txt" ? response.end(robots) : send(response);
		const [old] = await fetched(["/a.json"]);
		expect(old).toMatchObject({ outcome: "failed", ranges: 1 });
		expect(old?.reason).toMatch(/; the list of \d{4}-\d\d-\d\d stays$/);
		expect(readFileSync(join(into, "a.json"))).toEqual(before);
		into += "-new";
		const [none] = await fetched(["/a.json"]);
		expect(none).toMatchObject({ outcome: "failed", ranges: null });
		expect(none?.reason).toMatch(reason);
		expect(readdirSync(into)).toEqual([]);
	});

	test.each([
		["disallows", 200, robots, /robots.txt of .* disallows it/],
		["has a server error", 503, "", /cannot be had for now/],
	])(
		"its robots.txt %s: it is not asked for",
		async (_, status, text, reason) => {
			answer = (_, response) => response.writeHead(status).end(text);
			const before = site.requests.length;
			const [answered] = await fetched(["/closed/list.json"]);
			expect(answered?.reason).toMatch(reason);
			expect(site.requests.slice(before)).toEqual(["127.0.0.1/robots.txt"]);
		},
	);

	test("a server that does not answer", async () => {
		answer = ({ url }, response) =>
			url === "/robots.txt" ? response.writeHead(404).end() : undefined;
		const [answered] = await fetched(["/a.json"], { timeout: 1 });
		expect(answered?.outcome).toBe("failed");
	});
});

describe("conditional requests", () => {
	const serving =
		(text: string, tag: string): typeof answer =>
		({ url, headers }, response) => {
			if (url === "/robots.txt") return response.writeHead(404).end();
			if (url === "/moved.json")
				return response.writeHead(301, { location: "/a.json" }).end();
			response.setHeader("etag", tag);
			if (headers["if-none-match"] === tag)
				return response.writeHead(304).end();
			return response.end(text);
		};

	test.each(["/a.json", "/moved.json"])("%s", async (path) => {
		answer = serving(JSON_LIST, '"1"');
		expect(await fetched([path])).toMatchObject([
			{ outcome: "new", ranges: 1 },
		]);
		answer = serving("an answer that is not sent", '"1"');
		expect(await fetched([path])).toMatchObject([
			{ outcome: "unchanged", ranges: 1 },
		]);
		answer = serving('["192.0.2.1", "192.0.2.2"]', '"2"');
		expect(await fetched([path])).toMatchObject([
			{ outcome: "changed", ranges: 2 },
		]);
		// An edited file is not what the validator is of.
		writeFileSync(join(into, path.slice(1)), "[]");
		expect(await fetched([path])).toMatchObject([
			{ outcome: "new", ranges: 2 },
		]);
	});

	test("a list with the same bytes is not written again", async () => {
		answer = serving(JSON_LIST, "");
		await fetched(["/a.json"]);
		expect(await fetched(["/a.json"])).toMatchObject([
			{ outcome: "unchanged" },
		]);
	});
});

test("publishedLists: each URL once, its file named after one of its crawlers", () => {
	const lists = publishedLists(crawlers);
	expect(lists.length).toBeGreaterThan(15);
	expect(new Set(lists.map(({ file }) => file)).size).toBe(lists.length);
	expect(new Set(lists.map(({ url }) => url)).size).toBe(lists.length);
	for (const { file, crawlers: names } of lists) {
		expect(file).toMatch(/\.(json|txt|list)$/);
		expect(names.some((name) => file.startsWith(`${name}.`))).toBe(true);
	}
	expect(
		publishedLists(crawlers.filter(({ name }) => name === "GPTBot")),
	).toMatchObject([{ file: "GPTBot.json", crawlers: ["GPTBot"] }]);
});

/** A folder as --lists leaves it, with the lists of some URLs of the table. */
async function folderOf(
	files: Readonly<Record<string, string>>,
	checked = new Date().toISOString(),
): Promise<string> {
	answer = ({ url = "" }, response) =>
		response.end(files[decodeURIComponent(url.slice(1))] ?? "");
	await fetched(
		Object.keys(files).map((name) => `/${encodeURIComponent(name)}`),
	);
	const path = join(into, "lists.json");
	const { lists } = JSON.parse(readFileSync(path, "utf8")) as {
		lists: { url: string; file: string; checked: string }[];
	};
	const known = publishedLists(crawlers);
	for (const list of lists) {
		list.url = known.find(({ file }) => file === list.file)?.url ?? "";
		list.checked = checked;
	}
	writeFileSync(path, JSON.stringify({ lists }));
	return into;
}

const line = (address: string, agent: string) =>
	`${address} - - [14/Oct/2025:00:00:00 +0000] "GET /private HTTP/1.1" 200 5 "-" "${agent}"\n`;
const log = file(
	"verified.log",
	line("192.0.2.1", "GPTBot/1.0") +
		line("198.51.100.1", "GPTBot/1.0") +
		line("192.0.2.1", "FeedFetcher-Google"),
);
const robotsFile = file(
	"verified-robots.txt",
	"User-agent: *\nDisallow: /private\n",
);
const audit = (path: string) =>
	robotrie(["audit", "-r", robotsFile, "--verify", path, "-o", "json", log]);
const verified = (stdout: Uint8Array) =>
	(
		JSON.parse(String(stdout)).crawlers as {
			name: string;
			verification: string | null;
			requests: number;
		}[]
	).map(({ name, verification, requests }) => [name, verification, requests]);

test("audit --verify FOLDER: crawlers all of whose lists are there", async () => {
	const path = await folderOf({
		"GPTBot.json": JSON_LIST,
		"FeedFetcher-Google.1.json": JSON_LIST,
	});
	const { stdout, stderr, code } = await audit(path);
	expect(code).toBe(0);
	expect(verified(stdout).sort()).toEqual([
		["FeedFetcher-Google", null, 1],
		["GPTBot", "claimed", 1],
		["GPTBot", "verified", 1],
	]);
	expect(stderr).toMatch(/lacks lists of .*FeedFetcher-Google/);
	expect(stderr).not.toContain("GPTBot");
});

test("audit --verify FOLDER: an edited list verifies nobody", async () => {
	const path = await folderOf({ "GPTBot.json": JSON_LIST });
	writeFileSync(join(path, "GPTBot.json"), "[]");
	const { stdout, stderr } = await audit(path);
	expect(verified(stdout)).toContainEqual(["GPTBot", null, 2]);
	expect(stderr).toContain("lacks lists of GPTBot, or has others");
});

test("audit --verify FOLDER: old lists verify nobody", async () => {
	const path = await folderOf(
		{ "GPTBot.json": JSON_LIST },
		"2020-02-03T00:00:00.000Z",
	);
	const { stdout, stderr } = await audit(path);
	expect(verified(stdout)).toContainEqual(["GPTBot", null, 2]);
	expect(stderr).toContain(`lists of GPTBot in ${path} are older than 30 days`);
});

test.each([
	["no lists.json", undefined, /has no lists.json/],
	["another file", "{}", /is not a file of `robotrie crawlers --lists`/],
	[
		"a way out of the folder",
		'{"lists": [{"url": "", "file": "../a", "found": "", "sha256": "", "checked": "2026-01-01"}]}',
		/is not a file of/,
	],
])("a folder with %s: exit 2", async (_, text, message) => {
	mkdirSync(into);
	if (text !== undefined) writeFileSync(join(into, "lists.json"), text);
	const { code, stderr } = await audit(into);
	expect(stderr).toMatch(message);
	expect(code).toBe(2);
	await expect(rangesOfFolder(into)).rejects.toThrow(message);
});

test("--lists: a sentence for each list that cannot be fetched, exit 1", async () => {
	// The proxy of this test refuses to connect to the real hosts.
	const args = ["--proxy", `http://127.0.0.1:${site.port}`, "--lists", into];
	const result = await robotrie(["crawlers", ...args, "GPTBot", "CCBot"]);
	expect(result.stderr).toContain("no published list of CCBot's addresses");
	expect(result.stderr).toContain("https://openai.com/gptbot.json: ");
	expect(result).toMatchObject({ code: 1 });
	const json = await robotrie(["crawlers", ...args, "--json", "GPTBot"]);
	expect(JSON.parse(String(json.stdout))).toMatchObject([
		{ file: "GPTBot.json", outcome: "failed", ranges: null, checked: null },
	]);
	expect(readdirSync(into)).toEqual([]);
});

test.each([
	["--url", ["--url", "/a"], /--lists cannot be used with/],
	["a folder that is a file", [], /cannot make/],
])("--lists with %s: exit 2", async (_, more, message) => {
	const args = ["crawlers", "--lists", more.length === 0 ? log : into];
	const { code, stderr } = await robotrie([...args, ...more, "GPTBot"]);
	expect(stderr).toMatch(message);
	expect(code).toBe(2);
});
