import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRepeated } from "../differential.ts";
import { targets } from "../fuzz/targets.ts";

/** Pools run what the build made for users, whatever build the tests are about. */
const asked = targets.filter(({ name }) => !isRepeated || name !== "pools");

// `npm run fuzz` looks further.
describe("What the fuzzer checks, on a few inputs", () => {
	test.each(asked.map((target) => [target.name, target] as const))(
		"%s",
		(_, { inputs, check, few = 200 }) =>
			fc.assert(
				fc.asyncProperty(inputs, async (input) => check(input)),
				{ seed: 9309, numRuns: isRepeated ? Math.ceil(few / 2) : few },
			),
	);
});

interface Find {
	readonly target: string;
	/** What was wrong. */
	readonly fault: string;
	readonly input: unknown;
}

const folder = new URL("../data/finds/", import.meta.url);
const finds = readdirSync(folder)
	.sort()
	.map((file) => {
		const text = readFileSync(new URL(file, folder), "utf8");
		return { file, ...(JSON.parse(text) as Find) };
	});

describe("What the fuzzer found stays repaired", () => {
	test.each(finds)("$file: $fault", async ({ target, input }) => {
		const found = targets.find(({ name }) => name === target);
		expect(found?.name).toBe(target);
		await found?.check(input);
	});
});
