import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEXT_MODULE } from "../src/engine/linear-memory.ts";
import * as library from "../src/index.ts";
import {
	Installed,
	packageFolders,
	packageNames,
	root,
	rowOf,
} from "./installed.ts";

let user: Installed;
let folder = "";
beforeAll(() => {
	user = new Installed();
	({ folder } = user);
});
afterAll(() => user.remove());

const run = (command: string, ...args: string[]) => user.run(command, ...args);
const read = (file: string, name?: string) => user.read(file, name);

interface About {
	readonly version: string;
	readonly types?: string;
	readonly bin?: Readonly<Record<string, string>>;
	readonly exports: Readonly<Record<string, string | Record<string, string>>>;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly peerDependencies?: Readonly<Record<string, string>>;
	readonly peerDependenciesMeta?: Readonly<
		Record<string, { readonly optional: boolean }>
	>;
}
const aboutOf = (name: string) =>
	JSON.parse(read("package.json", name).toString()) as About;

/** A file of dist and all that it imports from beside it, static imports only, and the bare names they ask for. */
function loadedBy(
	entry: string,
	name?: string,
): { files: string[]; bare: string[] } {
	const files = [entry];
	const bare: string[] = [];
	for (const file of files) {
		const text = read(file, name).toString();
		const specifiers = text.matchAll(
			/(?:^|[\s;}])(?:import|export)\s*(?:[\w*{}\s,$]*?from\s*)?["']([^"'\n]+)["']/g,
		);
		for (const [, specifier = ""] of specifiers) {
			if (!specifier.startsWith("./")) bare.push(specifier);
			else if (!files.includes(`dist/${specifier.slice(2)}`))
				files.push(`dist/${specifier.slice(2)}`);
		}
	}
	return { files, bare };
}

/** What a program may import of a package; `internal` is for the packages beside it. */
const entriesOf = (name: string) =>
	Object.keys(aboutOf(name).exports).filter((entry) =>
		/^\.(\/[\w-]+)?$/.test(entry),
	);

describe.each(packageNames)("What %s says that it needs", (name) => {
	test("is imported by what is published", () => {
		const code = user
			.packed(name)
			.packed.filter((file) => file.endsWith(".js"))
			.map((file) => read(file, name).toString())
			.join("\n");
		const isImported = (needed: string) =>
			new RegExp(`["']${needed}(/[^"']*)?["']`).test(code);
		const { dependencies, peerDependencies } = aboutOf(name);
		const all = Object.keys({ ...dependencies, ...peerDependencies });
		// Fastify's own, held at the last version that runs in Node 20.
		all.splice(all.indexOf("light-my-request") >>> 0, 1);
		expect(all.filter((needed) => !isImported(needed))).toEqual([]);
	});

	test("is each other's exact version, and no peer that nobody asked for", () => {
		const { version, dependencies, peerDependencies, peerDependenciesMeta } =
			aboutOf(name);
		for (const [needed, range] of Object.entries(dependencies ?? {}))
			if (packageNames.some((each) => each === needed))
				expect(range).toBe(version);
		for (const peer of Object.keys(peerDependencies ?? {}))
			expect(peerDependenciesMeta?.[peer]).toEqual({ optional: true });
	});
});

/** Packages contain sources of it, but not this class: what one throws is an instance of it for the users of all. */
test("robotrie alone contains the class RobotrieError", () => {
	const holders = packageNames.filter((name) =>
		user
			.packed(name)
			.packed.some(
				(file) =>
					/^dist\/[^/]*\.js$/.test(file) &&
					/RobotrieError = class|class RobotrieError\b/.test(
						read(file, name).toString(),
					),
			),
	);
	expect(holders).toEqual(["robotrie"]);
});

test("robotrie needs no other package", () => {
	const { dependencies, peerDependencies } = aboutOf("robotrie");
	expect({ ...dependencies, ...peerDependencies }).toEqual({});
});

describe("What is published", () => {
	const everywhere = ["LICENSE", "README.md", "package.json"];
	const scripts = (...names: string[]) =>
		names.map((name) => `dist/${name}.js`);
	const entries = (...names: string[]) =>
		names.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
	const needed: Readonly<Record<string, readonly string[]>> = {
		robotrie: [
			...everywhere,
			"SECURITY.md",
			"dist/bundled-licenses.txt",
			...entries("access", "compare", "disassemble", "index", "lint"),
			...entries("pool", "robots-parser"),
			...scripts("internal", "pool-loader", "pool-worker", "tinypool-worker"),
			...["compare", "disassemble", "index", "lint", "robots-parser"].map(
				(name) => `dist/edge/${name}.js`,
			),
			"dist/robotrie-index.simd.wasm",
			"dist/robotrie.simd.wasm",
			"docs/lint/README.md",
			"docs/lint/shadowed-rule.md",
		],
		"@robotrie/client": [
			...everywhere,
			"dist/bundled-licenses.txt",
			...entries("index", "lmdb", "redis", "sqlite"),
			...scripts("internal"),
		],
		"@robotrie/audit": [
			...everywhere,
			"dist/bundled-licenses.txt",
			...entries("files", "index"),
			...scripts("internal", "threads-worker"),
		],
		"@robotrie/server": [...everywhere, ...entries("index")],
		"@robotrie/sites": [
			...everywhere,
			"dist/bundled-licenses.txt",
			...entries("index"),
			...scripts("build-worker", "internal-answers", "internal-shards"),
		],
		"@robotrie/cli": [
			...everywhere,
			"dist/bundled-licenses.txt",
			"main.js",
			...scripts("label-worker", "program"),
		],
	};
	/** Chunks, declarations that entries share, and the pages of lint. */
	const kinds: Readonly<Record<string, RegExp>> = {
		robotrie:
			/^(dist\/((edge\/)?[\w-]+\.js|[\w-]+\.d\.ts)|docs\/lint\/[\w-]+\.md)$/,
		"@robotrie/client": /^dist\/[\w-]+\.(d\.ts|js)$/,
		"@robotrie/audit": /^dist\/[\w-]+\.(d\.ts|js)$/,
		"@robotrie/server": /^dist\/[\w-]+\.(d\.ts|js)$/,
		"@robotrie/sites": /^dist\/[\w-]+\.(d\.ts|js)$/,
		"@robotrie/cli": /^dist\/[\w-]+\.js$/,
	};

	describe.each(packageNames)("of %s", (name) => {
		test("what users need", () =>
			expect(user.packed(name).packed).toEqual(
				expect.arrayContaining([...rowOf(needed, name)]),
			));

		test("and nothing else", () => {
			const others = user
				.packed(name)
				.packed.filter(
					(file) =>
						!rowOf(needed, name).includes(file) &&
						!rowOf(kinds, name).test(file),
				);
			expect(others).toEqual([]);
		});

		/** Pages of a package may link to those of the repository: its README says that they are there. */
		test("what pages link to", () => {
			const { packed } = user.packed(name);
			const links = packed
				.filter((file) => file.endsWith(".md"))
				.flatMap((page) =>
					[
						...read(page, name)
							.toString()
							.matchAll(/\]\(([^)\s]+)\)/g),
					].flatMap(([, link = ""]) => {
						const [path = ""] = link.split("#");
						if (path === "" || /^[a-z]+:/.test(path)) return [];
						return [{ page, to: posix.join(posix.dirname(page), path) }];
					}),
				);
			expect(links.length).toBeGreaterThan(name === "robotrie" ? 50 : 0);
			const broken = links.filter(
				({ page, to }) =>
					!packed.includes(to) &&
					(page.startsWith("docs/") ||
						!existsSync(join(root, rowOf(packageFolders, name), to))),
			);
			expect(broken).toEqual([]);
		});

		test("what package.json points to", () => {
			const { types, bin, exports } = aboutOf(name);
			const targets = [
				...(types ? [types] : []),
				...Object.values(bin ?? {}),
				...Object.values(exports).flatMap((target) =>
					typeof target === "string" ? target : Object.values(target),
				),
			];
			expect(targets.length).toBeGreaterThan(1);
			for (const target of targets) {
				const [prefix = "", pattern] = target.replace("./", "").split("*");
				expect(
					user
						.packed(name)
						.packed.some((file) =>
							pattern === undefined ? file === prefix : file.startsWith(prefix),
						),
					target,
				).toBe(true);
			}
		});
	});
});

describe("What is installed", () => {
	test("imports and answers, in Node without flags", () => {
		writeFileSync(
			join(folder, "use.mjs"),
			`import * as robotrie from "robotrie";
			const robots = robotrie.RobotsTxt.parse("User-agent: *\\nDisallow: /a");
			console.log(JSON.stringify([
				Object.keys(robotrie).sort(),
				robots.isAllowed("/a", "x"),
				robots.for("x").match("/ab").line,
			]));`,
		);
		expect(JSON.parse(run(process.execPath, "use.mjs"))).toEqual([
			Object.keys(library).sort(),
			false,
			2,
		]);
	});

	test("lint has an entry and pages", () => {
		writeFileSync(
			join(folder, "lint.mjs"),
			`import { readFileSync } from "node:fs";
			import { lint } from "robotrie/lint";
			const [{ code, page }] = lint("Disallow: /a");
			const text = readFileSync(new URL(import.meta.resolve("robotrie/" + page)), "utf8");
			console.log(JSON.stringify([code, text.split("\\n")[0]]));`,
		);
		expect(JSON.parse(run(process.execPath, "lint.mjs"))).toEqual([
			"rule-outside-group",
			"# rule-outside-group",
		]);
		expect(
			run("npx", "--no-install", "robotrie", "lint", "--explain", "noindex"),
		).toMatch(/^# noindex\n/);
	});

	test("audits logs, in Node without flags", () => {
		writeFileSync(
			join(folder, "audit.mjs"),
			`import { LogAudit } from "@robotrie/audit";
			const bytes = new TextEncoder().encode("User-agent: *\\nDisallow: /a");
			const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
			await audit.add("a.log", [new TextEncoder().encode(
				'192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.0"',
			)]);
			const [{ name, disallowed }] = audit.report().crawlers;
			console.log(name, disallowed);`,
		);
		expect(run(process.execPath, "audit.mjs")).toBe("GPTBot 1\n");
	});

	test("answers a CommonJS program, every entry included", () => {
		const entries = packageNames.flatMap((name) =>
			name === "@robotrie/cli"
				? []
				: entriesOf(name).map((entry) => name + entry.slice(1)),
		);
		expect(entries).toContain("@robotrie/client/sqlite");
		writeFileSync(
			join(folder, "use.cjs"),
			`const { RobotsTxt } = require("robotrie");
			console.log(RobotsTxt.parse("User-agent: *\\nDisallow: /a").isAllowed("/a", "x"));
			for (const entry of ${JSON.stringify(entries)})
				require(entry);`,
		);
		expect(run(process.execPath, "use.cjs")).toBe("false\n");
	});

	test("takes robots-parser's place in a CommonJS program", () => {
		writeFileSync(
			join(folder, "use-parser.cjs"),
			`const robotsParser = require("robotrie/robots-parser");
			const robots = robotsParser("https://a.test/robots.txt", "User-agent: *\\nDisallow: /a");
			console.log(robots.isAllowed("https://a.test/a", "x"));`,
		);
		expect(run(process.execPath, "use-parser.cjs")).toBe("false\n");
	});

	test("the command runs", () => {
		expect(run("npx", "--no-install", "robotrie", "--help")).toContain("match");
	});

	test.each(["index", "access", "compare", "disassemble", "lint"])(
		"%s imports no package and nothing of Node, so that browsers can bundle it",
		(entry) => {
			const { files, bare } = loadedBy(`dist/${entry}.js`);
			expect(bare).toEqual([]);
			for (const file of files)
				expect(read(file).toString()).not.toMatch(/\brequire\(|\bimport\(/);
		},
	);

	test("robots-parser imports no package and nothing of Node", () => {
		const { files, bare } = loadedBy("dist/robots-parser.js");
		expect(bare).toEqual([]);
		expect(files).toContain("dist/main.js");
	});

	test.each(["internal", "pool", "pool-worker", "pool-loader"])(
		"%s imports nothing but Node's own",
		(entry) => {
			const { bare } = loadedBy(`dist/${entry}.js`);
			expect(bare.filter((name) => !name.startsWith("node:"))).toEqual([]);
		},
	);

	test("the client does import other packages: the tests above would see it", () => {
		const { bare } = loadedBy("dist/index.js", "@robotrie/client");
		expect(bare).toContain("tldts");
	});
});

describe("What is installed beside the library", () => {
	const use = (code: string) => {
		writeFileSync(join(folder, "use-entry.mjs"), code);
		return run(process.execPath, "use-entry.mjs").trim();
	};

	test("robotrie/access answers", () => {
		expect(
			use(`import { accessFor } from "robotrie/access";
			console.log(accessFor({ status: 404 }).access);`),
		).toBe("allow-all");
	});

	test("@robotrie/client answers", () => {
		expect(
			use(`import { RobotsClient } from "@robotrie/client";
			const client = new RobotsClient({ agent: "x", fetch: async () => new Response("User-agent: *\\nDisallow: /a") });
			console.log(await client.filter(["http://b.test/a", "http://b.test/b"]));`),
		).toBe("[ 'http://b.test/b' ]");
	});

	test("a WARC file says which package it needs", () => {
		expect(readdirSync(join(folder, "node_modules"))).not.toContain("warcio");
		writeFileSync(join(folder, "sites.warc"), "WARC/1.0\r\n\r\n");
		const index = ["index", "-a", "x", "-o", "sites.index", "sites.warc"];
		const { status, stderr } = spawnSync(
			process.execPath,
			["node_modules/@robotrie/cli/main.js", ...index],
			{ cwd: folder, encoding: "utf8" },
		);
		expect({ status, stderr }).toEqual({
			status: 2,
			stderr:
				'robotrie: reading WARC files needs the package "warcio": npm install warcio\n',
		});
	});

	test.each([
		["LmdbStore", "lmdb", "folder"],
		["RedisStore", "redis", "redis://127.0.0.1:1"],
	])(
		"%s of @robotrie/client/%s says which package it needs",
		(name, needs, place) => {
			expect(readdirSync(join(folder, "node_modules"))).not.toContain(needs);
			expect(
				use(`import { ${name} } from "@robotrie/client/${needs}";
			await ${name}.open("${place}").catch(({ code, message }) => console.log(code, message));`),
			).toMatch(
				new RegExp(
					`^missing-package .* needs the package "${needs}": npm install ${needs}$`,
				),
			);
		},
	);
});

describe("The modules that are published", () => {
	const names = ["robotrie.simd.wasm", "robotrie-index.simd.wasm"];
	const bytes = (name: string) => new Uint8Array(read(`dist/${name}`));
	test.each(names)("%s imports nothing and exports its memory", (name) => {
		const module = new WebAssembly.Module(bytes(name));
		expect(WebAssembly.Module.imports(module)).toEqual([]);
		const exported = WebAssembly.Module.exports(module);
		expect(exported.map(({ name }) => name)).toContain("memory");
	});
	test("are those that the library holds, and answer", () => {
		writeFileSync(
			join(folder, "carried.mjs"),
			`import { createHash } from "node:crypto";
			const { Module } = WebAssembly;
			WebAssembly.Module = class extends Module {
				constructor(bytes) {
					super(bytes);
					console.log(createHash("sha256").update(bytes).digest("hex"));
				}
			};
			const { RobotsIndex } = await import("robotrie");
			const index = new RobotsIndex({ agent: "x" });
			index.set("https://a.test", "User-agent: *\\nDisallow: /b");
			console.log(index.matchMany(["https://a.test/b", "https://a.test/c"]).join());`,
		);
		const digest = (module: Uint8Array) =>
			createHash("sha256").update(module).digest("hex");
		const reader = digest(Buffer.from(TEXT_MODULE, "base64"));
		// Each after the small module that reads its text.
		expect(run(process.execPath, "carried.mjs").trim().split("\n")).toEqual([
			...names.flatMap((name) => [reader, digest(bytes(name))]),
			"0,1",
		]);
	});
});

describe("Types", () => {
	/** Uses every public name; the annotations fail where a type is `any` or missing. */
	const source = readFileSync(
		new URL("./data/consumer.ts.txt", import.meta.url),
		"utf8",
	);
	const check = (text: string, options: Record<string, unknown>) => {
		writeFileSync(join(folder, "consumer.ts"), text);
		const config = {
			compilerOptions: {
				strict: true,
				exactOptionalPropertyTypes: true,
				noUncheckedIndexedAccess: true,
				skipLibCheck: false,
				noEmit: true,
				types: [],
				target: "ES2022",
				lib: ["ES2023"],
				module: "NodeNext",
				...options,
			},
			files: ["consumer.ts"],
		};
		writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
		try {
			run(process.execPath, join(root, "node_modules/typescript/bin/tsc"));
			return "";
		} catch (error) {
			return (error as { stdout: string }).stdout;
		}
	};

	/** The same for the entries that are for Node. */
	const clientSource = readFileSync(
		new URL("./data/consumer-client.ts.txt", import.meta.url),
		"utf8",
	);
	const sitesSource = readFileSync(
		new URL("./data/sites-consumer.ts.txt", import.meta.url),
		"utf8",
	);
	const auditSource = readFileSync(
		new URL("./data/audit-consumer.ts.txt", import.meta.url),
		"utf8",
	);
	const auditFilesSource = readFileSync(
		new URL("./data/audit-files-consumer.ts.txt", import.meta.url),
		"utf8",
	);
	const forNode = {
		types: ["node"],
		typeRoots: [join(root, "node_modules/@types")],
	};

	test.each([
		["src/index.ts", source],
		["src/lint.ts", source],
		["src/access.ts", clientSource],
		["packages/client/src/index.ts", clientSource],
		["packages/audit/src/index.ts", auditSource],
		["packages/audit/src/files.ts", auditFilesSource],
		["packages/sites/src/index.ts", sitesSource],
	])("every public name of %s is used here", (file, text) => {
		const entry = readFileSync(join(root, file), "utf8");
		const exported = entry.match(/^export (type )?\{[^}]*\}/gm) ?? [];
		const names = exported.flatMap((list) =>
			list
				.replace(/^[^{]*\{|\}/g, "")
				.split(",")
				.map((name) => name.replace("type ", "").trim()),
		);
		for (const name of names.filter(Boolean))
			expect(text).toMatch(new RegExp(`\\b${name}\\b`));
	});
	test("a strict project for Node accepts those of the client and its stores", () =>
		expect(check(clientSource, forNode)).toBe(""));
	test("a strict project for Node accepts those of indexes on disk", () =>
		expect(check(sitesSource, forNode)).toBe(""));
	test("Node's types need only be installed", () =>
		expect(check(clientSource, { ...forNode, types: [] })).toBe(""));
	test("a wrong use of the client is an error", () =>
		expect(check(`${clientSource}\nnew RobotsClient({});`, forNode)).toContain(
			"TS2741",
		));
	test("a strict project without DOM accepts those of the audit", () =>
		expect(check(auditSource, {})).toBe(""));
	test("a strict project for Node accepts those of audits of files", () =>
		expect(check(auditFilesSource, forNode)).toBe(""));
	test("a strict project without DOM accepts them", () =>
		expect(check(source, {})).toBe(""));
	test("so does a bundler's", () =>
		expect(
			check(source, { module: "ESNext", moduleResolution: "bundler" }),
		).toBe(""));
	test("a wrong use is an error", () =>
		expect(check(`${source}\nMatcher.fromBytes("x");`, {})).toContain(
			"TS2345",
		));
	test("nor is new Matcher() a right one", () =>
		expect(check(`${source}\nnew Matcher();`, {})).toContain("TS2673"));
	test("no declaration points to a source, or to what has no types", () => {
		const declarations = packageNames.flatMap((name) =>
			user
				.packed(name)
				.packed.filter((file) => file.endsWith(".d.ts"))
				.map((file) => ({ file, text: read(file, name).toString() })),
		);
		expect(declarations.length).toBeGreaterThan(15);
		for (const { file, text } of declarations)
			expect(text, file).not.toMatch(/\.ts["']|\/internal["']/);
	});
});
