import { describe, expect, test } from "vitest";
import { LINES_PADDING } from "../../../../assembly/format/program.ts";
import {
	AGENT_PERSON,
	SCAN_DONE,
	SCAN_NEW_AGENT,
} from "../../assembly/format.ts";
import { ScannerModule } from "../../src/common/scanner-module.ts";
import { placeFormat } from "../../src/formats/format-block.ts";
import { formatOf } from "../../src/formats/formats.ts";

const COUNT = 3000;
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
/** Bytes that a log escapes or that end a line. */
const special = /[\n\r"\\]/;

/** Headers of 16 random bytes, which stand in a log as they are. */
function randomHeaders(): Uint8Array[] {
	const headers: Uint8Array[] = [];
	while (headers.length < COUNT) {
		const header = random(16);
		if (isPlain(header)) headers.push(header);
	}
	return headers;
}

function isPlain(header: Uint8Array): boolean {
	return !special.test(String.fromCharCode(...header));
}

/**
 * Headers of 16 bytes that all have one value of f(a) + f(b), f(x) = x ^ (x >>> 32), where a and b add a product of each half
 * with a known constant to another one: one hash under any function that mixes these sums without a secret.
 */
function headersForKnownConstants(): Uint8Array[] {
	const word = (value: bigint) => BigInt.asUintN(64, value);
	const K1 = 0x9e3779b97f4a7c15n;
	const K2 = 0xc2b2ae3d27d4eb4fn;
	const rotated = (value: bigint) => word(value << 29n) | (value >> 35n);
	const folded = (value: bigint) => value ^ (value >> 32n);
	let inverse = 1n;
	for (let bits = 0; bits < 6; bits++)
		inverse = word(inverse * (2n - K1 * inverse));
	const headers: Uint8Array[] = [];
	while (headers.length < COUNT) {
		const header = random(16);
		const view = new DataView(header.buffer);
		const a = word(rotated(16n) + view.getBigUint64(0, true) * K1);
		const b = folded(word(12345n - folded(a)));
		view.setBigUint64(8, word((b - rotated(K2)) * inverse), true);
		if (isPlain(header)) headers.push(header);
	}
	return headers;
}

/** What an instance needs to look up headers that it has not met, and once again. */
function probesOf(headers: readonly Uint8Array[]): number {
	const module = new ScannerModule();
	const { calls } = module;
	placeFormat(module, formatOf("combined"));
	calls.usePeriod(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
	calls.beginSegment(0);
	const before = Buffer.from(
		'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "',
	);
	const lines = Buffer.concat(
		headers.flatMap((header) => [before, header, Buffer.from('"\n')]),
	);
	const from = module.place(
		Buffer.concat([lines, Buffer.alloc(LINES_PADDING)]),
		"lines",
	);
	const end = from + lines.length;
	let met = 0;
	for (const start of [from, from]) {
		let at = start;
		for (;;) {
			const reason = calls.scanLog(at, end);
			at = calls.position();
			if (reason === SCAN_DONE) break;
			expect(reason).toBe(SCAN_NEW_AGENT);
			calls.setAgent(AGENT_PERSON, false);
			met++;
		}
	}
	expect(met).toBe(headers.length);
	return calls.probes();
}

describe("Looking up headers takes few probes", () => {
	test.each<[headers: string, make: () => Uint8Array[]]>([
		["at random", randomHeaders],
		["made for known constants", headersForKnownConstants],
	])("%s", (_, make) => {
		// Of 131,072 slots 3,000 are taken: chance makes about 100.
		expect(probesOf(make())).toBeLessThan(COUNT / 4);
	});

	test("in every instance, each with its own hash keys", () => {
		const keys = Array.from({ length: 3 }, () => {
			const { bytes, calls } = new ScannerModule();
			return Buffer.from(
				bytes.subarray(calls.hashKeys(), calls.hashKeys() + 32),
			).toString("hex");
		});
		expect(new Set(keys).size).toBe(3);
	});
});
