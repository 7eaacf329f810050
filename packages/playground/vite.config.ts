/**
 * The build of the page: static files under a policy that allows no inline code, one inline style sheet and no other server, and a service worker
 * that keeps them all. `npm run web` also serves it. What must hold: all that the page loads is a file of the build, and the first load
 * stays small (what panes need is split off).
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { htmlReport, LogAudit } from "@robotrie/audit";
import compression from "compression";
import { type Connect, defineConfig, type Plugin } from "vite";
import { wasmText } from "../../tools/texts.mjs";
import { lintPages } from "./lint-pages.ts";
import { FRAME_SCRIPT } from "./views/log/report-frame.ts";

/** Trims half a megabyte of crawler-user-agents to what @robotrie/audit reads of it. */
const crawlerList: Plugin = {
	name: "crawler-list",
	enforce: "pre",
	transform: (code, id) => {
		if (!/crawler-user-agents\.json$/.test(id)) return undefined;
		const list = JSON.parse(code) as readonly {
			pattern: string;
			instances: readonly string[];
			tags?: readonly string[];
		}[];
		const read = list.map(({ pattern, instances, tags = [] }) => ({
			pattern,
			instances: instances.slice(0, 1),
			tags: tags.slice(0, 1),
		}));
		return JSON.stringify(read);
	},
};

const hashOf = (text: string) =>
	`'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The hashes of the style and the script that the audit's report has in it, as its frame has the policy of the page, too. */
async function hashesOfReport() {
	const bytes = new Uint8Array();
	const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
	const page = await htmlReport(audit.report());
	const [, style, script] =
		/ style-src ('sha256-\S+'); script-src ('sha256-\S+');/.exec(page) ?? [];
	if (!style || !script) throw new Error("the report has no policy");
	return { style, script };
}

/**
 * The page's own style sheet goes into the page: as a file, it kept a phone from drawing for 150 ms more, behind the scripts. The server
 * for development works with inline styles and a connection of its own, so only a build has the policy. As a page of the site it may ask its
 * own server: Lighthouse reads that server's robots.txt from within the page, and without this counts it as missing.
 */
const policy = (mode: string): Plugin => ({
	name: "content-security-policy",
	apply: "build",
	transformIndexHtml: {
		order: "post",
		handler: async (html, { bundle = {} }) => {
			const report = await hashesOfReport();
			let style = "";
			const page = html.replace(
				/<link rel="stylesheet"[^>]* href="\.\/([^"]+)">/,
				(link, name: string) => {
					const sheet = bundle[name];
					if (sheet?.type !== "asset") return link;
					delete bundle[name];
					style = String(sheet.source).trim();
					return `<style>${style}</style>`;
				},
			);
			if (style === "") throw new Error("the page has no style sheet");
			const connect = mode === "site" ? " connect-src 'self';" : "";
			const content = `default-src 'none';${connect} script-src 'self' 'wasm-unsafe-eval' ${report.script} ${hashOf(FRAME_SCRIPT)}; worker-src 'self'; style-src 'self' ${report.style} ${hashOf(style)}; img-src 'self'; base-uri 'none'; form-action 'none'`;
			const attrs = { "http-equiv": "Content-Security-Policy", content };
			return {
				html: page,
				tags: [{ tag: "meta", injectTo: "head-prepend", attrs }],
			};
		},
	},
});

/**
 * Begins to load what main.ts imports while that is still under way; Vite's own preloading would add its code to every chunk. Dependencies
 * of the entry alone: what is imported later is loaded later.
 */
const preload: Plugin = {
	name: "preload",
	apply: "build",
	transformIndexHtml: {
		order: "post",
		handler: (_, { chunk }) =>
			(chunk?.imports ?? []).map((file) => ({
				tag: "link",
				injectTo: "head" as const,
				attrs: { rel: "modulepreload", href: `./${file}` },
			})),
	},
};

/**
 * As a page of the documentation's site, which builds it in the mode "site", the page leads back there, and links to it show the site's
 * picture if it is known where the site will stand (site.mjs): such addresses have to be absolute.
 */
const ofSite = (mode: string, address = process.env.SITE_ADDRESS): Plugin => ({
	name: "of-site",
	transformIndexHtml: (html) => ({
		html: html.replace(
			"<!-- docs -->\n",
			mode === "site"
				? '<p class="docs"><a href="../readme.html">Docs</a> <a href="../api/index.html">API</a></p>\n'
				: "",
		),
		tags: [
			{ property: "og:image", content: `${address}share.png` },
			{ name: "twitter:card", content: "summary_large_image" },
		]
			.filter(() => mode === "site" && address)
			.map((attrs) => ({ tag: "meta", injectTo: "head" as const, attrs })),
	}),
});

/** Writes the service worker, which knows the names of all files; a change of any of them makes a new version. */
const serviceWorker: Plugin = {
	name: "service-worker",
	apply: "build",
	writeBundle({ dir = "" }, bundle) {
		// Sorted, so that the version changes with the files and not with the order in which they were built.
		const names = Object.keys(bundle).sort();
		const hash = createHash("sha256");
		for (const name of names)
			hash.update(name).update(readFileSync(join(dir, name)));
		const files = names.map((name) => (name === "index.html" ? "./" : name));
		const source = new URL("service-worker.js", import.meta.url);
		writeFileSync(
			join(dir, "service-worker.js"),
			`const FILES = ${JSON.stringify(files)};\nconst VERSION = "${hash.digest("hex").slice(0, 16)}";\n${readFileSync(source, "utf8")}`,
		);
	},
};

/** `npm run web` serves what a good host of static files would: compressed, and names with a hash to be kept. */
const servedFiles: Plugin = {
	name: "served-files",
	configurePreviewServer({ middlewares }) {
		middlewares.use(compression() as Connect.NextHandleFunction);
		middlewares.use((request, response, next) => {
			// Browsers then have finer clocks, for the benchmark.
			response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
			response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
			if (request.url?.startsWith("/assets/"))
				response.setHeader("Cache-Control", "max-age=31536000, immutable");
			next();
		});
	},
};

export default defineConfig(({ mode }) => ({
	root: fileURLToPath(new URL(".", import.meta.url)),
	base: "./",
	plugins: [
		wasmText(),
		policy(mode),
		preload,
		ofSite(mode),
		lintPages,
		serviceWorker,
		servedFiles,
	],
	resolve: {
		// Packages find each other's sources as TypeScript does.
		tsconfigPaths: true,
	},
	worker: {
		format: "es",
		plugins: () => [wasmText(), crawlerList],
		// What most of their parts share, in one file, and its module, which is text that nothing else resembles, in another: five small files
		// take 1.4 KB more.
		rolldownOptions: {
			output: {
				codeSplitting: {
					groups: [
						{ name: "module", test: /wasm$/, minShareCount: 2, priority: 2 },
						{ name: "core", minShareCount: 3, priority: 1 },
					],
				},
			},
		},
	},
	build: {
		target: "es2022",
		outDir: "dist",
		emptyOutDir: true,
		// The policy has no room for data: addresses.
		assetsInlineLimit: 0,
		modulePreload: false,
		// What two panes share, in one file: a dozen small ones take 1.1 KB more.
		rolldownOptions: {
			output: {
				codeSplitting: {
					groups: [
						{
							name: "shared",
							// Not what only parts that are loaded on demand share: CodeMirror, in whose place a textarea stands at first.
							test: /playground[\\/](?:[\w-]+[\\/])*(?!who(?:-card)?\.|save|(?:text-)?editor\.|line-marks|doc-text)[\w-]+\.ts$/,
							minShareCount: 2,
							priority: 2,
						},
						{
							name: "editor",
							test: /@codemirror|playground[\\/]editor[\\/](?:(?:text-)?editor\.|line-marks|doc-text)/,
							minShareCount: 2,
							priority: 1,
						},
					],
				},
			},
		},
	},
}));
