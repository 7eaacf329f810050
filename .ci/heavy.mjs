// Which stages of .ci/run a change can reach. A light stage always runs. A heavy one names its inputs here, as git's path patterns; their
// hash is that of the tracked files, of the tools' versions and, where it says so, of the modules as they are built. What passed with a
// hash is in passed.json, and passes again without running. Nothing of npm is needed: it runs before "npm ci", too.
//
//     node .ci/heavy.mjs plan STAGE...     which of these stages run, and which are unchanged since when
//     node .ci/heavy.mjs record STAGE SECONDS
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const PASSED = fileURLToPath(new URL("passed.json", import.meta.url));

/** What all stages are made with: a change runs every one of them. */
export const everywhere = [
	".ci/run",
	".ci/heavy.mjs",
	".npmrc",
	"asconfig.json",
	"package-lock.json",
	"package.json",
	"tsconfig.json",
	"vitest.config.ts",
	...[
		"build",
		"bundle",
		"packages",
		"parts",
		"stale",
		"texts",
		"wasm-module",
	].map((name) => `tools/${name}.mjs`),
	"tools/no-inline.txt",
	"test/build.ts",
	"test/equality.ts",
];

const engine = ["assembly", "packages/audit/assembly"];
const sources = [
	"src",
	...engine,
	"packages/*/src/**",
	"packages/*/package.json",
	"packages/cli/main.js",
];
/** The packages as users install them. */
const published = [...sources, "test/installed.ts", "tools/tarballs.mjs"];

/** Inputs of the heavy stages; `modules`: those that are built, in place of what they are made of; `tools` print their versions. */
export const heavy = {
	debug: {
		inputs: [
			...engine,
			"test/engine",
			"packages/audit/test/scanner",
			"src/engine",
		],
	},
	browsers: {
		inputs: [
			"src",
			...engine,
			"packages/audit/src",
			"packages/playground",
			"sample",
			"docs/lint",
		],
		tools: ["chromium --version", "firefox-esr --version"],
	},
	site: {
		inputs: [
			"packages/site",
			"packages/*/README.md",
			"*.md",
			"docs",
			"src",
			"packages/*/src/**",
			"bench/results",
			"packages/playground",
		],
		tools: ["chromium --version"],
	},
	nodes: {
		inputs: [
			"src",
			...engine,
			"packages/client",
			"packages/server",
			"packages/audit",
			"test",
			"tools/test-nodes.mjs",
		],
	},
	bundlers: {
		inputs: [...published, "test/bundlers", "test/runtimes/uses.ts"],
	},
	spark: {
		inputs: [
			"integrations/spark",
			"src/common",
			"packages/cli/src/stream",
			"packages/cli/src/index-command.ts",
			"packages/sites/src",
			"conformance",
			"tools/test-spark.sh",
		],
		modules: true,
		tools: ["python3 --version", "java -version"],
	},
	python: {
		inputs: ["integrations/python", "conformance", "tools/test-python.sh"],
		modules: true,
		tools: ["python3 --version", "cc --version"],
	},
	go: {
		inputs: ["integrations/go", "conformance"],
		modules: true,
		tools: ["go version"],
	},
	jvm: {
		inputs: ["integrations/jvm", "conformance", "tools/test-jvm.sh"],
		modules: true,
		tools: ["java -version", "mvn --version"],
	},
	benches: {
		inputs: [
			...sources,
			"bench",
			"packages/*/bench/**",
			"tools",
			"test/benches.test.ts",
			"README.md",
			"docs/*.md",
		],
	},
	mutate: {
		inputs: [
			"assembly",
			"tools/mutate.mjs",
			"tools/mutants.mjs",
			"test/units",
			"test/stryker",
		],
	},
};

/** What light stages read, which always run: together with the inputs above every tracked file. */
export const light = [
	"packages/*/test/**",
	"packages/server",
	"packages/client",
	"packages/*/LICENSE",
	"test",
	"examples",
	"tools",
	".github",
	".gitignore",
	"LICENSE",
	"biome.json",
	".ci",
];

const git = (...args) =>
	execFileSync("git", args, {
		cwd: root,
		encoding: "utf8",
		maxBuffer: 2 ** 28,
	});

/** Git's patterns: a folder's name stands for all in it. */
const specs = (patterns) => patterns.map((pattern) => `:(glob)${pattern}`);
const withFolders = (patterns) =>
	patterns.flatMap((pattern) =>
		pattern.includes("*") ? [pattern] : [pattern, `${pattern}/**`],
	);

/** The tracked files that patterns name, with the hash of each. */
export const filesOf = (patterns) =>
	git("ls-files", "-s", "--", ...specs(withFolders(patterns)));

/** Of several lines: that of the JVM says its locale, that of Maven where it is. */
const versionOf = (command) => {
	const [name, ...args] = command.split(" ");
	const { stdout, stderr } = spawnSync(name, args, { encoding: "utf8" });
	return `${stdout ?? ""}${stderr ?? ""}`.split("\n")[0];
};

const MODULES = ["robotrie", "robotrie-index", "robotrie-audit"].map(
	(name) => `build/${name}.simd.wasm`,
);

/** The hash of a stage's inputs; undefined where they are not all there yet. */
export function hashOf(name) {
	const { inputs, tools = [], modules = false } = heavy[name];
	const hash = createHash("sha256");
	hash.update(filesOf([...everywhere, ...inputs]));
	for (const tool of ["node --version", ...tools])
		hash.update(`${tool}\0${versionOf(tool)}\n`);
	for (const file of modules ? MODULES : []) {
		if (!existsSync(`${root}/${file}`)) return undefined;
		hash.update(readFileSync(`${root}/${file}`));
	}
	return hash.digest("hex").slice(0, 32);
}

const readPassed = () =>
	existsSync(PASSED) ? JSON.parse(readFileSync(PASSED, "utf8")) : {};

/**
 * What becomes of stages: "run", "turn" (unchanged, and runs all the same) or "unchanged since DATE". Of those that are unchanged one runs,
 * another one for each commit, so that an input that is missing above shows within days.
 */
export function plan(
	names,
	passed = readPassed(),
	hash = hashOf,
	turn = commits(),
) {
	const unchanged = names.filter((name) => {
		const before = heavy[name] && passed[name]?.hash;
		return before !== undefined && before === hash(name);
	});
	const taken = unchanged[turn % unchanged.length];
	return names.map((name) => {
		if (!unchanged.includes(name)) return [name, "run"];
		if (name === taken) return [name, "turn"];
		return [name, `unchanged since ${passed[name].date}`];
	});
}

const commits = () => Number(git("rev-list", "--count", "HEAD"));

/** Notes that a stage passed, unless a file of its inputs differs from the commit. */
function record(name, seconds) {
	const changed = git(
		"status",
		"--porcelain",
		"--",
		...specs(withFolders([...everywhere, ...heavy[name].inputs])),
	);
	if (changed !== "") {
		console.log(`${name}: not noted, since files are not committed`);
		return;
	}
	const date = new Date().toISOString().slice(0, 10);
	const passed = {
		...readPassed(),
		[name]: { hash: hashOf(name), date, seconds },
	};
	const sorted = Object.fromEntries(Object.entries(passed).sort());
	writeFileSync(PASSED, `${JSON.stringify(sorted, null, "\t")}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
	const [, , verb, ...args] = process.argv;
	if (verb === "record") {
		const [name, seconds] = args;
		if (heavy[name]) record(name, Number(seconds));
	} else {
		for (const [name, what] of plan(args)) console.log(`${name} ${what}`);
	}
}
