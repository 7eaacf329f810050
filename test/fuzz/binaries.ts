import fc from "fast-check";
import { RobotsClient } from "../../packages/client/src/index.ts";
import { encodeEntry } from "../../packages/client/src/stores/entry.ts";
import { MemoryStore } from "../../packages/client/src/stores/memory-store.ts";
import { accessFor } from "../../src/access.ts";
import {
	Matcher,
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
} from "../../src/index.ts";
import { sealMatcher } from "../../src/matching/byte-code.ts";
import { disassemble } from "../../src/matching/disassemble.ts";
import { sealIndex } from "../../src/sites/index-snapshot.ts";
import { bytes } from "../latin1.ts";
import { expectSame, target } from "./target.ts";
import { agents, dialect, robotsTxt, someUrls } from "./texts.ts";

/** Programs, snapshots and entries that were changed: they load and answer, or are refused. */

/** A change of bytes: where, as a part of their length, and what is done there. */
const change = fc.record({
	at: fc.nat(65_535),
	how: fc.constantFrom("set", "flip", "add", "copy", "cut", "word"),
	value: fc.nat(65_535),
});
export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
export const changes = fc.array(change, { minLength: 1, maxLength: 4 });

export function changed(
	whole: Uint8Array,
	list: readonly Change[],
	from: number,
): Uint8Array {
	let result = whole.slice();
	for (const { at, how, value } of list) {
		const room = result.length - from;
		if (room < 1) return result;
		const place = from + (at % room);
		const byte = result[place] ?? 0;
		if (how === "set") result[place] = value;
		else if (how === "flip") result[place] = byte ^ (1 << (value % 8));
		else if (how === "add") result[place] = byte + (value % 2 ? 1 : -1);
		else if (how === "cut") result = result.slice(0, place);
		else if (how === "copy")
			result.copyWithin(
				place,
				from + (value % room),
				from + (value % room) + 24,
			);
		else if (place + 4 <= result.length)
			// A number that a sum with it could wrap.
			new DataView(result.buffer).setUint32(
				place,
				0xffffffff - (value % 64),
				true,
			);
	}
	return result;
}

/** What an action returns, or undefined where it was refused with the code. */
function unlessRefused<T>(code: string, action: () => T): T | undefined {
	try {
		return action();
	} catch (error) {
		if (error instanceof RobotrieError && error.code === code) return undefined;
		throw error;
	}
}

const file = { robots: robotsTxt, agent: fc.constantFrom(...agents), dialect };

/** Behind letters, version and dialect. */
const SIZES_AT = 8;

/** A path that leaves the fast way through the module, as escapes do. */
const FOLLOWER = "/#";

/**
 * Verdicts of URLs that are all followed by the same bytes. The jump tables and the prefilter look up to two bytes beyond a path;
 * where changed ones contradict the code, those bytes may decide (docs/design.md, "What the verifier guarantees").
 */
function verdictsOf(matcher: Matcher, urls: readonly string[]): number[] {
	const followed = urls.flatMap((url) => [url, FOLLOWER]);
	return [...matcher.matchMany(followed)].filter((_, i) => i % 2 === 0);
}

export const programs = target({
	name: "programs",
	inputs: fc.record({ ...file, changes, urls: someUrls }),
	check: ({ robots, agent, dialect, changes, urls }) => {
		const parsed = RobotsTxt.parse(bytes(robots), { dialect });
		const program = changed(parsed.for(agent).toBytes(), changes, SIZES_AT);
		if (program.length >= 20) sealMatcher(program);
		using matcher = unlessRefused("invalid-byte-code", () =>
			Matcher.fromBytes(program),
		);
		if (!matcher) return;
		using again = Matcher.fromBytes(matcher.toBytes());
		expectSame("toBytes", again.toBytes(), matcher.toBytes());
		expectSame("listing", disassemble(again), disassemble(matcher));
		const verdicts = verdictsOf(matcher, urls);
		expectSame("asked twice", verdictsOf(matcher, urls), verdicts);
		expectSame("loaded twice", verdictsOf(again, urls), verdicts);
		expectSame(
			"backwards",
			verdictsOf(matcher, urls.toReversed()).reverse(),
			verdicts,
		);
		// Nothing but answers and refusals: nothing follows the URL here, so contradicting tables may say something else.
		for (const url of urls)
			unlessRefused("invalid-url", () => {
				matcher.isAllowed(url);
				matcher.match(url);
			});
	},
});

/** The order of origins in a snapshot follows from random hash keys; an input replayed has to give the same bytes. */
function withFixedKeys<T>(action: () => T): T {
	const fixed = <Keys>(keys: Keys): Keys => {
		if (keys instanceof Uint8Array) keys.fill(0x55);
		return keys;
	};
	Object.defineProperty(crypto, "getRandomValues", {
		value: fixed,
		configurable: true,
	});
	try {
		return action();
	} finally {
		Reflect.deleteProperty(crypto, "getRandomValues");
	}
}

export const snapshots = target({
	name: "snapshots",
	inputs: fc.record({
		...file,
		others: fc.array(robotsTxt, { maxLength: 3 }),
		changes,
		urls: someUrls,
	}),
	check: ({ robots, others, agent, dialect, changes, urls }) => {
		using index = withFixedKeys(() => new RobotsIndex({ agent, dialect }));
		index.set("https://h.example", bytes(robots));
		for (const [i, other] of others.entries())
			index.set(`https://h${i}.example`, bytes(other));
		const snapshot = changed(index.toBytes(), changes, SIZES_AT);
		if (snapshot.length >= 24) sealIndex(snapshot);
		using loaded = unlessRefused("invalid-byte-code", () =>
			RobotsIndex.fromBytes(snapshot),
		);
		if (!loaded) return;
		const asked = [...urls, "https://h0.example/a", "https://h1.example/b?a"];
		// Contradicting tables may read what an earlier call has left, so the first call is for what it leaves.
		loaded.matchMany(asked);
		const verdicts = loaded.matchMany(asked);
		expectSame("asked twice", loaded.matchMany(asked), verdicts);
		using again = RobotsIndex.fromBytes(loaded.toBytes());
		expectSame("bytes", again.toBytes().length, loaded.toBytes().length);
		expectSame(
			"origins",
			[...again.origins()].sort(),
			[...loaded.origins()].sort(),
		);
	},
});

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

/** Whether an entry is the same but for its version, which is one of these. */
function isOfVersion(
	entry: Uint8Array,
	damaged: Uint8Array,
	first: number,
	last: number,
): boolean {
	if (damaged.length < 8) return false;
	const version = Buffer.from(damaged).readUInt32LE(4);
	const same = Buffer.from(damaged);
	same.set(entry.subarray(4, 8), 4);
	return (
		Buffer.compare(entry, same) === 0 && version >= first && version <= last
	);
}

/** The network says that all is disallowed, what was stored that all is allowed: damage must not bring that back. */
export const entries = target({
	name: "entries",
	inputs: fc.record({ changes, dialect }),
	check: async ({ changes, dialect }) => {
		const body = bytes("User-agent: *\nAllow: /\n");
		const access = accessFor({ status: 200, body }, null, {
			now: NOW - DAY / 2,
		});
		const origin = "https://h.example";
		const key = dialect === "yandex" ? `yandex ${origin}` : origin;
		const entry = encodeEntry(key, access);
		const damaged = changed(entry, changes, 0);
		// No check sum covers the version, which says how to read the rest: with another one the entry is an older or a newer program's.
		const isKnown = isOfVersion(entry, damaged, 1, 2);
		const isNewer = isOfVersion(entry, damaged, 3, 255);
		const store = new MemoryStore();
		await store.set(key, damaged);
		await using client = new RobotsClient({
			agent: "foo",
			dialect,
			store,
			now: () => NOW,
			fetch: async () => new Response("User-agent: *\nDisallow: /\n"),
		});
		expectSame("allowed", await client.isAllowed(`${origin}/a`), isKnown);
		const corrupt = isKnown || isNewer ? 0 : 1;
		expectSame("corrupt", client.stats().corruptEntries, corrupt);
	},
});
