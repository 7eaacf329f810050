import { execFile } from "node:child_process";
import { promisify } from "node:util";
import asc from "assemblyscript/asc";
import pLimit from "p-limit";

const run = promisify(execFile);

/** The compiler has state of its own while it compiles. */
const alone = pLimit(1);

/**
 * Against plain -O3: bulk matching takes 12% less time, an index's 10%, compiling 3%.
 */
const FAST = [
	"-O3",
	"--always-inline-max-function-size=12",
	"--flexible-inline-max-function-size=80",
	"--one-caller-inline-max-function-size=3000",
	"--inline-functions-with-loops",
	"--converge",
];

/** What is called in many places, none of which runs once a line: not inlined, as fast, and 5 KiB less in a user's bundle. */
const RARE = [
	"url/authority/hashBytes",
	"bytes/checked/*",
	"compile/filter/cost",
	"sites/captures/*",
	"sites/hash-table/put",
	"sites/hash-table/moveItems",
	"sites/hash-table/slotOf",
	"sites/origins/free*",
	"sites/origins/itemInTable",
	"sites/origins/previousProgramOf",
	"sites/origins/re*",
	"sites/origins/want*",
	"sites/programs/*",
	"compile/jump-table/*",
	"bytes/memory/allocate*",
	"bytes/memory/release",
	"bytes/memory/store24",
	"compile/write-compact/bytes",
	"bytes/varint/storeVarint",
	"compile/encode-text/encodeText",
	"match/operands/checkText",
	"match/operands/read*",
	"match/verify/*",
];

/**
 * Parts of the compiler, each called in one place: not inlined, since V8 optimises whole functions in threads whose memory it keeps. The
 * process grows by 3 MB less and compiling 1,225 files for the first time takes 6% less CPU time; once optimised, it takes 3% more.
 */
const PARTS = [
	"compile/compile/begin*",
	"compile/compile/rank",
	"compile/compile/readRules",
	"compile/emit/emitNode",
	"compile/emit/emitTree",
	"compile/emit-rules/emit*",
	"compile/read-rule/readRule",
	"compile/read-rule/readTail",
	"compile/write-program/writePart",
	"robots-txt/tokenise/readLine",
];

const FEATURES = [
	"--enable-bulk-memory",
	"--enable-mutable-globals",
	"--enable-nontrapping-float-to-int",
	"--enable-sign-ext",
];
/** Imported memory could hold anything; the pool's does not. */
const TARGET_OPTIONS = {
	simd: ["--enable-simd", ...FAST],
	shared: [
		"--enable-simd",
		"--enable-threads",
		"--zero-filled-memory",
		...FAST,
	],
	traced: ["--enable-simd", "-Oz"],
};

/** A pattern that names nothing does nothing, and wasm-opt says nothing: a function that was renamed would be inlined again. */
export function checkPatterns(functions) {
	const names = functions.join("\n");
	const idle = [...RARE, ...PARTS].filter((pattern) => {
		const name = pattern.replaceAll("*", ".*");
		return !new RegExp(`^assembly/${name}$`, "m").test(names);
	});
	if (idle.length > 0)
		throw new Error(
			`tools/wasm-module.mjs names functions that no module has: ${idle.join(", ")}`,
		);
}

/**
 * Compiles a module to build/, and returns its functions' names; every target but "debug" is then optimised, "traced" for size. As
 * "named", functions keep their names.
 */
export async function compileModule(entry, name, target, variant = target) {
	const outFile = `build/${name}.${variant}.wasm`;
	// In this process: once V8 has optimised the compiler, a module takes a fifth of the CPU time that a process of its own would take.
	const { error, stderr } = await alone(() =>
		asc.main([
			entry,
			...["--config", "asconfig.json"],
			...["--target", target],
			...["--outFile", outFile],
		]),
	);
	if (error) throw new Error(`${entry} does not compile: ${stderr}`);
	const options = TARGET_OPTIONS[target];
	if (!options) return [];
	// It runs too short for V8 to gain by optimising its code: half the time without.
	const { stdout } = await run(process.execPath, [
		"--liftoff-only",
		"node_modules/binaryen/bin/wasm-opt",
		outFile,
		...FEATURES,
		// Before anything is inlined: a line of its index and its name for each function.
		"--print-function-map",
		...[...RARE, ...PARTS].map((name) => `--no-inline=assembly/${name}`),
		...options,
		variant === "named" ? "--debuginfo" : "--strip-debug",
		...["--output", outFile],
	]);
	return stdout.split("\n").map((line) => line.replace(/^\d+:/, ""));
}
