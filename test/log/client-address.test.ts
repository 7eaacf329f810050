import { describe, expect, test } from "vitest";
import { networkOf } from "../../src/log/addresses.ts";
import { ClientAddresses } from "../../src/log/client-address.ts";

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
