import { expect, test } from "vitest";
import { crawlers } from "../../src/index.ts";
import { file, robotrie } from "./run.ts";

const robots = file(
	"crawlers.txt",
	"User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /a\n",
);
const asking = (...more: string[]) => [
	...["crawlers", "--robots", robots, "--url", "https://example.com/a"],
	...more,
];

test("--robots and --url: who may fetch a URL, by what they fetch for", async () => {
	const result = await robotrie(
		asking("GPTBot", "CCBot", "bingbot", "OtherBot"),
	);
	expect(String(result.stdout)).toBe(`search
  disallowed (line 2: Disallow: /a)
    bingbot

ai-training
  allowed (line 6: Allow: /a)
    GPTBot
  disallowed (line 2: Disallow: /a)
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
