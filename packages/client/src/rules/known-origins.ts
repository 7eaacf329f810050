/**
 * What the client has at hand: an index of rules, and for each origin until when they hold and when
 * they were last used. RobotsClient fills it from RobotsSource, Judge asks it. What must hold:
 * nothing that has expired answers, and no more than `most` origins are kept.
 */

import {
	dialectNames,
	type IndexOptions,
	RobotrieError,
	RobotsIndex,
	type Rules,
} from "robotrie";

import { isFromFuture } from "#robotrie/common/clock";
import { type Due, DueHeap } from "../common/due-heap.ts";
import { OriginFinder } from "../common/origin.ts";
import { RecentMap } from "../common/recent-map.ts";
import { inTurns } from "../common/turns.ts";
import { ApartRules } from "./file-thread.ts";

/** In the map by last use and in the heap by time at once. */
interface Held extends Due {
	readonly origin: string;
	askedAt: number;
}

/** What of an answer is taken in; Known says what each is. */
interface Rulings {
	readonly rules: Rules;
	readonly isDear?: boolean;
	readonly apart?: Uint8Array | undefined;
}

/** Bytes of programs by which the thread judges: four of the largest. */
const MOST_APART = 64 * 1024 * 1024;

/** Origins that have expired and leave in one call: half a millisecond's work. */
const MOST_EXPIRED = 100;

/** The rules that are at hand: an index, and of each of its origins until when they hold and which was used least recently. */
export class KnownOrigins {
	readonly index: RobotsIndex;
	readonly #most: number;
	readonly #held = new RecentMap<Held>();
	readonly #due = new DueHeap<Held>();
	/** Origins by whose rules judging a URL may take long. */
	readonly #dear = new Set<string>();
	/** Origins whose rules are not in the index: the thread judges by them. Oldest first. */
	readonly #apart = new Map<string, ApartRules>();
	#apartBytes = 0;
	readonly #options: IndexOptions;
	/** The latest time at which anything was asked for. */
	#latest = Number.NEGATIVE_INFINITY;

	constructor(options: IndexOptions, most: number) {
		this.index = new RobotsIndex(options);
		this.#options = options;
		this.#most = most;
	}

	get size(): number {
		return this.#held.size;
	}

	/** Whether an origin's rules are at hand and hold; counts as a use. */
	has(origin: string, now: number): boolean {
		const held = this.#held.use(origin);
		return held !== undefined && !isOver(held, now);
	}

	/** When an origin that is at hand is to be asked for again; undefined for any other. */
	dueOf(origin: string): number | undefined {
		return this.#held.get(origin)?.due;
	}

	/** Whether what was asked for at a time is what is at hand. */
	hasAnswerOf(origin: string, askedAt: number, due: number): boolean {
		const held = this.#held.get(origin);
		return held?.askedAt === askedAt && held.due === due;
	}

	/**
	 * Takes an origin's rules in, for as long as there is room. Room is made before the index is
	 * asked, and again when the index is full: its limit is of bytes, ours of origins.
	 */
	set(
		origin: string,
		{ rules, isDear = false, apart }: Rulings,
		askedAt: number,
		due: number,
	): void {
		let held = this.#held.use(origin);
		if (!held) while (this.#held.size >= this.#most && this.#dropOldest());
		this.#deleteApart(origin);
		if (apart) this.#setApart(origin, apart);
		else this.#place(origin, rules);
		// Room may have been made by the origin's own leaving.
		held = this.#held.get(origin) ?? { origin, askedAt, due, at: -1 };
		held.askedAt = askedAt;
		this.#held.set(origin, held);
		this.#due.set(held, due);
		this.#latest = Math.max(this.#latest, askedAt);
		if (isDear) this.#dear.add(origin);
		else this.#dear.delete(origin);
	}

	/** Whether there are origins whose URLs are best judged one at a time. */
	get hasDear(): boolean {
		return this.#dear.size > 0;
	}

	/** Whether a URL's origin, as OriginFinder gives it, is one of them. */
	isDear(origin: string | undefined): boolean {
		return origin !== undefined && this.#dear.has(origin);
	}

	/** The rules of an origin that is at hand by which the thread judges. */
	apart(origin: string, now: number): ApartRules | undefined {
		const rules = this.#apart.get(origin);
		return rules && this.has(origin, now) ? rules : undefined;
	}

	/** Whether there are any. */
	get hasApart(): boolean {
		return this.#apart.size > 0;
	}

	/** An index of all that is at hand, as the index is. */
	async snapshot(): Promise<RobotsIndex> {
		const apart = [...this.#apart.values()];
		const index = await RobotsIndex.load(this.index.snapshot());
		for (const rules of apart) {
			await inTurns(index.roomSteps(rules.size));
			rules.addTo(index);
		}
		return index;
	}

	/** Takes an origin out. */
	delete(origin: string): boolean {
		const held = this.#held.delete(origin);
		if (!held) return false;
		this.#due.delete(held);
		this.#dear.delete(origin);
		this.#deleteApart(origin);
		this.index.delete(origin);
		return true;
	}

	#setApart(origin: string, program: Uint8Array): void {
		this.index.delete(origin);
		for (const oldest of this.#apart.keys()) {
			if (this.#apartBytes + program.length <= MOST_APART) break;
			this.delete(oldest);
		}
		const { agent, dialect = dialectNames[0] } = this.#options;
		const rules = new ApartRules(origin, program, agent, dialect);
		this.#apart.set(origin, rules);
		this.#apartBytes += rules.size;
	}

	#deleteApart(origin: string): void {
		this.#apartBytes -= this.#apart.get(origin)?.size ?? 0;
		this.#apart.delete(origin);
	}

	/**
	 * Before URLs are judged: takes out what has expired, so that it counts as unknown. Of all
	 * origins so many as a short time allows, of those that the URLs ask for every one. Looking at
	 * every URL's origin costs as much as judging it, so it is done only while it can matter.
	 */
	prepare(urls: Iterable<string>, now: number): void {
		this.#expire(now);
		if (!this.#mustLook(now)) return;
		const finder = new OriginFinder();
		for (const url of urls) {
			const origin = finder.of(url);
			const held = origin === undefined ? undefined : this.#held.use(origin);
			if (held && isOver(held, now)) this.delete(held.origin);
		}
	}

	/** Takes out everything that has expired, in steps. */
	*expireAll(now: number): Generator<void> {
		while (this.#isBehind(now)) {
			this.#expire(now);
			yield;
		}
	}

	#expire(now: number): void {
		for (let i = 0; i < MOST_EXPIRED && this.#isBehind(now); i++)
			this.delete((this.#due.first() as Held).origin);
	}

	/** Whether something has expired that is still there. */
	#isBehind(now: number): boolean {
		const first = this.#due.first();
		return first !== undefined && first.due <= now;
	}

	/**
	 * Whether each URL's origin has to be looked at, which takes about as long as judging the URL:
	 * while expired origins are left, after the clock was set back, and to know what is in use when
	 * something may soon have to leave. With more than half of the room taken, uses are noted, so
	 * that those in use do not have to leave.
	 */
	#mustLook(now: number): boolean {
		return (
			this.#isBehind(now) ||
			isFromFuture(this.#latest, now) ||
			this.#held.size > this.#most / 2
		);
	}

	#place(origin: string, rules: Rules): void {
		for (;;) {
			try {
				this.index.set(origin, rules);
				return;
			} catch (error) {
				const isFull =
					error instanceof RobotrieError && error.code === "limit-exceeded";
				if (!isFull || !this.#dropOldest()) throw error;
			}
		}
	}

	#dropOldest(): boolean {
		const oldest = this.#held.oldest();
		return oldest !== undefined && this.delete(oldest);
	}
}

function isOver({ due, askedAt }: Held, now: number): boolean {
	return due <= now || isFromFuture(askedAt, now);
}
