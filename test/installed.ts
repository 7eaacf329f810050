import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packages } from "../tools/packages.mjs";
import { pack as packFolder } from "../tools/tarballs.mjs";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Where the packages that are published lie. */
export const packageFolders: Readonly<Record<string, string>> =
	Object.fromEntries(packages.map(({ folder, about }) => [about.name, folder]));
export const packageNames: readonly string[] = Object.keys(packageFolders);

/** What a table says about a package: each has a row. */
export function rowOf<Row>(
	table: Readonly<Record<string, Row>>,
	name: string,
): Row {
	const row = table[name];
	if (row === undefined) throw new Error(`the table has no row for ${name}`);
	return row;
}

export interface Packed {
	readonly tarball: string;
	/** The files in it. */
	readonly packed: readonly string[];
}

/** Packs into a folder what the test run has built. */
export function pack(folder: string, name = "robotrie"): Packed {
	return packFolder(join(root, rowOf(packageFolders, name)), folder);
}

/** Packs all packages: each needs the exact version of others. */
export const packAll = (folder: string): Readonly<Record<string, Packed>> =>
	Object.fromEntries(packageNames.map((name) => [name, pack(folder, name)]));

/** All packages, packed and installed in a folder of their own, as users have them. */
export class Installed {
	readonly folder = mkdtempSync(join(tmpdir(), "robotrie-"));
	readonly package = this.folderOf("robotrie");
	/** The path of each tarball, and the files in it. */
	readonly tarballs: Readonly<Record<string, Packed>>;

	/** Other packages are installed beside them, as optional peers are. */
	constructor(...packages: readonly string[]) {
		this.tarballs = packAll(this.folder);
		writeFileSync(
			join(this.folder, "package.json"),
			'{ "private": true, "type": "module" }',
		);
		this.run(
			"npm",
			// A package that wants another Node than ours do fails here.
			"install",
			"--engine-strict",
			"--no-audit",
			"--no-fund",
			"--prefer-offline",
			...Object.values(this.tarballs).map(({ tarball }) => tarball),
			...packages,
		);
	}

	/** Where a package is installed. */
	folderOf(name: string): string {
		return join(this.folder, "node_modules", name);
	}

	/** The path of a package's tarball, and the files in it. */
	packed(name: string): Packed {
		return rowOf(this.tarballs, name);
	}

	/** What a command prints that runs in the folder. */
	run(command: string, ...args: string[]): string {
		return execFileSync(command, args, {
			cwd: this.folder,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});
	}

	/** A file of an installed package. */
	read(file: string, name = "robotrie"): Buffer {
		return readFileSync(join(this.folderOf(name), file));
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
