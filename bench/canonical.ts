import { canonicalOracle } from "../test/oracle-canonical.ts";
import { type Case, floorsOf } from "./case.ts";
import { engineOf } from "./engine.ts";
import { randomizer } from "./generate.ts";
import type { Library } from "./library.ts";
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

/** A Clean-param line that the benchmark writes. */
interface Line {
	readonly names: readonly string[];
	readonly path: string;
}

/** By the tests' oracle. Without escapes, only lines whose parameters the URL has can say anything. */
function rightFor(url: string, lines: readonly Line[]): string {
	const about = url.includes("%")
		? lines
		: lines.filter(({ names }) => names.some((name) => url.includes(name)));
	return canonicalOracle(url, about) ?? url;
}

function canonicalCase(
	library: Library,
	{ name, why }: Pick<Case, "name" | "why">,
	urls: readonly string[],
	lines: readonly Line[],
): Case {
	const robots = library.RobotsTxt.parse(
		lines
			.map(({ names, path }) => `Clean-param: ${names.join("&")} ${path}\n`)
			.join(""),
	);
	const jobs = Array.from(
		{ length: Math.ceil(urls.length / BATCH) },
		(_, i) => {
			const texts = urls.slice(i * BATCH, (i + 1) * BATCH);
			return {
				texts,
				lines: linesOf(texts),
				right: texts.map((url) => rightFor(url, lines)),
			};
		},
	);
	type Job = (typeof jobs)[number];
	const size = ({ texts }: Job) => texts.length;
	const right = (job: Job) => job.right;
	const work = { name, jobs, size, chunkItems: BATCH };
	const decoder = new TextDecoder();
	return {
		name,
		why,
		items: urls.length,
		unit: "URL",
		bytes: jobs.reduce((sum, job) => sum + job.lines.length, 0),
		engines: [
			...floorsOf(library, work),
			engineOf(work, {
				name: "robotrie",
				run: (job) => robots.canonicalLines(job.lines),
				found: (bytes) => decoder.decode(bytes).split("\n").slice(0, -1),
				right,
			}),
			engineOf(work, {
				name: "robotrie canonicalUrl",
				run: ({ texts }) => texts.map((url) => robots.canonicalUrl(url)),
				found: (one) => one,
				right,
			}),
		],
	};
}

/** Generated URLs hardly have queries: one in eight gets one. */
function withQueries(urls: readonly string[]): readonly string[] {
	if (urls.filter((url) => url.includes("?")).length > urls.length / 20)
		return urls;
	const random = randomizer(2013);
	const parameter = () => `p${random(200)}=${random(1e6)}`;
	return urls.map((url, i) => {
		if (i % 8 > 0) return url;
		const parameters = Array.from({ length: 1 + random(4) }, parameter);
		return `${url}?${parameters.join("&")}`;
	});
}

/** Clean-param: all URLs, and those alone that have a query. The target is 2 M/s. */
export function canonicalCases(library: Library, data: Data): Case[] {
	const urls = withQueries(data.sites.flatMap((site) => site.urls));
	const queries = urls.filter((url) => url.includes("?"));
	const lines = parametersOf(queries)
		.slice(0, LINES)
		.map((name, i) => ({
			names: [name, `x${i}`],
			path: paths[i % paths.length] ?? "",
		}));
	const all = {
		name: "Clean-param, all URLs",
		why: `URLs without what ${LINES} Clean-param lines name, bytes in and bytes out.`,
	};
	const some = {
		name: "Clean-param, queries",
		why: "The same, of URLs with a query only.",
	};
	return [
		canonicalCase(library, all, urls, lines),
		canonicalCase(library, some, queries, lines),
	];
}
