/**
 * Lines of URLs of any sites, judged while robots.txt files are fetched, for `robotrie crawl-check`. A site that does not answer takes as long
 * as its timeout: lines of other sites are settled meanwhile. In order they wait for its first line; unordered they are written as they are
 * settled. At most `AHEAD` blocks are in memory.
 */
import type { RobotsClient } from "@robotrie/client";
import { Verdict } from "robotrie";
import { parseUrl } from "#robotrie/common/arguments";
import { Retries } from "./crawl-retries.ts";

/** Whole lines, and a `Verdict` for each. */
interface JudgedLines {
	readonly lines: Uint8Array;
	readonly verdicts: Uint8Array;
}

interface CrawlLinesOptions {
	/** Whether lines are given out as they are settled, not in their order. */
	readonly unordered: boolean;
	/** How often a site is asked again whose robots.txt cannot be had, and how many milliseconds after its first failure. */
	readonly retries: number;
	readonly retryWithin: number;
	/** Called once, when all lines have waited for the answer of one site for `HELD_UP` milliseconds. */
	readonly onHeldUp: (origin: string) => void;
}

/** Blocks of lines that are looked at before the first of them is settled: enough for all requests to be in use. */
const AHEAD = 32;
/** Milliseconds after which a person wonders. */
const HELD_UP = 3000;
/** URLs that are judged at once: well below a millisecond. */
const URLS = 1000;
const LF = 10;
/** What stands for a verdict that is not known yet. */
const PENDING = 255;

/**
 * One reader task fills `held`, the loop below empties it from the front (or anywhere, unordered).
 * Two bells connect them: `bell` when something was settled, `room` when a place in `held` is free.
 * @throws What reading the blocks throws, and the client.
 */
export async function* judgedLines(
	client: RobotsClient,
	blocks: AsyncIterable<Uint8Array>,
	{ unordered, retries, retryWithin, onHeldUp }: CrawlLinesOptions,
): AsyncGenerator<JudgedLines> {
	const ending = new AbortController();
	const { signal } = ending;
	const again = new Retries(client, { retries, within: retryWithin, signal });
	const held: Block[] = [];
	/** Rings when something is settled. */
	const bell = new Bell();
	/** Rings when there is room for a block. */
	const room = new Bell();
	const watch = unordered ? undefined : new Watch(onHeldUp);
	let isOver = false;
	let failure: { readonly error: unknown } | undefined;
	// The first error wins; later ones are consequences of it.
	const fail = (error: unknown) => {
		failure ??= { error };
		bell.ring();
	};
	const read = async () => {
		for await (const lines of blocks) {
			// Waiting here is what bounds memory: the input is read no faster than lines are written.
			while (held.length >= AHEAD && !isOver) await room.rung();
			if (isOver) return;
			const block = new Block(lines);
			held.push(block);
			// While lines come in, a site that is slow holds nothing up yet.
			watch?.set(undefined);
			// Judged as it is read: known sites are settled at once, unknown ones asked for.
			await block.judge(client, again, bell.ring, fail);
		}
	};
	const reading = read().then(() => {
		isOver = true;
		bell.ring();
	}, fail);
	try {
		for (;;) {
			if (failure) throw failure.error;
			// The bell is taken before the blocks are looked at, or a ring in between would be lost.
			const rung = bell.rung();
			const wasOver = isOver;
			// A copy, as a finished block is removed while the loop runs.
			for (const block of [...held]) {
				const judged = unordered ? block.takeAny() : block.takeFirst();
				if (judged) yield judged;
				if (block.isDone) {
					held.splice(held.indexOf(block), 1);
					room.ring();
					// In order, only the first block may give out lines.
				} else if (!unordered) break;
			}
			if (wasOver && held.length === 0) break;
			// Only what the first line waits for matters to a person.
			watch?.set(held[0]?.awaited);
			await rung;
		}
		await reading;
	} finally {
		isOver = true;
		watch?.set(undefined);
		room.ring();
		ending.abort();
	}
}

/**
 * Wakes all who wait for something to change. A promise that is replaced when it is rung: all who
 * await the old one wake up.
 */
class Bell {
	#resolve: () => void = () => {};
	#promise: Promise<void> = Promise.resolve();

	constructor() {
		this.#hang();
	}

	#hang(): void {
		this.#promise = new Promise((resolve) => {
			this.#resolve = resolve;
		});
	}

	/** Resolves when it next rings. */
	rung(): Promise<void> {
		return this.#promise;
	}

	readonly ring = (): void => {
		this.#resolve();
		this.#hang();
	};
}

/**
 * Notices that one site holds everything up. One site, once: a message per slow site would say no
 * more and scroll the verdicts away.
 */
class Watch {
	readonly #onHeldUp: (origin: string) => void;
	#origin: string | undefined;
	#timer: NodeJS.Timeout | undefined;
	#isTold = false;

	constructor(onHeldUp: (origin: string) => void) {
		this.#onHeldUp = onHeldUp;
	}

	/** @param origin Whose answer is waited for. */
	set(origin: string | undefined): void {
		if (this.#isTold || origin === this.#origin) return;
		this.#origin = origin;
		clearTimeout(this.#timer);
		if (origin === undefined) return;
		this.#timer = setTimeout(() => {
			this.#isTold = true;
			this.#onHeldUp(origin);
		}, HELD_UP);
	}
}

/**
 * Lines that are settled site by site. Verdicts are written into one array as they come; PENDING
 * marks what is still open.
 */
class Block {
	readonly #bytes: Uint8Array;
	/** Where each line begins, and where the last one ends. */
	readonly #starts: Uint32Array;
	readonly #verdicts: Uint8Array;
	/** The site of each line that is not settled. */
	readonly #origins = new Map<number, string>();
	/** Lines that are settled and not given out, unless they are taken in order. */
	#settled: number[] = [];
	/** Lines that were given out, from the first one on. */
	#taken = 0;
	/** All lines were looked at. */
	#isRead = false;
	#pending = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
		this.#starts = startsOf(bytes);
		this.#verdicts = new Uint8Array(this.#starts.length - 1).fill(PENDING);
	}

	get isDone(): boolean {
		return this.#isRead && this.#pending === 0 && this.#taken === this.#count;
	}

	/**
	 * The site that the first line without a verdict waits for. In order, that is the line at
	 * `#taken`.
	 */
	get awaited(): string | undefined {
		return this.#origins.get(this.#taken);
	}

	get #count(): number {
		return this.#verdicts.length;
	}

	/** Settles what is at hand, and asks for the rest: `onSettled` is called whenever more lines are, `onError` at most once. */
	async judge(
		client: RobotsClient,
		again: Retries,
		onSettled: () => void,
		onError: (error: unknown) => void,
	): Promise<void> {
		const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		const groups = new Map<string, number[]>();
		// A thousand URLs at a time, as `peek` holds up the event loop.
		for (let from = 0; from < this.#count; from += URLS) {
			const to = Math.min(from + URLS, this.#count);
			const some = this.#bytes.subarray(this.#starts[from], this.#starts[to]);
			const texts = decoder
				.decode(some)
				.split("\n")
				.slice(0, to - from);
			for (const [i, text] of texts.entries())
				if (text.endsWith("\r")) texts[i] = text.slice(0, -1);
			// Everything that the client already knows is answered here, without a promise per line.
			const found = client.peek(texts);
			for (const [i, text] of texts.entries()) {
				const verdict = found[i] as number;
				const isKnown =
					verdict !== Verdict.Unknown &&
					(verdict !== Verdict.Later || !again.isOpen(fetchableOrigin(text)));
				// What is not UTF-8 is judged by its bytes. U+FFFD shows that decoding lost bytes.
				if (isKnown && !text.includes("\ufffd")) {
					this.#settle(from + i, verdict);
					continue;
				}
				const origin = fetchableOrigin(text);
				// By site, so that each site is asked once for all its lines of the block.
				const group = groups.get(origin);
				if (group) group.push(from + i);
				else groups.set(origin, [from + i]);
				if (origin !== "") this.#origins.set(from + i, origin);
			}
			onSettled();
		}
		// Known before the first answer can come, or a quick one would end the block too early.
		this.#pending = groups.size;
		this.#isRead = true;
		for (const [origin, lines] of groups)
			void this.#ask(client, again, origin, lines).then(onSettled, onError);
		onSettled();
	}

	async #ask(
		client: RobotsClient,
		again: Retries,
		origin: string,
		lines: readonly number[],
	): Promise<void> {
		if (origin !== "") await again.settled(origin);
		// All lines of a site in one call: the client parses and compiles once.
		const verdicts = await client.matchLines(this.#joined(lines));
		for (const [i, line] of lines.entries()) {
			this.#origins.delete(line);
			this.#settle(line, verdicts[i] as number);
		}
		this.#pending--;
	}

	#settle(line: number, verdict: number): void {
		this.#verdicts[line] = verdict;
		this.#settled.push(line);
	}

	/** Lines up to the first one that is not settled. */
	takeFirst(): JudgedLines | undefined {
		// Settled lines are found by the first PENDING, so the list is not needed in order.
		this.#settled = [];
		const from = this.#taken;
		const next = this.#verdicts.indexOf(PENDING, from);
		const to = next < 0 ? this.#count : next;
		if (to === from) return undefined;
		this.#taken = to;
		return {
			lines: this.#bytes.subarray(this.#starts[from], this.#starts[to]),
			verdicts: this.#verdicts.subarray(from, to),
		};
	}

	/** All lines that were settled since the last call. */
	takeAny(): JudgedLines | undefined {
		// Unordered lines are copied together, as their neighbours may still wait.
		const lines = this.#settled;
		if (lines.length === 0) return undefined;
		this.#settled = [];
		this.#taken += lines.length;
		const verdicts = Uint8Array.from(
			lines,
			(line) => this.#verdicts[line] as number,
		);
		return { lines: this.#joined(lines), verdicts };
	}

	#line(line: number): Uint8Array {
		return this.#bytes.subarray(this.#starts[line], this.#starts[line + 1]);
	}

	/** Some lines, each with an end. */
	#joined(lines: readonly number[]): Uint8Array {
		const parts = lines.map((line) => this.#line(line));
		const size = parts.reduce((sum, part) => sum + part.length, 0);
		const joined = new Uint8Array(size + 1);
		let at = 0;
		for (const part of parts) {
			joined.set(part, at);
			at += part.length;
			// A last line without an end would swallow the one after it.
			if (part.at(-1) !== LF) joined[at++] = LF;
		}
		return joined.subarray(0, at);
	}
}

function startsOf(bytes: Uint8Array): Uint32Array {
	const starts = [0];
	for (let at = 0; at < bytes.length; ) {
		const feed = bytes.indexOf(LF, at);
		at = feed < 0 ? bytes.length : feed + 1;
		starts.push(at);
	}
	return Uint32Array.from(starts);
}

/** What is asked for a robots.txt; empty for a text without such a site. */
function fetchableOrigin(text: string): string {
	const url = parseUrl(text);
	return url && /^(?:https?|ftp):$/.test(url.protocol) ? url.origin : "";
}
