import { expect, test } from "vitest";
import { CHUNK } from "../src/common/chunks.ts";
import { LinearMemory } from "../src/engine/linear-memory.ts";
import { RobotsTxt } from "../src/index.ts";
import { OriginTable, roomOf } from "../src/sites/origin-table.ts";
import {
	type SharedLinearMemory,
	sharedModule,
} from "../src/sites/shared-module.ts";

const ORIGIN = "https://h.example";

/** Lines that fill a chunk to its last byte: what needs a normal form, what does not, and literals. */
const lines = [
	"/#",
	"?%41",
	"/",
	"/literal/literal",
	"/%D0%96%",
	"\\",
] as const;

function chunkOf(text: string): Uint8Array {
	const line = `${ORIGIN}${text}`.padEnd(63, "%");
	return Buffer.from(`${line}\n`.repeat(CHUNK / 64));
}

const cases = [true, false].flatMap((google) =>
	lines.map((text) => ({ text, google })),
);

test.each(cases)(
	"an instance writes to its workspace only: $text, google: $google",
	({ text, google }) => {
		const module = sharedModule();
		const memory = new WebAssembly.Memory({
			initial: 16,
			maximum: 65536,
			shared: true,
		});
		const owner: SharedLinearMemory = new LinearMemory(module, memory);
		const table = new OriginTable(owner, google);
		table.open(2 ** 30);
		const dialect = google ? "google" : "rfc9309";
		const robots = "User-agent: *\nDisallow: /*literal\nDisallow: /*l*e*r\n";
		const { program } = RobotsTxt.parse(robots, { dialect }).for("any");
		table.set(ORIGIN, program);
		const createWorkspace = () =>
			owner.module.createWorkspace(CHUNK, roomOf(CHUNK)) >>> 0;
		const [workspace, next] = [createWorkspace(), createWorkspace()];
		expect(next).toBeGreaterThan(workspace);

		const other: SharedLinearMemory = new LinearMemory(module, memory);
		other.module.enterWorkspace(workspace);
		const bytes = () => Buffer.from(memory.buffer);
		const before = Buffer.from(bytes());
		const chunk = chunkOf(text);
		const verdicts = new OriginTable(other, google).matchLines(chunk);
		for (const [from, to] of [
			[0, workspace],
			[next, before.length],
		] as const)
			expect(before.subarray(from, to).equals(bytes().subarray(from, to))).toBe(
				true,
			);
		expect(verdicts).toEqual(table.matchLines(chunk));
	},
);
