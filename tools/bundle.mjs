// Bundles the packages, for Node and browsers and for the edge, with declarations of their public entries. What a package has in dist
// follows from its package.json: a file for each of `exports`, whose source is src/ENTRY.ts, and what is not among its dependencies is
// bundled, as are the sources that packages share (SHARED). The build calls it, and a test that builds twice.
import { execFile } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { dts } from "rolldown-plugin-dts";
import { packages } from "./packages.mjs";
import { filesIn, Part } from "./stale.mjs";
import { rawText, wasmImport, wasmText } from "./texts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Parts of the build: each package's code, and its declarations, which take longer than all else and which few tests look at. */
export const packageParts = () =>
	packages.flatMap(({ folder, about }) => {
		const name = folder === "." ? "robotrie" : folder.slice("packages/".length);
		const { code, types } = configsOf(folder, about);
		const part = (suffix, configs, ending, modules = [], copied = []) =>
			new Part({
				name: name + suffix,
				inputs: () =>
					filesIn(
						...["src", "package.json", "assembly/format"].map((path) =>
							join(folder, path),
						),
						"assembly/format",
						"tsconfig.json",
						...modules,
						...Object.values(SHARED),
						...["bundle", "texts", "packages"].map((it) => `tools/${it}.mjs`),
					),
				outputs: configs[0].input.map((file) =>
					join(
						folder,
						"dist",
						file.replace(/^.*\bsrc.(.*?)(?:\.d)?\.ts$/, `$1${ending}`),
					),
				),
				make: async () => {
					clear(join(folder, "dist"), ending === ".d.ts");
					if (ending === ".d.ts" && configs[0].input.length > 0)
						await declare(folder, entriesOf(about, "types"));
					for (const config of configs)
						if (config.input.length > 0) await build(config);
					for (const file of copied)
						copyFileSync(`build/${file}`, `dist/${file}`);
				},
			});
		const published = folder === "." ? PUBLISHED : [];
		return [
			part("", code, ".js", EMBEDDED[name], published),
			part("-types", [types], ".d.ts"),
		];
	});

/**
 * Folders whose sources other packages contain, too, by the names they import them by (also in tsconfig.json): checks of arguments, bytes,
 * words; layouts of linear memory; files and threads. Each package has a copy of what it uses, so that nothing has to fit between versions. The errors of src/common have
 * to be one class for all users: their file is left to robotrie, which exports them. Those of files reach users of @robotrie/sites alone.
 */
const SHARED = {
	"#robotrie/common": "src/common",
	"#robotrie/format": "assembly/format",
	"#sites/files": "packages/sites/src/files",
	"#sites/threads": "packages/sites/src/threads",
};

/** Modules that packages contain, as texts. */
const EMBEDDED = {
	robotrie: [
		"build/robotrie.simd.wasm",
		"build/robotrie-index.simd.wasm",
		"build/robotrie-index.shared.wasm",
	],
	audit: ["build/robotrie-audit.simd.wasm"],
};
/** Modules that are files of the package, too. */
const PUBLISHED = ["robotrie.simd.wasm", "robotrie-index.simd.wasm"];

/** Removes declarations, or all else, from a folder and those in it: a chunk that is no longer made would be published. */
function clear(folder, types) {
	if (!existsSync(folder)) return;
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) clear(path, types);
		else if (entry.name.endsWith(".d.ts") === types) rmSync(path);
	}
}

/** The sources of a package's entries that have a file of a kind. */
const entriesOf = ({ exports }, kind) =>
	Object.values(exports)
		.map((one) => (typeof one === "string" ? { default: one } : one))
		.map((one) => one[kind] && /^\.\/dist\/([\w-]+)\.js$/.exec(one.default))
		.filter(Boolean)
		.map(([, name]) => `src/${name}.ts`);

/** Where tsc writes declarations of a package's sources, and of those of its siblings that they name. */
const declaredIn = (folder) => resolve(root, "build/types", folder, "all");

/** A declaration for each source file that the types of a package's entries need, by tsc, which the bundler then joins. */
async function declare(folder, entries) {
	const outDir = declaredIn(folder);
	rmSync(outDir, { recursive: true, force: true });
	mkdirSync(outDir, { recursive: true });
	const project = {
		extends: `${root}tsconfig.json`,
		include: [],
		files: entries.map((file) => resolve(root, folder, file)),
		// `npm run check` finds mistakes.
		compilerOptions: {
			...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
			...{ noCheck: true, rootDir: root, outDir },
		},
	};
	writeFileSync(`${outDir}/tsconfig.json`, JSON.stringify(project));
	await promisify(execFile)(process.execPath, [
		`${root}node_modules/typescript/bin/tsc`,
		"--project",
		`${outDir}/tsconfig.json`,
	]);
}

/** The builds of a package: its code, with that for the edge where `exports` has the condition workerd, and declarations. */
function configsOf(folder, about) {
	const { bin, dependencies, peerDependencies } = about;
	const entries = (kind) => entriesOf(about, kind);
	const names = Object.keys({ ...dependencies, ...peerDependencies });
	const common = {
		cwd: `${root}${folder}`,
		platform: "neutral",
		// Packages find each other by their names, as their users do.
		tsconfig: false,
		external: names.map((name) => new RegExp(`^${name}(/|$)`)),
		makeAbsoluteExternalsRelative: false,
		resolve: {
			mainFields: ["module", "main"],
			conditionNames: ["import"],
			// Commander requires it for commands that are programs, which none is: Node would take a millisecond to load it.
			alias: bin ? { "node:child_process": false } : {},
		},
		transform: { target: "es2022" },
		// Entries that others load when they are needed.
		checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
		treeshake: { moduleSideEffects: false },
	};
	const library = folder === ".";
	const main = library ? /src.index\.ts$/ : /(program|audit.src.index)\.ts$/;
	const output = {
		dir: "dist",
		minifyInternalExports: false,
		// Docstrings are in the declarations.
		comments: { jsdoc: false },
		// Without hashes: the same wherever they are built.
		chunkFileNames: "[name].js",
		// Few files, since each costs Node almost a millisecond: of the library what almost all entries share, then what the main one reaches, or
		// the command's program, or @robotrie/audit's main entry; what five entries or commands share, and what rolldown makes of the rest. test/loading.test.ts checks that
		// robotrie/access does without WebAssembly, "robotrie --version" without robotrie.
		codeSplitting: {
			groups: [
				...(library ? [{ name: "base", minShareCount: 10 }] : []),
				{ name: "main", test: main },
				// What the commands of an audit share is theirs.
				{ name: "common", test: /^(?!.*cli.src.audit)/, minShareCount: 5 },
			],
		},
	};
	// Packages of CommonJS get what they require of Node by imports.
	const required = { external: [bin ? /^node:(?!child_process)/ : /^node:/] };
	const code = {
		...common,
		input: [...entries("default"), ...(bin ? ["src/program.ts"] : [])],
		plugins: [
			esmExternalRequirePlugin(required),
			threads,
			shared(about.name, root, ".ts"),
			wasmText(),
			modulesLast,
			rawText,
			licences,
		],
		output,
	};
	// The same code once more, as one core cannot serve both: by "imports" of package.json it could choose its modules, which no page without a
	// bundler resolves; and modules that an entry hands over would leave the texts of the others, 27 KB gzipped, in a worker.
	const edge = {
		...common,
		input: entries("workerd"),
		plugins: [wasmImport],
		output: { ...output, dir: "dist/edge", minify: true },
	};
	const types = {
		...common,
		input: entries("types").map((file) =>
			resolve(declaredIn(folder), folder, file.replace(/\.ts$/, ".d.ts")),
		),
		plugins: [
			shared(about.name, declaredIn(folder), ".d.ts"),
			declared,
			dts({ dtsInput: true, emitDtsOnly: true }),
			ownLines,
		],
		output: {
			...output,
			comments: true,
			codeSplitting: true,
			banner: references,
		},
	};
	return { code: [code, edge], types };
}

/** Declarations name the sources that they were made of. */
const declared = {
	name: "declared",
	resolveId: {
		order: "pre",
		handler: (name, importer) =>
			importer && /^\..*\.ts$/.test(name)
				? resolve(dirname(importer), name.replace(/(?:\.d)?\.ts$/, ".d.ts"))
				: undefined,
	},
};

/**
 * A docstring begins and ends a line, as in what tsc wrote: what follows code on its line would belong to nothing, or to what stands before it.
 * Paths of build/types go.
 */
const ownLines = {
	name: "own-lines",
	renderChunk(code) {
		const text = code
			.replace(/^\/\/ \S*build\/types\/.*\n+/gm, "")
			.replace(/^([ \t]*)(.*\S.*)$/gm, (line, indent, rest) =>
				/^(\/\*\*|\*|\/\/)/.test(rest) && !/\*\/\s*\S/.test(rest)
					? line
					: `${indent}${rest.replace(/\s*(\/\*\*.*?(?:\*\/|$))\s*/g, `\n${indent}$1\n${indent}`).replace(/^\s+|\s+$/g, "")}`,
			);
		return { code: text, map: null };
	},
};

/** Matchers are disposable, which few projects' "lib" names; TypeScript 6 and later load Node's types only where they are asked for. */
const references = ({ imports }) =>
	`/// <reference lib="esnext.disposable" />${imports.some((name) => name.startsWith("node:")) ? '\n/// <reference types="node" />' : ""}`;

/**
 * Modules stand at the end of their file. Gzip looks back 32 KB, so that code before a module is of no use for code after it: a user's bundle
 * of RobotsTxt would be 1.1 KiB larger. Nothing asks for a module while its file is loaded.
 */
const modulesLast = {
	name: "modules-last",
	renderChunk(code) {
		const texts = /^var _wasm_text_.*\n/gm;
		const modules = code.match(texts) ?? [];
		return { code: code.replace(texts, "") + modules.join(""), map: null };
	},
};

/** A program that threads run is a file of its own: who starts them names it by `new URL("./NAME.js", import.meta.url)`. */
const threads = {
	name: "threads",
	transform(code, importer) {
		const text = code.replace(
			'fileURLToPath(import.meta.url + "/../entry/worker.js")',
			'new URL("./tinypool-worker.js", import.meta.url)',
		);
		const programs = /new URL\("\.\/([\w-]+)\.js", import\.meta\.url\)/g;
		for (const [, name] of text.matchAll(programs)) {
			// NAME-worker.js is made of NAME.ts where there is no NAME-worker.ts: with the name of its source, it and what else uses the source
			// would be one file, whose exports rolldown renames. The last is Tinypool's.
			const id = [
				`${name}.ts`,
				`${name.replace(/-worker$/, "")}.ts`,
				"entry/worker.js",
			]
				.map((file) => resolve(dirname(importer), file))
				.find((file) => existsSync(file));
			this.emitFile({ type: "chunk", id, fileName: `${name}.js` });
		}
		return text === code ? undefined : { code: text, map: null };
	},
};

/** Finds shared sources, or their declarations; other packages than robotrie import its errors from it. */
const shared = (name, home, ending) => ({
	name: "shared",
	resolveId: {
		order: "pre",
		handler: (specifier, importer = "") => {
			const folder = SHARED[dirname(specifier)];
			if (folder) return resolve(home, folder, basename(specifier) + ending);
			const isOfErrors =
				/^\.\/errors(\.d)?\.ts$/.test(specifier) &&
				resolve(importer, "..") === resolve(home, "src/common");
			return isOfErrors && name !== "robotrie"
				? { id: "robotrie", external: true }
				: undefined;
		},
	},
});

/** The licences of bundled packages, in one file. */
const licences = {
	name: "licences",
	generateBundle(_options, chunks) {
		const place = /(?:node_modules[\\/]|raw-text:)((@[^\\/]+[\\/])?[^\\/]+)/;
		const ids = Object.values(chunks).flatMap((chunk) => chunk.moduleIds ?? []);
		const names = ids.map((id) => place.exec(id)?.[1]).filter(Boolean);
		const texts = [...new Set(names)].sort().map((name) => {
			const folder = `${root}node_modules/${name}`;
			const about = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
			// The loader is a folder of the compiler's repository, published without its licence.
			const from = folder.replace("@assemblyscript/loader", "assemblyscript");
			const file = readdirSync(from).find((each) => /^licen[cs]e/i.test(each));
			const text = readFileSync(`${from}/${file}`, "utf8").trim();
			return `${name} ${about.version} (${about.license})\n\n${text}\n`;
		});
		const source = `Packages whose code is part of the files in this folder.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
		const fileName = "bundled-licenses.txt";
		if (texts.length > 0) this.emitFile({ type: "asset", fileName, source });
	},
};
