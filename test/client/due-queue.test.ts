import fc from "fast-check";
import { expect, test } from "vitest";
import { DueQueue } from "../../src/client/due-queue.ts";

/** What is to be done: set a key to a time, let time pass, or take the oldest out. */
type Step =
	| readonly ["set", key: string, time: number]
	| readonly ["due", now: number]
	| readonly ["oldest"];

const steps = fc.array(
	fc.oneof<fc.Arbitrary<Step>[]>(
		fc.tuple(
			fc.constant("set" as const),
			fc.constantFrom("a", "b", "c", "d"),
			fc.nat(20),
		),
		fc.tuple(fc.constant("due" as const), fc.nat(20)),
		fc.constant(["oldest"] as const),
	),
);

test("gives out what a plain list of keys and times would", () => {
	fc.assert(
		fc.property(steps, (sequence) => {
			const queue = new DueQueue();
			let plain: (readonly [key: string, time: number])[] = [];
			for (const step of sequence) {
				if (step[0] === "set") {
					queue.set(step[1], step[2]);
					plain = plain.filter(([key]) => key !== step[1]);
					plain.push([step[1], step[2]]);
				} else if (step[0] === "due") {
					const expected = plain.filter(([, time]) => time <= step[1]);
					plain = plain.filter(([, time]) => time > step[1]);
					expect([...queue.due(step[1])].sort()).toEqual(
						expected.map(([key]) => key).sort(),
					);
				} else {
					expect(queue.oldest()).toBe(plain.shift()?.[0]);
				}
				expect(queue.size).toBe(plain.length);
			}
		}),
	);
});
