import { expect, test } from "vitest";
import { compareReports, LogAudit } from "../src/index.ts";

/** Requests: "GPTBot +-" is an allowed one and a disallowed one. */
async function reportOn(text: string, day: string) {
	const audit = new LogAudit({
		robots: [
			{ file: "r", bytes: Buffer.from("User-agent: *\nDisallow: /private\n") },
		],
		format: "combined",
	});
	const lines = text
		.split(",")
		.filter(Boolean)
		.flatMap((one) => {
			const [name, verdicts = ""] = one.trim().split(" ");
			return [...verdicts].map(
				(verdict, at) =>
					`192.0.2.1 - - [${day}/Oct/2025:${String(at % 24).padStart(2, "0")}:00:00 +0000] "GET /${verdict === "+" ? "" : "private"} HTTP/1.1" 200 5 "-" "${name}/1.0"\n`,
			);
		});
	await audit.add("a.log", [Buffer.from(lines.join(""))]);
	return audit.report();
}

test.each<
	[before: string, after: string, sentence: string, crawlers: string[]]
>([
	["", "", "No crawler keeps robots.txt differently than before.", []],
	[
		"GPTBot ++-",
		"GPTBot ++-",
		"No crawler keeps robots.txt differently than before.",
		["GPTBot is about as before"],
	],
	[
		"GPTBot ++, CCBot -",
		"GPTBot +-, CCBot ++",
		"GPTBot began to disregard robots.txt; CCBot no longer disregards it. By their User-Agent, not verified.",
		[
			"GPTBot began to disregard robots.txt: 1 of 2 requests",
			"CCBot no longer disregards robots.txt: 1 of 1 requests before; comes more often: 48 requests a day, 24 before",
		],
	],
	[
		"GPTBot +++, CCBot +",
		"GPTBot +, CCBot +++",
		"No crawler keeps robots.txt differently than before.",
		[
			"CCBot is about as before; comes more often: 36 requests a day, 12 before",
			"GPTBot is about as before; comes less often: 12 requests a day, 36 before",
		],
	],
	[
		"GPTBot +-, CCBot +-",
		"GPTBot +---, CCBot +++-",
		"GPTBot disregards robots.txt more often; CCBot disregards it less often. By their User-Agent, not verified.",
		[
			"GPTBot disregards robots.txt more often: obeyed 50%, now 25%",
			"CCBot disregards robots.txt less often: obeyed 50%, now 75%",
		],
	],
	[
		"GPTBot +",
		"CCBot -",
		"CCBot is new; GPTBot did not come again.",
		[
			"CCBot is new: 1 requests, 1 of which disregard robots.txt",
			"GPTBot did not come again: 1 requests before",
		],
	],
	// Exempt requests disregard nothing.
	[
		"ChatGPT-User +",
		"ChatGPT-User --",
		"No crawler keeps robots.txt differently than before.",
		["ChatGPT-User is about as before"],
	],
	[
		"GPTBot -",
		"GPTBot +",
		"GPTBot no longer disregards robots.txt. By their User-Agent, not verified.",
		["GPTBot no longer disregards robots.txt: 1 of 1 requests before"],
	],
])("%s, then %s: %s", async (before, after, sentence, crawlers) => {
	const found = compareReports(
		await reportOn(before, "01"),
		await reportOn(after, "02"),
	);
	expect(found.sentence).toBe(sentence);
	expect(found.crawlers.map((each) => `${each.name} ${each.sentence}`)).toEqual(
		crawlers,
	);
});

test("requests are compared by the day, as periods differ in length", async () => {
	const { crawlers, before, after } = compareReports(
		await reportOn("GPTBot ++++++++", "01"),
		await reportOn("GPTBot +", "02"),
	);
	expect(crawlers).toMatchObject([
		{
			before: { requests: 8, requestsPerDay: 27.4 },
			after: { requests: 1, requestsPerDay: null },
		},
	]);
	expect([before.from, after.to]).toEqual([
		"2025-10-01T00:00:00.000Z",
		"2025-10-02T00:00:00.000Z",
	]);
});
