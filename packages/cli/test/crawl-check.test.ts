import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import {
	ALLOWED,
	behaviours,
	LINKS,
	serveSites,
} from "../../../test/crawled-sites.ts";
import { FILE, file as file200, serve } from "../../client/test/site.ts";
import { file, robotrie, robotrieProcess } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-check-"));
let stores = 0;
const store = () => join(folder, `store-${stores++}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (...more: readonly string[]) => [
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
		["later", `${down}/open`],
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
		expect(result).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				/^robotrie: warning: robots\.txt of some sites cannot be had for now, so their URLs are later( \(http:\S+\))?; --retry asks them again\n$/,
			),
		});
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
});

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
		/robotrie: 4 lines: 1 allowed, 1 disallowed, 2 later; robots\.txt of 3 sites, 3 asked for, 1 without answer\n$/,
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
	let answer = () => {};
	const isShown = new Promise<void>((resolve) => {
		answer = resolve;
	});
	await using site = await serve(async (_, response) => {
		await isShown;
		response.end(FILE);
	});
	const result = await robotrieProcess(check("--progress"), {
		stdin: `${site.origin("127.0.0.1")}/open\n`,
		onMessage(text) {
			if (text.includes("1 under way")) answer();
		},
	});
	expect(result.stderr).toMatch(
		// The first ones may come before it is looked up or asked for, the last ones between the answer and the verdict.
		/^(robotrie: 0 lines; robots\.txt of 0 sites, 0 asked for, (0 under way, [01]|1 under way, 0) to come\n)*(robotrie: 0 lines; robots\.txt of 0 sites, 1 asked for, 1 under way, 0 to come\n)+(robotrie: 0 lines; robots\.txt of 1 site, 1 asked for, 0 under way, 0 to come\n)*$/,
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

/** What a site answers, one after another; the last one again and again. */
type Answers = readonly (
	| "reset"
	| "503"
	| "429 after 1"
	| "503 after 9"
	| "ok"
)[];

const retried: readonly {
	readonly what: string;
	readonly answers: Answers;
	readonly args: readonly string[];
	readonly verdicts: readonly [open: string, closed: string];
	readonly code: number;
	readonly asked: number;
}[] = [
	{
		what: "not without --retry",
		answers: ["reset", "ok"],
		args: [],
		verdicts: ["later", "later"],
		code: 3,
		asked: 1,
	},
	{
		what: "a connection that was reset",
		answers: ["reset", "ok"],
		args: ["--retry", "1"],
		verdicts: ["allowed", "disallowed"],
		code: 0,
		asked: 2,
	},
	{
		what: "Retry-After, out of order",
		answers: ["429 after 1", "503", "ok"],
		args: ["--retry", "5", "--unordered"],
		verdicts: ["allowed", "disallowed"],
		code: 0,
		asked: 3,
	},
	{
		what: "as often as is said",
		answers: ["503"],
		args: ["--retry", "1"],
		verdicts: ["later", "later"],
		code: 3,
		asked: 2,
	},
	{
		what: "not where the site wants more time than there is",
		answers: ["503 after 9", "ok"],
		args: ["--retry", "9", "--retry-time", "5"],
		verdicts: ["later", "later"],
		code: 3,
		asked: 1,
	},
	{
		what: "with --check, what is disallowed counts more than what is later",
		answers: ["503 after 9"],
		args: ["--check"],
		verdicts: ["later", "later"],
		code: 1,
		asked: 1,
	},
];

test.concurrent.each(retried)(
	"sites are asked again: $what",
	async ({ answers, args, verdicts, code, asked }) => {
		let number = 0;
		await using site = await serve((request, response) => {
			const answer = answers[Math.min(number++, answers.length - 1)];
			const [status = "", , after] = String(answer).split(" ");
			if (answer === "reset") request.socket.resetAndDestroy();
			else if (answer === "ok") response.end(FILE);
			else
				response
					.writeHead(Number(status), after ? { "retry-after": after } : {})
					.end();
		});
		await using good = await serve(file200);
		const origin = site.origin("127.0.0.1");
		const other = `${good.origin("127.0.0.1")}/private`;
		// The site is named in several blocks, before and after its first answer.
		const lines = [
			...Array.from({ length: 9000 }, (_, i) => `${origin}/open/${i}`),
			other,
			`${origin}/private`,
		];
		const { stdout, ...result } = await robotrieProcess(check(...args), {
			stdin: lines.join("\n"),
		});
		const expected = lines.map((line) =>
			line === other
				? `disallowed\t${line}`
				: `${verdicts[line.endsWith("private") ? 1 : 0]}\t${line}`,
		);
		const found = String(stdout).split("\n").slice(0, -1);
		expect(found.sort()).toEqual(expected.sort());
		expect({ code: result.code, asked: number }).toEqual({ code, asked });
		expect(result.stderr.includes("are later")).toBe(verdicts[0] === "later");
	},
);

test("sites that fail once: with --retry no line is later, whatever they do", async () => {
	await using served = await serveSites(behaviours);
	const { sites } = served;
	const lines = sites.flatMap(({ url }) => LINKS.map((path) => url + path));
	const { stdout, code } = await robotrie(
		check("--retry", "5", "--retry-time", "60"),
		{ stdin: lines.join("\n") },
	);
	expect(String(stdout).split("\n").slice(0, -1)).toEqual(
		lines.map((line) => {
			const isAllowed = ALLOWED.some((path) => line.endsWith(path));
			return `${isAllowed ? "allowed" : "disallowed"}\t${line}`;
		}),
	);
	expect(code).toBe(0);
	for (const { asked, behaviour } of sites)
		expect([behaviour.name, asked]).toEqual([
			behaviour.name,
			behaviour.asked ?? 1,
		]);
});

test("who holds all lines up is named once", async () => {
	await using slow = await serve(() => {});
	const hosts = ["127.0.0.1", "127.0.0.2"].map((host) => slow.origin(host));
	const stdin = hosts.map((host) => `${host}/\n`).join("");
	const { stderr, stdout } = await robotrie(check("--timeout", "4"), { stdin });
	expect(String(stdout)).toBe(
		hosts.map((host) => `later\t${host}/\n`).join(""),
	);
	expect(stderr.split("\n")[0]).toBe(
		`robotrie: waiting for ${hosts[0]}; the lines after it are held back, up to the timeout (--unordered writes each verdict as soon as it is known)`,
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
