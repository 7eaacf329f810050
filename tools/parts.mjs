// All parts of the build, and the one way to bring them up to date. The build calls it, Vitest's set-up, and tests of what is published.
import { existsSync, symlinkSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { packageParts } from "./bundle.mjs";
import { packages } from "./packages.mjs";
import { checkPatterns, moduleParts } from "./wasm-module.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What one may name: all modules, a package with its declarations, or a part by its own name. */
export function partsOf(name, forTests = false) {
	const modules = moduleParts(forTests);
	if (name === "engine") return modules;
	const chosen = [...modules, ...packageParts()].filter(
		(part) => part.name === name || part.name === `${name}-types`,
	);
	if (chosen.length === 0)
		throw new RangeError(`nothing of the build is called ${name}`);
	return chosen;
}

/** All parts: for tests the debug build as well, and without declarations unless they are asked for. */
export const allParts = ({ forTests = false, types = true } = {}) => [
	...moduleParts(forTests),
	...packageParts().filter(({ name }) => types || !name.endsWith("-types")),
];

/**
 * Builds those of the parts that are stale, modules before packages, which contain them; returns their names. `tell` gets what it does,
 * before it does it.
 */
export async function bringUpToDate(parts, tell = () => {}) {
	const folder = process.cwd();
	process.chdir(root);
	linkPackages();
	try {
		const isModule = ({ outputs: [file = ""] }) => file.endsWith(".wasm");
		const modules = parts.filter(isModule);
		const stale = modules.filter((part) => part.isStale);
		if (stale.length > 0)
			tell(`Compiling ${stale.length} WebAssembly modules…`);
		const limit = pLimit(availableParallelism());
		const functions = await Promise.all(
			stale.map((part) => limit(() => part.build())),
		);
		// A pattern names functions of any module: only all of them can tell that it names none.
		const built = stale.map(({ name }) => name);
		if (moduleParts().every(({ name }) => built.includes(name)))
			checkPatterns(functions.flat());
		for (const part of parts) {
			if (isModule(part) || !part.isStale) continue;
			if (built.length === stale.length) tell("Bundling the packages…");
			await part.build();
			built.push(part.name);
		}
		return built;
	} finally {
		process.chdir(folder);
	}
}

/** npm links the packages in node_modules when it installs; one that has come since is linked here. */
function linkPackages() {
	for (const { folder, about } of packages) {
		const link = `node_modules/${about.name}`;
		if (!existsSync(link)) symlinkSync(`../../${folder}`, link, "junction");
	}
}
