/**
 * A plugin of the build (vite.config.ts) that makes a page of each file in docs/lint, to which the findings link. The pages have no script,
 * and a policy that allows none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { marked } from "marked";
import type { Plugin } from "vite";

const folder = new URL("../../docs/lint/", import.meta.url);

const STYLE = `:root {
	color-scheme: light dark;
	--page: light-dark(#f3f5f6, #121518);
	--card: light-dark(#ffffff, #1a1e22);
	--text: light-dark(#1b2327, #e4e9ec);
	--line: light-dark(#d6dde0, #323a40);
	--accent: light-dark(#0b5d66, #5cc3cf);
}
body { margin: 0; background: var(--page); color: var(--text); font: 16px / 1.55 system-ui, sans-serif; }
a { color: var(--accent); }
nav, main { max-width: 46rem; margin: 0 auto; padding: 14px 16px; }
main { padding: 4px clamp(16px, 4vw, 32px) 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; }
h2 { margin: 1.6em 0 0.5em; font-size: 1.1rem; }
code { font: 0.9em ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
pre { white-space: pre-wrap; padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 6px 12px 6px 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; }
thead th { border: 0; }
`;

/** The first paragraph, as the text of an attribute: search engines show it. */
function descriptionOf(markdown: string): string {
	const isText = ({ type }: { type: string }) => type === "paragraph";
	const text = marked.lexer(markdown).find(isText)?.raw.trim() ?? "";
	const html = marked.parseInline(text, { async: false }) as string;
	return html.replace(/<[^>]*>/g, "").replaceAll("\n", " ");
}

/** A page of docs/lint as one of the site. They are the project's own texts, so their HTML needs no cleaning. */
function pageOf(markdown: string, isList: boolean, icon: string): string {
	const title = /^# (.*)/.exec(markdown)?.[1]?.replaceAll("`", "") ?? "";
	const body = (marked.parse(markdown, { async: false }) as string)
		.replaceAll('href="README.md"', 'href="index.html"')
		.replace(/href="([\w-]+)\.md"/g, 'href="$1.html"')
		// A wide table scrolls by itself, also with the keyboard: hence the tabindex.
		.replaceAll("<table>", '<div class="scroll" tabindex="0"><table>')
		.replaceAll("</table>", "</table></div>");
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${descriptionOf(markdown)}">
<title>${title}</title>
<link rel="icon" href="../${icon}" type="image/svg+xml">
<link rel="stylesheet" href="./page.css">
</head>
<body>
<nav><a href="../">Playground</a>${isList ? "" : ' · <a href="index.html">All findings</a>'}</nav>
<main>
${body}</main>
</body>
</html>
`;
}

/** Writes what docs/lint says about each code beside the page, whose findings link to it. */
export const lintPages: Plugin = {
	name: "lint-pages",
	apply: "build",
	generateBundle(_, bundle) {
		// Its name has a hash, which only the bundle knows.
		const icon = Object.keys(bundle).find((name) => name.endsWith(".svg"));
		for (const file of readdirSync(folder)) {
			const name = file === "README.md" ? "index" : file.replace(/\.md$/, "");
			const markdown = readFileSync(new URL(file, folder), "utf8");
			this.emitFile({
				type: "asset",
				fileName: `lint/${name}.html`,
				source: pageOf(markdown, name === "index", icon ?? ""),
			});
		}
		this.emitFile({ type: "asset", fileName: "lint/page.css", source: STYLE });
	},
};
