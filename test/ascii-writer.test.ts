/** The writer of short ASCII texts is for browsers: test/runtimes runs it there. Here it is what its source says, and Node 22 has it, too. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
	asciiWriter,
	compileStrings,
	MOST_CHARACTERS,
	STRINGS_MODULE,
} from "../src/engine/ascii-writer.ts";
import { TEXT_MODULE } from "../src/engine/linear-memory.ts";

const bin = (name: string) => `node_modules/binaryen/bin/${name}`;
const FEATURES = [
	"--enable-reference-types",
	"--enable-gc",
	"--enable-bulk-memory",
	"--enable-simd",
];

test.each([
	["strings", STRINGS_MODULE, true],
	// wasm-opt would write each vector of one byte in full.
	["module-text", TEXT_MODULE, false],
])("the module is assembly/%s.wat, assembled", (name, module, isOptimised) => {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-wat-"));
	const file = join(folder, "module.wasm");
	const node = (...args: readonly string[]) =>
		execFileSync(process.execPath, [...args, "-o", file, ...FEATURES]);
	try {
		node(bin("wasm-as"), `assembly/${name}.wat`);
		if (isOptimised) node(bin("wasm-opt"), file, "-O3");
		expect(module).toBe(readFileSync(file, "base64"));
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("in Node texts are encoded by the engine", () => {
	expect(asciiWriter(new WebAssembly.Memory({ initial: 1 }))).toBeNull();
});

const module = compileStrings();

describe.skipIf(!module)("Where the engine has the builtins", () => {
	const memory = new WebAssembly.Memory({ initial: 1 });
	const write = asciiWriter(memory, module);
	const long = "/a".repeat(MOST_CHARACTERS / 2);
	test.each<[string, number]>([
		["", 0],
		["/", 1],
		["https://example.com/a?b=c#d", 27],
		["/\0\t\n\r\x7f", 6],
		[long, MOST_CHARACTERS],
		[`${long}a`, -1],
		["/é", -1],
		["/\x80", -1],
		["/\ud83d\ude00", -1],
		["/\ud83d", -1],
	])("%j", (text, length) => {
		expect(write?.(text, 64)).toBe(length);
		if (length >= 0)
			expect(Buffer.from(memory.buffer, 64, length).toString()).toBe(text);
	});
});
