import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LintCode, lint, lintCodes } from "../../src/lint.ts";
import { casesOf, isWhole } from "../cases.ts";
import { corpus, realFiles, robotsFile } from "../data/robots-files.ts";
import { dialects, runs } from "../differential.ts";
import { falsehoods } from "./sentences.ts";

describe("What findings say is true", () => {
	test.each(dialects)("of generated files, %s", (dialect) => {
		const codes = new Set<LintCode>();
		fc.assert(
			fc.property(robotsFile, (text) => {
				const bytes = new TextEncoder().encode(text);
				const findings = lint(bytes, { dialect });
				for (const { code } of findings) codes.add(code);
				expect(falsehoods(bytes, dialect, findings, 20)).toEqual([]);
			}),
			runs(casesOf(1200)),
		);
		// The rest is about sizes, other files, pages around the file, and NUL bytes in one dialect.
		expect(codes.size).toBeGreaterThan(lintCodes.length - (isWhole ? 26 : 40));
	});

	test.skipIf(!existsSync(corpus)).each(dialects)(
		"of real sites, %s",
		(dialect) => {
			for (const { host, bytes } of realFiles()) {
				const wrong = falsehoods(bytes, dialect, lint(bytes, { dialect }), 2);
				expect([host, ...wrong]).toEqual([host]);
			}
		},
	);
});
