/**
 * Judges many URLs of any origins in one call: by the index of what is at hand at once, and by
 * look-ups for the rest. RobotsClient's bulk methods call it. What must hold: a call of a million
 * URLs lets the event loop turn every few milliseconds, and needs little memory for each.
 */

import { Verdict } from "robotrie";
import { InParallel } from "../common/in-parallel.ts";
import { linesWhere } from "../common/lines.ts";
import { OriginFinder, originOf } from "../common/origin.ts";
import { ShardedMap } from "../common/sharded-map.ts";
import { turns } from "../common/turns.ts";
import { type Known, verdictsOf } from "./known.ts";
import type { KnownOrigins } from "./known-origins.ts";

/**
 * URLs that are judged without looking at the clock, and bytes of URLs: well below a millisecond, and some milliseconds with rules made to cost
 * time. Where rules may cost more than that (`Known.isDear`), a URL is judged by itself.
 */
const URLS = 1000;
const BYTES = 64 * 1024;
/** URLs that are parsed without looking at the clock. */
const PARSED = 200;

const LF = 10;
/**
 * Bytes of the shortest line that has an origin, "ftp://a". It bounds how many origins some bytes
 * can name.
 */
const SHORTEST = 8;

/** URLs of an origin: numbers of the first and the last one that are not at hand. */
interface Group {
	/** As OriginFinder gives it. */
	readonly origin: string;
	readonly first: number;
	last: number;
}

/**
 * URLs that are not at hand, by origin. Arrays of each origin would take several times the memory.
 * Four arrays of numbers and texts, linked by number, in place of a list for each origin.
 */
class Unknowns {
	readonly groups: Group[] = [];
	readonly #urls: string[] = [];
	/** Their places in the answer. */
	readonly #places: number[] = [];
	/** The next one of the same origin, 0 after the last. */
	readonly #next: number[] = [];
	readonly #byOrigin: ShardedMap<Group>;
	readonly #finder = new OriginFinder();

	/** For `most` URLs. */
	constructor(most: number) {
		this.#byOrigin = new ShardedMap(most);
	}

	/** URLs without an origin to ask stay unknown. */
	add(place: number, url: string): void {
		const origin = this.#finder.of(url);
		if (origin === undefined) return;
		const number = this.#urls.length;
		this.#urls.push(url);
		this.#places.push(place);
		this.#next.push(0);
		// Appended at the end of its origin's chain, so that answers keep the order of the URLs.
		const group = this.#byOrigin.get(origin);
		if (group) {
			this.#next[group.last] = number;
			group.last = number;
			return;
		}
		const first = { origin, first: number, last: number };
		this.#byOrigin.set(origin, first);
		this.groups.push(first);
	}

	/** The URLs of a group and their places, at most `URLS` at a time. */
	*parts({ first }: Group): Generator<{ urls: string[]; places: number[] }> {
		for (let number = first, left = true; left; ) {
			const urls: string[] = [];
			const places: number[] = [];
			for (; left && urls.length < URLS; left = number > 0) {
				urls.push(this.#urls[number] as string);
				places.push(this.#places[number] as number);
				number = this.#next[number] as number;
			}
			yield { urls, places };
		}
	}
}

export interface JudgeOptions {
	readonly known: KnownOrigins;
	readonly lookUp: (
		origin: string,
		signal: AbortSignal | undefined,
	) => Promise<Known>;
	/** Origins that are looked up at a time, as InParallel does. */
	readonly lookUps: number;
	readonly now: () => number;
}

/**
 * Judges many URLs: from what is at hand, the others after looking their origins up. Lets the event loop turn, and then rejects if the
 * signal is aborted.
 */
export class Judge {
	readonly #options: JudgeOptions;
	readonly #inParallel: InParallel;
	readonly #finder = new OriginFinder();

	constructor(options: JudgeOptions) {
		this.#options = options;
		this.#inParallel = new InParallel(options.lookUps);
	}

	/**
	 * Verdicts from what is at hand; Unknown where nothing is. Before URLs are judged, what has
	 * expired has to be taken out, or it would still answer.
	 */
	peek(urls: readonly string[]): Uint8Array {
		const { known, now } = this.#options;
		turns.begin();
		known.prepare(urls, now());
		return known.index.matchMany(urls);
	}

	/** The same for one URL; a promise where the thread judges by what is at hand. */
	atHand(url: string): Verdict | Promise<Verdict> {
		const { known, now } = this.#options;
		turns.begin();
		known.prepare([url], now());
		return this.#prepared(url);
	}

	#prepared(url: string): Verdict | Promise<Verdict> {
		const { known, now } = this.#options;
		const verdict = known.index.verdictOf(url);
		if (verdict !== Verdict.Unknown || !known.hasApart) return verdict;
		const origin = this.#finder.of(url);
		const apart = origin && known.apart(origin, now());
		return apart
			? apart.verdicts([url]).then(([found]) => found as Verdict)
			: verdict;
	}

	/** The verdict of a URL whose origin is looked up first. @throws {RobotrieError} invalid-url. */
	async lookedUp(
		url: string,
		signal: AbortSignal | undefined,
	): Promise<Verdict> {
		const answer = await this.#options.lookUp(originOf(url), signal);
		// The rules are at hand now, unless they had to go again: a matcher would load its own copy of them.
		const found = await this.#prepared(url);
		if (found !== Verdict.Unknown) return found;
		const [verdict] = await verdictsOf(answer, [url]);
		return verdict as Verdict;
	}

	/** @param times Of URLs that are Later, takes when their origin is to be asked again, in milliseconds since 1970. */
	async matchMany(
		urls: readonly string[],
		signal: AbortSignal | undefined,
		times?: Float64Array,
	): Promise<Uint8Array> {
		const verdicts = new Uint8Array(urls.length);
		const unknowns = new Unknowns(urls.length);
		let added = 0;
		for (const [from, to] of this.#portions(urls)) {
			await turn(signal);
			const some = urls.slice(from, to);
			const found = this.peek(some);
			verdicts.set(found, from);
			for (let i = 0; i < some.length; i++) {
				if (times && found[i] === Verdict.Later)
					times[from + i] = this.#dueOf(some[i] as string);
				if (found[i] !== Verdict.Unknown) continue;
				// Reading an origin takes longer than judging, so it counts more often.
				if (++added % PARSED === 0) await turn(signal);
				unknowns.add(from + i, some[i] as string);
			}
		}
		await this.#fill(verdicts, unknowns, signal, times);
		return verdicts;
	}

	/** When a URL's origin that is at hand is to be asked for again. */
	#dueOf(url: string): number {
		const { known, now } = this.#options;
		const origin = this.#finder.of(url);
		return (origin && known.dueOf(origin)) || now();
	}

	async matchLines(
		bytes: Uint8Array,
		signal: AbortSignal | undefined,
	): Promise<Uint8Array> {
		const { known, now } = this.#options;
		const parts: Uint8Array[] = [];
		const unknowns = new Unknowns(bytes.length / SHORTEST);
		let lines = 0;
		let added = 0;
		for (const some of this.#blocks(bytes)) {
			await turn(signal);
			known.prepare(textsOf(some), now());
			const found = known.index.matchLines(some);
			for (const [line, url] of linesWhere(
				some,
				(line) => found[line] === Verdict.Unknown,
			)) {
				if (++added % PARSED === 0) await turn(signal);
				unknowns.add(lines + line, url);
			}
			parts.push(found);
			lines += found.length;
		}
		const verdicts = concat(parts, lines);
		await this.#fill(verdicts, unknowns, signal);
		return verdicts;
	}

	/** Where URLs are cut that are judged in one step. Cut as they are asked for: origins come and go meanwhile. */
	*#portions(
		urls: readonly string[],
		isDear = false,
	): Generator<readonly [from: number, to: number]> {
		const { known } = this.#options;
		for (let from = 0; from < urls.length; ) {
			const { hasDear } = known;
			let to = from;
			for (let length = 0; to < urls.length; to++) {
				const url = urls[to] as string;
				const isAlone = isDear || (hasDear && this.#isDear(url));
				if (isAlone && to === from) to++;
				length += url.length;
				if (isAlone || to - from === URLS || length > BYTES) break;
			}
			if (to === from) to++;
			yield [from, to];
			from = to;
		}
	}

	/** Blocks of whole lines, likewise. */
	*#blocks(bytes: Uint8Array): Generator<Uint8Array> {
		const decoder = new TextDecoder();
		const after = (from: number) => {
			const feed = bytes.indexOf(LF, from);
			return feed < 0 ? bytes.length : feed + 1;
		};
		for (let from = 0; from < bytes.length; ) {
			// At least BYTES, and then up to the end of the line.
			const to = after(from + BYTES);
			for (let at = from; at < to && this.#options.known.hasDear; ) {
				const next = after(at);
				if (this.#isDear(decoder.decode(bytes.subarray(at, next)))) {
					if (from < at) yield bytes.subarray(from, at);
					yield bytes.subarray(at, next);
					from = next;
				}
				at = next;
			}
			if (from < to) yield bytes.subarray(from, to);
			from = to;
		}
	}

	#isDear(url: string): boolean {
		return this.#options.known.isDear(this.#finder.of(url));
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
			// All are read before the first is asked for, so that an invalid URL rejects without a
			// request.
			origins.push(originOf(url));
		}
		await this.#inParallel.each(origins, async (origin) => {
			await turn(signal);
			if (!known.has(origin, now())) await lookUp(origin, signal);
		});
	}

	/** Takes out all that has expired. */
	async clear(): Promise<void> {
		const { known, now } = this.#options;
		for (const _ of known.expireAll(now())) await turn(undefined);
	}

	async #fill(
		verdicts: Uint8Array,
		unknowns: Unknowns,
		signal: AbortSignal | undefined,
		times?: Float64Array,
	): Promise<void> {
		const { known, lookUp, now } = this.#options;
		await this.#inParallel.each(unknowns.groups, async (group) => {
			// The work of others is done meanwhile; the signal is looked at after each wait.
			await turn(signal);
			// A text of its own: the one of the group may hold on to a whole URL.
			const origin = originOf(group.origin);
			// Another call may have looked it up since.
			let answer = known.has(origin, now())
				? undefined
				: await lookUp(origin, signal);
			// A thousand at a time again, as an origin may have all of them.
			for (const { urls, places } of unknowns.parts(group))
				for (const [from, to] of this.#portions(urls, answer?.isDear)) {
					await turn(signal);
					const some = urls.slice(from, to);
					let found = known.index.matchMany(some);
					if (found.includes(Verdict.Unknown)) {
						if (!known.apart(origin, now()))
							answer ??= await lookUp(origin, signal);
						found = await (known.apart(origin, now())?.verdicts(some) ??
							verdictsOf(answer as Known, some));
						// The thread's time counts for no turn, after which this would be looked at.
						signal?.throwIfAborted();
					}
					const due = answer?.access.expires ?? known.dueOf(origin) ?? now();
					for (let i = 0; i < found.length; i++) {
						const place = places[from + i] as number;
						verdicts[place] = found[i] as number;
						if (times) times[place] = due;
					}
				}
		});
	}
}

function turn(signal: AbortSignal | undefined): Promise<void> | undefined {
	return turns.wait()?.then(() => signal?.throwIfAborted());
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
