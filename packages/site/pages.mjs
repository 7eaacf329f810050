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
import { chartsPage, frontChart } from "./charts.mjs";
import { playgroundLink } from "./playground-links.mjs";

/** The sidebar's headings with the files under them, in their order. What is in docs/ and stands nowhere here stops the build. */
const SECTIONS = [
	[
		"Begin",
		["README.md", "docs/README.md", "docs/migrating.md", "CHANGELOG.md"],
	],
	[
		"Library",
		docs("library many-sites sharding columns crawlers other-lines hosting"),
	],
	["robots.txt", [...docs("deviations"), "docs/lint/README.md"]],
	["Command line and data", docs("command-line stream spark python")],
	["Crawlers", docs("client service")],
	["Access logs", docs("audit audit-pipelines log-formats")],
	["Speed", [...docs("performance comparison"), "bench/README.md"]],
	[
		"Inside",
		[
			...[...docs("design security"), "SECURITY.md"],
			...["conformance/README.md", "CONTRIBUTING.md"],
		],
	],
	["Packages", readmesIn("packages", "client server audit cli playground")],
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

function docs(names) {
	return names.split(" ").map((name) => `docs/${name}.md`);
}

function readmesIn(folder, names) {
	return names.split(" ").map((name) => `${folder}/${name}/README.md`);
}

/** What is not worth a line in the sidebar: it is reached by links. */
const UNLISTED = ["bench/peers/README.md"];

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

	async writePage(page, markdown, linkTo = (target) => target) {
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
		this.put(
			page,
			`---\ntitle: ${JSON.stringify(titleOf(markdown))}\n---\n\n${text}`,
		);
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

/** The front page, in the README's words. */
function frontPage(readme) {
	const [question = "", rest = ""] =
		/^# [^\n]*\n\n([^?]*\?) (.*?)\n\n/s.exec(readme)?.slice(1) ?? [];
	const features = [
		...readme.matchAll(/^- \*\*(.+?)\.\*\* (.+(?:\n {2}.+)*)/gm),
	]
		.slice(0, 4)
		.map(([, title, details = ""]) => ({
			title,
			details: details.replaceAll(/\s+/g, " ").replaceAll("`", ""),
		}));
	if (question === "" || features.length < 4)
		throw new Error("README.md does not begin with a question and four claims");
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
		features,
		example: example(),
	};
	return `---
${JSON.stringify(matter)}
---

<main class="front"><VPHomeHero /><LiveVerdict /><VPHomeFeatures /><div class="vp-doc">

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
		const [, ...lines] = (reference.get(file) ?? "").split("\n");
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
	for (const { name, file, members } of api) {
		await write(file, name, []);
		for (const member of members)
			await write(member.file, member.name, [
				`In [\`${name}\`](../index.md)`,
				"",
			]);
	}
	pages.put(
		"api/index.md",
		`---\ntitle: API\n---\n\n# API\n\n${api.map(({ name, file, members }) => `- [\`${name}\`](./${file})${members.length > 0 ? `: ${members.map((member) => `[${member.name}](./${member.file})`).join(", ")}` : ""}`).join("\n")}\n`,
	);
}

/** Writes all pages to `source`, and to site.json what the menus show. */
export async function writePages(root, source, api) {
	const listed = SECTIONS.flatMap(([, files]) => files);
	const findings = readdirSync(join(root, "docs/lint"))
		.filter((name) => name !== "README.md")
		.sort()
		.map((name) => `docs/lint/${name}`);
	const missing = readdirSync(join(root, "docs"))
		.filter((name) => name.endsWith(".md") && !listed.includes(`docs/${name}`))
		.map((name) => `docs/${name}`);
	if (missing.length > 0)
		throw new Error(`no section of the site has ${missing.join(", ")}`);
	const files = [...listed, ...findings, ...UNLISTED];
	const pages = new Pages(root, source, files);
	const titles = new Map();
	for (const file of files) titles.set(file, await pages.write(file));

	await writeReference(pages, source, api);
	pages.put("charts.md", chartsPage());
	pages.put(
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
	writeFileSync(join(source, "site.json"), JSON.stringify({ sidebar }));
}
