// The pages of the site, made of the files that the repository has anyway: docs/, the READMEs, the API reference and bench/results. A page
// keeps its path, README.md becomes index.md, and the front page takes its words from the README. site.mjs calls it; a link that leads
// nowhere stops the build.
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join, posix } from "node:path";
import { RobotsTxt } from "../../dist/index.js";
import { formatNames } from "../audit/dist/index.js";
import { chartsPage, frontChart } from "./charts.mjs";
import { playgroundLink } from "./playground-links.mjs";

/** The sidebar's headings with the files under them, in their order. What is in docs/ and stands nowhere here stops the build. */
const SECTIONS = [
	[
		"Begin",
		["README.md", "docs/README.md", "docs/migrating.md", "CHANGELOG.md"],
	],
	[
		"Questions",
		docs(
			"block-ai-crawlers allow-only-search-engines blocked-by-mistake indexed-though-blocked what-a-crawler-obeys",
			"docs/questions",
		),
	],
	[
		"Library",
		docs(
			"library many-sites sites sharding columns crawlers other-lines hosting",
		),
	],
	["robots.txt", [...docs("deviations"), "docs/lint/README.md"]],
	["Command line and data", docs("command-line stream spark python")],
	["Crawlers", docs("client service frameworks")],
	[
		"Access logs",
		docs("audit audit-questions audit-counting audit-pipelines log-formats"),
	],
	["Speed", [...docs("performance comparison"), "bench/README.md"]],
	[
		"Inside",
		[
			...docs("design security"),
			"SECURITY.md",
			"conformance/README.md",
			"CONTRIBUTING.md",
		],
	],
	[
		"Packages",
		readmesIn("packages", "client sites server audit cli playground"),
	],
	[
		"Examples",
		[
			"examples/README.md",
			...readmesIn(
				"examples",
				"scheduler crawlee stream service page edge-worker lint-action audit-alert grafana",
			),
		],
	],
	["Other languages", readmesIn("integrations", "spark python go jvm")],
];

function docs(names, folder = "docs") {
	return names.split(" ").map((name) => `${folder}/${name}.md`);
}

function readmesIn(folder, names) {
	return names.split(" ").map((name) => `${folder}/${name}/README.md`);
}

/** What is not worth a line in the sidebar: it is reached by links. */
const UNLISTED = ["bench/peers/README.md"];

/** Titles of pages whose heading is only a name. */
const TITLES = { "readme.md": "Install, and first steps" };

/** The page of a Markdown file. The README has a page of its own beside the front page. */
const pageOf = (file) =>
	file === "README.md" ? "readme.md" : file.replace(/README\.md$/, "index.md");

const FENCE = /^( *)(`{3,})([^\n`]*)\n(.*?\n)\1\2$/gms;

/** Texts between fenced blocks go through `text`, the blocks through `block`; both may be asynchronous. */
async function mapped(markdown, { text, block }) {
	let at = 0;
	let result = "";
	for (const found of markdown.matchAll(FENCE)) {
		result += text(markdown.slice(at, found.index));
		result += found[0] + (await block(found[3].trim(), found[4]));
		at = found.index + found[0].length;
	}
	return result + text(markdown.slice(at));
}

/** The title of a page, as text. */
const titleOf = (markdown) =>
	(/^# (.*)/m.exec(markdown)?.[1] ?? "").replaceAll(/[`\\]/g, "");

/** What a search engine or a shared link shows of a page: the beginning of its first paragraph, as text. */
function descriptionOf(markdown) {
	const paragraphs = markdown
		.replaceAll(FENCE, "")
		.split(/\n\s*\n/)
		.filter((text) => /^[\p{L}\p{N}`[*@"(]/u.test(text));
	const text = (paragraphs[0] ?? "")
		.replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)|<[^>]*>|`|\*\*/g, "$1")
		.replaceAll(/\s+/g, " ");
	if (text.length <= 200) return text;
	return `${text.slice(0, 200).replace(/[\s,;:]+\S*$/, "")} …`;
}

class Pages {
	#root;
	#source;
	/** The page of each file that has one. */
	#pages;

	constructor(root, source, files) {
		this.#root = root;
		this.#source = source;
		this.#pages = new Map(files.map((file) => [file, pageOf(file)]));
	}

	/** Writes the page of a file of the repository, and copies the pictures and the files that it links to. */
	async write(file) {
		// README's picture has a width, for the page that shows it first; here it is one like any other, with its dark one.
		const markdown = readFileSync(join(this.#root, file), "utf8").replace(
			/<img src="([^"]+)"[^>]* alt="([^"]*)">/g,
			"![$2]($1)",
		);
		await this.writePage(this.#pages.get(file), markdown, (target) =>
			this.#linkTo(target, file),
		);
		return titleOf(markdown);
	}

	async writePage(page, markdown, linkTo) {
		const matter = {
			title: TITLES[page] ?? titleOf(markdown),
			description: descriptionOf(markdown) || titleOf(markdown),
			...(page.startsWith("api/") && {
				titleTemplate: ":title · robotrie API",
			}),
		};
		await this.writeText(
			page,
			`---\n${JSON.stringify(matter)}\n---\n\n${markdown}`,
			linkTo,
		);
	}

	/** The same for text that has its front matter. */
	async writeText(page, markdown, linkTo = (target) => target) {
		const links = (text) =>
			text.replace(
				/(!?\[(?:[^[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)/g,
				(all, label, target) => {
					const link = linkTo(target);
					const dark = label.startsWith("!") && this.#darkOf(page, target);
					if (dark)
						return `${label}(${target}){.in-light} ${label}(${dark}){.in-dark}`;
					return link === undefined
						? label.slice(1, -1)
						: link === target
							? all
							: `${label}(${link}${link.endsWith('"') ? "}" : ")"}`;
				},
			);
		const up = posix.relative(posix.dirname(page), ".") || ".";
		const text = await mapped(markdown, {
			text: links,
			block: async (language, code) => {
				const hash = await playgroundLink(language, code);
				return hash
					? `\n\n<p class="open-playground"><a href="${up}/playground/index.html#${hash}" target="_blank">Open in the playground</a></p>\n`
					: "";
			},
		});
		this.put(page, text);
	}

	/** The same picture of a dark page: NAME-dark.png beside NAME.png. It is copied as #linkTo copies the other one. */
	#darkOf(page, target) {
		const dark = target.replace(/\.png$/, "-dark.png");
		const path = posix.join(posix.dirname(page), dark);
		if (dark === target || !existsSync(join(this.#root, path)))
			return undefined;
		copyFileSync(join(this.#root, path), join(this.#source, path));
		return dark;
	}

	put(page, text) {
		const path = join(this.#source, page);
		mkdirSync(join(path, ".."), { recursive: true });
		writeFileSync(path, text);
	}

	/** A link as the page of `file` has it; undefined where it leads to a folder, which the site does not have. */
	#linkTo(target, file) {
		if (/^([a-z]+:|#)/.test(target)) return target;
		const [path = "", hash] = target.split("#");
		const from = posix.dirname(this.#pages.get(file));
		const to = posix.join(posix.dirname(file), path);
		const page = this.#pages.get(to);
		const back = (place) => `./${posix.relative(from, place)}`;
		if (page) return back(page) + (hash === undefined ? "" : `#${hash}`);
		const found = join(this.#root, to);
		if (!existsSync(found))
			throw new Error(`${file} links to ${target}, which does not exist`);
		if (statSync(found).isDirectory()) {
			const readme = this.#pages.get(posix.join(to, "README.md"));
			return readme && back(readme);
		}
		if (to.endsWith("README.md"))
			throw new Error(`${file} links to ${to}, which no section has`);
		const isPicture = /\.(png|svg)$/.test(to);
		const copy = isPicture ? to : `public/files/${to}`;
		mkdirSync(join(this.#source, copy, ".."), { recursive: true });
		copyFileSync(found, join(this.#source, copy));
		// No page of VitePress's, which would otherwise end in ".html".
		return isPicture
			? target
			: `${back(copy.replace("public/", ""))}){target="_self"`;
	}
}

/** What the front page shows a verdict of, and the verdict. */
function example() {
	const robots = `User-agent: *
Disallow: /private/
Allow: /private/*.html$

User-agent: GPTBot
Disallow: /
`;
	const url = "https://example.com/private/a.html";
	const agent = "ExampleBot";
	const { allowed, reason, rule } = RobotsTxt.parse(robots).explain(url, agent);
	return { robots, url, agent, verdict: { allowed, reason, rule } };
}

/** The front page's three doors: who comes, and where they find their answer. */
const DOORS = [
	{
		title: "Test a file",
		details:
			"Paste a robots.txt: which URLs may be fetched, which line decides, what is wrong with it and how it is repaired.",
		link: "/playground/index.html",
		linkText: "Open the playground",
		target: "_self",
	},
	{
		title: "AI crawlers and logs",
		details:
			"Who may train on a site, and who disobeyed: put access logs into the page or the command line, and get a report.",
		link: "/docs/questions/block-ai-crawlers.html",
		linkText: "Block GPTBot and others",
	},
	{
		title: "The library",
		details:
			"One URL or a million sites, in Node, browsers, Deno, Bun and at the edge; Python, Go, Java and Spark as well.",
		link: "/docs/library.html",
		linkText: "Read how it is called",
	},
];

/** The front page, in the README's words. */
function frontPage(readme) {
	const [question = "", rest = ""] =
		/^# [^\n]*\n\n([^?]*\?) (.*?)\n\n/s.exec(readme)?.slice(1) ?? [];
	const claims = readme.match(/^- \*\*(.+?)\.\*\* (.+(?:\n {2}.+)*)/gm) ?? [];
	const [, install, note = ""] =
		/^## Install\n\n {4}([^\n]+)\n\n(.*?)\n\n/ms.exec(readme) ?? [];
	if (question === "" || claims.length < 4 || !install)
		throw new Error(
			"README.md has no question, four claims and a line to install it",
		);
	const matter = {
		// The theme's page "home" has no landmark for what is on it.
		layout: "page",
		sidebar: false,
		title: "robotrie",
		titleTemplate: question,
		hero: {
			name: "robotrie",
			text: question,
			tagline: rest.replaceAll(/\s+/g, " "),
			actions: [
				{ theme: "brand", text: "Get started", link: "/readme.html#install" },
				{
					theme: "alt",
					text: "Open the playground",
					link: "/playground/index.html",
					target: "_self",
				},
				{ theme: "alt", text: "API", link: "/api/index.html" },
			],
		},
		features: DOORS,
		example: example(),
	};
	return `---
${JSON.stringify(matter)}
---

<main class="front"><VPHomeHero />

<div class="vp-doc install">

\`\`\`sh
${install}
\`\`\`

${note}

</div>

<div><VPHomeFeatures /></div>
<div class="front-verdict"><LiveVerdict /></div>

<div class="vp-doc">

${claims.slice(0, 4).join("\n").replace(" (pictured)", "")}

## Which crawlers disobey

[\`robotrie audit\`](./docs/audit.md) reads access logs of ${formatNames.length} formats, and says it in one sentence, a chart and a table.

![The report of an audit: 3 of 3 AI crawlers disregarded robots.txt in 666 requests; charts by purpose, by time and by crawler](./docs/images/report.png)

${frontChart()}

</div></main>
`;
}

/** The entries, of one of which the members are listed. */
function apiMenu(api, open) {
	const link = ({ name, file }) => ({ text: name, link: `/api/${file}` });
	return [
		{
			text: "API",
			items: api.map((entry) => ({
				...link(entry),
				...(entry === open &&
					entry.members.length > 0 && { items: entry.members.map(link) }),
			})),
		},
	];
}

/** What an entry exports, as a table with a sentence each; `from` is the folder of the page that has it. */
function namesTable(names, from, heading) {
	if (names.length === 0) return "";
	const rows = names.map(
		({ name, place, sentence }) =>
			`| [\`${name}\`](${from}${place}) | ${sentence} |`,
	);
	return `| ${heading} | |\n|---|---|\n${rows.join("\n")}\n`;
}

/** Rewrites TypeDoc's pages in place, and writes the page that lists them. */
async function writeReference(pages, source, api) {
	const files = api.flatMap(({ file, members }) => [
		file,
		...members.map((member) => member.file),
	]);
	const reference = new Map(
		files.map((file) => [
			file,
			readFileSync(join(source, "api", file), "utf8"),
		]),
	);
	const write = async (file, title, note) => {
		const [, ...lines] = (reference.get(file) ?? "")
			// The note has these names with a sentence each.
			.replace(/^## (?:Classes|Interfaces)\n\n(?:- .*\n)+/gm, "")
			.split("\n");
		// TypeDoc counts names of a kind that have no heading on the page, and so links to a second one that is not there.
		const linkTo = (target) => {
			const [, page, slug] = /^(.*)#(\w+)-1$/.exec(target) ?? [];
			if (slug === undefined) return target;
			const headings = new RegExp(`^#+ ${slug}$`, "gim");
			const to =
				page === "" ? file : posix.join(posix.dirname(file), page ?? "");
			const text = reference.get(to) ?? "";
			return text.match(headings)?.length === 1 ? `${page}#${slug}` : target;
		};
		const text = [`# ${title}`, "", ...note, ...lines].join("\n");
		await pages.writePage(`api/${file}`, text, linkTo);
	};
	for (const { name, about, file, members, names } of api) {
		await write(file, name, [
			about,
			"",
			namesTable(
				names.filter((one) => !one.isType),
				"./",
				"to call",
			),
			namesTable(
				names.filter((one) => one.isType),
				"./",
				"types",
			),
		]);
		for (const member of members)
			await write(member.file, member.name, [
				`In [\`${name}\`](../index.md)`,
				"",
			]);
	}
	await pages.writePage(
		"api/index.md",
		`# API\n\nEvery entry that a program can import, and what to begin with. The page of an entry also has its types.\n\n${api
			.map(({ name, about, file, names }) => {
				const folder = `./${posix.dirname(file)}/`;
				return `## [\`${name}\`](./${file})\n\n${about}\n\n${namesTable(
					names.filter((one) => !one.isType),
					folder,
					"to call",
				)}`;
			})
			.join("\n")}`,
	);
}

/** Writes all pages to `source`, and to site.json what the menus show and where the site will stand, if that is known. */
export async function writePages(root, source, api, address) {
	const listed = SECTIONS.flatMap(([, files]) => files);
	const findings = readdirSync(join(root, "docs/lint"))
		.filter((name) => name !== "README.md")
		.sort()
		.map((name) => `docs/lint/${name}`);
	const missing = ["docs", "docs/questions"]
		.flatMap((folder) =>
			readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
		)
		.filter((name) => name.endsWith(".md") && !listed.includes(name));
	if (missing.length > 0)
		throw new Error(`no section of the site has ${missing.join(", ")}`);
	const files = [...listed, ...findings, ...UNLISTED];
	const pages = new Pages(root, source, files);
	const titles = new Map();
	for (const file of files) titles.set(file, await pages.write(file));

	await writeReference(pages, source, api);
	pages.put("charts.md", chartsPage());
	await pages.writeText(
		"index.md",
		frontPage(readFileSync(join(root, "README.md"), "utf8")),
	);

	const item = (file) => ({
		text: titles.get(file),
		link: `/${pageOf(file)}`,
	});
	const more = new Map([
		["Library", { text: "API", link: "/api/index.md" }],
		["Speed", { text: "Charts", link: "/charts.md" }],
	]);
	const sections = SECTIONS.map(([text, files]) => ({
		text,
		items: [...files.map(item), ...(more.has(text) ? [more.get(text)] : [])],
	}));
	// A menu for each part: one with everything makes every page slower on a phone.
	const sidebar = {
		"/": sections,
		"/docs/lint/": [
			{
				text: "Findings",
				items: ["docs/lint/README.md", ...findings].map(item),
			},
		],
		"/api/": apiMenu(api),
		...Object.fromEntries(
			api.map((entry) => [
				`/api/${posix.dirname(entry.file)}/`,
				apiMenu(api, entry),
			]),
		),
	};
	writeFileSync(
		join(source, "site.json"),
		JSON.stringify({ sidebar, address }),
	);
}
