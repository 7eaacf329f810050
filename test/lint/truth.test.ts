import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { root } from "../../packages/cli/test/run.ts";
import { type LintCode, lint, lintCodes } from "../../src/lint.ts";
import { robotsFile } from "../data/robots-files.ts";
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
			runs(1200),
		);
		// The rest is about sizes, other files, pages around the file, and NUL bytes in one dialect.
		expect(codes.size).toBeGreaterThan(lintCodes.length - 26);
	});

	const corpus = join(root, "../shared/corpus/hosts.jsonl.gz");
	test.skipIf(!existsSync(corpus)).each(dialects)(
		"of 1,225 real sites, %s",
		(dialect) => {
			const sites = gunzipSync(readFileSync(corpus))
				.toString()
				.trimEnd()
				.split("\n");
			for (const site of sites) {
				const { host, robots_b64 } = JSON.parse(site) as {
					host: string;
					robots_b64: string;
				};
				const bytes = Buffer.from(robots_b64, "base64");
				const wrong = falsehoods(bytes, dialect, lint(bytes, { dialect }), 2);
				expect([host, ...wrong]).toEqual([host]);
			}
		},
	);
});
