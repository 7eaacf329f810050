import { RobotsIndex, RobotsTxt } from "robotrie";
import { afterEach, expect, test, vi } from "vitest";
import { RobotsClient } from "../src/index.ts";
import { clocks } from "./site.ts";

/**
 * A site with hundreds of wildcards can make judging one URL take milliseconds. The event loop gets its turn between two such URLs; those of
 * other sites are judged together as ever.
 */

const dear = `User-agent: *\n${Array.from({ length: 300 }, (_, i) => `Disallow: /*a${i}*b\n`).join("")}`;
const files: Readonly<Record<string, string>> = {
	"https://dear.example": dear,
	"https://plain.example": "User-agent: *\nDisallow: /a\n",
};
const client = () =>
	new RobotsClient({
		agent: "ExampleBot",
		fetch: async (url) =>
			new Response(files[new URL(String(url)).origin], {
				headers: { "content-type": "text/plain" },
			}),
	});

const D = "https://dear.example";
const P = "https://plain.example";
const urls = [
	`${D}/a7b`,
	`${D}/a`,
	`${D}/`,
	`${P}/`,
	`${P}/a`,
	`${P}/b`,
	`${D}/xa299-b`,
	`${D}/b`,
	`${P}/a/b`,
	"nonsense",
	`${D}/a1`,
];
const isDear = (url: string) => url.includes("dear");
const expected = urls.map((url) => {
	const origin = URL.canParse(url) ? new URL(url).origin : undefined;
	if (origin === undefined) return 3;
	return Number(RobotsTxt.parse(files[origin] ?? "").isAllowed(url, "x"));
});

afterEach(() => void vi.restoreAllMocks());

/** What the index is asked about at a time. */
function asked() {
	const calls: string[][] = [];
	const { matchMany, matchLines } = RobotsIndex.prototype;
	vi.spyOn(RobotsIndex.prototype, "matchMany").mockImplementation(function (
		this: RobotsIndex,
		...args
	) {
		calls.push(args[0].map(String));
		return matchMany.apply(this, args);
	});
	vi.spyOn(RobotsIndex.prototype, "matchLines").mockImplementation(function (
		this: RobotsIndex,
		...args
	) {
		const text = Buffer.from(args[0]).toString().trimEnd();
		calls.push(text.split(/\r?\n/));
		return matchLines.apply(this, args);
	});
	return calls;
}

const bytes = Buffer.from(urls.map((url) => `${url}\r\n`).join(""));
test.each([
	["matchMany", (of: RobotsClient) => of.matchMany(urls)],
	["matchLines", (of: RobotsClient) => of.matchLines(bytes)],
])("%s judges URLs of a dear site one at a time", async (_, match) => {
	// No turn is over because the machine stops this process.
	using _clocks = clocks();
	await using judging = client();
	const calls = asked();
	expect([...(await match(judging))]).toEqual(expected);
	// The first call finds them unknown, and judges them once their files are there.
	const after = calls.slice(
		calls.findIndex((call) => call.length < urls.length),
	);
	expect(after.filter((call) => call.some(isDear) && call.length > 1)).toEqual(
		[],
	);
	calls.length = 0;
	expect([...(await match(judging))]).toEqual(expected);
	expect(calls.map((call) => call.map(isDear))).toEqual([
		[true],
		[true],
		[true],
		[false, false, false],
		[true],
		[true],
		[false, false],
		[true],
	]);
	await judging.forget(D);
	calls.length = 0;
	await judging.matchMany([`${P}/`, `${P}/a`]);
	expect(calls).toEqual([[`${P}/`, `${P}/a`]]);
});
