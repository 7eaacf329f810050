import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageFolders, root, rowOf } from "./installed.ts";

describe("Licences", () => {
	interface Entry {
		readonly license?: string;
		readonly dev?: boolean;
		readonly link?: boolean;
	}
	const { packages } = JSON.parse(
		readFileSync(join(root, "package-lock.json"), "utf8"),
	) as { packages: Record<string, Entry> };
	// The packages of this repository are there twice: as folders, and as links to them.
	const entries = Object.entries(packages).filter(
		([path, { link }]) => path !== "" && !link,
	);

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

	test.each<[string, string[]]>([
		[
			"robotrie",
			[
				"@assemblyscript/loader",
				"http-cache-semantics",
				"leven",
				"structured-headers",
				"tinypool",
			],
		],
		["@robotrie/client", ["ipaddr.js"]],
		["@robotrie/sites", ["fzstd"]],
		[
			"@robotrie/audit",
			[
				"@msgpack/msgpack",
				"@noble/hashes",
				"ansi-regex",
				"emoji-regex",
				"fzstd",
				"ipaddr.js",
				"is-fullwidth-code-point",
				"mmdb-lib",
				"sortable-tablesort",
				"string-width",
				"strip-ansi",
			],
		],
		[
			"@robotrie/cli",
			[
				"commander",
				"entities",
				"fzstd",
				"leven",
				"parse5",
				"parse5-sax-parser",
			],
		],
	])(
		"of what %s bundles are permitted, and published with it",
		(name, names) => {
			const file = join(
				rowOf(packageFolders, name),
				"dist/bundled-licenses.txt",
			);
			const text = readFileSync(join(root, file), "utf8");
			const bundled = [...text.matchAll(/^(\S+) [\d.]+ \((.+)\)$/gm)];
			expect(bundled.map(([, name]) => name)).toEqual(names);
			for (const [, name, license = ""] of bundled)
				expect(allows(license, anywhere), name).toBe(true);
		},
	);
});
