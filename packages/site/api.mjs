// The API reference: TypeDoc reads the docstrings of every public entry and writes a Markdown page for each, and for each of its classes
// and interfaces, which pages.mjs then treats like the pages of docs/. One page for an entry is up to 300 KB, which a phone takes seconds to
// show. The entries are those of `exports` in the packages' own package.json; no list names them.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Application, ReflectionKind } from "typedoc";
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
				folder,
				about: name === "." ? about.description : undefined,
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

/** The first sentence of a docstring, as Markdown in one line, or what `pattern` takes of it. */
function sentenceOf(
	{ comment, signatures, type },
	pattern = /^(.*?[.:])(?= [A-Z`"]|$)/,
) {
	const parts =
		comment?.summary ??
		signatures?.[0]?.comment?.summary ??
		type?.declaration?.comment?.summary ??
		[];
	const text = parts
		.map((part) => part.text)
		.join("")
		.split(/\n\s*\n/)[0]
		.replaceAll(/\s+/g, " ")
		.trim();
	const first = pattern.exec(text)?.[1] ?? text;
	return first.replace(/:$/, ".").replaceAll("|", "\\|");
}

const isType = ({ kind }) =>
	kind === ReflectionKind.Interface || kind === ReflectionKind.TypeAlias;
const isError = ({ name }) => name.endsWith("Error");

/**
 * What an entry exports, each with a sentence and its address: what runs before types, classes before functions, in the order in which the
 * package's README names them, so that the one to begin with stands first; an entry's namesake begins it.
 */
function namesOf(module, entry, readme) {
	const placeIn = ({ name }) => {
		if (entry.endsWith(`/${name}`)) return -1;
		const at = readme.search(new RegExp(`\\b${name}\\b`));
		return at === -1 ? readme.length : at;
	};
	const rank = (one) => [
		Number(isType(one)),
		Number(isError(one)),
		Number(one.kind !== ReflectionKind.Class),
		placeIn(one),
	];
	const compare = (a, b) => {
		const ranks = rank(b);
		const other = rank(a).findIndex((value, i) => value !== ranks[i]);
		return other === -1
			? a.name.localeCompare(b.name, "en")
			: rank(a)[other] - ranks[other];
	};
	const page = {
		[ReflectionKind.Class]: "classes",
		[ReflectionKind.Interface]: "interfaces",
	};
	const found = new Map();
	for (const one of module.children.toSorted(compare)) {
		// What another entry exports, too, stands on its page; of a value and a type with one name the value comes first.
		if (one.kind === ReflectionKind.Reference || found.has(one.name)) continue;
		const folder = page[one.kind];
		found.set(one.name, {
			name: one.name === "module.exports" ? "default" : one.name,
			isType: isType(one),
			sentence: sentenceOf(one),
			place: folder
				? `${folder}/${one.name}.md`
				: `index.md#${one.name.toLowerCase()}`,
		});
	}
	return [...found.values()];
}

/**
 * Writes pages to `api/` in the folder of sources. Returns the name of each entry, in the order of the packages, what it is for, the file of
 * its page, those of its members, and all that it exports.
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
	const abouts = new Map();
	// TypeDoc names modules, and so their pages, by the paths of their sources.
	for (const child of project.children ?? []) {
		const entry = entries.find(
			(one) => one.source.replace(/(\/index)?\.ts$/, "") === child.name,
		);
		if (!entry) throw new Error(`no entry has the source ${child.name}`);
		child.name = folderOf(entry.name);
		// "NAME: what it is for. Why the file is as it is."
		const text = sentenceOf(child, /^.*?: (.*?\.)(?= |$)/);
		abouts.set(entry.name, text.charAt(0).toUpperCase() + text.slice(1));
		delete child.comment;
	}
	await app.generateOutputs(project);
	return entries.map(({ name, about, folder: packageFolder }) => {
		const folder = folderOf(name);
		const module = project.children.find((child) => child.name === folder);
		return {
			name,
			about: about ?? abouts.get(name),
			file: `${folder}/index.md`,
			members: membersIn(source, folder),
			names: namesOf(
				module,
				name,
				readFileSync(join(root, packageFolder, "README.md"), "utf8"),
			),
		};
	});
}
