import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzip } from "../../web/gunzip.ts";

async function* cut(octets: Uint8Array, size: number) {
	for (let at = 0; at < octets.length; at += size)
		yield octets.subarray(at, at + size);
}

async function unpacked(octets: Uint8Array, size: number): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of gunzip(cut(octets, size))) parts.push(part);
	return Buffer.concat(parts);
}

const text = Buffer.from("a line of a log\n".repeat(40_000));
const two = Buffer.concat([gzipSync(text), gzipSync("and another\n")]);
const damaged = (octets: Buffer, at: number) => {
	const copy = Buffer.from(octets);
	copy[at < 0 ? copy.length + at : at] = ~(copy.at(at) ?? 0);
	return copy;
};

describe("gzip is unpacked as by Node", () => {
	test.each<[name: string, octets: Buffer]>([
		["one member", gzipSync(text)],
		["nothing within", gzipSync("")],
		["two members", two],
		["an empty member between", Buffer.concat([two, gzipSync(""), two])],
		["zeros behind it", Buffer.concat([two, Buffer.alloc(700)])],
		["stored, not compressed", gzipSync(text, { level: 0 })],
	])("%s", async (_, octets) => {
		const expected = gunzipSync(octets);
		for (const size of [1, 61, 4096, 65_536, octets.length])
			expect((await unpacked(octets, size)).equals(expected)).toBe(true);
	});

	test.each<[name: string, octets: Buffer, reason: string]>([
		["its end cut off", two.subarray(0, -1), "unexpected end of file"],
		["the second member cut off", two.subarray(0, -20), "unexpected end"],
		["only the magic number", two.subarray(0, 2), "unexpected end of file"],
		["another check sum", damaged(two, -6), "incorrect data check"],
		["another length", damaged(two, -2), "incorrect length check"],
		["other text behind it", Buffer.concat([two, text]), "incorrect header"],
		["another method", damaged(two, 2), "unknown compression method"],
	])("%s is an error", async (_, octets, reason) => {
		expect(() => gunzipSync(octets)).toThrow();
		for (const size of [1, 64, octets.length])
			await expect(unpacked(octets, size)).rejects.toThrow(reason);
	});

	test("whatever it holds, and wherever it is cut", () =>
		fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1 }),
				fc.integer({ min: 1, max: 500 }),
				async (members, size) => {
					const octets = Buffer.concat(members.map((one) => gzipSync(one)));
					const found = await unpacked(octets, size);
					expect(found.equals(Buffer.concat(members))).toBe(true);
				},
			),
			{ numRuns: 200 },
		));
});
