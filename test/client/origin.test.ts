import { expect, test } from "vitest";
import { fetchableOrigin, OriginFinder } from "../../src/client/origin.ts";
import { origins } from "../data/origins.ts";

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
