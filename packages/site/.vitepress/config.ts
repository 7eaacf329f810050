// How VitePress makes the site of the pages in build/source, which site.mjs writes before. Addresses are relative, so the site works in any
// folder; nothing is loaded from elsewhere: the search index, the fonts (the system's) and the library are files of the site.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig, type HeadConfig } from "vitepress";

const source = fileURLToPath(new URL("../build/source/", import.meta.url));
const { sidebar, address } = JSON.parse(
	readFileSync(`${source}site.json`, "utf8"),
) as { sidebar: DefaultTheme.SidebarMulti; address?: string };

/** Colours for robots.txt. VitePress cuts the name of a language at the dot. */
const robotsTxt = {
	name: "robots",
	scopeName: "text.robots",
	patterns: [
		{ name: "comment.line", match: "#.*$" },
		{
			match: "^\\s*([\\w-]+)\\s*(:)",
			captures: {
				1: { name: "keyword.control" },
				2: { name: "punctuation" },
			},
		},
		{ name: "keyword.operator", match: "[*$]" },
		{ name: "string", match: "[^*$#\\s]+" },
	],
};

/** Headings get the addresses that code hosts give them, as the pages' own links have those. */
const slugOf = (text: string) =>
	text
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}_ -]/gu, "")
		.replaceAll(" ", "-");

const startPage = readFileSync(new URL("start.js", import.meta.url), "utf8")
	// Without what it says to readers of the file.
	.replace(/^.*?(?=^function)/ms, "")
	.trim();

/** The page with its scripts to be started by start.js, in place of the elements that would load them at once. */
function withLateScripts(html: string): string {
	const take = (pattern: RegExp) => {
		const found = [...html.matchAll(pattern)].map(
			([, address = ""]) => address,
		);
		html = html.replaceAll(pattern, "");
		return found;
	};
	const scripts = take(/\n *<script type="module" src="([^"]+)"><\/script>/g);
	const modules = take(/\n *<link rel="modulepreload" href="([^"]+)">/g);
	if (scripts.length !== 2 || modules.length === 0)
		throw new Error(
			"VitePress writes its scripts in another way than start.js expects",
		);
	const call = `(${startPage})(${JSON.stringify(scripts)}, ${JSON.stringify(modules)})`;
	return html.replace("</head>", () => `<script>${call}</script>\n  </head>`);
}

/** Width and height of a picture, in pixels, so that a page does not move when it comes; PNG's header has them, and an SVG's first element. */
function sizeOf(file: string): readonly [string, string] | undefined {
	const bytes = readFileSync(file);
	if (file.endsWith(".png"))
		return [`${bytes.readUInt32BE(16)}`, `${bytes.readUInt32BE(20)}`];
	const [, width, height] =
		/<svg[^>]* viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString()) ?? [];
	return width && height ? [width, height] : undefined;
}

export default defineConfig({
	lang: "en",
	title: "robotrie",
	description:
		"May this crawler fetch this URL? robots.txt compiled to WebAssembly byte-code, for millions of URLs a second.",
	base: "./",
	// All pages of the sidebar would be fetched with the first one.
	router: { prefetchLinks: false },
	srcDir: "build/source",
	cacheDir: "build/cache",
	// The playground and copied files are no pages; tests follow all links.
	ignoreDeadLinks: [/^http:\/\/localhost/, /\/playground\/index$/, /\/files\//],
	transformHead: ({ pageData: { relativePath }, title, description }) => [
		[
			"link",
			{
				rel: "icon",
				type: "image/svg+xml",
				href: `${"../".repeat(relativePath.split("/").length - 1)}icon.svg`,
			},
		],
		...Object.entries({
			"og:type": "website",
			"og:site_name": "robotrie",
			"og:title": title,
			"og:description": description,
			// These two have to be absolute.
			...(address && {
				"og:url": address + relativePath.replace(/\.md$/, ".html"),
				"og:image": `${address}share.png`,
			}),
		}).map(
			([property, content]) => ["meta", { property, content }] as HeadConfig,
		),
		["meta", { name: "twitter:card", content: "summary_large_image" }],
	],
	// The page for missing ones is nothing but script.
	transformHtml: (html, _, { page }) =>
		page === "404.md" ? html : withLateScripts(html),
	markdown: {
		languages: [robotsTxt],
		languageAlias: { hex: "txt" },
		theme: {
			light: "github-light-high-contrast",
			dark: "github-dark-high-contrast",
		},
		anchor: { slugify: slugOf },
		config: (md) => {
			md.core.ruler.push("for_readers", ({ tokens, env }) => {
				for (const [i, token] of tokens.entries()) {
					for (const child of token.children ?? []) {
						const address = String(child.attrGet("src") ?? "");
						if (child.type !== "image" || /^[a-z]+:/.test(address)) continue;
						// Most are far down, and of two for light and dark pages one is never seen.
						child.attrSet("loading", "lazy");
						const size = sizeOf(join(dirname(String(env.path)), address));
						if (!size) continue;
						child.attrSet("width", size[0]);
						child.attrSet("height", size[1]);
					}
					// Indented code gets what fenced code has: it scrolls, and can be copied.
					if (token.type === "code_block") {
						token.type = "fence";
						token.info = "txt";
					}
					// A table's corner is empty, and an empty heading says nothing.
					const close = tokens[i + 2];
					if (token.type !== "th_open" || !close) continue;
					if (tokens[i + 1]?.content !== "") continue;
					token.tag = "td";
					close.tag = "td";
				}
			});
		},
	},
	themeConfig: {
		logo: { src: "/icon.svg", width: 24, height: 24 },
		search: { provider: "local", options: { detailedView: true } },
		outline: [2, 3],
		nav: [
			{ text: "Docs", link: "/readme.html" },
			{ text: "API", link: "/api/index.html" },
			{ text: "Lint", link: "/docs/lint/index.html" },
			{ text: "Charts", link: "/charts.html" },
			{ text: "Playground", link: "/playground/index.html", target: "_self" },
		],
		sidebar,
	},
	vite: {
		// The search index is one file, which is loaded when somebody searches.
		build: { chunkSizeWarningLimit: 5000, assetsInlineLimit: 0 },
	},
});
