import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);
const PREFIX = "\0node_modules/";
const SUFFIX = "?raw";

/** For Rolldown: an import of a package's file that ends in "?raw" gives the file's text, as in Vite. */
export const rawText = {
	name: "raw-text",
	// Its id, which the bundle shows in a comment, does not tell the project's folder.
	resolveId: (id) => (id.endsWith(SUFFIX) ? `${PREFIX}${id}` : undefined),
	load: (id) => {
		if (!id.startsWith(PREFIX) || !id.endsWith(SUFFIX)) return undefined;
		const file = resolve(id.slice(PREFIX.length, -SUFFIX.length));
		const text = JSON.stringify(readFileSync(file, "utf8"));
		return { code: `export default ${text};`, map: null };
	},
};
