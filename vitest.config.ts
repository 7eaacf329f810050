import { defineConfig } from "vitest/config";
import { wasmText } from "./scripts/wasm-text.mjs";

/** The suites that depend on the module; the others run once. */
const engineTests = "test/engine/**/*.test.ts";

export default defineConfig({
	test: {
		testTimeout: 120_000,
		hookTimeout: 120_000,
		projects: [
			...["simd", "scalar", "debug"].map((build) => ({
				plugins: [wasmText(build)],
				extends: true as const,
				test: { name: build, include: [engineTests] },
			})),
			{
				plugins: [wasmText("simd")],
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
