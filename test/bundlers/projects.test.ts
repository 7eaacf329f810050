import { execFileSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Installed, root } from "../installed.ts";
import { browsers, start } from "../runtimes/browsers.ts";
import { uses } from "../runtimes/uses.ts";
import { WORKER, WRANGLER, workerAnswer } from "./worker.ts";

/**
 * Projects as users have them, made of the packed packages: one of each kind that installs `robotrie` and nothing else, and consumers of
 * all entries for each TypeScript and each way of finding modules.
 */
const compilers = {
	"5.5": join(root, "test/bundlers/node_modules/typescript-5.5/bin/tsc"),
	"5.9": join(root, "test/bundlers/node_modules/typescript-5.9/bin/tsc"),
	"7": join(root, "node_modules/typescript/bin/tsc"),
} as const;
type Version = keyof typeof compilers;
const isInstalled = existsSync(compilers["5.5"]);
if (!isInstalled)
	console.warn("skipped: projects: npm run test:bundlers brings TypeScript");

let user: Installed;
beforeAll(() => {
	if (isInstalled) user = new Installed();
});
afterAll(() => user?.remove());

/** A folder with files of its own. */
function project(
	name: string,
	files: Readonly<Record<string, string>>,
): string {
	const folder = join(user.folder, "projects", name);
	mkdirSync(folder, { recursive: true });
	const all = {
		"package.json": '{ "private": true, "type": "module" }',
		...files,
	};
	for (const [file, text] of Object.entries(all))
		writeFileSync(join(folder, file), text);
	return folder;
}

const run = (cwd: string, file: string, ...args: string[]) =>
	execFileSync(file, args, {
		cwd,
		encoding: "utf8",
		env: { ...process.env, HOME: cwd, WRANGLER_SEND_METRICS: "false" },
		stdio: ["ignore", "pipe", "pipe"],
	});

/** What a compiler finds wrong in main.ts. */
function findings(folder: string, version: Version, options: object): string {
	writeFileSync(
		join(folder, "tsconfig.json"),
		JSON.stringify({
			compilerOptions: {
				strict: true,
				skipLibCheck: false,
				target: "es2022",
				...options,
			},
			files: ["main.ts"],
		}),
	);
	try {
		return run(folder, process.execPath, compilers[version]);
	} catch (error) {
		return (error as { stdout: string }).stdout;
	}
}

/** Of each entry, an expression and its type. */
const entries: readonly (readonly [
	entry: string,
	name: string,
	expression: string,
	type: string,
])[] = [
	[
		"robotrie",
		"{ RobotsTxt }",
		'RobotsTxt.parse("").isAllowed("/", "x")',
		"boolean",
	],
	[
		"robotrie/access",
		"{ accessFor }",
		"accessFor({ status: 404 }).expires",
		"number",
	],
	[
		"robotrie/compare",
		"{ compareCrawlers }",
		'compareCrawlers(RobotsTxt.parse(""), "/").length',
		"number",
	],
	[
		"robotrie/disassemble",
		"{ disassemble }",
		'disassemble(RobotsTxt.parse("").for("x"))',
		"string",
	],
	["robotrie/lint", "{ lint }", 'lint("").length', "number"],
	[
		"robotrie/pool",
		"{ RobotsPool }",
		"new RobotsPool(new Uint8Array(), { workers: 1 }).byteLength",
		"number",
	],
	[
		"robotrie/robots-parser",
		"robotsParser",
		'robotsParser("https://a.test/robots.txt", "").getSitemaps()',
		"string[]",
	],
	[
		"@robotrie/audit",
		"{ LogAudit }",
		"new LogAudit({ robots: [] }).report().lines",
		"number",
	],
	[
		"@robotrie/audit/files",
		"{ readNetworks }",
		'readNetworks("asn.csv").then((name) => name("192.0.2.1"))',
		"Promise<string | undefined>",
	],
	[
		"@robotrie/client",
		"{ RobotsClient }",
		'new RobotsClient({ agent: "x" }).isAllowed("https://a.test/")',
		"Promise<boolean>",
	],
	[
		"@robotrie/client/sqlite",
		"{ SqliteStore }",
		'SqliteStore.open("x")',
		"Promise<SqliteStore>",
	],
	[
		"@robotrie/client/lmdb",
		"{ LmdbStore }",
		'LmdbStore.open("x")',
		"Promise<LmdbStore>",
	],
	[
		"@robotrie/client/redis",
		"{ RedisStore }",
		'RedisStore.open("redis://127.0.0.1")',
		"Promise<RedisStore>",
	],
];

/** A consumer of entries: `any` would accept the wrong types, too. */
const consumer = (isUsed: (entry: string) => boolean, more = "") => {
	const used = entries.filter(([entry]) => isUsed(entry));
	return `${used.map(([entry, name]) => `import ${name} from "${entry}";`).join("\n")}
${used
	.map(
		(
			[, , expression, type],
			i,
		) => `export const right${i}: ${type} = ${expression};
// @ts-expect-error
export const wrong${i}: symbol = ${expression};`,
	)
	.join("\n")}
${more}`;
};

const resolutions = [
	{ module: "node16", moduleResolution: "node16" },
	{ module: "nodenext", moduleResolution: "nodenext" },
	{ module: "esnext", moduleResolution: "bundler" },
] as const;
const rows = (Object.keys(compilers) as Version[]).flatMap((version) =>
	resolutions.map((options) => ({ version, ...options })),
);
const DOM = ["es2022", "dom"];
/** In a project that has Node's types, it is an object. */
const TIMER = "export const timer: number = setTimeout(() => {}, 1);";
/** TypeScript 5.5 does not know how it is exported. */
const isKnown = (version: Version) => (entry: string) =>
	version !== "5.5" || entry !== "robotrie/robots-parser";

describe.skipIf(!isInstalled)("TypeScript", () => {
	/** A project that has installed `robotrie` only. */
	const alone = (text: string) => {
		const folder = project("alone", { "main.ts": text });
		cpSync(user.package, join(folder, "node_modules/robotrie"), {
			recursive: true,
		});
		return folder;
	};

	test.each(rows)(
		"$version, $moduleResolution: entries of robotrie in a page's project",
		({ version, ...options }) => {
			const isUsed = (entry: string) =>
				entry.startsWith("robotrie") && isKnown(version)(entry);
			const folder = alone(consumer(isUsed, TIMER));
			expect(
				findings(folder, version, { ...options, lib: DOM, noEmit: true }),
			).toBe("");
		},
	);

	test.each(rows)(
		"$version, $moduleResolution: all entries in a project for Node",
		({ version, ...options }) => {
			const folder = project("node", { "main.ts": consumer(isKnown(version)) });
			const typeRoots = [join(root, "node_modules/@types")];
			expect(
				findings(folder, version, {
					...options,
					lib: ["es2022"],
					types: ["node"],
					typeRoots,
					noEmit: true,
				}),
			).toBe("");
		},
	);

	test.each<[Version, string]>([
		["5.5", "node10"],
		["5.9", "node10"],
	])("%s, %s finds robotrie", (version, moduleResolution) => {
		const folder = alone(consumer((entry) => entry === "robotrie", TIMER));
		const options = {
			module: "esnext",
			moduleResolution,
			lib: DOM,
			noEmit: true,
		};
		expect(findings(folder, version, options)).toBe("");
	});
});

const { code = "", expected } =
	uses.find(({ entry }) => entry === "robotrie") ?? {};
/** Projects of which `robotrie` is the only package: how each is made, and what it prints. */
const kinds: readonly {
	readonly kind: string;
	readonly files: Readonly<Record<string, string>>;
	readonly answer: (folder: string) => Promise<unknown> | unknown;
}[] = [
	{
		kind: "JavaScript",
		files: {
			"main.js":
				'import { answer } from "./use.js"; console.log(JSON.stringify(answer));',
		},
		answer: (folder) => JSON.parse(run(folder, process.execPath, "main.js")),
	},
	{
		kind: "Vite",
		files: {
			"main.js":
				'import { answer } from "./use.js"; document.title = JSON.stringify(answer);',
			"index.html":
				'<!doctype html><script type="module" src="./main.js"></script>',
		},
		answer: async (folder) => {
			await viteBuild({ root: folder, configFile: false, logLevel: "error" });
			const program = browsers.find(({ isInstalled }) => isInstalled);
			// Without a browser it is built only.
			if (!program) return expected;
			const browser = await start(program);
			try {
				return JSON.parse(await browser.answerOf(join(folder, "dist")));
			} finally {
				await browser.close();
			}
		},
	},
	{
		kind: "worker at the edge",
		files: { "worker.js": WORKER, "wrangler.toml": WRANGLER },
		answer: (folder) => workerAnswer(folder),
	},
	{
		kind: "TypeScript 5.9 with DOM",
		files: {
			"main.ts": `import { RobotsTxt } from "robotrie";
${TIMER}
const robots: RobotsTxt = RobotsTxt.parse("User-agent: *\\nDisallow: /a");
export const answer = [...robots.for("x").matchMany(["/a", "/b"])];
console.log(JSON.stringify(answer));`,
		},
		answer: (folder) => {
			const options = { module: "nodenext", lib: DOM };
			expect(findings(folder, "5.9", options)).toBe("");
			expect(run(folder, process.execPath, "main.js")).toBe("[0,1]\n");
			return expected;
		},
	},
];

describe.skipIf(!isInstalled)("A fresh project that installs robotrie", () => {
	test.each(kinds)("$kind", async ({ kind, files, answer }) => {
		const name = kind.replace(/\W+/g, "-");
		const folder = project(name, { "use.js": code, ...files });
		run(
			folder,
			"npm",
			"install",
			"--no-audit",
			"--no-fund",
			"--offline",
			user.packed("robotrie").tarball,
		);
		const modules = readdirSync(join(folder, "node_modules"));
		expect(modules.filter((file) => !file.startsWith("."))).toEqual([
			"robotrie",
		]);
		expect(await answer(folder)).toEqual(expected);
	});
});
