/**
 * What crawlers may fetch: the routes /allowed, /explain and /match, and how the URLs of a body are judged: lines in blocks, while later ones
 * wait for their sites; rows by crawler; with fetch=no in memory alone, some at a time, so that others are answered in between.
 */
import { Readable } from "node:stream";
import { Verdict } from "robotrie";
import type { Work } from "./bounds.ts";
import type { Crawler, Crawlers } from "./crawlers.ts";
import {
	ARROW,
	allowedAnswers,
	answerOf,
	blocksOf,
	countLines,
	dateOf,
	type JudgedRows,
	LINES,
	NDJSON,
	type Rows,
	rowsOf,
	verdictLines,
	withoutMark,
	words,
} from "./formats.ts";
import type { Metrics } from "./metrics.ts";
import {
	bodyType,
	enter,
	JSON_TYPE,
	notUrl,
	type Parts,
	type Query,
	use,
} from "./requests.ts";

/** Adds the routes of verdicts. */
export function addVerdicts(parts: Parts): void {
	const { app, admission, crawlers, metrics } = parts;

	app.get<{ Querystring: Query }>("/allowed", (request, reply) => {
		const { url, agent, dialect, fetch } = request.query;
		const { client } = crawlers.of(agent, dialect);
		const answer = (verdict: number) => {
			if (verdict === Verdict.Invalid) throw notUrl(url);
			metrics.verdict(verdict);
			return reply.type(JSON_TYPE).send(allowedAnswers[verdict]);
		};
		const answerLater = async ({ work, signal }: ReturnType<typeof enter>) => {
			const access = work.within(client.access(url, { signal }));
			const { expires, reason } = await access;
			metrics.verdict(Verdict.Later);
			return reply.send({
				allowed: false,
				verdict: "later",
				at: dateOf(expires),
				reason,
			});
		};
		const urls = [url];
		// What is in memory is answered without a promise and without a place among those that wait: most requests end here.
		const verdict = client.peek(urls)[0] as number;
		const isAnswered = verdict !== Verdict.Unknown || fetch === "no";
		if (isAnswered && verdict !== Verdict.Later) return answer(verdict);
		const entered = enter(parts, request, reply);
		if (isAnswered) return answerLater(entered);
		const { work, signal } = entered;
		return work
			.within(client.matchMany(urls, { signal }))
			.then(([verdict]) =>
				verdict === Verdict.Later
					? answerLater(entered)
					: answer(verdict as number),
			);
	});

	app.get<{ Querystring: Query }>("/explain", async (request, reply) => {
		const { url } = request.query;
		const { client, work, signal } = enter(parts, request, reply);
		const found = await work.within(client.explain(url, { signal }));
		const { access, code, expires } = await work.within(
			client.access(url, { signal }),
		);
		const [verdict] = await work.within(client.matchMany([url], { signal }));
		return {
			...found,
			verdict: words[verdict as number],
			access,
			code,
			expires: dateOf(expires),
		};
	});

	app.post<{ Querystring: Query }>("/match", async (request, reply) => {
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
	});
}

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
