import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { findCrawler } from "../../src/crawlers.ts";
import { classify } from "../../src/log/classify.ts";
import { isAutomatic } from "./reference.ts";

const compatible = (text: string) => `Mozilla/5.0 (compatible; ${text})`;

describe("A User-Agent header", () => {
	test.each<[header: string, name: string | undefined, category?: string]>([
		[compatible("Googlebot/2.1; +http://g.co"), "Googlebot", "search"],
		["Googlebot-Image/1.0", "Googlebot-Image", "search"],
		[compatible("GPTBot/1.2; +https://openai.com/gptbot"), "GPTBot"],
		["curl/8.5.0", "curl", "library"],
		["Wget/1.21", "wget", "library"],
		["python-requests/2.31", "python-requests", "library"],
		["Feedly/1.0 (+http://www.feedly.com/fetcher.html)", "Feedly", "feed"],
		[
			compatible("NeverSeenBot/1; +http://x.example"),
			"NeverSeenBot",
			"unknown",
		],
		["Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0", undefined],
		[
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
			undefined,
		],
	])("%s", (header, name, category) => {
		const found = classify(header);
		expect(found?.name).toBe(name);
		if (category) expect(found?.category).toBe(category);
	});

	test("what it calls itself chooses its group", () =>
		expect(classify("psbot-image/1.0")?.agent).toBe("psbot-image"));
});

interface Listed {
	pattern: string;
	instances: string[];
	tags?: string[];
}
const listed = createRequire(import.meta.url)(
	"crawler-user-agents",
) as Listed[];

test("of the list, the pattern with the longest match counts: as trying all of them finds", () => {
	const patterns = listed.map(({ pattern }) => new RegExp(pattern));
	const headers = listed.flatMap(({ instances }) => instances.slice(0, 2));
	expect(headers.length).toBeGreaterThan(1500);
	let compared = 0;
	for (const header of headers) {
		expect(isAutomatic(header)).toBe(true);
		const found = classify(header);
		expect({ header, found: found !== undefined }).toEqual({
			header,
			found: true,
		});
		if (findCrawler(header)) continue;
		compared++;
		const matches = patterns.flatMap((pattern, index) => {
			const match = pattern.exec(header);
			return match ? [{ index, match }] : [];
		});
		const longest = Math.max(...matches.map(({ match }) => match[0].length));
		const best = matches.filter(({ match }) => match[0].length === longest);
		const names = best.map(({ index }) => {
			const entry = listed[index] as Listed;
			const own = new RegExp(entry.pattern).exec(entry.instances[0] ?? "");
			return (own?.[0] ?? "").replace(/^[\s/;(),]+|[\s/;(),_]+$/g, "");
		});
		expect(names).toContain(found?.name);
	}
	expect(compared).toBeGreaterThan(1000);
});
