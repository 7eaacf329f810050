import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** For Rolldown: an import of a package's file that ends in "?raw" gives the file's text, as in Vite. */
export const rawText = {
	name: "raw-text",
	// Its id, which the bundle shows in a comment, does not tell the project's folder.
	resolveId: (id) => (/\?raw$/.test(id) ? `\0node_modules/${id}` : undefined),
	load: (id) => {
		const [, file] = /^\0node_modules\/(.+)\?raw$/.exec(id) ?? [];
		if (!file) return undefined;
		const text = JSON.stringify(readFileSync(resolve(file), "utf8"));
		return { code: `export default ${text};`, map: null };
	},
};
