import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** For esbuild: an import that ends in "?raw" gives a file's text, as in Vite. */
export const rawText = {
	name: "raw-text",
	setup(bundle) {
		bundle.onResolve({ filter: /\?raw$/ }, ({ path }) => ({
			path: resolve(path.replace(/\?raw$/, "")),
			namespace: "raw-text",
		}));
		bundle.onLoad({ filter: /./, namespace: "raw-text" }, ({ path }) => ({
			contents: readFileSync(path, "utf8"),
			loader: "text",
		}));
	},
};
