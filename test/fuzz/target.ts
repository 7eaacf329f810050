import { inspect, isDeepStrictEqual } from "node:util";
import type fc from "fast-check";

/** What is fuzzed: inputs, which JSON can hold, and a check that throws at a fault. */
export interface Target<Input = unknown> {
	readonly name: string;
	readonly inputs: fc.Arbitrary<Input>;
	/** Inputs that the tests give it where one takes long; others get 200. */
	readonly few?: number;
	/** @throws {Error} When the input shows a fault. */
	check(input: Input): void | Promise<void>;
}

/** Hides the type of the inputs, so that targets can stand in one list. */
export function target<Input>(one: Target<Input>): Target {
	return {
		...one,
		check: (input) => one.check(input as Input),
	};
}

/** @throws {Error} Unless both hold the same. */
export function expectSame(
	what: string,
	found: unknown,
	wanted: unknown,
): void {
	if (isDeepStrictEqual(found, wanted)) return;
	throw new Error(
		`${what}: ${inspect(found, shown)}, not ${inspect(wanted, shown)}`,
	);
}

const shown = { depth: 5, breakLength: Number.POSITIVE_INFINITY };
