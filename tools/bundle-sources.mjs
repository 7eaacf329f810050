import { build } from "rolldown";
import { rawText, wasmText } from "./texts.mjs";

/** All but our own files, our packages, and what the bundler or its plugins bring along. */
const INSTALLED =
	/^(?!@oxc-project\/|@?robotrie(?:\/|$))(?:@?[a-z][^:?]*$|node:)/;

/**
 * Bundles a program of bench/ or test/fuzz over the sources of all packages, which name each other: one copy of each, the one that is
 * measured or tested. `variant` stands in for the build of the modules that is published.
 */
export const bundleSources = (
	input,
	file,
	{ external = INSTALLED, variant } = {},
) =>
	build({
		input,
		platform: "node",
		// Its "paths" say where the packages' sources are.
		tsconfig: "tsconfig.json",
		// Node 20 has no "using".
		transform: { target: "es2022" },
		external,
		plugins: [wasmText(variant), rawText],
		output: { file, format: "esm", codeSplitting: false },
	});
