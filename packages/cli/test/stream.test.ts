import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { file, robotrieProcess, robots } from "./run.ts";

const arguments_ = ["match", "--robots", robots, "--agent", "x"];

/** MiB, where the input has 180. Node alone takes 50 to 65, and its collector is in less of a hurry from 24 on. */
const MEMORY_BOUND = 200;

const LINES = "/shop/green/sencha?sort=price\n/shop/oolong/\n/private/area\n";
const block = Buffer.from(LINES.repeat(50_000));
const outputSize =
	block.length + 50_000 * "allowed\tallowed\tdisallowed\t".length;
/** zstd -19 of `block`. */
const zstdOfBlock = Buffer.from(
	"KLUv/aQgQCwAxAEAQsMKD9DnQKSS0mJ3kgNuAuLIY2VOq5GlktjquJu/LEoiQPkTjIjz6dk5iienAQIAhv+7ys2AKSdEAAAAAQD9/z1XQEQAAAABAP3/OQACRAAAAAEA/f85AAJEAAAAAQD9/zkAAkQAAAABAP3/OQACRAAAAAEA/f85AAJEAAAAAQD9/zkAAkQAAAABAP3/OQACRAAAAAEA/f85AAJEAAAAAQD9/zkAAkQAAAABAP3/OQACRAAAAAEA/f85AAJEAAAAAQD9/zkAAkQAAAABAP3/OQACRAAAAAEA/f85AAJEAAAAAQD9/zkAAkQAAAABAP3/OQACRAAAAAEA/f85AAJEAAAAAQD9/zkAAkQAAAABAP3/OQACRAAAAAEA/f85AAI9AAAAAQAdwA6AZcZPGw==",
	"base64",
);

const times = (count: number, chunk: Uint8Array): Uint8Array[] =>
	Array.from({ length: count }, () => chunk);

test("memory that is measured is the process's own, not that of the one that starts it", async () => {
	const held = Buffer.alloc(300 * 2 ** 20, 1);
	const result = await robotrieProcess(["--version"]);
	expect(held.length).toBeGreaterThan(0);
	expect(result.memory).toBeGreaterThan(20);
	expect(result.memory).toBeLessThan(MEMORY_BOUND);
});

test.each([
	["plain", block],
	["gzip", gzipSync(block)],
	["zstd", zstdOfBlock],
])("memory does not grow with the input: %s", async (_, chunk) => {
	const result = await robotrieProcess(arguments_, { stdin: times(66, chunk) });
	expect(result).toMatchObject({ code: 0, stderr: "" });
	expect(result.stdoutSize).toBe(66 * outputSize);
	expect(result.memory).toBeLessThan(MEMORY_BOUND);
});

test("a line longer than any chunk", async () => {
	const long = Buffer.alloc(20_000_000, "a");
	const result = await robotrieProcess(arguments_, {
		stdin: [Buffer.from("/first\n/"), long, Buffer.from("\n/last\n")],
	});
	expect(result).toMatchObject({ code: 0, stderr: "" });
	expect(result.stdoutSize).toBe(
		"allowed\t/first\nallowed\t/\nallowed\t/last\n".length + long.length,
	);
});

test("lines that are cut between chunks", async () => {
	const text = "/private/1\n/open/2\r\n\n/private/3";
	const result = await robotrieProcess(arguments_, {
		stdin: Array.from(text, (character) => Buffer.from(character)),
	});
	expect(String(result.stdout)).toBe(
		"disallowed\t/private/1\nallowed\t/open/2\r\ninvalid\t\ndisallowed\t/private/3\n",
	);
});

test("a line that never ends is an error", async () => {
	const result = await robotrieProcess(arguments_, {
		stdin: times(80, Buffer.alloc(1_000_000, "a")),
	});
	expect(result).toMatchObject({
		code: 2,
		stdoutSize: 0,
		stderr: "robotrie: a line of <stdin> is longer than 67108864 bytes\n",
	});
});

test("a slow reader gets everything", async () => {
	const numbered = Array.from(
		{ length: 200_000 },
		(_, number) => `/${number}\n`,
	);
	const path = file("numbered.txt", numbered.join(""));
	const result = await robotrieProcess([...arguments_, path], { pauses: 20 });
	const expected = numbered.map((line) => `allowed\t${line}`).join("");
	expect(result.stdoutHash).toBe(
		createHash("sha256").update(expected).digest("hex"),
	);
	expect(result.code).toBe(0);
});

function* endless(): Generator<Uint8Array> {
	for (;;) yield block;
}

test.each([
	["match", arguments_],
	["match --check", [...arguments_, "--check"]],
	["explain", ["explain", "--robots", robots, "--agent", "x"]],
])("%s ends quietly once nobody reads", async (_, args) => {
	const result = await robotrieProcess(args, {
		stdin: endless(),
		closeAfter: 1,
	});
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("lines are answered while stdin is still open", async () => {
	let answer = () => {};
	const answered = new Promise<void>((resolve) => {
		answer = resolve;
	});
	async function* slowly(): AsyncGenerator<Uint8Array> {
		yield Buffer.from("/first\n");
		await answered;
	}
	const result = await robotrieProcess(arguments_, {
		stdin: slowly(),
		onOutput: answer,
	});
	expect(String(result.stdout)).toBe("allowed\t/first\n");
});
