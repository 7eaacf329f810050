import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader } from "../src/stream/input.ts";

/** Bytes of `robotrie stream`, in portions of any size. */

const LARGE = 9 * 1024 * 1024;
const bytes = Uint8Array.from({ length: LARGE }, (_, i) => i ^ (i >> 8));

/** Gives at most so many bytes at a time, the portions in turn. */
function readerOf(size: number, portions: readonly number[], isAsync: boolean) {
	let at = 0;
	let turn = 0;
	return new ByteReader((into) => {
		const most = Math.min(into.length, portions[turn++ % portions.length] ?? 1);
		const part = bytes.subarray(at, Math.min(size, at + most));
		into.set(part);
		at += part.length;
		return isAsync ? Promise.resolve(part.length) : part.length;
	});
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const all: Uint8Array[] = [];
	for await (const chunk of chunks) all.push(chunk);
	return Buffer.concat(all);
}

const size = fc.oneof(
	fc.nat(9),
	fc.integer({ min: 16_380, max: 16_390 }),
	fc.nat(70_000),
	fc.integer({ min: 262_140, max: 300_000 }),
);
const portion = fc.oneof(
	fc.integer({ min: 1, max: 9 }),
	fc.integer({ min: 16_380, max: 16_390 }),
	fc.integer({ min: 1000, max: 1_000_000 }),
);
const reads = fc.array(
	fc.record({ size, room: fc.nat(7), inPieces: fc.boolean() }),
	{ maxLength: 8 },
);
const portions = fc.array(portion, { minLength: 1, maxLength: 4 });
/** Portions of a few bytes alone take long. */
const some = portions.map((all) => [...all, 5000]);

test("what is read is what comes, in its order", async () => {
	await fc.assert(
		fc.asyncProperty(
			reads,
			some,
			fc.boolean(),
			async (reads, portions, isAsync) => {
				const total = reads.reduce((sum, { size }) => sum + size, 0);
				const reader = readerOf(total, portions, isAsync);
				let at = 0;
				for (const { size, room, inPieces } of reads) {
					const wanted = Buffer.from(bytes.subarray(at, at + size));
					const found = inPieces
						? await joined(reader.chunks(size))
						: (await reader.read(size, room)).subarray(room);
					expect(wanted.equals(found)).toBe(true);
					at += size;
				}
				expect(await reader.atEnd()).toBe(true);
			},
		),
		{ numRuns: 200 },
	);
});

test("an end that comes early is an error with the bytes that were there", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat(70_000),
			size,
			fc.nat(40_000),
			some,
			fc.boolean(),
			async (before, size, there, portions, inPieces) => {
				fc.pre(there < size);
				const reader = readerOf(before + there, portions, false);
				await reader.read(before);
				const read = inPieces ? joined(reader.chunks(size)) : reader.read(size);
				await expect(read).rejects.toThrow(
					`the input ends after ${there} of ${size} bytes`,
				);
			},
		),
		{ numRuns: 100 },
	);
});

test("more than is kept from one call to the next", async () => {
	const reader = readerOf(LARGE, [1_000_000, 3], false);
	const all = await reader.read(LARGE);
	expect(Buffer.from(bytes).equals(all)).toBe(true);
	expect(await reader.atEnd()).toBe(true);
});
