import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import robotsParser from "../../src/robots-parser.ts";

/** The tests that robots-parser publishes, run against its replacement. */
const require = createRequire(import.meta.url);
const path = require.resolve("robots-parser/test/Robots.js");

/** Where RFC 9309 wants another answer. */
const otherwise: Readonly<Record<string, string>> = {
	"should handle lone high / low surrogates":
		"robots.txt is UTF-8 (§2.3), which has no lone surrogates: in bytes they are U+FFFD, in rules as in URLs, and so equal",
};

const names: string[] = [];
const needed: Readonly<Record<string, unknown>> = {
	"../index": robotsParser,
	chai: { expect },
};
const run = new Function(
	"require",
	"describe",
	"it",
	readFileSync(path, "utf8"),
);
run(
	(name: string) => needed[name],
	describe,
	(name: string, body: () => void) => {
		names.push(name);
		// A row here that passes fails.
		if (name in otherwise) test.fails(`${name}: ${otherwise[name]}`, body);
		else test(name, body);
	},
);

test("there are 41, and 40 of them pass", () => {
	expect(names).toHaveLength(41);
	for (const name of Object.keys(otherwise)) expect(names).toContain(name);
	expect(Object.keys(otherwise)).toHaveLength(1);
});
