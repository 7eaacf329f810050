// The API reference: TypeDoc reads the docstrings of every public entry and writes a Markdown page for each, and for each of its classes
// and interfaces, which pages.mjs then treats like the pages of docs/. One page for an entry is up to 300 KB, which a phone takes seconds to
// show. The entries are those of `exports` in the packages' own package.json; no list names them.
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

/** The folder of an entry's pages: those of "@robotrie/client/redis" are in client-redis/. */
const folderOf = (name) =>
	name.replace(/^@robotrie\//, "").replaceAll("/", "-");

/** The pages of an entry's classes and interfaces, by name. */
function membersIn(source, folder) {
	return readdirSync(join(source, "api", folder), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap(({ name: kind }) =>
			readdirSync(join(source, "api", folder, kind)).map((file) => ({
				name: file.replace(/\.md$/, ""),
				file: `${folder}/${kind}/${file}`,
			})),
		)
		.sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * Writes pages to `api/` in the folder of sources. Returns the name of each entry, in the order of the packages, the file of its page, and
 * those of its members.
 */
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
		outputFileStrategy: "members",
		membersWithOwnFile: ["Class", "Interface"],
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
		child.name = folderOf(entry.name);
	}
	await app.generateOutputs(project);
	return entries.map(({ name }) => {
		const folder = folderOf(name);
		return {
			name,
			file: `${folder}/index.md`,
			members: membersIn(source, folder),
		};
	});
}
