import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { file, robotrie, robotrieProcess } from "./run.ts";

const robots = file(
	"clean-param.txt",
	"User-agent: *\nDisallow:\nClean-param: s&ref /shop*/\nClean-param: utm_source\n",
);
const canonical = (...more: readonly string[]) => [
	"canonical",
	"--robots",
	robots,
	...more,
];

const text =
	"https://example.com/shop1/?s=1&id=2\r\n\nnone?s=1\n/shop/a?ref#f\n/?s&utm_source=x";
const wanted =
	"https://example.com/shop1/?id=2\r\n\nnone?s=1\n/shop/a#f\n/?s\n";

test.each([
	["plain", text],
	["gzip", gzipSync(text)],
	["a byte at a time", Array.from(text, (one) => Buffer.from(one))],
])("stdin, %s", async (_, stdin) => {
	const result = await robotrieProcess(canonical(), { stdin });
	expect(String(result.stdout)).toBe(wanted);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("the last line of each file gets a line end", async () => {
	const result = await robotrie(
		canonical(
			file("first.txt", "/?utm_source"),
			file("second.gz", gzipSync("/?a&utm_source\n")),
			file("third.txt", ""),
			"-",
		),
		{ stdin: "/?b" },
	);
	expect(String(result.stdout)).toBe("/\n/?a\n/?b\n");
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("empty input gives empty output", async () => {
	const result = await robotrie(canonical());
	expect(result).toMatchObject({ code: 0, stdoutSize: 0, stderr: "" });
});

test("a robots.txt without Clean-param gets a warning", async () => {
	const without = file("without.txt", "Clean-param: a /b?\n");
	const result = await robotrie(["canonical", "-r", without], {
		stdin: "/b?a\n",
	});
	expect(String(result.stdout)).toBe("/b?a\n");
	expect(result.code).toBe(0);
	expect(result.stderr).toMatch(/^robotrie: warning: .*Clean-param.*\n$/);
});

test("a closed pipe ends it without an error", async () => {
	const block = Buffer.from("/shop1/?s=1&id=2\n".repeat(60_000));
	const result = await robotrieProcess(canonical(), {
		stdin: Array.from({ length: 50 }, () => block),
		closeAfter: 1,
	});
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("memory does not grow with the input", async () => {
	const block = Buffer.from("/shop1/?s=1&id=2\n/a\n".repeat(100_000));
	const result = await robotrieProcess(canonical(), {
		stdin: Array.from({ length: 100 }, () => block),
	});
	expect(result).toMatchObject({ code: 0, stderr: "" });
	expect(result.stdoutSize).toBe(100 * 100_000 * "/shop1/?id=2\n/a\n".length);
	expect(result.memory).toBeLessThan(200);
});
