/**
 * How a request's URLs are judged: a body's lines in blocks, while later ones wait for their sites; with fetch=no in memory alone, some at a
 * time, so that others are answered in between; and when a crawler may come next. service.ts calls it.
 */
import type { RobotsStore } from "@robotrie/client";
import { RobotrieError } from "robotrie";
import type { Work } from "./bounds.ts";
import type { Crawler } from "./crawlers.ts";
import { blocksOf, verdictLines } from "./formats.ts";
import type { Metrics } from "./metrics.ts";

/** Blocks of lines that are judged while an earlier one is waited for. */
const AHEAD = 4;
/** URLs that are looked at in memory without looking at the clock, and milliseconds after which others have their turn. */
const PEEKED = 16;
const TURN = 2;
/** The last time that a Date can be. */
const LAST_TIME = 8.64e15;

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
	for (let from = 0; from < urls.length; from += PEEKED) {
		if (performance.now() >= until) {
			await new Promise(setImmediate);
			work.signal.throwIfAborted();
			until = performance.now() + TURN;
		}
		verdicts.set(client.peek(urls.slice(from, from + PEEKED)), from);
	}
	return verdicts;
}

/** The next visit of a crawler to an origin, which all replicas of the store schedule together if the store can. */
export async function nextVisit(
	{ client, key }: Crawler,
	store: RobotsStore,
	origin: string,
	reserve: boolean,
	signal: AbortSignal,
): Promise<number> {
	if (!store.replace) return client.nextVisit(origin, { signal, reserve });
	const visits = `visit ${key} ${origin}`;
	try {
		for (;;) {
			const before = await store.get(visits);
			const [last = Number.NaN, given = Number.NaN] = Buffer.from(before ?? [])
				.toString("latin1")
				.split(" ")
				.map(Number);
			const now = Date.now();
			// A visit that was given out later than now was so by a clock that has been set back since: only the wait of then holds.
			const after = given > now ? last - (given - now) : last;
			const time = await client.nextVisit(origin, {
				signal,
				reserve: false,
				...(Number.isFinite(given) && Math.abs(after) <= LAST_TIME
					? { after }
					: {}),
			});
			if (!reserve) return time;
			const entry = Buffer.from(`${time} ${now}`, "latin1");
			if (await store.replace(visits, before, entry)) return time;
		}
	} catch (error) {
		const isStores =
			!(error instanceof RobotrieError) || error.code === "store-unavailable";
		if (signal.aborted || !isStores) throw error;
		// Without the store this replica keeps the pace by itself.
		return client.nextVisit(origin, { signal, reserve });
	}
}
