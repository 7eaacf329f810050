// Runs the library's tests in the Nodes of test/nodes. Those tests of the stores that need SQLite run in these only.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** What depends most on the version: the network, streams, stores. */
const CLIENT = [
	"packages/client/test/",
	// With SQLite, its usual store.
	"packages/server/test/serve.test.ts",
];

/** The command line's tests run in the Node that is there. */
const LIBRARY = [
	...CLIENT,
	"test/engine/",
	"packages/audit/test/scanner/",
	"test/lint/",
	...[
		"access",
		"crawlers",
		"diagnostics",
		"errors",
		"explain",
		"parse",
		"pool",
	].map((name) => `test/${name}.test.ts`),
];

/**
 * The engine runs in the oldest V8 and in the newest one, between which that of Node 22 is: on a slow machine this takes five minutes less.
 * Every entry of the packages runs in all three (test/runtimes).
 */
const files = {
	22: process.env.ROBOTRIE_NODES ? LIBRARY : CLIENT,
	24: LIBRARY,
};

let failed = 0;
for (const [major, tests] of Object.entries(files)) {
	const name = `node-${major}-${process.platform}-${process.arch}`;
	const node = `test/nodes/node_modules/${name}/bin/node`;
	if (!existsSync(node)) {
		console.log(
			`skipped: Node ${major}: npm ci --prefix test/nodes brings it for Linux on x64 and arm64`,
		);
		continue;
	}
	console.log(`Node ${major}`);
	const projects = ["simd", "host", "light", "torture", "server"];
	const { status } = spawnSync(
		node,
		[
			"node_modules/vitest/vitest.mjs",
			"run",
			...projects.flatMap((project) => ["--project", project]),
			...tests,
		],
		{ stdio: ["ignore", "inherit", "inherit"] },
	);
	if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
