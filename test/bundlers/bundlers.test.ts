import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Installed, root } from "../installed.ts";
import { uses } from "../runtimes/uses.ts";

const here = join(root, "test/bundlers");
const bin = (name: string) => join(here, "node_modules/.bin", name);
const isInstalled = existsSync(bin("next"));
if (!isInstalled)
	console.warn("skipped: bundlers: npm run test:bundlers brings them");

const use = uses.find(({ entry }) => entry === "robotrie");
const expected = use?.expected;
const run = promisify(execFile);
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

/** In the folder of the bundlers, so that projects find them; "build" is ignored. */
const folder = join(here, "build", `${process.pid}`);
let user: Installed;

/** A project that has robotrie installed. Returns its folder. */
function project(name: string, files: Record<string, string>): string {
	const path = join(folder, name);
	mkdirSync(path, { recursive: true });
	const all = {
		"package.json": '{ "private": true, "type": "module" }',
		"use.mjs": use?.code ?? "",
		"main.mjs":
			'import { answer } from "./use.mjs";\nconsole.log(JSON.stringify(answer));\n',
		...files,
	};
	for (const [file, text] of Object.entries(all)) {
		mkdirSync(join(path, file, ".."), { recursive: true });
		writeFileSync(join(path, file), text);
	}
	return path;
}

beforeAll(async () => {
	if (!isInstalled) return;
	user = new Installed();
	mkdirSync(join(folder, "node_modules"), { recursive: true });
	await run("cp", ["-r", user.package, join(folder, "node_modules/robotrie")]);
});
afterAll(() => {
	user?.remove();
	rmSync(folder, { recursive: true, force: true });
});

async function answerOf(file: string): Promise<unknown> {
	const { stdout } = await run(process.execPath, [file]);
	return JSON.parse(stdout);
}

/** Builds main.mjs for Node, with what a project needs besides; returns the file that was built. */
const bundlers: readonly (readonly [string, () => Promise<string>])[] = [
	[
		"webpack",
		async () => {
			const path = project("webpack", {
				"build.cjs": `
const webpack = require("webpack");
webpack({
	mode: "production",
	entry: "./main.mjs",
	target: "node",
	context: __dirname,
	output: { path: __dirname + "/dist", filename: "main.cjs" },
}, (error, stats) => {
	if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); }
});`,
			});
			await run(process.execPath, ["build.cjs"], { cwd: path });
			return join(path, "dist/main.cjs");
		},
	],
	[
		"Rollup",
		async () => {
			const path = project("rollup", {
				"rollup.config.mjs": `
import { nodeResolve } from "@rollup/plugin-node-resolve";
export default { input: "main.mjs", output: { file: "dist/main.mjs" }, plugins: [nodeResolve()] };`,
			});
			await run(bin("rollup"), ["--config", "--silent"], { cwd: path });
			return join(path, "dist/main.mjs");
		},
	],
	[
		"Parcel",
		async () => {
			const path = project("parcel", {
				"package.json": JSON.stringify({
					private: true,
					type: "module",
					source: "main.mjs",
					main: "main.js",
					engines: { node: ">=20" },
					targets: { main: { includeNodeModules: true, context: "node" } },
				}),
				".parcelrc": '{ "extends": "@parcel/config-default" }',
			});
			await run(
				bin("parcel"),
				["build", "--no-cache", "--no-source-maps", "--cache-dir", "cache"],
				{
					cwd: path,
					env,
				},
			);
			return join(path, "main.js");
		},
	],
];

const commonJs = `
const { RobotsTxt } = require("robotrie");
test("a URL", () => {
	expect(RobotsTxt.parse("User-agent: *\\nDisallow: /a\\n").isAllowed("/a", "x")).toBe(false);
});`;
const modules = commonJs.replace(
	'const { RobotsTxt } = require("robotrie");',
	'import { RobotsTxt } from "robotrie";',
);

/** What docs/library.md says of Jest. */
async function jest(test: string, file: string): Promise<void> {
	const path = project(`jest-${file}`, {
		[file]: test,
		"jest.config.json": "{}",
	});
	await run(
		process.execPath,
		["--experimental-vm-modules", join(here, "node_modules/jest/bin/jest.js")],
		{ cwd: path },
	);
}

const route = (runtime: string) => `
export const runtime = "${runtime}";
export const dynamic = "force-dynamic";
export async function GET() {
	const { answer } = await import("../../use.mjs");
	return Response.json(answer);
}`;

/** A port that nobody uses now. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return typeof address === "object" ? (address?.port ?? 0) : 0;
}

describe.skipIf(!isInstalled)("A project builds and answers", () => {
	test.each(bundlers)("with %s", async (_, build) => {
		expect(await answerOf(await build())).toEqual(expected);
	});

	test("with Next.js, in Node and on the edge", async () => {
		const path = project("next", {
			"app/edge/route.js": route("edge"),
			"app/node/route.js": route("nodejs"),
			"next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(here)} } };`,
		});
		await run(bin("next"), ["build"], { cwd: path, env });
		const port = await freePort();
		const server = spawn(
			bin("next"),
			["start", "--port", `${port}`, "--hostname", "127.0.0.1"],
			{ cwd: path, env, stdio: ["ignore", "pipe", "inherit"] },
		);
		try {
			for await (const text of server.stdout)
				if (/ready/i.test(String(text))) break;
			for (const name of ["edge", "node"]) {
				const response = await fetch(`http://127.0.0.1:${port}/${name}`);
				expect([name, await response.json()]).toEqual([name, expected]);
			}
		} finally {
			server.kill();
		}
	});

	test("with Jest, as ES modules", async () => {
		await jest(modules, "robots.test.js");
	});

	test("with Jest, not from CommonJS before Node 24.9", async () => {
		const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
		const ran = jest(commonJs, "robots.test.cjs");
		if (major > 24 || (major === 24 && minor >= 9)) await ran;
		else await expect(ran).rejects.toThrow(/Must use import to load ES Module/);
	});
});
