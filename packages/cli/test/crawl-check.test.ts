import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { FILE, serve } from "../../client/test/site.ts";
import { file, robotrie, robotrieProcess } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-check-"));
let stores = 0;
const store = () => join(folder, `store-${stores++}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (...more: string[]) => [
	"crawl-check",
	"--allow-private-network",
	"--agent",
	"ExampleBot",
	...more,
];

/** Three sites: with a file, without one, and one that is down. */
async function sites() {
	const requests: string[] = [];
	const made = await Promise.all(
		[200, 404, 503].map((status) =>
			serve((request, response) => {
				requests.push(`${status} ${request.headers["user-agent"]}`);
				response.writeHead(status).end(FILE);
			}),
		),
	);
	const [good = "", absent = "", down = ""] = made.map((site) =>
		site.origin("127.0.0.1"),
	);
	return {
		good,
		absent,
		down,
		requests,
		async [Symbol.asyncDispose]() {
			for (const site of made) await site[Symbol.asyncDispose]();
		},
	};
}

test("every line gets its verdict, in order, byte for byte; each site is asked once", async () => {
	await using site = await sites();
	const { good, absent, down } = site;
	const lines: readonly (readonly [string, string])[] = [
		["disallowed", `${good}/private`],
		["allowed", `${good}/open?\xff#\x00`],
		["allowed", `${absent}/private`],
		["disallowed", `${down}/open`],
		["invalid", "no url"],
		["invalid", ""],
		["invalid", "/private"],
		["unknown", "gopher://example.com/"],
		["disallowed", `${good}/private\r`],
		["disallowed", `${good}/private/last`],
	];
	const stdin = Buffer.from(lines.map(([, line]) => line).join("\n"), "latin1");
	const expected = lines
		.map(([verdict, line]) => `${verdict}\t${line}\n`)
		.join("");
	const place = store();
	for (const files of [[], [file("urls.gz", gzipSync(stdin))]]) {
		const result = await robotrie(check("-s", place, ...files), { stdin });
		expect(result.stdout.toString("latin1")).toBe(expected);
		expect(result).toMatchObject({ code: 0, stderr: "" });
	}
	expect(site.requests.sort()).toEqual([
		"200 ExampleBot",
		"404 ExampleBot",
		"503 ExampleBot",
	]);
});

test("many lines are all answered, in order, in bounded memory", async () => {
	await using site = await sites();
	const urls = [
		`${site.good}/private`,
		`${site.good}/open`,
		`${site.absent}/private`,
	];
	const lines = function* () {
		for (let block = 0; block < 400; block++)
			yield Buffer.from(
				Array.from(
					{ length: 3000 },
					(_, i) => `${urls[i % 3]}/${block}/${i}\n`,
				).join(""),
			);
	};
	const result = await robotrieProcess(check("--summary"), {
		stdin: lines(),
	});
	expect(result.stderr).toBe(
		"robotrie: 1,200,000 lines: 800,000 allowed, 400,000 disallowed; robots.txt of 2 sites, 2 asked for\n",
	);
	const size = [...lines()].reduce((sum, block) => sum + block.length, 0);
	expect(result.stdoutSize).toBe(
		size + 800_000 * "allowed\t".length + 400_000 * "disallowed\t".length,
	);
	expect(result.memory).toBeLessThan(300);
	expect(site.requests).toHaveLength(2);
}, 120_000);

test("--only, --check, --summary and --progress", async () => {
	await using site = await sites();
	const stdin = `${site.good}/private\n${site.good}/open\n${site.down}/\nhttp://nowhere.invalid/\n`;
	const result = await robotrie(
		check(
			"--only",
			"allowed",
			"--check",
			"--summary",
			"--progress",
			"--timeout",
			"20",
		),
		{ stdin },
	);
	expect(String(result.stdout)).toBe(`allowed\t${site.good}/open\n`);
	expect(result.code).toBe(1);
	expect(result.stderr).toMatch(
		/robotrie: 4 lines: 1 allowed, 3 disallowed; robots\.txt of 3 sites, 3 asked for, 1 without answer\n$/,
	);
	const quiet = await robotrie(check("--check"), {
		stdin: `${site.good}/open\n`,
	});
	expect(quiet).toMatchObject({ code: 0, stderr: "" });
});

test("addresses that are not public have no verdict, and the option that asks them is named", async () => {
	await using site = await serve((_, response) => response.end(FILE));
	const url = `${site.origin("127.0.0.1")}/private`;
	const others = Array.from({ length: 6 }, (_, i) => `http://10.0.0.${i}/`);
	const args = ["crawl-check", "--agent", "ExampleBot"];
	const one = await robotrie(args, { stdin: `${url}\n${url}\n` });
	expect(String(one.stdout)).toBe(`unknown\t${url}\n`.repeat(2));
	expect(one).toMatchObject({
		code: 0,
		stderr: `robotrie: warning: 1 site at addresses that are not public: not asked for robots.txt, URLs are unknown (${site.origin("127.0.0.1")}); --allow-private-network asks them\n`,
	});
	const many = await robotrie(args, { stdin: [url, ...others].join("\n") });
	expect(many.stderr).toMatch(/warning: 7 sites at .*10\.0\.0\.\d, …\);/);
	const allowed = await robotrie(check(), { stdin: `${url}\n` });
	expect(String(allowed.stdout)).toBe(`disallowed\t${url}\n`);
	expect(allowed.stderr).toBe("");
	expect(site.requests).toHaveLength(1);
});

test("progress comes in lines where stderr is no terminal", async () => {
	await using site = await serve((_, response) => {
		setTimeout(() => response.end(FILE), 800);
	});
	const result = await robotrie(check("--progress"), {
		stdin: `${site.origin("127.0.0.1")}/open\n`,
	});
	expect(result.stderr).toMatch(
		// The first ones may come before it is asked for, the last ones between the answer and the verdict.
		/^(robotrie: 0 lines; robots\.txt of 0 sites, 0 asked for, 0 under way, [01] to come\n)*(robotrie: 0 lines; robots\.txt of 0 sites, 1 asked for, 1 under way, 0 to come\n)+(robotrie: 0 lines; robots\.txt of 1 site, 1 asked for, 0 under way, 0 to come\n)*$/,
	);
});

test("a closed pipe ends it without an error", async () => {
	await using site = await sites();
	const stdin = `${site.good}/open\n`.repeat(400_000);
	const result = await robotrieProcess(check(), { stdin, closeAfter: 1000 });
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("empty input gives empty output", async () => {
	const result = await robotrie(check(), { stdin: "" });
	expect(result).toMatchObject({ code: 0, stdoutSize: 0, stderr: "" });
});

/** A site that answers once something was written, and one that answers at once. */
async function slowAndFast() {
	let release = () => {};
	const written = new Promise<void>((resolve) => {
		release = resolve;
	});
	const slow = await serve(async (_, response) => {
		await written;
		response.end(FILE);
	});
	const fast = await serve((_, response) => response.end(FILE));
	return {
		slow: slow.origin("127.0.0.1"),
		fast: fast.origin("127.0.0.1"),
		release,
		async [Symbol.asyncDispose]() {
			await slow[Symbol.asyncDispose]();
			await fast[Symbol.asyncDispose]();
		},
	};
}

test("lines in front of a site that does not answer are written at once", async () => {
	await using site = await slowAndFast();
	const { slow, fast, release: onOutput } = site;
	const stdin = `/a\n${fast}/open\n${slow}/open\n${fast}/private\n`;
	const { stdout, stderr } = await robotrieProcess(check(), {
		stdin,
		onOutput,
	});
	expect(String(stdout)).toBe(
		`invalid\t/a\nallowed\t${fast}/open\nallowed\t${slow}/open\ndisallowed\t${fast}/private\n`,
	);
	expect(stderr).toBe("");
});

test("--unordered writes the lines after those of a site that does not answer", async () => {
	await using site = await slowAndFast();
	const { slow, fast, release: onOutput } = site;
	// More lines than are in memory at a time would wait for the slow one.
	const others = Array.from({ length: 20_000 }, (_, i) => `${fast}/open/${i}`);
	const lines = [`${slow}/open`, "/a", ...others, `${slow}/private\xe9`];
	const { stdout } = await robotrieProcess(check("--unordered"), {
		stdin: Buffer.from(lines.join("\n"), "latin1"),
		onOutput,
	});
	const found = stdout.toString("latin1").split("\n").slice(0, -1);
	expect(found.slice().sort()).toEqual(
		[
			`allowed\t${slow}/open`,
			"invalid\t/a",
			...others.map((url) => `allowed\t${url}`),
			`disallowed\t${slow}/private\xe9`,
		].sort(),
	);
	expect(found.indexOf(`allowed\t${slow}/open`)).toBeGreaterThan(0);
});

test("who holds all lines up is named once", async () => {
	await using slow = await serve(() => {});
	const hosts = ["127.0.0.1", "127.0.0.2"].map((host) => slow.origin(host));
	const stdin = hosts.map((host) => `${host}/\n`).join("");
	const { stderr, stdout } = await robotrie(check("--timeout", "4"), { stdin });
	expect(String(stdout)).toBe(
		hosts.map((host) => `disallowed\t${host}/\n`).join(""),
	);
	expect(stderr).toBe(
		`robotrie: waiting for ${hosts[0]}; the lines after it are held back, up to the timeout (--unordered writes each verdict as soon as it is known)\n`,
	);
});

test("verdicts are those of the client, with any order", async () => {
	await using site = await sites();
	const paths = ["/private", "/open", "/priv%61te", "/\xe9", ""];
	const urls = Array.from({ length: 6000 }, (_, i) =>
		i % 17 === 0
			? ["", "gopher://a/", "no url", "HTTP://", "\xff"][i % 5]
			: `${[site.good, site.absent, site.down][i % 3]}${paths[i % 5]}\r`,
	);
	const stdin = Buffer.from(urls.join("\n"), "latin1");
	const runs = await Promise.all(
		[[], ["--unordered"]].map(async (more) => {
			const { stdout } = await robotrieProcess(check(...more), { stdin });
			return stdout.toString("latin1").split("\n").slice(0, -1);
		}),
	);
	const [ordered = [], unordered = []] = runs;
	expect(ordered.map((line) => line.replace(/^\w+\t/, ""))).toEqual(urls);
	expect(unordered.slice().sort()).toEqual(ordered.slice().sort());
});
