import { expect, test } from "vitest";
import { crawlers } from "../../../src/index.ts";
import { file, robotrie } from "./run.ts";

const robots = file(
	"crawlers.txt",
	"User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /a\n",
);
const star = file("star.txt", "User-agent: *\nDisallow: /\n");
const asking = (...more: string[]) => [
	"crawlers",
	"--robots",
	robots,
	"--url",
	"https://example.com/a",
	...more,
];

test("--robots and --url: who may fetch a URL, by what they fetch for", async () => {
	const result = await robotrie(
		asking("GPTBot", "CCBot", "bingbot", "OtherBot"),
	);
	expect(String(result.stdout)).toBe(`search
  disallowed (line 2: Disallow: /a) read as rfc9309
    bingbot

ai-training
  allowed (line 6: Allow: /a) read as rfc9309
    GPTBot
  disallowed (line 2: Disallow: /a) read as rfc9309
    CCBot
`);
	expect(result).toMatchObject({
		code: 1,
		stderr: "robotrie: OtherBot is not a known crawler\n",
	});
});

test("--json: all known crawlers, with their answers", async () => {
	const result = await robotrie(asking("--json"));
	const answers = JSON.parse(String(result.stdout)) as Record<
		string,
		unknown
	>[];
	expect(answers.map(({ name }) => name)).toEqual(
		crawlers.map(({ name }) => name),
	);
	const answer = answers.find(({ name }) => name === "AdsBot-Google");
	expect(answer).toMatchObject({ kind: "ads", allowed: true, rule: null });
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test.each([
	["rfc9309", false, true, null],
	["google", true, false, 2],
	["yandex", true, false, 2],
] as const)(
	"--dialect %s: YandexDirect's row and its answer agree about *",
	async (dialect, obeysGlobal, allowed, line) => {
		const result = await robotrie([
			"crawlers",
			"-d",
			dialect,
			"-r",
			star,
			"--url",
			"/",
			"--json",
			"YandexDirect",
		]);
		const [row] = JSON.parse(String(result.stdout));
		expect(row).toMatchObject({ obeysGlobal, allowed });
		expect(row.rule?.line ?? null).toBe(line);
		const alone = await robotrie([
			"crawlers",
			"-d",
			dialect,
			"--json",
			"YandexDirect",
		]);
		expect(JSON.parse(String(alone.stdout))[0]).toMatchObject({
			obeysGlobal,
			obeysGlobalSource: row.obeysGlobalSource,
		});
	},
);

test.each([
	["rfc9309", "User-agent: *\nDisallow: /\n", { exempt: 1, compliance: null }],
	["google", "User-agent: *\nDisallow: /\n", { exempt: 0, compliance: 0 }],
	["yandex", "User-agent: *\nDisallow: /\n", { exempt: 0, compliance: 0 }],
	["rfc9309", "User-agent: x\nDisallow: /\n", { exempt: 1, compliance: null }],
	["yandex", "User-agent: x\nDisallow: /\n", { exempt: 0, compliance: 100 }],
] as const)(
	"audit, %s, %j: YandexDirect is judged as its row says",
	async (dialect, text, wanted) => {
		const result = await robotrie(
			["audit", "-d", dialect, "-r", file("audited.txt", text), "-o", "json"],
			{
				stdin:
					'1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "Mozilla/5.0 (compatible; YandexDirect/3.0; +http://yandex.com/bots)"\n',
			},
		);
		const { crawlers } = JSON.parse(String(result.stdout));
		expect(crawlers[0]).toMatchObject({ name: "YandexDirect", ...wanted });
	},
);
