// How VitePress makes the site of the pages in build/source, which site.mjs writes before. Addresses are relative, so the site works in any
// folder; nothing is loaded from elsewhere: the search index, the fonts (the system's) and the library are files of the site.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";

const source = fileURLToPath(new URL("../build/source/", import.meta.url));
const { sidebar } = JSON.parse(readFileSync(`${source}site.json`, "utf8")) as {
	sidebar: DefaultTheme.SidebarMulti;
};

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
	transformHead: ({ pageData: { relativePath } }) => [
		[
			"link",
			{
				rel: "icon",
				type: "image/svg+xml",
				href: `${"../".repeat(relativePath.split("/").length - 1)}icon.svg`,
			},
		],
	],
	markdown: {
		languages: [robotsTxt],
		languageAlias: { hex: "txt" },
		theme: {
			light: "github-light-high-contrast",
			dark: "github-dark-high-contrast",
		},
		anchor: { slugify: slugOf },
		config: (md) => {
			md.core.ruler.push("for_readers", ({ tokens }) => {
				for (const [i, token] of tokens.entries()) {
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
		search: { provider: "local" },
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
