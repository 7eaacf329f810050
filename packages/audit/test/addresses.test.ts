import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import {
	AddressBook,
	AddressRanges,
	addressOf,
	ClientAddresses,
	isAddress,
	isPrefix,
	networkOf,
} from "../src/common/addresses.ts";
import { LogAudit, parseRanges } from "../src/index.ts";

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
			{ numRuns: casesOf(2000) },
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
			{ numRuns: casesOf(1000) },
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

const a = "192.0.2.1";
const b = "192.0.2.2";
const p = "10.0.0.1";
const q = "10.0.0.2";

describe("The client's address", () => {
	test.each<
		[
			trusted: readonly string[],
			connection: string,
			forwarded: string,
			address: string | undefined,
		]
	>([
		// Without trusted proxies anybody can have sent a list.
		[[], a, "", a],
		[[], `${a}:443`, "-", a],
		[[], "[2001:db8::1]:80", "", "2001:db8::1"],
		[[], a, b, a],
		[[], "-", b, b],
		[[], "", `${a}, ${b}`, undefined],
		[[], `${a}, ${b}`, "", undefined],
		[[], `${a},`, "", undefined],
		[[], "-", `${a},`, undefined],
		[[], "-", "-", undefined],
		[[], "crawler.example.com", "", undefined],
		[[], "-", "unknown", undefined],
		// By ranges.
		[["10.0.0.0/8"], p, a, a],
		[["10.0.0.0/8"], p, `${b}, ${a}`, a],
		[["10.0.0.0/8"], p, `${b}, ${a}, ${q}`, a],
		[["10.0.0.0/8"], p, `${b},+${a}`, a],
		[["10.0.0.0/8"], b, a, b],
		// Only the proxy itself: it forwarded nothing.
		[["10.0.0.0/8"], p, "-", undefined],
		[["10.0.0.0/8"], "-", `${b}, ${a}, ${q}`, a],
		[["10.0.0.0/8"], p, "garbage", undefined],
		[["10.0.0.1", "10.0.0.2"], p, `${a}, ${q}`, a],
		// By number.
		[["1"], p, `${b}, ${a}`, a],
		[["2"], p, `${b}, ${a}, ${q}`, a],
		[["1"], "-", `${b}, ${a}`, a],
		[["2"], "-", `${a}, ${q}`, a],
		[["1"], `${b}, ${a}`, "", a],
		[["1"], a, "-", undefined],
		[["9"], p, `${b}, ${a}`, b],
		// In quotes, and as the format "main" has the rest of the line.
		[["10.0.0.0/8"], `"${a}, ${p}"`, "", a],
		[["2"], `"${a}, ${p}"`, "", a],
		[[], `"${a}"`, "", a],
		[["10.0.0.0/8"], p, ` "${b}, ${a}" 0.003 "x, 192.0.2.9"`, a],
		[["10.0.0.0/8"], p, ' "-" 0.003', undefined],
		[["10.0.0.0/8"], p, " 0.003", undefined],
	])(
		"proxies %j, connection %j, forwarded %j",
		(trusted, ip, list, address) => {
			const addresses = new ClientAddresses(trusted);
			expect(addresses.of(ip, list)).toBe(address);
			expect(addresses.of(ip, list)).toBe(address);
		},
	);

	test.each([
		[["10.0.0.0/33"], "10.0.0.0/33"],
		[["x"], "x"],
		[["100"], "100"],
		[["1", "10.0.0.1"], "not both"],
	])("refuses the proxies %j", (trusted, message) =>
		expect(() => new ClientAddresses(trusted)).toThrow(message),
	);

	test("is remembered for both texts, wherever one ends and the other begins", () => {
		const clients = new ClientAddresses([]);
		expect(clients.of(`${a} x`, "y")).toBe(undefined);
		expect(clients.of(a, "x y")).toBe(a);
	});
});

test.each([
	["192.0.2.129", "192.0.2.0/24"],
	["::ffff:192.0.2.129", "192.0.2.0/24"],
	["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
	["2001:db8::1", "2001:db8::/48"],
	["nothing", "nothing"],
])("the network of %s is %s", (address, network) =>
	expect(networkOf(address)).toBe(network),
);

describe("A list of addresses in place of one, in a whole log:", () => {
	const gpt = "20.15.240.70";
	const rest =
		' - - [14/Oct/2025:12:30:45 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.2"';
	const ranges = [
		parseRanges(
			'{"prefixes": [{"ipv4Prefix": "20.15.240.64/28"}]}',
			"g.json",
			"GPTBot",
		),
	];
	const verifications = async (
		lines: readonly string[],
		trustedProxies: readonly string[],
	) => {
		const robots = [{ file: "robots.txt", bytes: new Uint8Array(0) }];
		const audit = new LogAudit({ robots, ranges, trustedProxies });
		await audit.add("a.log", [Buffer.from(lines.join("\n"))]);
		const { crawlers, unparsed } = audit.report();
		expect(unparsed).toBe(0);
		return Object.fromEntries(
			crawlers.map(({ verification, requests }) => [verification, requests]),
		);
	};
	const list = `${gpt}, ${p}${rest}`;
	test.each<
		[what: string, lines: readonly string[], trusted: object, untrusted: object]
	>([
		["without quotes", [list, list], { verified: 2 }, { unknown: 2 }],
		["three", [`${b}, ${gpt}, ${p}${rest}`], { verified: 1 }, { unknown: 1 }],
		["in quotes", [`"${gpt}, ${p}"${rest}`], { verified: 1 }, { unknown: 1 }],
		["none and one", [`-, ${gpt}${rest}`], { verified: 1 }, { unknown: 1 }],
		[
			"ten lists, and then plain addresses",
			[...Array(10).fill(list), ...Array(90).fill(gpt + rest)],
			{ verified: 100 },
			{ verified: 90, unknown: 10 },
		],
		[
			"behind a virtual host",
			[`shop.example ${gpt}, ${p}${rest}`],
			{ verified: 1 },
			{ unknown: 1 },
		],
		[
			"in the last field, as in Nginx's own log_format",
			[`${p}${rest} "${gpt}"`, `${gpt}${rest} "-"`, gpt + rest],
			{ verified: 3 },
			// A proxy's own address is nobody's claim.
			{ verified: 2, unknown: 1 },
		],
		[
			"one that the client made up in the last field",
			[`${b}${rest} "${gpt}"`],
			{ claimed: 1 },
			// So does the line of a crawler behind a proxy that nobody named.
			{ unknown: 1 },
		],
	])("%s", async (_, lines, trusted, untrusted) => {
		expect(await verifications(lines, ["10.0.0.0/8"])).toEqual(trusted);
		expect(await verifications(lines, [])).toEqual(untrusted);
	});
});

test("an address book says nothing where there is no address", () => {
	const prefixes = ["192.0.2.0/28"];
	const book = new AddressBook([{ name: "gptbot", prefixes }]);
	expect(book.verify("GPTBot", undefined)).toBe("unknown");
});

test.each([
	["gptbot.json", "gptbot"],
	["GPTBot", "gptbot"],
	["ranges/gptbot.json", "gptbot"],
	["ranges/2026/11/gptbot.json", "gptbot"],
	["C:\\ranges\\2026\\gptbot.json", "gptbot"],
	["gptbot.json/ranges.json", undefined],
	["nobody.json", undefined],
])("ranges in %j are those of %s", (file, name) => {
	const text = '{"prefixes": [{"ipv4Prefix": "192.0.2.0/28"}]}';
	expect(parseRanges(text, file)).toEqual({
		name,
		prefixes: ["192.0.2.0/28"],
	});
});

test.each([
	["::ffff:192.0.2.1", "::ffff:c000:201"],
	["::192.0.2.1", "::c000:201"],
	["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
])("%s is %s", (dotted, hexadecimal) =>
	expect(addressOf(dotted)).toEqual(addressOf(hexadecimal)),
);

describe("Ranges are read as operators publish them:", () => {
	const gptbot = (prefixes: string[]) => ({ name: "gptbot", prefixes });
	test.each<[what: string, text: string, prefixes: string[]]>([
		[
			"prefixes",
			'{"creationTime": "x", "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}]}',
			["192.0.2.0/24", "2001:db8::/32"],
		],
		["ips", '{"ips": [{"ip_address": "192.0.2.7"}]}', ["192.0.2.7"]],
		[
			"a cloud's",
			'{"prefixes": [{"ip_prefix": "192.0.2.0/24", "region": "x"}], "ipv6_prefixes": [{"ipv6_prefix": "2001:db8::/32"}]}',
			["192.0.2.0/24", "2001:db8::/32"],
		],
		["a list", '["192.0.2.0/24"]', ["192.0.2.0/24"]],
		[
			"a text",
			"# ours\n192.0.2.0/24\r\n2001:db8::/32 # new\n\n192.0.2.7\n",
			["192.0.2.0/24", "2001:db8::/32", "192.0.2.7"],
		],
		[
			"a page",
			"<!doctype html><p>Version 1.2.3.4 <li>192.0.2.0/24<li><b>2001:db8::/32</b>",
			["192.0.2.0/24", "2001:db8::/32"],
		],
	])("%s", (_, text, prefixes) => {
		expect(parseRanges(text, "gptbot.json")).toEqual(gptbot(prefixes));
	});

	test.each([
		["Not found", '"Not found" is not a range'],
		["<html>404</html>", "it has no ranges"],
		["{}", 'it has no "prefixes" or "ips"'],
		['{"prefixes": [{"ipv4Prefix": "x"}]}', "is not a range"],
		["", "it has no ranges"],
	])("not %s", (text, reason) => {
		expect(() => parseRanges(text, "gptbot.json")).toThrow(reason);
	});
});
