import { defineConfig } from "vitest/config";
import { wasmBase64 } from "./scripts/wasm-base64.mjs";

/** The suites that depend on the module; the others run once. */
const engineTests = "test/engine/**/*.test.ts";

export default defineConfig({
	test: {
		testTimeout: 120_000,
		hookTimeout: 120_000,
		projects: [
			...["simd", "scalar", "debug"].map((build) => ({
				plugins: [wasmBase64(build)],
				extends: true as const,
				test: { name: build, include: [engineTests] },
			})),
			{
				plugins: [wasmBase64("simd")],
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
