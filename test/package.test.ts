import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as library from "../src/index.ts";
import { Installed, root } from "./installed.ts";

let user: Installed;
let folder = "";
let packed: readonly string[] = [];
beforeAll(() => {
	user = new Installed();
	({ folder, packed } = user);
}, 120_000);
afterAll(() => user.remove());

const run = (command: string, ...args: string[]) => user.run(command, ...args);
const read = (file: string) => user.read(file);

/** A file of dist and all that it imports from beside it, static imports only, and the bare names they ask for. */
function loadedBy(entry: string): { files: string[]; bare: string[] } {
	const files = [entry];
	const bare: string[] = [];
	for (const file of files) {
		const text = read(file).toString();
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

test("every dependency is imported by what is published", () => {
	const { dependencies } = JSON.parse(read("package.json").toString()) as {
		dependencies: Record<string, string>;
	};
	const code = packed
		.filter((file) => file.endsWith(".js"))
		.map((file) => read(file).toString())
		.join("\n");
	const unused = Object.keys(dependencies).filter(
		(name) => !new RegExp(`["']${name}(/[^"']*)?["']`).test(code),
	);
	expect(unused).toEqual([]);
});

describe("What is published", () => {
	const needed = [
		"CHANGELOG.md",
		"LICENSE",
		"README.md",
		"SECURITY.md",
		"dist/access.d.ts",
		"dist/access.js",
		"dist/audit-worker.js",
		"dist/audit.d.ts",
		"dist/audit.js",
		"dist/bundled-licenses.txt",
		"packages/cli/main.js",
		"dist/client.d.ts",
		"dist/client.js",
		"dist/compare.d.ts",
		"dist/compare.js",
		"dist/disassemble.d.ts",
		"dist/disassemble.js",
		"dist/index.d.ts",
		"dist/index.js",
		"dist/pool.d.ts",
		"dist/pool.js",
		"dist/pool-loader.js",
		"dist/pool-worker.js",
		"dist/robots-parser.d.ts",
		"dist/robots-parser.js",
		"dist/robotrie-index.scalar.wasm",
		"dist/robotrie-index.simd.wasm",
		"dist/lint.d.ts",
		"dist/lint.js",
		"docs/client.md",
		"docs/images/playground.png",
		"docs/images/report.png",
		"docs/lint/README.md",
		"docs/lint/shadowed-rule.md",
		"dist/robotrie.scalar.wasm",
		"dist/robotrie.simd.wasm",
		"dist/store-lmdb.d.ts",
		"dist/store-lmdb.js",
		"dist/store-redis.d.ts",
		"dist/store-redis.js",
		"dist/store-sqlite.d.ts",
		"dist/store-sqlite.js",
		"package.json",
		"sample/access.log",
		"sample/robots.txt",
		"sample/urls.txt",
	];
	test.each(needed)("%s is there", (file) => expect(packed).toContain(file));

	test("only what users need", () => {
		const kinds =
			/^(dist\/(((wasm|bundled|edge)\/)?@?[\w.-]+\.js(\.map)?|types\/(src|assembly)\/([\w-]+\/)?[\w-]+\.d\.ts)|sample\/[\w.]+|docs\/([\w-]+\/)?[\w.-]+\.(md|json|png))$/;
		const others = packed.filter(
			(file) => !needed.includes(file) && !kinds.test(file),
		);
		expect(others).toEqual([]);
	});

	/** The README tells that the package does not contain them. */
	const left = ["CONTRIBUTING.md", "docs/design.md", "examples/README.md"];
	test("what pages link to", () => {
		const links = packed
			.filter((file) => file.endsWith(".md"))
			.flatMap((page) =>
				[
					...read(page)
						.toString()
						.matchAll(/\]\(([^)\s]+)\)/g),
				].flatMap(([, link = ""]) => {
					const [path = ""] = link.split("#");
					if (path === "" || /^[a-z]+:/.test(path)) return [];
					const to = posix.join(posix.dirname(page), path);
					return page === "README.md" && left.includes(to)
						? []
						: [{ page, to }];
				}),
			);
		expect(links.length).toBeGreaterThan(100);
		expect(links.filter(({ to }) => !packed.includes(to))).toEqual([]);
	});

	test("what package.json points to", () => {
		const about = JSON.parse(read("package.json").toString()) as {
			types: string;
			bin: Record<string, string>;
			exports: Record<string, string | Record<string, string>>;
		};
		const targets = [
			about.types,
			...Object.values(about.bin),
			...Object.values(about.exports).flatMap((target) =>
				typeof target === "string" ? target : Object.values(target),
			),
		];
		for (const target of targets) {
			const [prefix = "", pattern] = target.replace("./", "").split("*");
			expect(
				packed.some((file) =>
					pattern === undefined ? file === prefix : file.startsWith(prefix),
				),
				target,
			).toBe(true);
		}
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
		const entries = Object.keys(
			(
				JSON.parse(read("package.json").toString()) as {
					exports: Record<string, unknown>;
				}
			).exports,
		).filter((entry) => /^\.(\/[\w-]+)?$/.test(entry));
		writeFileSync(
			join(folder, "use.cjs"),
			`const { RobotsTxt } = require("robotrie");
			console.log(RobotsTxt.parse("User-agent: *\\nDisallow: /a").isAllowed("/a", "x"));
			for (const entry of ${JSON.stringify(entries)})
				require("robotrie" + entry.slice(1));`,
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

	test("the library imports no package and nothing of Node", () => {
		const { files, bare } = loadedBy("dist/index.js");
		expect(bare).toEqual([]);
		for (const file of files)
			expect(read(file).toString()).not.toMatch(/\brequire\(|\bimport\(/);
	});

	test("lint imports one small package and nothing of Node, so that browsers can bundle it", () => {
		const { files, bare } = loadedBy("dist/lint.js");
		expect(bare).toEqual(["leven"]);
		for (const file of files)
			expect(read(file).toString()).not.toMatch(/\brequire\(|\bimport\(/);
	});

	test.each(["robots-parser", "compare"])(
		"%s imports no package and nothing of Node",
		(entry) => {
			const { files, bare } = loadedBy(`dist/${entry}.js`);
			expect(bare).toEqual([]);
			expect(files).toContain("dist/core.js");
		},
	);

	test("the client does import other packages: the test above would see it", () => {
		expect(loadedBy("dist/client.js").bare).toContain("http-cache-semantics");
	});
});

describe("What is installed beside the library", () => {
	const use = (code: string) => {
		writeFileSync(join(folder, "use-entry.mjs"), code);
		return run(process.execPath, "use-entry.mjs").trim();
	};

	test("robotrie/access imports only what runs in browsers", () => {
		const { bare } = loadedBy("dist/access.js");
		expect(bare).toEqual(["http-cache-semantics"]);
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
			["node_modules/robotrie/packages/cli/main.js", ...index],
			{ cwd: folder, encoding: "utf8" },
		);
		expect({ status, stderr }).toEqual({
			status: 2,
			stderr:
				'robotrie: reading WARC files needs the package "warcio": npm install warcio\n',
		});
	});

	test.each([
		["store-lmdb", "LmdbStore", "lmdb", "folder"],
		["store-redis", "RedisStore", "redis", "redis://127.0.0.1:1"],
	])("robotrie/%s says which package it needs", (entry, name, needs, place) => {
		expect(readdirSync(join(folder, "node_modules"))).not.toContain(needs);
		expect(
			use(`import { ${name} } from "robotrie/${entry}";
			await ${name}.open("${place}").catch(({ code, message }) => console.log(code, message));`),
		).toMatch(
			new RegExp(
				`^missing-package .* needs the package "${needs}": npm install ${needs}$`,
			),
		);
	});
});

describe.each([
	["simd", ["robotrie.simd.wasm", "robotrie-index.simd.wasm"]],
	["scalar", ["robotrie.scalar.wasm", "robotrie-index.scalar.wasm"]],
])("The modules' %s build", (build, names) => {
	const bytes = (name: string) => new Uint8Array(read(`dist/${name}`));
	test.each(names)("%s imports nothing and exports its memory", (name) => {
		const module = new WebAssembly.Module(bytes(name));
		expect(WebAssembly.Module.imports(module)).toEqual([]);
		const exported = WebAssembly.Module.exports(module);
		expect(exported.map(({ name }) => name)).toContain("memory");
	});
	test("is the module that the library holds, and answers", () => {
		writeFileSync(
			join(folder, "carried.mjs"),
			`import { createHash } from "node:crypto";
			const { Module, validate } = WebAssembly;
			WebAssembly.validate = (bytes) => ${build === "simd"} && validate(bytes);
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
		const digest = (name: string) =>
			createHash("sha256").update(bytes(name)).digest("hex");
		expect(run(process.execPath, "carried.mjs").trim().split("\n")).toEqual([
			...names.map(digest),
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
	const auditSource = readFileSync(
		new URL("./data/audit-consumer.ts.txt", import.meta.url),
		"utf8",
	);
	const forNode = {
		types: ["node"],
		typeRoots: [join(root, "node_modules/@types")],
	};

	test.each([
		["index.ts", source],
		["lint.ts", source],
		["access.ts", clientSource],
		["client.ts", clientSource],
		["audit.ts", auditSource],
	])("every public name of src/%s is used here", (file, text) => {
		const entry = readFileSync(join(root, "src", file), "utf8");
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
	test("Node's types need only be installed", () =>
		expect(check(clientSource, { ...forNode, types: [] })).toBe(""));
	test("a wrong use of the client is an error", () =>
		expect(check(`${clientSource}\nnew RobotsClient({});`, forNode)).toContain(
			"TS2741",
		));
	test("a strict project without DOM accepts those of the audit", () =>
		expect(check(auditSource, {})).toBe(""));
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
	test("no declaration points to a source", () => {
		const folder = join(user.package, "dist/types");
		const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
		const declarations = files.filter((file) => file.endsWith(".d.ts"));
		expect(declarations.length).toBeGreaterThan(10);
		for (const file of declarations)
			expect(read(`dist/types/${file}`).toString()).not.toMatch(/\.ts["']/);
	});
});
