import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dialect, RobotsIndex, RobotsTxt } from "../../../src/index.ts";
import { type Site, serve } from "../../client/test/site.ts";
import { file, folder, robotrie } from "./run.ts";

/** A rule in front of 500 KiB, and one behind. */
const FILE = `User-agent: *\nDisallow: /a\n${`${"#".repeat(999)}\n`.repeat(512)}Disallow: /b\n`;
const robots = file("large.txt", FILE);

let site: Site;

beforeAll(async () => {
	site = await serve((_, response) => response.end(FILE));
});
afterAll(() => site[Symbol.asyncDispose]());

const paths = ["/a", "/b", "/c"];

/** Which of the paths are allowed, by each way a file comes in; `limit` is what `--max-bytes` says. */
type Way = (dialect: Dialect, limit?: number) => Promise<boolean[]>;

const args = (dialect: Dialect, limit?: number) => [
	"--dialect",
	dialect,
	...(limit === undefined ? [] : ["--max-bytes", String(limit)]),
];
const json = async (...command: string[]) =>
	JSON.parse(String((await robotrie(command)).stdout));
const lines = async (command: string[], stdin: string) =>
	String((await robotrie(command, { stdin })).stdout)
		.trimEnd()
		.split("\n")
		.map((line) => line.startsWith("allowed"));
const urls = () => paths.map((path) => site.origin("127.0.0.1") + path);
const local = "--allow-private-network";

const ways: Readonly<Record<string, Way>> = {
	async RobotsTxt(dialect, limit) {
		const options = limit === undefined ? {} : { maxBytes: limit };
		const read = RobotsTxt.parse(FILE, { dialect, ...options });
		return paths.map((path) => read.isAllowed(path, "x"));
	},
	async RobotsIndex(dialect, limit) {
		const options = limit === undefined ? {} : { maxRobotsBytes: limit };
		const index = new RobotsIndex({ agent: "x", dialect, ...options });
		index.set("https://a.test", FILE);
		return paths.map((path) => index.isAllowed(`https://a.test${path}`));
	},
	async "explain -r"(dialect, limit) {
		const answers = await json(
			"explain",
			"--json",
			"-a",
			"x",
			"-r",
			robots,
			...args(dialect, limit),
			...paths,
		);
		return answers.map(({ allowed }: { allowed: boolean }) => allowed);
	},
	async "explain URL"(dialect, limit) {
		const answers = await json(
			"explain",
			"--json",
			"-a",
			"x",
			local,
			...args(dialect, limit),
			...urls(),
		);
		return answers.map(({ allowed }: { allowed: boolean }) => allowed);
	},
	"match -r": (dialect, limit) =>
		lines(
			["match", "-a", "x", "-r", robots, ...args(dialect, limit)],
			`${paths.join("\n")}\n`,
		),
	"crawl-check": (dialect, limit) =>
		lines(
			["crawl-check", "-a", "x", local, ...args(dialect, limit)],
			`${urls().join("\n")}\n`,
		),
	async "index, match"(dialect, limit) {
		const out = join(folder, `${dialect}-${limit}.index`);
		const row = { origin: "https://a.test", robots: FILE };
		await robotrie(["index", "-a", "x", "-o", out, ...args(dialect, limit)], {
			stdin: `${JSON.stringify(row)}\n`,
		});
		return lines(
			["match", "--index", out],
			`${paths.map((path) => `https://a.test${path}`).join("\n")}\n`,
		);
	},
	async crawlers(dialect, limit) {
		const answers = paths.map(async (url) => {
			const [row] = await json(
				"crawlers",
				"--json",
				"-r",
				robots,
				"--url",
				url,
				...args(dialect, limit),
				"Slurp",
			);
			return row.allowed as boolean;
		});
		return Promise.all(answers);
	},
	async "show --sorted"(dialect, limit) {
		const { rules } = await json(
			"show",
			"--json",
			"--sorted",
			"-a",
			"x",
			"-r",
			robots,
			...args(dialect, limit),
		);
		const patterns = rules.map(({ pattern }: { pattern: string }) => pattern);
		return paths.map((path) => !patterns.includes(path));
	},
};

/** Verdicts by dialect and limit. */
const answers: readonly (readonly [Dialect, number | undefined, boolean[]])[] =
	[
		["rfc9309", undefined, [false, true, true]],
		["google", undefined, [false, false, true]],
		["yandex", undefined, [true, true, true]],
		["rfc9309", 1_000_000, [false, false, true]],
		["google", 512_000, [false, true, true]],
		["yandex", 1_000_000, [false, false, true]],
	];

describe.each(Object.entries(ways))("%s", (_, way) => {
	test.each(answers)("%s, limit %s", async (dialect, limit, wanted) => {
		expect(FILE.length).toBeGreaterThan(512_000);
		expect(await way(dialect, limit)).toEqual(wanted);
	});
});

test("every command that reads a robots.txt has --max-bytes", async () => {
	const { stdout } = await robotrie(["--help"]);
	const [, listed = ""] = String(stdout).split("Commands:\n");
	const commands = [...listed.matchAll(/^ {2}([\w-]+) {2}/gm)]
		.map(([, name = ""]) => name)
		.filter((name) => name !== "help");
	expect(commands.length).toBeGreaterThan(13);
	return Promise.all(
		commands.map(async (name) => {
			const { stdout } = await robotrie(["help", name]);
			const reads = !["scope", "completion"].includes(name);
			expect([name, String(stdout).includes("--max-bytes")]).toEqual([
				name,
				reads,
			]);
		}),
	);
});
