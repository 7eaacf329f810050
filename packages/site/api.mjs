// The API reference: TypeDoc reads the docstrings of every public entry and writes a Markdown page for each, which pages.mjs then treats
// like the pages of docs/. The entries are those of `exports` in the packages' own package.json; no list names them.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Application } from "typedoc";
import { load } from "typedoc-plugin-markdown";

const NOT_DOCUMENTED = /internal|\.json$|\*/;

/** Each public entry: the name that is imported, and its source. */
function entriesOf(root) {
	const folders = [
		".",
		...readdirSync(join(root, "packages")).map((name) => `packages/${name}`),
	];
	return folders.flatMap((folder) => {
		let about;
		try {
			about = JSON.parse(
				readFileSync(join(root, folder, "package.json"), "utf8"),
			);
		} catch {
			return [];
		}
		return Object.keys(about.private ? {} : (about.exports ?? {}))
			.filter((name) => !NOT_DOCUMENTED.test(name))
			.map((name) => ({
				name: posix.join(about.name, name),
				source: posix.join(
					folder,
					"src",
					`${name === "." ? "index" : name.slice(2)}.ts`,
				),
			}));
	});
}

/** The file of an entry's page: "@robotrie/client/redis" is in client-redis.md. */
const fileOf = (name) =>
	`${name.replace(/^@robotrie\//, "").replaceAll("/", "-")}.md`;

/** Writes pages to `api/` in the folder of sources. Returns their names and files, in the order of the packages. */
export async function writeApi(root, source) {
	const entries = entriesOf(root);
	const app = await Application.bootstrapWithPlugins({
		plugin: [load],
		entryPoints: entries.map((entry) => join(root, entry.source)),
		tsconfig: join(root, "tsconfig.json"),
		basePath: root,
		skipErrorChecking: true,
		logLevel: "Error",
		outputs: [{ name: "markdown", path: join(source, "api") }],
		readme: "none",
		disableSources: true,
		excludeInternal: true,
		excludePrivate: true,
		excludeExternals: true,
		outputFileStrategy: "modules",
		entryFileName: "index",
		hidePageHeader: true,
		hideBreadcrumbs: true,
		hideGroupHeadings: false,
		useCodeBlocks: true,
		parametersFormat: "table",
		interfacePropertiesFormat: "list",
	});
	const project = await app.convert();
	if (!project) throw new Error("TypeDoc could not read the sources");
	// TypeDoc names modules, and so their pages, by the paths of their sources.
	for (const child of project.children ?? []) {
		const entry = entries.find(
			(one) => one.source.replace(/(\/index)?\.ts$/, "") === child.name,
		);
		if (!entry) throw new Error(`no entry has the source ${child.name}`);
		child.name = fileOf(entry.name).replace(/\.md$/, "");
	}
	await app.generateOutputs(project);
	return entries.map(({ name }) => ({ name, file: fileOf(name) }));
}
