// What `npm run mutate:src` does. It is run in the repository's root. MUTATE names files and folders instead of those below, with blanks
// between them; MUTATE_SAMPLE=10 takes a tenth of their blocks of lines, the same ones each time, where all would take hours.
import { readdirSync, readFileSync, statSync } from "node:fs";

const files = [
	"src/robots-txt",
	"src/matching/agents.ts",
	"src/matching/rules.ts",
	"src/access",
	"src/crawlers",
	"packages/client/src",
	"packages/audit/src",
];
/** Data, and what says only what another file has. */
const left =
	/crawler-(data|pages)|\/(index|internal|lmdb|redis|sqlite)\.ts$|\.d\.ts$/;

const named = process.env.MUTATE?.split(" ") ?? files;
const mutate = named
	.flatMap((name) =>
		statSync(name).isDirectory()
			? readdirSync(name).map((file) => `${name}/${file}`)
			: [name],
	)
	.filter((file) => file.endsWith(".ts") && !left.test(file));

/** Lines to a block: most statements are shorter, and what reaches into another block is left out. */
const BLOCK = 20;
const every = Number(process.env.MUTATE_SAMPLE ?? 1);

/** Blocks of a file by a hash of name and place: a change elsewhere moves none of them into the sample or out of it. */
function blocksOf(file) {
	const lines = readFileSync(file, "utf8").split("\n").length;
	return Array.from({ length: Math.ceil(lines / BLOCK) }, (_, i) => i)
		.filter((i) => hash(`${file}:${i}`) % every === 0)
		.map((i) => `${file}:${i * BLOCK + 1}-${Math.min((i + 1) * BLOCK, lines)}`);
}

function hash(text) {
	let value = 0x811c9dc5;
	for (const character of text)
		value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
	return (value ^ (value >>> 15)) >>> 0;
}

export default {
	testRunner: "vitest",
	plugins: ["@stryker-mutator/vitest-runner"],
	vitest: { configFile: "test/stryker/vitest.config.ts", related: false },
	mutate: every > 1 ? mutate.flatMap(blocksOf) : mutate,
	mutator: { excludedMutations: ["StringLiteral"] },
	ignoreStatic: true,
	ignorePatterns: [
		"bench",
		"docs",
		"packages/playground",
		"sample",
		"build/peers",
		"test/nodes",
	],
	coverageAnalysis: "perTest",
	disableTypeChecks: false,
	tsconfigFile: "none",
	concurrency: Number(process.env.MUTATE_WORKERS ?? 2),
	reporters: ["clear-text"],
	clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
	tempDirName: ".stryker-tmp",
};
