import { expect, test } from "vitest";
import { CHUNK } from "../src/common/chunks.ts";
import { RobotsIndex } from "../src/index.ts";
import { decodeIndex } from "../src/sites/index-snapshot.ts";
import {
	newSharedMemory,
	SharedTable,
	SharedWriter,
} from "../src/sites/shared-index.ts";

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
		const dialect = google ? "google" : "rfc9309";
		const robots = "User-agent: *\nDisallow: /*literal\nDisallow: /*l*e*r\n";
		const index = new RobotsIndex({ agent: "any", dialect });
		index.set(ORIGIN, robots);
		const shared = newSharedMemory();
		const { memory } = shared;
		const writer = new SharedWriter(shared);
		decodeIndex(index.toBytes(), writer.open);
		const loaded = writer.finish(2);
		const [, workspace = 0, next = 0] = loaded.workspaces;
		expect(next).toBeGreaterThan(workspace);

		const other = new SharedTable(loaded, workspace);
		const bytes = () => Buffer.from(memory.buffer);
		const before = Buffer.from(bytes());
		const chunk = chunkOf(text);
		const verdicts = other.read((table) => table.matchLines(chunk));
		for (const [from, to] of [
			[0, workspace],
			[next, before.length],
		] as const)
			expect(before.subarray(from, to).equals(bytes().subarray(from, to))).toBe(
				true,
			);
		expect(verdicts).toEqual(index.matchLines(chunk));
	},
);
