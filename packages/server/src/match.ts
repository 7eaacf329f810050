/**
 * POST /match: verdicts for the URLs of a body. Lines are judged in blocks, while later ones wait for their sites; rows by crawler; with fetch=no
 * in memory alone, some at a time, so that others are answered in between.
 */
import { Readable } from "node:stream";
import { Verdict } from "robotrie";
import type { Work } from "./bounds.ts";
import type { Crawler, Crawlers } from "./crawlers.ts";
import {
	ARROW,
	answerOf,
	blocksOf,
	countLines,
	type JudgedRows,
	LINES,
	NDJSON,
	type Rows,
	rowsOf,
	verdictLines,
	withoutMark,
} from "./formats.ts";
import type { Metrics } from "./metrics.ts";
import * as api from "./openapi.ts";
import { bodyType, type Query, use } from "./requests.ts";

const arrow = { ...api.text(), contentMediaType: ARROW };
const ndjson = (...rows: readonly object[]) =>
	rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const { allowed, disallowed, down, neverAsked } = api.samples;

export const match: api.Route = {
	on: "POST /match",
	operationId: "match",
	summary: "Verdicts for many URLs of any sites, in order",
	description:
		"What must be fetched is fetched. The answer has the format of the body: a word a line; a JSON object a line; an Arrow IPC stream with a column verdict. An answer that ends early, without its last chunk, is to be thrown away.",
	parameters: [...api.crawler, api.fetch],
	bodies: {
		[LINES]: api.text("A URL a line, ended by LF or CRLF."),
		[NDJSON]: api.text(
			'An object a line: {"url": …}, with "agent", a text or a list of them, and "dialect" in place of those of the query.',
		),
		[ARROW]: {
			...arrow,
			description:
				"A table with a column url, and where they differ from the query columns agent and dialect, all of them texts.",
		},
	},
	answers: {
		...api.bulkRefusals,
		200: {
			description:
				"A verdict for each URL: allowed, disallowed, unknown, invalid or later. URLs are later while the robots.txt of their site cannot be had: neither fetch nor drop them; lines of JSON say from when on to ask again, as at.",
			content: {
				[LINES]: {
					...api.text(),
					pattern: "^((allowed|disallowed|unknown|invalid|later)\n)*$",
				},
				[NDJSON]: api.text(),
				[ARROW]: arrow,
			},
		},
		400: api.problem("The request, or a row, is wrong."),
	},
	examples: {
		lines: [
			{ [LINES]: `${allowed}\n${disallowed}\nnot a URL\n${down}\n` },
			"allowed\ndisallowed\ninvalid\nlater\n",
		],
		unknown: [{ fetch: "no", [LINES]: `${neverAsked}\n` }, "unknown\n"],
		nothing: [{ [LINES]: "" }, ""],
		rows: [
			{
				[NDJSON]: ndjson(
					{ url: disallowed },
					{ url: disallowed, agent: "OtherBot" },
				),
			},
			ndjson(
				{ url: disallowed, verdict: "disallowed" },
				{ url: disallowed, verdict: "allowed" },
			),
		],
		wrongRow: [
			{ [NDJSON]: ndjson({ link: allowed }) },
			{ code: "invalid-row", message: "row 1 has no url that is a string" },
			400,
		],
	},
	async handle({ admission, crawlers, metrics }, request, reply) {
		const type = bodyType(request, [LINES, NDJSON, ARROW]);
		const { agent, dialect, fetch } = request.query;
		const work = admission.enter(request, reply);
		const body = await work.body();
		reply.type(type === LINES ? `${LINES}; charset=utf-8` : type);
		if (type !== LINES) {
			const rows = await rowsOf(type, body, work);
			const judged = await matchRows(rows, request.query, work, crawlers);
			metrics.verdicts(judged.verdicts);
			return answerOf(type, rows, judged);
		}
		const crawler = crawlers.of(agent, dialect);
		use(work, crawler);
		const lines = withoutMark(body);
		work.checkRows(countLines(lines));
		// fetch=no looks in memory only; else later blocks are judged while the sites of earlier ones are fetched.
		const judge = (block: Uint8Array) =>
			fetch === "no"
				? peekLines(crawler, block, work)
				: crawler.client.matchLines(block, { signal: work.signal });
		const answer = judged(lines, judge, work, metrics);
		// The first block decides about the status.
		const first = await answer.next();
		if (first.done) return Buffer.alloc(0);
		return reply.send(Readable.from(startingWith(first.value, answer)));
	},
};

/** Rows by crawler, each crawler's URLs in one call. */
async function matchRows(
	rows: Rows,
	query: Query,
	work: Work,
	crawlers: Crawlers,
): Promise<JudgedRows> {
	const groups = new Map<Crawler, number[]>();
	for (let i = 0; i < rows.urls.length; i++) {
		const agents = rows.agents?.[i] ?? query.agent;
		const crawler = crawlers.of(agents, rows.dialects?.[i] ?? query.dialect);
		const places = groups.get(crawler);
		if (places) places.push(i);
		else {
			use(work, crawler);
			groups.set(crawler, [i]);
		}
	}
	const verdicts = new Uint8Array(rows.urls.length);
	const times = new Float64Array(rows.urls.length);
	const { signal } = work;
	await work.within(
		Promise.all(
			[...groups].map(async ([crawler, places]) => {
				const { client } = crawler;
				const urls = places.map((place) => rows.urls[place] as string);
				const found =
					query.fetch === "no"
						? await peekMany(crawler, urls, work)
						: await client.matchMany(urls, { signal });
				for (const [i, place] of places.entries()) {
					verdicts[place] = found[i] as number;
					if (found[i] !== Verdict.Later) continue;
					// At hand: it has just been looked up.
					const { expires } = await client.access(urls[i] as string, {
						signal,
					});
					times[place] = expires;
				}
			}),
		),
	);
	return { verdicts, times };
}

/** Blocks of lines that are judged while an earlier one is waited for. */
const AHEAD = 4;
/** Milliseconds of work after which others have their turn. */
const TURN = 2;

/** Verdicts of lines, a block of words at a time and in order, while later blocks are being judged. */
async function* judged(
	body: Uint8Array,
	judge: (block: Uint8Array) => Promise<Uint8Array>,
	work: Work,
	metrics: Metrics,
): AsyncGenerator<Buffer> {
	const pending: Promise<Uint8Array>[] = [];
	const next = async () => {
		const verdicts = await work.within(pending.shift() as Promise<Uint8Array>);
		metrics.verdicts(verdicts);
		return verdictLines(verdicts);
	};
	for (const block of blocksOf(body)) {
		const verdicts = judge(block);
		// One that fails while an earlier one is waited for is found in its turn.
		verdicts.catch(() => {});
		pending.push(verdicts);
		if (pending.length >= AHEAD) yield next();
	}
	while (pending.length > 0) yield next();
}

async function* startingWith<T>(
	first: T,
	others: AsyncIterable<T>,
): AsyncGenerator<T> {
	yield first;
	yield* others;
}

function peekLines(
	crawler: Crawler,
	block: Uint8Array,
	work: Work,
): Promise<Uint8Array> {
	const lines = Buffer.from(block.buffer, block.byteOffset, block.length)
		.toString("utf8")
		.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return peekMany(
		crawler,
		lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)),
		work,
	);
}

export async function peekMany(
	{ client }: Crawler,
	urls: readonly string[],
	work: Work,
): Promise<Uint8Array> {
	const verdicts = new Uint8Array(urls.length);
	let until = 0;
	// One at a time: with rules made to cost time each may take milliseconds.
	for (const [i, url] of urls.entries()) {
		if (performance.now() >= until) {
			await new Promise(setImmediate);
			work.signal.throwIfAborted();
			until = performance.now() + TURN;
		}
		verdicts[i] = client.peek([url])[0] as number;
	}
	return verdicts;
}
