import { execFileSync } from "node:child_process";

/** A compiler's remarks about its passes are of no use, its errors are. */
function node(...args) {
	try {
		execFileSync(process.execPath, args, { stdio: "pipe" });
	} catch (error) {
		process.stderr.write(error.stdout);
		process.stderr.write(error.stderr);
		process.exit(1);
	}
}

/**
 * As fast as the compiler's own passes, which have limits like these in another order, and 2% smaller when gzipped. What is called in
 * one place goes there whatever its size, as byte-code runs 5% faster with no call for each hit.
 */
const FAST = [
	"-O3",
	"--always-inline-max-function-size=12",
	"--flexible-inline-max-function-size=80",
	"--one-caller-inline-max-function-size=3000",
	"--inline-functions-with-loops",
	"--converge",
];

/** What is called in many places, none of which runs once a line: 0.6 KB of the library. */
const RARE = [
	"url/authority/hashBytes",
	"sites/compact-verify/mark",
	"compile/filter/cost",
	"sites/hash-table/put",
	"compile/jump-table/*",
	"bytes/memory/allocate*",
	"bytes/memory/release",
	"bytes/memory/store24",
	"sites/pack/copy",
	"compile/rule/storeVarint",
	"sites/string-table/encodeText",
	"sites/string-table/setSymbols",
	"match/verify/*",
];

/** Functions in every build alike: where one lacks some, the others have other numbers, which is 0.8 KB more of the library. */
const ALIKE = [
	"match/batch/matchOdd",
	"bytes/blocks/literalStarts",
	"url/lines/list",
	"url/normalise/decodeSimple",
	"url/url/locateAsGoogle",
];

/** Called in one place each, but no faster there, and the library is 0.4 KB larger. */
const APART = [
	"match/batch/matchLines",
	"compile/compile/assemble",
	"compile/emit-rules/emitFloating",
	"compile/emit-rules/emitRules",
	"compile/emit/emitNode",
	"url/lines/indexLines",
	"compile/rule/chooseKey",
	"compile/rule/readRule",
	"match/run/matchBody",
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
	scalar: FAST,
	traced: ["-Oz"],
};

/** Compiles a module to build/; every target but "debug" is then optimised, "traced" for size. */
export function compileModule(entry, name, target) {
	const outFile = `build/${name}.${target}.wasm`;
	node(
		"node_modules/assemblyscript/bin/asc.js",
		entry,
		...["--config", "asconfig.json"],
		...["--target", target],
		...["--outFile", outFile],
	);
	const options = TARGET_OPTIONS[target];
	if (!options) return;
	node(
		"node_modules/binaryen/bin/wasm-opt",
		outFile,
		...FEATURES,
		...[...RARE, ...ALIKE, ...APART].map(
			(name) => `--no-inline=assembly/${name}`,
		),
		...options,
		// Gzip finds more where frequent functions stand in front: 0.2 KB of the library.
		"--reorder-functions",
		"--strip-debug",
		...["--output", outFile],
	);
}
