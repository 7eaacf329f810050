// Runs the library's tests in the Nodes of test/nodes. Those tests of the stores that need SQLite run in these only.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
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

const all = process.env.ROBOTRIE_ALL === "1";

/**
 * The engine runs in the oldest V8 and in the newest one, between which that of Node 22 is: on a slow machine this takes five minutes less.
 * Every entry of the packages runs in all three (test/runtimes).
 */
const files = {
	22: all ? LIBRARY : CLIENT,
	24: LIBRARY,
};

/** What takes minutes and asks the version for little: limits on memory and repairs of thousands of files, by the oldest and the newest. */
const leftOut = {
	22: all ? [] : ["packages/client/test/scheduler.test.ts"],
	24: all ? [] : ["test/lint/fix.test.ts"],
};

/** Projects have excluded files of their own, so that Vitest's option for it does nothing here. */
const filesIn = (path) =>
	path.endsWith("/")
		? readdirSync(path)
				.filter((file) => file.endsWith(".test.ts"))
				.map((file) => path + file)
		: [path];

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
			...tests
				.flatMap(filesIn)
				.filter((file) => !leftOut[major].includes(file)),
		],
		{ stdio: ["ignore", "inherit", "inherit"] },
	);
	if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
