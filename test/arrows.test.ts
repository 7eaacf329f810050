import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { packageFolders, root, rowOf } from "./installed.ts";

/**
 * The packages are rooms with doors: their sources import another package by its name, through its `exports`, and files inside a
 * package import each other in one direction. What the bundler makes of circles works by luck.
 */
const folders = {
	...packageFolders,
	"@robotrie/playground": "packages/playground",
};

/** Which packages the sources of each import. */
const arrows: Readonly<Record<string, readonly string[]>> = {
	robotrie: [],
	"@robotrie/client": ["robotrie"],
	"@robotrie/audit": ["robotrie"],
	"@robotrie/server": ["@robotrie/client", "robotrie"],
	"@robotrie/sites": ["robotrie"],
	// The service's types: the package is loaded if it is there.
	"@robotrie/cli": [
		"@robotrie/audit",
		"@robotrie/client",
		"@robotrie/server",
		"@robotrie/sites",
		"robotrie",
	],
	"@robotrie/playground": ["@robotrie/audit", "robotrie"],
};

/** Folders whose sources the bundler puts into every package that imports them, by these names. */
const shared: Readonly<Record<string, string>> = {
	"#robotrie/common": "src/common",
	"#robotrie/format": "assembly/format",
	"#sites/files": "packages/sites/src/files",
	"#sites/threads": "packages/sites/src/threads",
};

/** What a file imports, types included, and the files that it names for threads. */
const IMPORT =
	/(?:\bfrom\s+|\bimport\s*\(?\s*|\bnew URL\(\s*)["']([^"'\n]+)["']/g;

const importsOf = (file: string) =>
	[...readFileSync(join(root, file), "utf8").matchAll(IMPORT)].map(
		([, specifier = ""]) => specifier,
	);

/** A package's sources, from the project's folder; the playground's are beside its package.json, with its tests and what it is built to. */
const sourcesOf = (name: string, kind = "src") => {
	const isPage = name === "@robotrie/playground" && kind === "src";
	const folder = join(rowOf(folders, name), isPage ? "." : kind);
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((file) => !isPage || !/^(?:test|dist)\b/.test(file))
		.filter((file) => /^(?!.*node_modules).*(?<!\.config)\.ts$/.test(file))
		.map((file) => join(folder, file).split(sep).join("/"))
		.sort();
};

/** Where a relative import of a file leads, from the project's folder. */
const target = (file: string, specifier: string) =>
	join(dirname(file), specifier).split(sep).join("/");

const exportsOf = (name: string) =>
	Object.keys(
		(
			JSON.parse(
				readFileSync(join(root, rowOf(folders, name), "package.json"), "utf8"),
			) as { exports: Record<string, unknown> }
		).exports,
	);

const SHOWN = /^(bench|docs\/lint|sample)\//;

const names = Object.keys(folders);

describe.each(names)("%s", (name) => {
	const files = sourcesOf(name);
	const imports = files.flatMap((file) =>
		importsOf(file).map((specifier) => ({ file, specifier })),
	);

	test("imports other packages by their names, in the one direction", () => {
		const others = new Set<string>();
		for (const { file, specifier } of imports) {
			const other = names.find(
				(each) => specifier === each || specifier.startsWith(`${each}/`),
			);
			if (!other || (other === name && specifier === name)) continue;
			others.add(other);
			const entry = `.${specifier.slice(other.length)}`;
			expect(exportsOf(other), `${file} imports ${specifier}`).toContain(entry);
		}
		expect([...others].sort()).toEqual([...rowOf(arrows, name)].sort());
	});

	test("contains sources of others only from the folders that are shared", () => {
		const named = imports.filter(({ specifier }) => specifier.startsWith("#"));
		for (const { file, specifier } of named) {
			const folder = shared[dirname(specifier)];
			expect(folder, `${file} imports ${specifier}`).toBeDefined();
			// Its own files are imported by their paths.
			expect(file.startsWith(`${folder}/`), file).toBe(false);
		}
	});

	test("reaches nothing outside its folder but compiled modules", () => {
		const inside =
			rowOf(folders, name) === "." ? "" : `${rowOf(folders, name)}/`;
		const own = (path: string) =>
			inside === ""
				? !/^(\.\.|packages)\//.test(path)
				: path.startsWith(inside);
		const leaving = imports.filter(({ file, specifier }) => {
			if (!specifier.startsWith(".")) return false;
			const path = target(file, specifier);
			if (/^build\/[\w-]+\.\w+\.wasm$/.test(path)) return false;
			// The playground, which is not published, shows them.
			if (name === "@robotrie/playground" && SHOWN.test(path)) return false;
			return !own(path);
		});
		expect(leaving).toEqual([]);
	});

	test("its files import each other without circles, types included", () => {
		const imported = new Map(
			files.map((file) => [
				file,
				importsOf(file)
					.filter((specifier) => specifier.startsWith("."))
					.map((specifier) => target(file, specifier)),
			]),
		);
		expect(circlesOf(imported)).toEqual([]);
	});
});

test("comments name files that there are", () => {
	const sources = [
		...names.flatMap((name) => sourcesOf(name)),
		...names.flatMap((name) => sourcesOf(name, "test")),
		...sourcesOf("@robotrie/audit", "assembly"),
		...sourcesOf("robotrie", "assembly"),
		...sourcesOf("robotrie", "bench"),
		...sourcesOf("@robotrie/client", "bench"),
	];
	const ends = sources.map((file) => `/${file}`);
	const unknown = sources.flatMap((file) =>
		commentsOf(file)
			.flatMap((line) => line.match(FILE_NAME) ?? [])
			.filter((name) => !ends.some((end) => end.endsWith(`/${name}`)))
			.map((name) => `${file}: ${name}`),
	);
	expect(unknown).toEqual([]);
});

/** Paths of sources, but for those with a placeholder, as src/ENTRY.ts. */
const FILE_NAME = /(?<![\w./-])(?:[\w-]+\/)*[a-z][\w-]*(?:\.test)?\.ts\b/g;

const commentsOf = (file: string) =>
	readFileSync(join(root, file), "utf8")
		.split("\n")
		.filter((line) => /^\s*(?:\*|\/\/|\/\*)/.test(line));

test("shared folders import nothing of their packages but layouts of the engine, and errors are a file of nothing else", () => {
	const folders = Object.values(shared);
	for (const folder of folders) {
		const files = readdirSync(join(root, folder)).map(
			(file) => `${folder}/${file}`,
		);
		const others = files
			.flatMap((file) =>
				importsOf(file)
					.filter((specifier) => specifier.startsWith("."))
					.map((specifier) => target(file, specifier)),
			)
			.filter((path) => !folders.includes(dirname(path)))
			.filter((path) => !path.startsWith("assembly/format/"));
		expect(others).toEqual([]);
	}
	expect(importsOf("src/common/errors.ts")).toEqual([]);
});

test("AssemblyScript of a package imports its own and the root's", () => {
	const files = sourcesOf("@robotrie/audit", "assembly");
	expect(files.length).toBeGreaterThan(5);
	const others = files.flatMap((file) =>
		importsOf(file)
			.map((specifier) => target(file, specifier))
			.filter(
				(path) =>
					!path.startsWith("packages/audit/assembly/") &&
					!path.startsWith("assembly/"),
			),
	);
	expect(others).toEqual([]);
	for (const file of sourcesOf("robotrie", "assembly"))
		for (const specifier of importsOf(file))
			expect(target(file, specifier)).toMatch(/^assembly\//);
});

/** Folders of a package's sources, each with those that its files import. */
function roomsOf(name: string): ReadonlyMap<string, readonly string[]> {
	const files = sourcesOf(name);
	const rooms = new Map<string, Set<string>>(
		files.map((file) => [dirname(file), new Set()]),
	);
	for (const file of files) {
		const room = dirname(file);
		for (const specifier of importsOf(file)) {
			const to = dirname(target(file, specifier));
			if (specifier.startsWith(".") && to !== room && rooms.has(to))
				rooms.get(room)?.add(to);
		}
	}
	return new Map([...rooms].map(([room, others]) => [room, [...others]]));
}

/** The longest way down from a room, itself included. */
function floorsBelow(
	room: string,
	rooms: ReadonlyMap<string, readonly string[]>,
): number {
	const below = rooms.get(room) ?? [];
	return 1 + Math.max(0, ...below.map((to) => floorsBelow(to, rooms)));
}

/** What docs/design.md says of each package: at most so many folders, floors and arrows. */
const picture = readFileSync(join(root, "docs/design.md"), "utf8")
	.split("\n")
	.flatMap((line) => {
		const [, name = "", ...counts] =
			/^\| `(@?robotrie[^`]*)` \| (\d+) \| (\d+) \| (\d+) \|$/.exec(line) ?? [];
		return name === "" ? [] : [{ name, counts: counts.map(Number) }];
	});

test("docs/design.md has a row for each package", () =>
	expect(picture.map(({ name }) => name).sort()).toEqual(names.toSorted()));

test.each(picture)(
	"the folders of $name, their floors and arrows are no more than docs/design.md says, without circles",
	({ name, counts }) => {
		const rooms = roomsOf(name);
		expect(circlesOf(rooms)).toEqual([]);
		const floors = [...rooms.keys()].map((room) => floorsBelow(room, rooms));
		const arrows = [...rooms.values()].flat().length;
		const found = [rooms.size, Math.max(...floors), arrows];
		for (const [i, most] of counts.entries())
			expect(found[i]).toBeLessThanOrEqual(most);
	},
);

test("a circle would be seen", () => {
	const imports = new Map([
		["a", ["b", "x"]],
		["b", ["c"]],
		["c", ["b"]],
		["x", []],
	]);
	expect(circlesOf(imports)).toEqual([["b", "c"]]);
});

/** Files that reach themselves, those of one circle together. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>) {
	const reached = new Map(
		[...imports.keys()].map((file) => {
			const seen = new Set<string>();
			for (const queue = [file]; queue.length > 0; )
				for (const to of imports.get(queue.pop() as string) ?? [])
					if (!seen.has(to)) {
						seen.add(to);
						queue.push(to);
					}
			return [file, seen] as const;
		}),
	);
	const circles = [...reached]
		.filter(([file, seen]) => seen.has(file))
		.map(([file, seen]) =>
			[...seen].filter((other) => reached.get(other)?.has(file)).sort(),
		);
	return [...new Set(circles.map((circle) => circle.join()))].map((circle) =>
		circle.split(","),
	);
}
