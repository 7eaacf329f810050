import { defineConfig } from "vitest/config";
import { wasmText } from "../../tools/texts.mjs";

/** Tests of parsing, agents, rules, access, crawlers and log formats, all fast. */
const fast = [
	"test/parse.test.ts",
	"test/diagnostics.test.ts",
	"test/crawlers.test.ts",
	"test/user-agent.test.ts",
	"test/explain.test.ts",
	"test/access.test.ts",
	"test/engine/rfc9309.test.ts",
	"test/engine/documents.test.ts",
	"test/engine/other-lines.test.ts",
	"packages/audit/test/scanner/log-formats.test.ts",
	"test/wrong-uses.test.ts",
	"packages/audit/test/classify.test.ts",
	"packages/audit/test/crawler-counts.test.ts",
];

/** The tests that mutants of src/ are run against: those that MUTATE_TESTS names, with blanks between them. */
export default defineConfig({
	plugins: [wasmText("simd")],
	// Packages find each other's sources as TypeScript does: mutants of one are seen by the tests of another.
	resolve: { tsconfigPaths: true },
	test: {
		testTimeout: 120_000,
		include: process.env.MUTATE_TESTS?.split(" ") ?? fast,
	},
});
