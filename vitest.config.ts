import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { wasmText } from "./tools/texts.mjs";

const engineTests = [
	"test/engine/**/*.test.ts",
	"packages/audit/test/scanner/*.test.ts",
];
const engine = (...names: readonly string[]) =>
	names.map((name) =>
		/^(log-|header-table)/.test(name)
			? `packages/audit/test/scanner/${name}.test.ts`
			: `test/engine/${name}.test.ts`,
	);

/** What loads, grows, frees and reuses linear memory: the debug build has the runtime's assertions. */
const memoryTests = engine(
	"byte-code",
	"columns",
	"header-table",
	"hostile",
	"index-capture",
	"index-snapshot",
	"lines",
	"log-cut",
	"log-json",
	"many-rules",
	"robots-index",
);

/** What asks for nothing but memory: once, over the build with assertions. */
const memoryOnly = engine("memory");

/** Tests of host code that leave nothing behind: they share processes, which takes a third of a second less each. */
const light = [
	...[
		..."access crawlers diagnostics docstrings errors explain explain-truth".split(
			" ",
		),
		..."growth long-headers parse scope shards user-agent wrong-uses".split(
			" ",
		),
	].map((name) => `test/${name}.test.ts`),
	..."findings shadows truth"
		.split(" ")
		.map((name) => `test/lint/${name}.test.ts`),
	..."compare compat units"
		.split(" ")
		.map((folder) => `test/${folder}/*.test.ts`),
	"packages/audit/test/*.test.ts",
	"packages/playground/test/units/*.test.ts",
];

/** Suites that need more than Node and take long: "npm test" leaves them to .ci/run. */
const slowTests = {
	benches: ["test/benches.test.ts"],
	bundlers: ["test/bundlers/*.test.ts"],
	browsers: ["packages/playground/test/browsers/*.test.ts"],
	examples: ["test/examples/*.test.ts"],
	runtimes: ["test/runtimes/*.test.ts"],
	server: ["packages/server/test/*.test.ts"],
	site: ["packages/site/test/*.test.ts"],
	tools: [
		..."bench check-crawlers ci mutate readable release script-options weights"
			.split(" ")
			.map((name) => `test/${name}.test.ts`),
	],
	// The command line with several threads over large inputs.
	threads: ["audit-formats", "index-workers", "workers"].map(
		(name) => `packages/cli/test/${name}.test.ts`,
	),
	torture: [
		"packages/cli/test/killed-index.test.ts",
		...["killed-stores", "load", "torture"].map(
			(name) => `packages/client/test/${name}.test.ts`,
		),
		"test/live-torture.test.ts",
	],
};

/**
 * The command line's tests: they share processes, and one process of each runs their commands; with ROBOTRIE_ALL=1 each has its own. Two
 * mock modules, which would stay mocked for others: those are in "host".
 */
const commandTests = [
	"packages/cli/test/!(options|output).test.ts",
	"test/lint/pages.test.ts",
];

/** Everything at its full length, in an order that is drawn: see .ci/run --all. */
const isWhole = process.env.ROBOTRIE_ALL === "1";
/** Milliseconds. */
const TIMEOUT = isWhole ? 1_800_000 : 120_000;

const project = (
	name: string,
	build: string,
	include: readonly string[],
	exclude: readonly string[] = [],
	{
		isolate = true,
		retry = 0,
		setupFiles = [],
	}: {
		readonly isolate?: boolean;
		readonly retry?: number;
		readonly setupFiles?: string[];
	} = {},
) => ({
	plugins: [wasmText(build)],
	// Packages find each other's sources as TypeScript does.
	resolve: { tsconfigPaths: true },
	extends: true as const,
	test: {
		name,
		include: [...include],
		globalSetup: [
			"test/build.ts",
			...(name === "browsers"
				? ["packages/playground/test/build-page.ts"]
				: []),
		],
		// Some folders have packages of their own, with tests.
		exclude: ["**/node_modules/**", ...exclude],
		isolate,
		retry,
		setupFiles,
		// Every core has a worker: V8's threads that collect garbage would only take time from the others.
		execArgv: ["--single-threaded-gc"],
		env: { ROBOTRIE_BUILD: build },
	},
});

export default defineConfig({
	test: {
		setupFiles: ["test/equality.ts"],
		// The default leaves one out, which of two cores is half.
		maxWorkers: availableParallelism(),
		maxConcurrency: availableParallelism(),
		sequence: { shuffle: { files: isWhole, tests: false } },
		// They end what hangs. At full length tests take minutes, and more on a busy machine.
		testTimeout: TIMEOUT,
		hookTimeout: TIMEOUT,
		// For pages on a busy machine.
		expect: { poll: { timeout: 15_000 } },
		projects: [
			project("simd", "simd", engineTests, memoryOnly),
			project("debug", "debug", [...memoryTests, ...memoryOnly]),
			project(
				"host",
				"simd",
				["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
				[
					...engineTests,
					...light,
					...commandTests,
					...Object.values(slowTests).flat(),
				],
			),
			project("light", "simd", light, [], { isolate: false }),
			project(
				"commands",
				"simd",
				commandTests,
				Object.values(slowTests).flat(),
				{ isolate: false, setupFiles: ["packages/cli/test/own-folder.ts"] },
			),
			...Object.entries(slowTests).map(([name, files]) =>
				project(name, "simd", files, [], {
					// A page moves while it is clicked on, more so on a busy machine. A retry is printed, and worth a look: some were faults.
					retry: name === "browsers" ? 1 : 0,
				}),
			),
		],
	},
});
