// How a package is packed, and what checkers say about it, for the release and for tests.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

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
		{ excludeEntrypoints: [/^\.\/docs\//, /\.wasm$/, /^\.\/internal/] },
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

/** Where a page's links and pictures lead, as paths from its folder: those that are no URLs. */
export const linksOf = (text) =>
	[...text.matchAll(/(?:\]\(|<img src=")([^)\s"]+)/g)]
		.map(([, link]) => link)
		.filter((link) => !/^([a-z]+:|#)/.test(link));
