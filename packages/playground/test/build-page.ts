/** Before the tests in browsers: builds the page once, which takes 5 s of CPU, and not in each of their ten files. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
	interface ProvidedContext {
		/** The folder of the built page, which no test may change. */
		readonly builtPage: string;
	}
}

export const configFile = fileURLToPath(
	new URL("../vite.config.ts", import.meta.url),
);

export async function setup(project: TestProject): Promise<() => void> {
	const outDir = mkdtempSync(join(tmpdir(), "robotrie-web-"));
	project.provide("builtPage", outDir);
	await build({ configFile, logLevel: "warn", build: { outDir } });
	return () => rmSync(outDir, { recursive: true, force: true });
}
