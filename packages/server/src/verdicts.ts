/**
 * How a request's URLs are judged: a body's lines in blocks, while later ones wait for their sites; with fetch=no in memory alone, some at a
 * time, so that others are answered in between; and when a crawler may come next. service.ts calls it.
 */
import { Verdict } from "robotrie";
import type { Work } from "./bounds.ts";
import type { Crawler } from "./crawlers.ts";
import { blocksOf, verdictLines } from "./formats.ts";
import type { Metrics } from "./metrics.ts";

/** Blocks of lines that are judged while an earlier one is waited for. */
const AHEAD = 4;
/** Milliseconds of work after which others have their turn. */
const TURN = 2;

/** Verdicts of lines, a block of words at a time and in order, while later blocks are being judged. */
export async function* judged(
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

export async function* startingWith<T>(
	first: T,
	others: AsyncIterable<T>,
): AsyncGenerator<T> {
	yield first;
	yield* others;
}

export function peekLines(
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

/** Milliseconds for which what a file asks for counts, even if it expires earlier. */
const LEAST_KNOWN = 60_000;

/** A page's verdict, and when it may be visited. */
export interface PlannedVisit {
	readonly verdict: Verdict;
	/** With Allowed the time of the visit, with Later that from which on to ask again; milliseconds since 1970. */
	readonly at?: number;
	/** Why it is not allowed. */
	readonly reason?: string;
}

/** When a page may be visited. The time is given out with `reserve`, unless it would come after so many milliseconds. */
export async function planVisit(
	{ client }: Crawler,
	url: string,
	reserve: boolean,
	maxWait: number,
	{ signal }: Work,
): Promise<PlannedVisit> {
	const [verdict] = await client.matchMany([url], { signal });
	if (verdict === Verdict.Later) {
		const { reason, expires } = await client.access(url, { signal });
		return { verdict, at: expires, reason };
	}
	if (verdict !== Verdict.Allowed) {
		const { reason } = await client.explain(url, { signal });
		return { verdict: verdict as Verdict, reason };
	}
	const at = await client.nextVisit(url, { signal, reserve });
	const isTooLate = at - Date.now() > maxWait;
	// Whoever asked for it has gone.
	if (reserve && (isTooLate || signal.aborted)) client.release(url, at);
	if (!isTooLate) return { verdict, at };
	// By the time that its file has expired the site may ask for less.
	const { askedAt, expires } = await client.access(url, { signal });
	const known = Math.max(expires, askedAt + LEAST_KNOWN);
	const reason = `The next visit of the server is later than ${maxWait} ms from now.`;
	return { verdict: Verdict.Later, at: Math.min(at, known), reason };
}
