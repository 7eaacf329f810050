import { describe, expect, test } from "vitest";
import { ranWithout } from "../bench/pauses.ts";
import { stopsIn } from "../bench/stops.ts";

const names = {
	in: "irq_vectors:local_timer_entry: vector=236",
	out: "irq_vectors:local_timer_exit: vector=236",
	on: "PERF_RECORD_SWITCH IN          ",
	off: "PERF_RECORD_SWITCH OUT preempt ",
};

/** What happened, and when, in milliseconds; the other clock is 100 behind. */
type Events = readonly (readonly [number, keyof typeof names])[];

async function* linesOf(events: Events) {
	for (const [milliseconds, name] of events)
		yield `  ${(10 + milliseconds / 1000).toFixed(9)}: ${names[name]}`;
}

async function stopsOf(events: Events) {
	const stops = await stopsIn(linesOf(events), 10_100);
	return stops.map(({ from, to, ran }) => [from, to, ran].map(round));
}

/** A thread that runs for so many ticks of 4 ms, from 1000 ms on. */
const ticks = (count: number): Events =>
	Array.from({ length: count }, (_, tick) => 1000 + 4 * tick).flatMap(
		(at) =>
			[
				[at, "in"],
				[at + 0.01, "out"],
			] as const,
	);

/** One that runs for a millisecond before each of so many ticks. */
const waits = (count: number): Events =>
	Array.from({ length: count }, (_, tick) => 4 * (tick - count)).flatMap(
		(at) =>
			[
				[at + 999, "on"],
				[at + 1000, "in"],
				[at + 1000.01, "out"],
				[at + 1000.02, "off"],
			] as const,
	);

describe("stops of the machine", () => {
	test.each<[string, Events, number[][]]>([
		["no lines", [], []],
		[
			"a short interrupt",
			[
				[200, "in"],
				[200.4, "out"],
			],
			[],
		],
		[
			"a long one",
			[
				[200, "in"],
				[207, "out"],
			],
			[[100, 107, 0]],
		],
		[
			"two of them",
			[
				[200, "in"],
				[202, "out"],
				[203, "in"],
				[204, "out"],
			],
			[
				[100, 102, 0],
				[103, 104, 0],
			],
		],
		[
			"one that began before the first line",
			[
				[207, "out"],
				[210, "in"],
				[212, "out"],
			],
			[[110, 112, 0]],
		],
		[
			"one without an end",
			[
				[250, "in"],
				[254, "in"],
				[255, "out"],
			],
			[[154, 155, 0]],
		],
		["ticks", ticks(2000), []],
		[
			"a tick that comes late",
			[...ticks(1500), [7020, "in"], [7020.01, "out"]],
			[[6896.01, 6920, 3.99]],
		],
		[
			"one in time, for a thread that waited for a processor",
			[
				...ticks(1500),
				[6997, "off"],
				[7017, "on"],
				[7020, "in"],
				[7020.01, "out"],
			],
			[],
		],
		[
			"none before the thread leaves its processor",
			[...ticks(1500), [7020, "off"], [7120, "on"], [7121, "off"]],
			[[6896.01, 6920, 3.99]],
		],
		[
			"none since it got its processor",
			[...ticks(1500), [6997, "off"], [7020, "on"], [7050, "off"]],
			[[6920, 6950, 3.99]],
		],
		[
			"one that comes late after it got its processor",
			[
				...ticks(1500),
				[6997, "off"],
				[7020, "on"],
				[7050, "in"],
				[7050.01, "out"],
			],
			[[6920, 6950, 3.99]],
		],
		["ticks of a thread that mostly waits", [...waits(1500), ...ticks(10)], []],
		[
			"too few ticks to know how often they come",
			[...ticks(900), [7020, "in"], [7020.01, "out"]],
			[],
		],
	])("%s", async (_, events, stops) => {
		expect(await stopsOf(events)).toEqual(stops);
	});

	test("events that perf lost are an error", async () => {
		async function* lines() {
			yield* linesOf([[100, "in"]]);
			yield "  0.2: PERF_RECORD_LOST lost 3";
		}
		await expect(stopsIn(lines(), 0)).rejects.toThrow("lost 3");
	});
});

const turn = { from: 100, to: 140, passed: 40, ran: 40, own: [] };
const ownTurn = { ...turn, passed: 30, ran: 30, own: [{ from: 100, to: 110 }] };

test.each([
	["none", turn, [], 40],
	["one within", turn, [[105, 135, 0]], 10],
	[
		"two",
		turn,
		[
			[105, 115, 0],
			[120, 130, 0],
		],
		20,
	],
	[
		"before and after",
		turn,
		[
			[50, 100, 0],
			[140, 190, 0],
		],
		40,
	],
	["one that goes on after its end", turn, [[130, 170, 0]], 30],
	["one in which the thread may have run", turn, [[105, 135, 4]], 14],
	[
		"one of which less is in the turn than it may have run",
		turn,
		[
			[105, 115, 0],
			[138, 170, 4],
		],
		30,
	],
	[
		"shorter than it waited for a processor",
		{ ...turn, ran: 12 },
		[[105, 115, 0]],
		12,
	],
	["one that Linux does not count", { ...turn, ran: 30 }, [[105, 115, 0]], 30],
	["one in the benchmark's own work", ownTurn, [[100, 110, 0]], 30],
	["one in its own work and after it", ownTurn, [[105, 115, 0]], 25],
] as const)("a turn without stops: %s", (_, one, stops, ran) => {
	const known = stops.map(([from, to, ran]) => ({ from, to, ran }));
	expect(ranWithout(one, known)).toBe(ran);
});

function round(milliseconds: number): number {
	return Math.round(milliseconds * 1000) / 1000;
}
