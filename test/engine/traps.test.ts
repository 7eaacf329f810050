import { describe, expect, test } from "vitest";
import { indexModule, LinearMemory } from "../../src/engine/linear-memory.ts";
import { linear, workspaceFor } from "../../src/engine/workspace.ts";
import { Matcher, RobotsIndex, RobotsTxt, Verdict } from "../../src/index.ts";
import type { IndexExports } from "../../src/sites/capture.ts";
import { OriginTable } from "../../src/sites/origin-table.ts";

/** Behind the end of any memory. */
const NOWHERE = 0xfffffff0 | 0;
const trap = (memory: {
	module: { spreadRows: (...args: never) => unknown };
}) =>
	expect(() =>
		(memory.module.spreadRows as (...args: number[]) => unknown)(
			NOWHERE,
			0,
			8,
			NOWHERE,
			8,
			NOWHERE,
		),
	).toThrow(WebAssembly.RuntimeError);

const text = (i: number) =>
	`User-agent: *\nDisallow: /no-${i}/*x\nAllow: /no-${i}/yes\n`;
const files = Array.from({ length: 40 }, (_, i) => RobotsTxt.parse(text(i)));
const matchers = files.map((file) => file.for("x"));

function expectRight(): void {
	for (const [i, matcher] of matchers.entries()) {
		const lines = new TextEncoder().encode(`/no-${i}/ax\n/no-${i}/yes\n/a\n`);
		expect([...matcher.matchLines(lines)]).toEqual([0, 1, 1]);
		expect(matcher.isAllowed(`/no-${i}/ax`)).toBe(false);
		expect(matcher.match(`/no-${i}/yes`)?.line).toBe(3);
	}
}

describe("after a trap", () => {
	test("matchers, files and compiling go on in another instance", () => {
		expectRight();
		trap(linear);
		expectRight();
		for (const [i, file] of files.entries()) {
			trap(linear);
			expect(file.groups[0]?.rules.length).toBe(2);
			expect(file.isAllowed(`/no-${i}/ax`, "y")).toBe(false);
			expect(Matcher.fromBytes(file.for("z").toBytes()).isAllowed("/a")).toBe(
				true,
			);
			trap(linear);
			using _ = RobotsTxt.parse(text(i)).for("x");
			trap(linear);
			const index = new RobotsIndex({ agent: "x" });
			index.set("https://a.example", text(i));
			expect(index.matchMany([`https://a.example/no-${i}/ax`])[0]).toBe(
				Verdict.Disallowed,
			);
		}
		expectRight();
	});

	test("large files go on in another instance", () => {
		const large = `User-agent: *\n${"Disallow: /no/*x\n".repeat(20_000)}`;
		const file = RobotsTxt.parse(large);
		expect(file.isAllowed("/no/x", "a")).toBe(false);
		trap(workspaceFor(large.length));
		expect(file.for("b").isAllowed("/no/x")).toBe(false);
		expect(file.groups[0]?.rules.length).toBeGreaterThan(1000);
	});

	test("an index refuses everything, as it holds what nobody knows", () => {
		const memory = new LinearMemory<IndexExports>(
			indexModule,
			undefined,
			"the index",
		);
		const table = new OriginTable(memory, false);
		table.open(2 ** 30);
		expect(table.match("https://a.example/")).toBe(Verdict.Unknown);
		trap(memory as never);
		const refused = expect.objectContaining({
			code: "disposed",
			message: expect.stringMatching(
				/^the index was given up, as WebAssembly stopped within a call \(.+\): make or load it again$/,
			),
		});
		expect(() => table.match("https://a.example/")).toThrow(refused);
		expect(() => table.matchLines(new Uint8Array(5))).toThrow(refused);
		expect(() => table.size).toThrow(refused);
	});
});

test("calls at the end of the stack never allow what is disallowed, and everything after them is right", () => {
	const results = new Set<unknown>();
	const index = () => {
		const made = new RobotsIndex({ agent: "x" });
		made.set("https://a.example", text(0));
		return made;
	};
	let sites = index();
	/** Calls at the end of the stack, and where that is too deep, a frame further up, and so on. */
	const atEnd = (call: () => unknown): unknown => {
		let result: unknown = "RangeError";
		try {
			result = atEnd(call);
		} catch {}
		if (result !== "RangeError") return result;
		try {
			return call();
		} catch (error) {
			// Regular expressions that cannot be compiled there are a SyntaxError.
			const { name, message } = error as Error;
			return /stack/i.test(message) ? "RangeError" : `${name}: ${message}`;
		}
	};
	for (let i = 0; i < 20; i++) {
		results.add(atEnd(() => matchers[i % 40]?.isAllowed(`/no-${i % 40}/ax`)));
		results.add(
			atEnd(() => RobotsTxt.parse(text(i)).isAllowed(`/no-${i}/ax`, "x")),
		);
		atEnd(() => sites.isAllowed("https://a.example/no-0/ax"));
		try {
			expect(sites.isAllowed("https://a.example/no-0/ax")).toBe(false);
		} catch (error) {
			expect(error).toMatchObject({ code: "disposed" });
			sites = index();
		}
	}
	// Node's TextEncoder may write nothing there, without an error: then a text is no URL.
	expect([...results]).not.toContain(true);
	expectRight();
});
