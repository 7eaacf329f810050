import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { file, robotrie, robotrieProcess, robots } from "./run.ts";

/** A frame to be skipped, then three with "/shop LF /private/a LF", "/private/b LF /sh" (no check sum) and "op/2 LF not a url LF". */
const zstdFrames = Buffer.from(
	"UCpNGAUAAABoZWxsbyi1L/0kEYkAAC9zaG9wCi9wcml2YXRlL2EKkgLn9ii1L/0gDnEAAC9wcml2YXRlL2IKL3NoKLUv/SQPeQAAb3AvMgpub3QgYSB1cmwKD2Wq1g==",
	"base64",
);
const gzipMembers = Buffer.concat([
	gzipSync("/shop\n/private/a\n"),
	gzipSync("/private/b\n/sh"),
	gzipSync(""),
	gzipSync("op/2\nnot a url\n"),
]);
const verdicts =
	"allowed\t/shop\ndisallowed\t/private/a\ndisallowed\t/private/b\nallowed\t/shop/2\ninvalid\tnot a url\n";

const arguments_ = ["match", "--robots", robots, "--agent", "x"];

/** In parts that arrive apart: one byte, two more, ten more, the rest. */
async function* slowly(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	let from = 0;
	for (const to of [1, 3, 13, bytes.length]) {
		yield bytes.subarray(from, to);
		await new Promise((resolve) => setTimeout(resolve, 300));
		from = to;
	}
}

test.each([
	["gzip", gzipMembers],
	["zstd", zstdFrames],
])("%s from a file, whatever its name, and from stdin", async (_, bytes) => {
	const path = file("compressed.txt", bytes);
	for (const [more, stdin] of [
		[[path], ""],
		[[], bytes],
		[[], slowly(bytes)],
	] as const) {
		const result = await robotrieProcess([...arguments_, ...more], { stdin });
		expect(String(result.stdout)).toBe(verdicts);
		expect(result).toMatchObject({ code: 0, stderr: "" });
	}
});

/** zstd -19 of nothing, and of "User-agent: * LF Disallow: /zstd LF". */
const zstdOfNothing = Buffer.from("KLUv/SQAAQAAmenYUQ==", "base64");
const zstdOfRobots = Buffer.from(
	"KLUv/QRo8QAAVXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3pzdGQK5guZGQ==",
	"base64",
);

test.each([
	["gzip", gzipSync("")],
	["zstd", zstdOfNothing],
])("%s of nothing", async (_, stdin) => {
	const result = await robotrie(arguments_, { stdin });
	expect(result).toMatchObject({ code: 0, stderr: "", stdoutSize: 0 });
});

test.each([
	["gzip", gzipSync("User-agent: *\nDisallow: /zstd\n")],
	["zstd", zstdOfRobots],
])("a robots.txt in %s", async (_, bytes) => {
	const result = await robotrie(
		["match", "-r", file("robots-compressed.txt", bytes), "-a", "x"],
		{ stdin: "/zstd/a\n/b\n" },
	);
	expect(String(result.stdout)).toBe("disallowed\t/zstd/a\nallowed\t/b\n");
});

test.each([
	["a line that only begins like zstd", "(\xb5\n", "invalid\t(\xb5\n"],
	["less than a magic number", "\x28\xb5\x2f", "invalid\t\x28\xb5\x2f\n"],
	["two bytes", "/a", "allowed\t/a\n"],
])("plain: %s", async (_, stdin, expected) => {
	const result = await robotrie(arguments_, {
		stdin: Buffer.from(stdin, "latin1"),
	});
	expect(result.stdout.toString("latin1")).toBe(expected);
	expect(result.code).toBe(0);
});

const member = gzipSync("/a\n".repeat(1000));
const flipped = Buffer.from(member);
flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1;

const reserved = Buffer.from(zstdFrames);
// Behind the frame to be skipped, magic number, descriptor and size: the first block's header.
reserved[19] = (reserved[19] ?? 0) | 6;

test.each([
	["gzip, its last byte missing", member.subarray(0, -1), "gzip"],
	["gzip, only the magic number", member.subarray(0, 2), "gzip"],
	["gzip, the second member cut off", gzipMembers.subarray(0, -4), "gzip"],
	["gzip with another check sum", flipped, "gzip"],
	[
		"gzip with plain text behind it",
		Buffer.concat([member, Buffer.from("/plain\n")]),
		"gzip",
	],
	["zstd, its last byte missing", zstdFrames.subarray(0, -1), "zstd"],
	["zstd, only the magic number", zstdOfRobots.subarray(0, 4), "zstd"],
	[
		"zstd with plain text behind it",
		Buffer.concat([zstdFrames, Buffer.from("/plain text, and so on\n")]),
		"zstd",
	],
	["zstd with a reserved block type", reserved, "zstd"],
])("damaged: %s", async (_, bytes, kind) => {
	const path = file("damaged", bytes);
	for (const [more, stdin, name] of [
		[["-r", robots, path], "", path],
		[["-r", robots], bytes, "<stdin>"],
		[["-r", path], "", path],
	] as const) {
		const result = await robotrie(["match", "-a", "x", ...more], { stdin });
		expect(result.code).toBe(2);
		expect(result.stderr).toMatch(
			new RegExp(`^robotrie: ${name} holds damaged ${kind} data: .+\n$`),
		);
	}
});
