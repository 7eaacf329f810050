import fc from "fast-check";
import { LogAudit } from "../../packages/audit/src/index.ts";
import { classify } from "../../packages/audit/src/who/classify.ts";
import { isAutomatic } from "../../packages/audit/test/reference.ts";
import { findCrawler, RobotsTxt } from "../../src/index.ts";
import { bytes } from "../latin1.ts";
import { expectSame, target } from "./target.ts";
import { joined, robotsTxt, spliced } from "./texts.ts";

const headerPieces = [
	"Googlebot",
	"YandexBot",
	"bingbot/2.0",
	"FooBot/1.0",
	"Mozilla/5.0 ",
	"(compatible; ",
	")",
	"; ",
	" (",
	"+http://x.example/bot",
	"curl/8",
	"Chrome/1",
	"(KHTML, like Gecko)",
	" ",
	"/",
	"-",
	"bot",
	"Spider",
	"Safari/537.36",
	"'",
	"AdsBot-Google",
	"Windows NT 10.0",
	"Sogou web spider/4.0",
	",",
	"{",
	"\xe9",
	"Mediapartners-Google",
	"(((((",
	"CUBOT",
	"Acme-1.0",
	"x".repeat(70),
];
export const header = joined(headerPieces, 7);

/** Whose a User-Agent header is: the same by the index of literals as by trying every expression, and whoever came before. */
export const headers = target({
	name: "headers",
	inputs: fc.record({
		headers: fc.array(header, { minLength: 1, maxLength: 8, size: "max" }),
		robots: robotsTxt,
	}),
	check: ({ headers, robots }) => {
		const file = RobotsTxt.parse(bytes(robots));
		const found = headers.map((one) => classify(one));
		const again = headers.toReversed().map((one) => classify(one));
		expectSame("backwards", again.toReversed(), found);
		headers.forEach((one, i) => {
			expectSame(`automatic: ${one}`, found[i] !== undefined, isAutomatic(one));
			const crawler = findCrawler(one);
			if (!crawler) return;
			expectSame(`crawler of ${one}`, found[i]?.name, crawler.name);
			// A header stands for its crawler's token.
			expectSame(
				`group of ${one}`,
				file.isAllowed("/a", one),
				file.isAllowed("/a", crawler.name),
			);
		});
	},
});

const linePieces = [
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "FooBot/1.0"\n',
	'192.0.2.2 - - [14/Oct/2025:00:00:05 +0200] "GET /b?a=\\x22 HTTP/1.1" 404 5 "-" "Mozilla/5.0 (compatible; Googlebot/2.1)"\n',
	'::1 - u [14/Oct/2025:00:00:07 -0930] "GET https://h.example/a HTTP/2" 301 - "-" "curl/8.0"\n',
	'192.0.2.1 - - [14/Oct/2025:00:01:00 +0000] "GET /robots.txt HTTP/1.1" 200 5 "-" "FooBot/1.0"\n',
	'192.0.2.3 - - [14/Oct/2025:00:02:00 +0000] "\\x16\\x03" 400 0 "-" "-"\n',
	'192.0.2.4 - - [14/Oct/2025:00:02:00 +0000] "GET / HTTP/1.1" 200 0 "-" "Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1"\n',
	"\n",
	"\r\n",
	"x\n",
];
export const log = spliced(joined(linePieces, 10));

async function reportOf(robots: string, chunks: readonly Uint8Array[]) {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: bytes(robots) }],
		format: "combined",
		groupBy: "header",
	});
	await audit.add("a.log", chunks);
	return audit.report();
}

/** Lines are counted once, however the log is cut. */
export const logs = target({
	name: "logs",
	few: 20,
	inputs: fc.record({
		robots: robotsTxt,
		log,
		cuts: fc.array(fc.nat(2000), { maxLength: 5 }),
	}),
	check: async ({ robots, log, cuts }) => {
		const text = bytes(log);
		const whole = await reportOf(robots, [text]);
		const at = [0, ...cuts.sort((a, b) => a - b), text.length];
		const chunks = at.map((from, i) => text.subarray(from, at[i + 1]));
		expectSame("in chunks", await reportOf(robots, chunks), whole);
		const lines = log.split("\n").length - (/(^|\n)$/.test(log) ? 1 : 0);
		expectSame("lines", whole.lines, lines);
		const { unparsed, judged, people, withoutAgent, blank } = whole;
		const { leftOut, withoutRobots, outside } = whole;
		const counted = unparsed + judged + people + withoutAgent + blank;
		expectSame("sum", counted + leftOut + withoutRobots + outside, lines);
		const requests = whole.crawlers.map((one) => {
			const { robotsTxt, allowed, disallowed, invalid } = one;
			expectSame(
				one.name,
				robotsTxt + allowed + disallowed + invalid,
				one.requests,
			);
			return one.requests;
		});
		expectSame(
			"judged",
			requests.reduce((sum, n) => sum + n, 0),
			judged,
		);
	},
});
