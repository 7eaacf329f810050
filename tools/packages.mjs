// The packages that are published: where they lie, how one is packed, and what checkers say about it. The build, the release and tests
// find packages here. A folder in packages/ is one as soon as it has a package.json that is not private; no list names it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Each package's folder and package.json, in an order in which each comes after those that it needs. */
export const packages = inOrder(
	[".", ...readdirSync(join(root, "packages")).sort()]
		.map((name) => (name === "." ? name : posix.join("packages", name)))
		.filter((folder) => existsSync(join(root, folder, "package.json")))
		.map((folder) => ({ folder, about: aboutOf(folder) }))
		.filter(({ about }) => !about.private),
);

function aboutOf(folder) {
	return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

function inOrder(all) {
	const sorted = new Set();
	const add = (one) => {
		const needed = Object.keys(one.about.dependencies ?? {});
		for (const other of all) if (needed.includes(other.about.name)) add(other);
		sorted.add(one);
	};
	for (const one of all) add(one);
	return [...sorted];
}

/** Packs what is built: a build would pull it from under whoever else reads it. The tarball's path, and the files in it. */
export function pack(from, to) {
	const [{ filename, files }] = JSON.parse(
		execFileSync("npm", ["pack", from, "--json", "--ignore-scripts"], {
			cwd: to,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
			// On Windows npm is a script of the shell.
			shell: process.platform === "win32",
		}),
	);
	return { tarball: join(to, filename), packed: files.map(({ path }) => path) };
}

/** What publint finds in an unpacked package. */
export async function publintFinds(folder) {
	const { publint } = await import("publint");
	const { messages } = await publint({
		pkgDir: folder,
		level: "suggestion",
		strict: true,
		pack: false,
	});
	return messages.map(({ code, path }) => `${code} at ${path.join(".")}`);
}

/** What "Are the types wrong?" finds in a tarball; nothing for a command, which has no types. */
export async function wrongTypes(tarball) {
	// The build, which needs none of it, starts in a second less.
	const { checkPackage, createPackageFromTarballData } = await import(
		"@arethetypeswrong/core"
	);
	const data = createPackageFromTarballData(
		new Uint8Array(readFileSync(tarball)),
	);
	const result = await checkPackage(
		data,
		// Siblings have no types of what is internal.
		{ excludeEntrypoints: [/^\.\/docs\//, /\.wasm$/, "./internal"] },
	);
	if (!result.types)
		return data.listFiles().some((file) => file.endsWith("/main.js"))
			? []
			: ["there are no types"];
	return (
		result.problems
			// An ES module cannot be loaded where only CommonJS can, nor have a subpath where `exports` is not read.
			.filter(
				({ resolutionKind }) =>
					resolutionKind !== "node10" && resolutionKind !== "node16-cjs",
			)
			.map(({ kind, entrypoint = "" }) => `${kind} ${entrypoint}`.trim())
	);
}

/** Where a page's links lead, as paths from its folder: those that are no URLs. */
export const linksOf = (text) =>
	[...text.matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, link]) => link)
		.filter((link) => !/^([a-z]+:|#)/.test(link));
