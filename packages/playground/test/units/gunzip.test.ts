import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../../test/cases.ts";
import { gunzip } from "../../files/gunzip.ts";

async function* cut(bytes: Uint8Array, size: number) {
	for (let at = 0; at < bytes.length; at += size)
		yield bytes.subarray(at, at + size);
}

async function unpacked(bytes: Uint8Array, size: number): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of gunzip(cut(bytes, size))) parts.push(part);
	return Buffer.concat(parts);
}

const text = Buffer.from("a line of a log\n".repeat(40_000));
const two = Buffer.concat([gzipSync(text), gzipSync("and another\n")]);
const damaged = (bytes: Buffer, at: number) => {
	const copy = Buffer.from(bytes);
	copy[at < 0 ? copy.length + at : at] = ~(copy.at(at) ?? 0);
	return copy;
};

describe("gzip is unpacked as by Node", () => {
	test.each<[name: string, bytes: Buffer]>([
		["one member", gzipSync(text)],
		["nothing within", gzipSync("")],
		["two members", two],
		["an empty member between", Buffer.concat([two, gzipSync(""), two])],
		["zeros behind it", Buffer.concat([two, Buffer.alloc(700)])],
		["stored, not compressed", gzipSync(text, { level: 0 })],
	])("%s", async (_, bytes) => {
		const expected = gunzipSync(bytes);
		for (const size of [1, 61, 4096, 65_536, bytes.length])
			expect((await unpacked(bytes, size)).equals(expected)).toBe(true);
	});

	test.each<[name: string, bytes: Buffer, reason: string]>([
		["its end cut off", two.subarray(0, -1), "unexpected end of file"],
		["the second member cut off", two.subarray(0, -20), "unexpected end"],
		["only the magic number", two.subarray(0, 2), "unexpected end of file"],
		["another check sum", damaged(two, -6), "incorrect data check"],
		["another length", damaged(two, -2), "incorrect length check"],
		["other text behind it", Buffer.concat([two, text]), "incorrect header"],
		["another method", damaged(two, 2), "unknown compression method"],
	])("%s is an error", async (_, bytes, reason) => {
		expect(() => gunzipSync(bytes)).toThrow();
		for (const size of [1, 64, bytes.length])
			await expect(unpacked(bytes, size)).rejects.toThrow(reason);
	});

	test("whatever it holds, and wherever it is cut", () =>
		fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1 }),
				fc.integer({ min: 1, max: 500 }),
				async (members, size) => {
					const bytes = Buffer.concat(members.map((one) => gzipSync(one)));
					const found = await unpacked(bytes, size);
					expect(found.equals(Buffer.concat(members))).toBe(true);
				},
			),
			{ numRuns: casesOf(200) },
		));
});
