import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import { casesOf } from "../cases.ts";

// What the cache asks of the module is private to the engine: counted where the instance is made.
const { asked } = vi.hoisted(() => {
	const asked = { allocate: 0, release: 0 };
	WebAssembly.Instance = class extends WebAssembly.Instance {
		constructor(...args: ConstructorParameters<typeof WebAssembly.Instance>) {
			super(...args);
			const { allocate, release, ...others } = super.exports;
			if (typeof allocate !== "function" || typeof release !== "function")
				return;
			const counted = {
				...others,
				allocate(size: number) {
					asked.allocate++;
					return allocate(size);
				},
				release(pointer: number) {
					asked.release++;
					release(pointer);
				},
			};
			Object.defineProperty(this, "exports", { value: counted });
		}
	};
	return { asked };
});

/** How often an action loads a program and frees one. */
function countsOf(action: () => unknown): { loads: number; evictions: number } {
	const { allocate, release } = asked;
	action();
	return {
		loads: asked.allocate - allocate,
		evictions: asked.release - release,
	};
}

const MIB = 2 ** 20;
const CACHE = 64 * MIB;
const matcherOf = (rules: number) =>
	RobotsTxt.parse(
		`User-agent: *\n${Array.from({ length: rules }, (_, i) => `Disallow: /*${i}z*q${rules}`).join("\n")}`,
		{ maxBytes: 4 * MIB },
	).for("x");

describe("the cache of programs", () => {
	// Of about 1 MiB each: the cache holds some 60.
	const large = Array.from({ length: 80 }, (_, i) => matcherOf(40_000 + i));
	const small = Array.from({ length: 5000 }, (_, i) => matcherOf(1 + (i % 50)));
	const size = large[0]?.byteLength ?? 0;
	const held = Math.floor(CACHE / (size + 1000));
	const use = (i: number) => countsOf(() => large[i]?.isAllowed("/7z/q"));

	test("frees what a new program needs, and no more", () => {
		expect(size).toBeGreaterThan(MIB / 4);
		expect(held).toBeLessThan(large.length);
		for (const [i] of large.entries()) {
			const { loads, evictions } = use(i);
			expect(loads).toBe(1);
			expect(evictions).toBeLessThanOrEqual(2);
		}
		for (const matcher of small) {
			const { evictions } = countsOf(() => matcher.isAllowed("/"));
			expect(evictions).toBeLessThanOrEqual(1);
		}
	});

	test("keeps the programs used last", () => {
		for (const [i] of large.entries()) use(i);
		for (let i = large.length - held; i < large.length; i++)
			expect(use(i)).toEqual({ loads: 0, evictions: 0 });
		// In the order of their use, the oldest of which goes first.
		expect(use(0)).toEqual({ loads: 1, evictions: 1 });
		expect(use(large.length - held + 1).loads).toBe(0);
		expect(use(large.length - held).loads).toBe(1);
	});

	test("holds what a naive list holds, whatever is used or disposed of", () => {
		const programs = large.slice(0, held + 5);
		// Empties the cache.
		for (const matcher of large.slice(held + 5)) matcher[Symbol.dispose]();
		for (const matcher of small) matcher[Symbol.dispose]();
		const room = (list: readonly number[]) =>
			CACHE -
			list.reduce(
				(sum, i) => sum + (programs[i]?.byteLength ?? 0) + OVERHEAD,
				0,
			);
		let list: number[] = [];
		for (const [i] of programs.entries()) use(i);
		for (const [i] of programs.entries()) {
			list.push(i);
			while (room(list) < 0) list.shift();
		}
		fc.assert(
			fc.property(
				fc.array(fc.nat(programs.length - 1), { maxLength: 100 }),
				(used) => {
					for (const i of used) {
						const isHeld = list.includes(i);
						list = [...list.filter((other) => other !== i), i];
						let evictions = 0;
						for (; room(list) < 0; evictions++) list.shift();
						expect(use(i)).toEqual({ loads: isHeld ? 0 : 1, evictions });
					}
				},
			),
			{ numRuns: casesOf(50), seed: 25 },
		);
	});
});

/** Bytes that a block takes besides a program. */
const OVERHEAD = 52;
