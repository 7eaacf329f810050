import fc from "fast-check";
import { AddressBook } from "../../packages/audit/src/common/addresses.ts";
import {
	type Due,
	DueHeap,
} from "../../packages/client/src/common/due-heap.ts";
import { KnownOrigins } from "../../packages/client/src/rules/known-origins.ts";
import { RobotsTxt } from "../../src/index.ts";
import { expectSame, target } from "./target.ts";

/**
 * What the client and the audit remember between calls, step by step beside a list that is gone through each time: origins at hand, the
 * heap of their times, and whose addresses are verified.
 */

/** Every item knows its place, and none is due before the one above it. */
function expectHeap(heap: DueHeap<Due>, items: readonly Due[]) {
	const inside = items
		.filter(({ at }) => at >= 0)
		.toSorted((a, b) => a.at - b.at);
	expectSame("size", heap.size, inside.length);
	inside.forEach(({ due, at }, i) => {
		expectSame("a place", at, i);
		const above = inside[(at - 1) >> 1];
		if (above && above.due > due)
			throw new Error(`${above.due} is above ${due}`);
	});
}

export const heaps = target({
	name: "heaps",
	inputs: fc.array(
		fc.record({
			what: fc.constantFrom("set", "set", "delete", "first"),
			item: fc.nat(30),
			due: fc.nat(20),
		}),
		{ maxLength: 300 },
	),
	check: (steps) => {
		const heap = new DueHeap<Due>();
		const items = Array.from({ length: 31 }, () => ({ due: 0, at: -1 }));
		const inside = new Set<Due>();
		const least = () =>
			inside.size > 0
				? Math.min(...[...inside].map(({ due }) => due))
				: undefined;
		for (const { what, item: number, due } of steps) {
			const first = heap.first();
			const item = what === "first" ? first : items[number];
			if (!item) continue;
			if (what === "set") {
				heap.set(item, due);
				inside.add(item);
			} else {
				heap.delete(item);
				inside.delete(item);
			}
			expectSame("the earliest", heap.first()?.due, least());
			expectHeap(heap, items);
		}
		expectSame("what is inside", heap.size, inside.size);
	},
});

const MINUTE = 60_000;
const MOST = 4;
const sites = Array.from({ length: 7 }, (_, i) => `https://s${i}.example`);
const open = RobotsTxt.parse("User-agent: *\nDisallow: /a");
const closed = RobotsTxt.parse("User-agent: *\nDisallow: /");

/** What is at hand, least recently used first: the clock of each step is another one. */
export const origins = target({
	name: "origins",
	inputs: fc.array(
		fc.record({
			what: fc.constantFrom(
				"set",
				"set",
				"set",
				"has",
				"delete",
				"judge",
				"expire",
				"answer",
			),
			site: fc.constantFrom(...sites),
			/** In half minutes. */
			time: fc.nat(20),
			lasts: fc.nat(20),
		}),
		{ maxLength: 60 },
	),
	check: (steps) => {
		const held = new KnownOrigins({ agent: "x" }, MOST);
		const plain = new Map<string, { askedAt: number; due: number }>();
		const isOver = (origin: string, now: number) => {
			const one = plain.get(origin);
			return !one || one.due <= now || one.askedAt > now + MINUTE;
		};
		const use = (origin: string) => {
			const one = plain.get(origin);
			if (one && plain.delete(origin)) plain.set(origin, one);
		};
		const dropDue = (now: number) => {
			for (const [origin, { due }] of plain)
				if (due <= now) plain.delete(origin);
		};
		for (const { what, site, time, lasts } of steps) {
			const now = (time * MINUTE) / 2;
			const { askedAt = 0, due = 0 } = plain.get(site) ?? {};
			if (what === "set") {
				const until = now + (lasts * MINUTE) / 2;
				const rules = now % MINUTE ? closed : open;
				held.set(site, { rules }, now, until);
				if (plain.has(site)) use(site);
				else if (plain.size >= MOST)
					plain.delete([...plain.keys()][0] as string);
				plain.set(site, { askedAt: now, due: until });
				use(site);
			} else if (what === "has") {
				expectSame("has", held.has(site, now), !isOver(site, now));
				use(site);
			} else if (what === "answer") {
				const asked = (at: number, until: number) =>
					held.hasAnswerOf(site, at, until);
				expectSame("its answer", asked(askedAt, due), plain.has(site));
				expectSame("another time", asked(askedAt, due + 1), false);
				expectSame("another answer", asked(askedAt + 1, due), false);
			} else if (what === "delete") {
				expectSame("deleted", held.delete(site), plain.delete(site));
			} else if (what === "expire") {
				for (const _ of held.expireAll(now));
				dropDue(now);
			} else {
				const over = isOver(site, now);
				// First leaves what has expired: what stays may not need half of the room.
				dropDue(now);
				const mustLook =
					plain.size > MOST / 2 ||
					[...plain.values()].some((one) => one.askedAt > now + MINUTE);
				held.prepare([`${site}/b`], now);
				const [verdict] = held.index.matchMany([`${site}/b`]);
				expectSame("judged", verdict, over ? 2 : askedAt % MINUTE ? 0 : 1);
				if (over) plain.delete(site);
				else if (mustLook) use(site);
				// Whether one that is not at risk of leaving counts as used may differ: then the order is no promise.
				else return;
			}
			expectSame("size", held.size, plain.size);
			expectSame("index", held.index.size, plain.size);
			for (const origin of plain.keys())
				expectSame(origin, held.index.has(origin), true);
		}
	},
});

const sources = [
	{ name: "gptbot", prefixes: ["192.0.2.0/28", "2001:db8::/48"] },
	{ name: "googlebot", prefixes: ["192.0.2.8/29"] },
	{ name: undefined, prefixes: ["198.51.100.0/24"] },
];
/** The addresses that each crawler is verified by. */
const own: Readonly<Record<string, readonly string[]>> = {
	GPTBot: ["192.0.2.1", "192.0.2.9", "2001:db8::1"],
	gptbot: ["192.0.2.1", "192.0.2.9", "2001:db8::1"],
	Googlebot: ["192.0.2.9"],
	bingbot: ["198.51.100.7"],
};
const addresses = [
	...new Set([
		...Object.values(own).flat(),
		"203.0.113.1",
		"2001:db9::1",
		"no address",
	]),
];

/** An address is verified for its own crawler, whatever was asked before; what is none says nothing. */
export const ranges = target({
	name: "ranges",
	inputs: fc.array(
		fc.record({
			name: fc.constantFrom(...Object.keys(own)),
			address: fc.constantFrom(...addresses),
		}),
		{ maxLength: 80 },
	),
	check: (questions) => {
		const book = new AddressBook(sources);
		for (const { name, address } of questions)
			expectSame(
				`${name}, ${address}`,
				book.verify(name, address),
				own[name]?.includes(address)
					? "verified"
					: address === "no address"
						? "unknown"
						: "claimed",
			);
	},
});
