import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hasSqlite } from "./sqlite.ts";

const project = new URL("../../", import.meta.url);
const nodes = new URL("test/nodes/node_modules/", project);

/** A newer Node of test/nodes. */
const nodeOf = (major: number) =>
	fileURLToPath(
		new URL(
			`node-${major}-${process.platform}-${process.arch}/bin/node`,
			nodes,
		),
	);

const majors = [22, 24];
for (const major of majors)
	if (!hasSqlite && !existsSync(nodeOf(major)))
		console.warn(
			`SQLite is not tested with Node ${major}: npm ci --prefix test/nodes brings it`,
		);

// Where this Node has SQLite, the tests ran here.
test.skipIf(hasSqlite).each(majors)(
	"the SQLite tests pass in Node %i",
	async (major) => {
		const node = nodeOf(major);
		if (!existsSync(node)) return;
		const { VITEST: _, ...env } = process.env;
		const { stdout } = await promisify(execFile)(
			node,
			[
				"node_modules/vitest/vitest.mjs",
				...["run", "--project", "host", "-t", "SQLite|SqliteStore"],
				...["test/client/stores.test.ts", "test/client/torture.test.ts"],
			],
			{ cwd: fileURLToPath(project), env: { ...env, NO_COLOR: "1" } },
		);
		expect(stdout).toMatch(/Tests\s+(?!0)\d+ passed/);
	},
	600_000,
);
