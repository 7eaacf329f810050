import { Verdict } from "../engine/verdict.ts";
import { type Known, verdictsOf } from "./known.ts";
import type { KnownOrigins } from "./known-origins.ts";
import { linesWhere } from "./lines.ts";
import { OriginFinder, originOf } from "./origin.ts";
import { ShardedMap } from "./sharded-map.ts";
import { turns } from "./turns.ts";

/** URLs that are judged without looking at the clock, and bytes of lines: well below a millisecond. */
const URLS = 1000;
const BYTES = 64 * 1024;
/** URLs that are parsed without looking at the clock. */
const PARSED = 200;

const LF = 10;

/** URLs of an origin, with their places in the answer. */
interface Group {
	readonly origin: string;
	readonly at: number[];
	readonly urls: string[];
}

/** URLs that are not at hand, by origin. */
class Unknowns {
	readonly groups: Group[] = [];
	readonly #byOrigin = new ShardedMap<Group>();
	readonly #finder = new OriginFinder();

	/** URLs without an origin to ask stay unknown. */
	add(at: number, url: string): void {
		const origin = this.#finder.of(url);
		if (origin === undefined) return;
		let group = this.#byOrigin.get(origin);
		if (!group) {
			group = { origin, at: [], urls: [] };
			this.#byOrigin.set(origin, group);
			this.groups.push(group);
		}
		group.at.push(at);
		group.urls.push(url);
	}
}

export interface JudgeOptions {
	readonly known: KnownOrigins;
	readonly lookUp: (
		origin: string,
		signal: AbortSignal | undefined,
	) => Promise<Known>;
	/** Origins that one call looks up at a time. */
	readonly lookUps: number;
	readonly now: () => number;
}

/**
 * Judges many URLs: from what is at hand, the others after looking their origins up. Lets the event loop turn, and then rejects if the
 * signal is aborted.
 */
export class Judge {
	readonly #options: JudgeOptions;

	constructor(options: JudgeOptions) {
		this.#options = options;
	}

	/** Verdicts from what is at hand; Unknown where nothing is. */
	peek(urls: readonly string[]): Uint8Array {
		const { known, now } = this.#options;
		known.prepare(urls, now());
		return known.index.matchMany(urls);
	}

	/** Verdicts for URLs of an origin that was looked up. */
	verdicts(answer: Known, urls: readonly string[]): Uint8Array {
		// The index has the rules, unless it had to let the origin go again: a matcher would load its own copy of them.
		const found = this.#options.known.index.matchMany(urls);
		return found.includes(Verdict.Unknown) ? verdictsOf(answer, urls) : found;
	}

	async matchMany(
		urls: readonly string[],
		signal: AbortSignal | undefined,
	): Promise<Uint8Array> {
		const verdicts = new Uint8Array(urls.length);
		const unknowns = new Unknowns();
		for (let from = 0; from < urls.length; from += URLS) {
			await turn(signal);
			const some = urls.slice(from, from + URLS);
			const found = this.peek(some);
			verdicts.set(found, from);
			for (const [i, url] of some.entries())
				if (found[i] === Verdict.Unknown) unknowns.add(from + i, url);
		}
		await this.#fill(verdicts, unknowns, signal);
		return verdicts;
	}

	async matchLines(
		bytes: Uint8Array,
		signal: AbortSignal | undefined,
	): Promise<Uint8Array> {
		const { known, now } = this.#options;
		const parts: Uint8Array[] = [];
		const unknowns = new Unknowns();
		let lines = 0;
		for (let from = 0; from < bytes.length; ) {
			await turn(signal);
			const feed = bytes.indexOf(LF, from + BYTES);
			const to = feed < 0 ? bytes.length : feed + 1;
			const some = bytes.subarray(from, to);
			known.prepare(textsOf(some), now());
			const found = known.index.matchLines(some);
			for (const [line, url] of linesWhere(
				some,
				(line) => found[line] === Verdict.Unknown,
			))
				unknowns.add(lines + line, url);
			parts.push(found);
			lines += found.length;
			from = to;
		}
		const verdicts = concat(parts, lines);
		await this.#fill(verdicts, unknowns, signal);
		return verdicts;
	}

	/** Looks the origins of URLs up that are not at hand. @throws {RobotrieError} invalid-url, before it looks any up. */
	async lookUp(
		urls: readonly string[],
		signal: AbortSignal | undefined,
	): Promise<void> {
		const { known, lookUp, now } = this.#options;
		// Not as a set, which stands still while it grows. Look-ups of one origin at a time are one.
		const origins: string[] = [];
		for (const url of urls) {
			if (origins.length % PARSED === 0) await turn(signal);
			origins.push(originOf(url));
		}
		const work = async (origin: string) => {
			if (!known.has(origin, now())) await lookUp(origin, signal);
		};
		await this.#each(origins, work, signal);
	}

	/** Takes out all that has expired. */
	async clear(): Promise<void> {
		const { known, now } = this.#options;
		for (const _ of known.expireAll(now())) await turn(undefined);
	}

	async #fill(
		verdicts: Uint8Array,
		{ groups }: Unknowns,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const { known, lookUp, now } = this.#options;
		await this.#each(
			groups,
			async ({ origin, at, urls }) => {
				// Another call may have looked it up since.
				let answer = known.has(origin, now())
					? undefined
					: await lookUp(origin, signal);
				for (let from = 0; from < urls.length; from += URLS) {
					await turn(signal);
					const some = urls.slice(from, from + URLS);
					let found = known.index.matchMany(some);
					if (found.includes(Verdict.Unknown)) {
						answer ??= await lookUp(origin, signal);
						found = verdictsOf(answer, some);
					}
					for (const [i, verdict] of found.entries())
						verdicts[at[from + i] as number] = verdict;
				}
			},
			signal,
		);
	}

	/** Works on all items, on a limited number at a time. */
	async #each<Item>(
		items: readonly Item[],
		work: (item: Item) => Promise<void>,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const left = items[Symbol.iterator]();
		const workOnSome = async () => {
			for (let next = left.next(); !next.done; next = left.next()) {
				await turn(signal);
				await work(next.value);
			}
		};
		const length = Math.min(this.#options.lookUps, items.length);
		await Promise.all(Array.from({ length }, workOnSome));
	}
}

async function turn(signal: AbortSignal | undefined): Promise<void> {
	const wait = turns.wait();
	if (!wait) return;
	await wait;
	signal?.throwIfAborted();
}

function* textsOf(lines: Uint8Array): Generator<string> {
	for (const [, text] of linesWhere(lines, () => true)) yield text;
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
	if (parts.length === 1 && parts[0]) return parts[0];
	const all = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}
