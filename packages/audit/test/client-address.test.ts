import { describe, expect, test } from "vitest";
import { ClientAddresses, networkOf } from "../src/addresses.ts";
import { LogAudit, parseRanges } from "../src/index.ts";

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
		[["10.0.0.0/8"], p, "-", p],
		[["10.0.0.0/8"], "-", `${b}, ${a}, ${q}`, a],
		[["10.0.0.0/8"], p, "garbage", undefined],
		[["10.0.0.1", "10.0.0.2"], p, `${a}, ${q}`, a],
		// By number.
		[["1"], p, `${b}, ${a}`, a],
		[["2"], p, `${b}, ${a}, ${q}`, a],
		[["1"], "-", `${b}, ${a}`, a],
		[["2"], "-", `${a}, ${q}`, a],
		[["1"], `${b}, ${a}`, "", a],
		[["1"], a, "-", a],
		[["9"], p, `${b}, ${a}`, b],
		// In quotes, and as the format "main" has the rest of the line.
		[["10.0.0.0/8"], `"${a}, ${p}"`, "", a],
		[["2"], `"${a}, ${p}"`, "", a],
		[[], `"${a}"`, "", a],
		[["10.0.0.0/8"], p, ` "${b}, ${a}" 0.003 "x, 192.0.2.9"`, a],
		[["10.0.0.0/8"], p, ' "-" 0.003', p],
		[["10.0.0.0/8"], p, " 0.003", p],
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
			{ verified: 2, claimed: 1 },
		],
		[
			"one that the client made up in the last field",
			[`${b}${rest} "${gpt}"`],
			{ claimed: 1 },
			{ claimed: 1 },
		],
	])("%s", async (_, lines, trusted, untrusted) => {
		expect(await verifications(lines, ["10.0.0.0/8"])).toEqual(trusted);
		expect(await verifications(lines, [])).toEqual(untrusted);
	});
});
