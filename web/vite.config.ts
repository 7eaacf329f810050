import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { charactersOf } from "../scripts/wasm-text.mjs";

/** What scripts/wasm-text.mjs does for esbuild. */
function wasmText(): Plugin {
	return {
		name: "wasm-text",
		enforce: "pre",
		resolveId: (id) => {
			const name = /[\w-]+\.\w+\.wasm$/.exec(id)?.[0];
			return name && `\0text:${name}`;
		},
		load: (id) => {
			const name = /^\0text:(.+\.wasm)$/.exec(id)?.[1];
			if (!name) return undefined;
			const file = new URL(`../build/${name}`, import.meta.url);
			const octets = charactersOf(readFileSync(fileURLToPath(file)));
			return `export default ${JSON.stringify(octets)};`;
		},
	};
}

/** The server for development works with inline styles and a connection of its own, so only a build has the policy. */
const policy: Plugin = {
	name: "content-security-policy",
	apply: "build",
	transformIndexHtml: () => [
		{
			tag: "meta",
			injectTo: "head-prepend",
			attrs: {
				"http-equiv": "Content-Security-Policy",
				content:
					"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'",
			},
		},
	],
};

export default defineConfig({
	root: fileURLToPath(new URL(".", import.meta.url)),
	base: "./",
	plugins: [wasmText(), policy],
	worker: { format: "es", plugins: () => [wasmText()] },
	build: {
		target: "es2022",
		outDir: "dist",
		emptyOutDir: true,
		// The policy has no room for data: addresses.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
	},
});
