import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "./installed.ts";

/** What a file imports at once: `import …`, `export … from`; not types, which are gone when it runs, nor `import()`. */
const STATIC = /^(?:import|export)\b(?! type\b)[^;"]*?"(\.[^"]+)"/gm;

/** The file and all that it loads, directly or not, relative to the project's folder. */
function reachedFrom(entry: string): string[] {
	const files = new Set([join(root, entry)]);
	for (const file of files) {
		if (file.endsWith(".wasm")) continue;
		for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC))
			files.add(join(dirname(file), name));
	}
	return [...files].map((file) => relative(root, file)).sort();
}

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test.each(["src/access.ts", "dist/access.js"])(
	"%s reaches nothing that compiles WebAssembly, which edge runtimes refuse",
	(entry) => {
		const files = reachedFrom(entry);
		expect(files.length).toBeGreaterThan(1);
		expect(files.filter((file) => /wasm|engine/.test(file))).toEqual([]);
		expect(
			files.filter((file) => /\bWebAssembly\.\w|["']node:/.test(textOf(file))),
		).toEqual([]);
	},
);

test.each(["src/index.ts", "dist/index.js"])(
	"%s does reach it: the test above would see it",
	(entry) => {
		const files = reachedFrom(entry);
		expect(
			files.some(
				(file) => /wasm/.test(file) || /\bWebAssembly\.\w/.test(textOf(file)),
			),
		).toBe(true);
	},
);
