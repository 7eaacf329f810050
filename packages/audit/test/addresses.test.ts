import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	AddressRanges,
	addressOf,
	isAddress,
	isPrefix,
} from "../src/addresses.ts";

const v4 = fc.ipV4();
const v6 = fc.oneof(
	fc.ipV6(),
	v4.map((address) => `::ffff:${address}`),
);
/** Few of them, so that ranges hold some. */
const near = fc
	.tuple(
		fc.constantFrom("10.0.", "10.1.", "::ffff:10.0.", "2001:db8::"),
		fc.integer({ min: 0, max: 255 }),
		fc.integer({ min: 0, max: 255 }),
	)
	.map(([start, a, b]) =>
		start.endsWith("::") ? `${start}${a}:${b}` : `${start}${a}.${b}`,
	);
const address = fc.oneof(v4, v6, near);
const family = (text: string) => (isIP(text) === 6 ? "ipv6" : "ipv4");

describe("An address", () => {
	test.each([
		"1.2.3.4",
		"01.2.3.4",
		"1.2.3",
		"256.1.1.1",
		"0x1.2.3.4",
		"16909060",
		"::",
		"::1",
		"1::2::3",
		"12345::",
		"2001:DB8::1",
		"::ffff:1.2.3.4",
		"::1.2.3.4",
		"1:2:3:4:5:6:7",
		"1:2:3:4:5:6:7:8",
		"1:2:3:4:5:6:7:8:9",
		"[::1]",
		"-",
		"",
		"1.2.3.4:80",
		"example.com",
	])("%j is one as for Node", (text) =>
		expect(isAddress(text)).toBe(isIP(text) > 0),
	);

	test("is valid if it is for Node", () =>
		fc.assert(
			fc.property(
				fc.oneof(address, fc.string(), fc.stringMatching(/^[\da-f:.]{0,20}$/)),
				(text) => {
					expect(isAddress(text)).toBe(isIP(text) > 0);
				},
			),
			{ numRuns: 2000 },
		));

	test.each([
		["0.0.0.0/0", "::0.0.0.0", false],
		["10.0.0.0/8", "::10.0.0.1", false],
		["10.0.0.0/8", "::ffff:10.0.0.1", true],
		["::10.0.0.0/104", "::10.1.2.3", true],
		["::10.0.0.0/104", "10.1.2.3", false],
		["64:ff9b::10.0.0.0/104", "64:ff9b::a01:203", true],
	] as const)("of %s is %s: %s", (range, text, is) => {
		const ranges = new AddressRanges();
		ranges.add(range);
		const found = addressOf(text);
		expect(found && ranges.has(found)).toBe(is);
	});

	test("is in the ranges that Node finds it in", () =>
		fc.assert(
			fc.property(
				fc.array(fc.tuple(address, fc.option(fc.integer({ min: 0, max: 32 })))),
				fc.array(address, { minLength: 1 }),
				(given, asked) => {
					const list = new BlockList();
					const ranges = new AddressRanges();
					for (const [text, drawn] of given) {
						const six = family(text) === "ipv6";
						if (drawn === null) {
							list.addAddress(text, family(text));
							ranges.add(text);
							continue;
						}
						const bits = six ? 96 + drawn : drawn;
						list.addSubnet(text, bits, family(text));
						ranges.add(`${text}/${bits}`);
					}
					for (const text of [...asked, ...given.map(([first]) => first)]) {
						const found = addressOf(text);
						expect(found && ranges.has(found), text).toBe(
							list.check(text, family(text)),
						);
					}
				},
			),
			{ numRuns: 1000 },
		));
});

test.each([
	["192.0.2.0/24", true],
	["192.0.2.0/33", false],
	["2001:db8::/32", true],
	["2001:db8::/129", false],
	["2001:db8::", true],
	["192.0.2.0/24/1", false],
	["192.0.2.0/", false],
	["example.com/24", false],
] as const)("%s is a range: %s", (text, is) => expect(isPrefix(text)).toBe(is));
