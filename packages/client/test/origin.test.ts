import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { origins } from "../../../test/data/origins.ts";
import { fetchableOrigin, OriginFinder } from "../src/common/origin.ts";

const fetchable = (origin: string | null) =>
	origin && /^(?:https?|ftp):/.test(origin) ? origin : undefined;

test.each(origins)("%j", (url, origin) => {
	const finder = new OriginFinder();
	expect(fetchableOrigin(url)).toBe(fetchable(origin));
	expect([finder.of(url), finder.of(url)]).toEqual([
		fetchable(origin),
		fetchable(origin),
	]);
});

test("hosts in Latin-1 letters, however often", () => {
	for (let i = 0; i < 20_000; i++)
		expect(fetchableOrigin("https://m\u00fcnchen.example/")).toBeTruthy();
});

const labels = fc.oneof(
	fc.constantFrom(
		"",
		"a",
		"-a",
		"a-",
		"xn--a",
		"xn--mnchen-3ya",
		"axn--b",
		"XN--A",
		"0",
		"09",
		"0x",
		"0xf",
		"1e",
		"127",
		"256",
		"com",
		"Com",
		"m\u00fc",
		"a_b",
		"a%41",
		"\u00ad",
		"a b",
		"[",
		"a@b",
		":80",
		":443",
		"a:b",
	),
	fc.stringMatching(/^[a-z\d-]{1,6}$/),
);

test("is what the URL standard makes of any labels of a host", () => {
	fc.assert(
		fc.property(
			fc.constantFrom("http://", "https://", "ftp://", "HTTPS://", "ws://"),
			fc.array(labels, { minLength: 1, maxLength: 4 }),
			fc.constantFrom("", "/", "/a", "?b", "#c", "\\d", ".", ":8080/", "\t/"),
			(scheme, host, rest) => {
				const url = scheme + host.join(".") + rest;
				let origin: string | undefined;
				try {
					origin = new URL(url).origin;
				} catch {}
				const expected = fetchable(origin ?? null);
				expect(new OriginFinder().of(url)).toBe(expected);
			},
		),
		{ numRuns: casesOf(3000) },
	);
});
