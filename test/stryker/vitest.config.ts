import { defineConfig } from "vitest/config";
import { wasmText } from "../../tools/texts.mjs";

/** Tests that see the files of stryker.config.mjs, but for those that start processes or servers of others, or wait. */
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
	"test/wrong-uses.test.ts",
	"test/engine/nets.test.ts",
	"packages/client/test/*.test.ts",
	"packages/audit/test/*.test.ts",
	"packages/audit/test/scanner/*.test.ts",
];
const slow = [
	"packages/client/test/{killed-stores,load,torture,lmdb-disk,tls}.test.ts",
	"packages/audit/test/slow-audit.test.ts",
];

/** The tests that mutants of src/ are run against: those that MUTATE_TESTS names, with blanks between them. */
export default defineConfig({
	plugins: [wasmText("simd")],
	// Packages find each other's sources as TypeScript does: mutants of one are seen by the tests of another.
	resolve: { tsconfigPaths: true },
	test: {
		testTimeout: 120_000,
		setupFiles: ["test/equality.ts"],
		include: process.env.MUTATE_TESTS?.split(" ") ?? fast,
		// Threads run the packages as built, not the mutants.
		testNamePattern: /^(?!.*\b(?:pools|tasks)$)/,
		exclude: process.env.MUTATE_TESTS ? [] : slow,
	},
});
