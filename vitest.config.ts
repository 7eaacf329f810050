import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { charactersOf } from "./scripts/wasm-text.mjs";

/**
 * Puts a build of the module in place of whichever the library asks for, so
 * that one suite runs over all of them.
 */
const moduleBuild = (build: string) => ({
	name: `module-${build}`,
	enforce: "pre" as const,
	resolveId: (id: string) => {
		const [, name, asked] = /([\w-]+)\.(\w+)\.wasm$/.exec(id) ?? [];
		// Others are asked for by purpose, which they alone serve.
		const exchanged = asked === "simd" || asked === "scalar";
		return name && `\0${name}.${exchanged ? build : asked}.wasm`;
	},
	load: (id: string) => {
		if (!id.startsWith("\0") || !id.endsWith(".wasm")) return undefined;
		const file = new URL(`build/${id.slice(1)}`, import.meta.url);
		const octets = charactersOf(readFileSync(fileURLToPath(file)));
		return `export default ${JSON.stringify(octets)};`;
	},
});

/** The suites that depend on the module; the others run once. */
const engineTests = "test/engine/**/*.test.ts";

export default defineConfig({
	test: {
		testTimeout: 120_000,
		hookTimeout: 120_000,
		projects: [
			...["simd", "scalar", "debug"].map((build) => ({
				plugins: [moduleBuild(build)],
				extends: true as const,
				test: { name: build, include: [engineTests] },
			})),
			{
				plugins: [moduleBuild("simd")],
				extends: true as const,
				test: {
					name: "host",
					include: ["test/**/*.test.ts"],
					exclude: [engineTests],
				},
			},
		],
	},
});
