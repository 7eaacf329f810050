import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	checkPackage,
	createPackageFromTarballData,
} from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Installed, root } from "./installed.ts";

describe("Licences", () => {
	interface Entry {
		readonly license?: string;
		readonly dev?: boolean;
	}
	const { packages } = JSON.parse(
		readFileSync(join(root, "package-lock.json"), "utf8"),
	) as { packages: Record<string, Entry> };
	const entries = Object.entries(packages).filter(([path]) => path !== "");

	/** What may be part of a user's program. */
	const anywhere = [
		"0BSD",
		"Apache-2.0",
		"BSD-2-Clause",
		"BSD-3-Clause",
		"ISC",
		"MIT",
		"Unlicense",
		"Zlib",
	];
	/** Tools may have one of these, too: nothing of theirs is published. */
	const inTools = [...anywhere, "BlueOak-1.0.0", "MPL-2.0"];

	/** Whether an SPDX expression of names, AND and OR is satisfied. */
	const allows = (expression: string, names: readonly string[]) =>
		expression
			.replace(/^\((.*)\)$/, "$1")
			.split(" OR ")
			.some((all) => all.split(" AND ").every((name) => names.includes(name)));

	test.each([
		["MIT", true],
		["MIT OR GPL-3.0", true],
		["GPL-3.0 OR Apache-2.0", true],
		["(MIT AND Zlib)", true],
		["MIT AND GPL-3.0", false],
		["GPL-3.0", false],
		["MPL-2.0", false],
		["", false],
	])("%j is permitted: %j", (expression, permitted) =>
		expect(allows(expression, anywhere)).toBe(permitted),
	);

	test.each([
		["of dependencies", false, anywhere],
		["of what is used for building and testing", true, inTools],
	])("%s are permitted", (_what, dev, names) => {
		const some = entries.filter(([, entry]) => (entry.dev ?? false) === dev);
		expect(some.length).toBeGreaterThan(10);
		const others = some.filter(
			([, { license = "" }]) => !allows(license, names),
		);
		expect(others.map(([path, { license }]) => [path, license])).toEqual([]);
	});

	test("of bundled packages are permitted, and published with them", () => {
		const text = readFileSync(join(root, "dist/bundled-licenses.txt"), "utf8");
		const bundled = [...text.matchAll(/^(\S+) [\d.]+ \((.+)\)$/gm)];
		expect(bundled.map(([, name]) => name)).toEqual([
			"@msgpack/msgpack",
			"@noble/hashes",
			"commander",
			"ipaddr.js",
			"sortable-tablesort",
			"structured-headers",
		]);
		for (const [, name, license = ""] of bundled)
			expect(allows(license, anywhere), name).toBe(true);
	});
});

describe("Checkers of packages find nothing", () => {
	let installed: Installed;
	let tarball: Uint8Array<ArrayBuffer>;
	beforeAll(() => {
		installed = new Installed();
		tarball = new Uint8Array(readFileSync(installed.tarball));
	}, 120_000);
	afterAll(() => installed.remove());

	test("publint", async () => {
		const { messages } = await publint({
			pkgDir: installed.package,
			level: "suggestion",
			strict: true,
			pack: false,
		});
		expect(messages).toEqual([]);
	});

	test("Are the types wrong?", async () => {
		const result = await checkPackage(createPackageFromTarballData(tarball), {
			excludeEntrypoints: [/^\.\/docs\//],
		});
		if (!result.types) throw new Error("there are no types");
		expect(Object.keys(result.entrypoints)).toContain("./client");
		// An ES module cannot be loaded where only CommonJS can, nor have a subpath where `exports` is not read.
		const problems = result.problems.filter(
			(problem) =>
				!(
					"resolutionKind" in problem &&
					(problem.resolutionKind === "node10" ||
						problem.resolutionKind === "node16-cjs")
				),
		);
		expect(problems).toEqual([]);
	});
});
