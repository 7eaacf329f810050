import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { describe, expect, test, vi } from "vitest";
import {
	addressProblem,
	checkedLookup,
	refuseHost,
} from "../src/common/addresses.ts";
import { MemoryStore, RobotsClient } from "../src/index.ts";
import { clientOf, loopback, serve } from "./site.ts";

describe("An address", () => {
	test.each([
		["93.184.216.34", undefined],
		["8.8.8.8", undefined],
		["2606:4700:4700::1111", undefined],
		["64:ff9b::808:808", undefined],
		["168.63.129.15", undefined],
		["168.63.129.16", "cloudInternal"],
		["161.26.0.10", "cloudInternal"],
		["166.8.0.1", "cloudInternal"],
		["199.36.153.4", "cloudInternal"],
		["199.36.153.11", "cloudInternal"],
		["199.36.153.12", undefined],
		["::ffff:168.63.129.16", "cloudInternal"],
		["64:ff9b::168.63.129.16", "cloudInternal"],
		["100.100.100.200", "carrierGradeNat"],
		["fd00:ec2::254", "uniqueLocal"],
		["127.0.0.1", "loopback"],
		["127.255.255.254", "loopback"],
		["0.0.0.0", "unspecified"],
		["10.1.2.3", "private"],
		["172.16.0.1", "private"],
		["192.168.0.1", "private"],
		["169.254.169.254", "linkLocal"],
		["100.64.0.1", "carrierGradeNat"],
		["192.0.2.1", "reserved"],
		["198.18.0.1", "reserved"],
		["224.0.0.1", "multicast"],
		["240.0.0.1", "reserved"],
		["255.255.255.255", "broadcast"],
		["::1", "loopback"],
		["::", "unspecified"],
		["::ffff:127.0.0.1", "loopback"],
		["::ffff:7f00:1", "loopback"],
		["::ffff:10.0.0.1", "private"],
		["::127.0.0.1", "loopback"],
		["64:ff9b::7f00:1", "loopback"],
		["64:ff9b::192.168.0.1", "private"],
		["64:ff9b:1::1", "rfc6052"],
		["2002:7f00:1::", "6to4"],
		["2001::1", "teredo"],
		["2001:db8::1", "reserved"],
		["fd00::1", "uniqueLocal"],
		["fe80::1", "linkLocal"],
		["fe80::1%eth0", "linkLocal"],
		["ff02::1", "multicast"],
		["4000::1", "unassigned"],
		["example.com", "no IP address"],
		["", "no IP address"],
	])("%s: %s", (address, problem) => {
		expect(addressProblem(address)).toBe(problem);
	});
});

test("Names of hosts are not read as addresses", () => {
	const read = vi.spyOn(ipaddr, "isValid");
	try {
		refuseHost(new URL("https://www.example.com/"));
		expect(read).not.toHaveBeenCalled();
		expect(() => refuseHost(new URL("https://10.1/"))).toThrow("private");
		expect(read).toHaveBeenCalled();
	} finally {
		read.mockRestore();
	}
});

test.each([
	["https://localhost/", "localhost is this machine"],
	["https://localhost./", "localhost. is this machine"],
	["https://a.LOCALHOST/", "a.localhost is this machine"],
	["https://127.0.0.1/", "127.0.0.1 is loopback"],
	["https://[::1]/", "::1 is loopback"],
	["https://localhost.example/", undefined],
	["https://notlocalhost/", undefined],
	["https://8.8.8.8/", undefined],
	["https://[2606:4700:4700::1111]/", undefined],
])("%s is refused: %s", (url, why) => {
	const refuse = () => refuseHost(new URL(url));
	if (why) expect(refuse).toThrow(why);
	else expect(refuse).not.toThrow();
});

describe("A look-up", () => {
	const of =
		(addresses: readonly string[]): LookupFunction =>
		(_, __, callback) =>
			callback(
				null,
				addresses.map((address) => ({
					address,
					family: address.includes(":") ? 6 : 4,
				})),
			);
	const run = (lookup: LookupFunction, all: boolean) =>
		new Promise((resolve) => {
			checkedLookup(lookup, false)("example.test", { all }, (error, found) =>
				resolve(error ? error.message : found),
			);
		});

	test.each([
		[["8.8.8.8"], ["8.8.8.8"]],
		[
			["127.0.0.1", "8.8.8.8", "::1", "2606:4700::1"],
			["8.8.8.8", "2606:4700::1"],
		],
		[["127.0.0.1"], "example.test leads to 127.0.0.1 (loopback)"],
		[
			["::ffff:10.0.0.1", "fd00::1"],
			"example.test leads to ::ffff:10.0.0.1 (private), fd00::1 (uniqueLocal)",
		],
		[[], "example.test has no address"],
	])("that finds %j gives %j", async (addresses, expected) => {
		const found = await run(of(addresses), true);
		expect(
			Array.isArray(found) ? found.map(({ address }) => address) : found,
		).toEqual(expected);
		const first = await run(of(addresses), false);
		expect(first).toEqual(Array.isArray(expected) ? expected[0] : expected);
	});

	test("in the old form, with one address", async () => {
		const old: LookupFunction = (_, __, callback) =>
			callback(null, "127.0.0.1", 4);
		expect(await run(old, true)).toBe(
			"example.test leads to 127.0.0.1 (loopback)",
		);
	});

	test("that fails says why", async () => {
		const failing: LookupFunction = (_, __, callback) =>
			callback(new Error("no resolver"), []);
		expect(await run(failing, true)).toBe("no resolver");
	});
});

describe("A client that may not ask private addresses", () => {
	const refusing = (lookup: LookupFunction = loopback) =>
		new RobotsClient({ agent: "ExampleBot", lookup, timeout: 15_000 });

	test.each([
		"http://127.0.0.1:PORT/",
		"http://127.1:PORT/",
		"http://2130706433:PORT/",
		"http://0x7f.0.0.1:PORT/",
		"http://0.0.0.0:PORT/",
		"http://localhost:PORT/",
		"http://LOCALHOST.:PORT/",
		"http://a.localhost:PORT/",
		"http://[::1]:PORT/",
		"http://[::ffff:127.0.0.1]:PORT/",
		"http://[::ffff:7f00:1]:PORT/",
		"http://[64:ff9b::7f00:1]:PORT/",
		"http://169.254.169.254/latest/meta-data/",
		"http://name.test:PORT/",
		"https://name.test:PORT/",
	])("does not connect to %s", async (url) => {
		await using site = await serve((_, response) => response.end());
		await using client = refusing();
		const { code, access, reason } = await client.access(
			url.replace("PORT", String(site.port)),
		);
		expect(code).toBe("address-refused");
		expect(access).toBe("disallow-all");
		expect(reason).toMatch(/loopback|linkLocal|unspecified|this machine/);
		expect(site.requests).toEqual([]);
	});

	test("does so even if it was asked for and found public just before", async () => {
		await using site = await serve((_, response) => response.end());
		const answers = ["8.8.8.8", "127.0.0.1"];
		const asked: string[] = [];
		await using client = refusing((name, options, callback) => {
			asked.push(name);
			const address = answers[asked.length % 2] ?? "";
			if (options.all) callback(null, [{ address, family: 4 }]);
			else callback(null, address, 4);
		});
		// One look-up for the connection, and none before that could have said something else.
		const { code } = await client.access(site.origin("rebinding.test"));
		expect(code).toBe("address-refused");
		expect(asked).toEqual(["rebinding.test"]);
		expect(site.requests).toEqual([]);
	});

	test.each([
		"http://127.0.0.1:PORT/robots.txt",
		"http://[::ffff:127.0.0.1]:PORT/robots.txt",
		"http://localhost:PORT/robots.txt",
	])("does not follow a redirect to %s", async (location) => {
		await using site = await serve((_, response) => response.end());
		const asked: string[] = [];
		await using client = new RobotsClient({
			agent: "ExampleBot",
			fetch: async (url) => {
				asked.push(url);
				return new Response(null, {
					status: 301,
					headers: { location: location.replace("PORT", String(site.port)) },
				});
			},
		});
		const { access, outcome } = await client.fetch("https://example.com/");
		expect(access).toMatchObject({
			code: "address-refused",
			access: "disallow-all",
		});
		expect(outcome.redirects).toHaveLength(1);
		expect(asked).toEqual(["https://example.com/robots.txt"]);
		expect(site.requests).toEqual([]);
	});

	test("does not follow a redirect to a name with such an address", async () => {
		await using site = await serve((request, response) => {
			const { host = "" } = request.headers;
			response
				.writeHead(301, { location: `http://inner.${host}/robots.txt` })
				.end();
		});
		// The first name counts as public by way of an allowance for this machine's address in the check only.
		await using open = new RobotsClient({
			agent: "ExampleBot",
			allowPrivateNetwork: true,
			lookup: (name, options, callback) =>
				name.startsWith("inner.")
					? checkedLookup(loopback, false)(name, options, callback)
					: loopback(name, options, callback),
		});
		const { access } = await open.fetch(site.origin("outer.test"));
		expect(access.code).toBe("address-refused");
		expect(site.requests).toEqual(["outer.test/robots.txt"]);
	});

	test("asks again no sooner than after a failure, and tells no other client", async () => {
		await using site = await serve((_, response) => response.end());
		const store = new MemoryStore();
		const url = site.origin("127.0.0.1");
		await using client = new RobotsClient({ agent: "ExampleBot", store });
		expect(await client.isAllowed(url)).toBe(false);
		expect(await client.isAllowed(`${url}/b`)).toBe(false);
		expect(client.stats()).toMatchObject({ requests: 1, failures: 1 });
		await using free = clientOf({ store });
		expect(await free.isAllowed(url)).toBe(true);
	});
});
