import { countLines } from "../src/engine/engine.ts";
import { RobotsTxt } from "../src/index.ts";
import { type Case, expectCount } from "./cases.ts";
import { randomizer } from "./generate.ts";
import { chunked } from "./measure.ts";
import { type Data, linesOf } from "./site.ts";

const BATCH = 4_000;
/** Clean-param lines of the file: many, and all of them about parameters that the URLs have. */
const LINES = 60;

/** Where the lines hold: everywhere, below a folder, behind a wildcard. */
const paths = ["", "/", "/*.php", "/forum*/show", "/a", "/*/b*/c", "/*e"];

/** Parameters by frequency, the most frequent first. */
function parametersOf(urls: readonly string[]): string[] {
	const counts = new Map<string, number>();
	for (const url of urls) {
		const query = /\?([^#]*)/.exec(url)?.[1] ?? "";
		for (const [name = ""] of query.split("&").map((one) => one.split("=")))
			if (/^\w+$/.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function batchesOf(urls: readonly string[]): Uint8Array[] {
	return Array.from({ length: Math.ceil(urls.length / BATCH) }, (_, i) =>
		linesOf(urls.slice(i * BATCH, (i + 1) * BATCH)),
	);
}

function canonicalCase(
	name: string,
	why: string,
	urls: readonly string[],
	robots: RobotsTxt,
): Case {
	const batches = batchesOf(urls);
	const size = () => BATCH;
	const texts = batches.map((_, i) => urls.slice(i * BATCH, (i + 1) * BATCH));
	return {
		name,
		why,
		items: urls.length,
		unit: "URL",
		bytes: batches.reduce((sum, { length }) => sum + length, 0),
		check: () => {
			const one = urls.map((url) => robots.canonicalUrl(url));
			const decoder = new TextDecoder();
			const bulk = batches.flatMap((batch) =>
				decoder.decode(robots.canonicalLines(batch)).split("\n").slice(0, -1),
			);
			expectCount(`${name}, lines`, bulk.length, urls.length);
			const wrong = bulk.filter((url, i) => url !== one[i]).length;
			expectCount(`${name}, unlike one by one`, wrong, 0);
			if (one.every((url, i) => url === urls[i]))
				throw new Error(`${name}: no URL becomes shorter`);
		},
		engines: [
			{
				name: "newline scan",
				chunks: chunked(batches, size, BATCH, countLines),
			},
			{
				name: "robotrie",
				chunks: chunked(batches, size, BATCH, (batch) =>
					robots.canonicalLines(batch),
				),
			},
			{
				name: "robotrie canonicalUrl",
				chunks: chunked(texts, size, BATCH, (list) => {
					for (const url of list) robots.canonicalUrl(url);
				}),
			},
		],
	};
}

/** Generated URLs have no queries: one in eight gets one. */
function withQueries(urls: readonly string[]): readonly string[] {
	if (urls.some((url) => url.includes("?"))) return urls;
	const random = randomizer(2013);
	const parameter = () => `p${random(200)}=${random(1e6)}`;
	return urls.map((url, i) => {
		if (i % 8 > 0) return url;
		const parameters = Array.from({ length: 1 + random(4) }, parameter);
		return `${url}?${parameters.join("&")}`;
	});
}

/** Clean-param: all URLs, and those alone that have a query. The target is 2 M/s. */
export function canonicalCases(data: Data): Case[] {
	const urls = withQueries(data.sites.flatMap((site) => site.urls));
	const queries = urls.filter((url) => url.includes("?"));
	const lines = parametersOf(queries)
		.slice(0, LINES)
		.map(
			(name, i) => `Clean-param: ${name}&x${i} ${paths[i % paths.length]}\n`,
		);
	const robots = RobotsTxt.parse(lines.join(""));
	return [
		canonicalCase(
			"Clean-param, all URLs",
			`URLs without what ${LINES} Clean-param lines name, bytes in and bytes out.`,
			urls,
			robots,
		),
		canonicalCase(
			"Clean-param, queries",
			"The same, of URLs with a query only.",
			queries,
			robots,
		),
	];
}
