import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack as packFolder } from "../tools/publish-checks.mjs";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Where the packages that are published lie. */
export const packageFolders = {
	robotrie: ".",
	"@robotrie/client": "packages/client",
	"@robotrie/audit": "packages/audit",
	"@robotrie/server": "packages/server",
	"@robotrie/cli": "packages/cli",
} as const;
export type PackageName = keyof typeof packageFolders;
export const packageNames = Object.keys(packageFolders) as PackageName[];

export interface Packed {
	readonly tarball: string;
	/** The files in it. */
	readonly packed: readonly string[];
}

/** Packs into a folder what the test run has built. */
export function pack(folder: string, name: PackageName = "robotrie"): Packed {
	return packFolder(join(root, packageFolders[name]), folder);
}

/** Packs all packages: each needs the exact version of others. */
export const packAll = (folder: string): Record<PackageName, Packed> =>
	Object.fromEntries(
		packageNames.map((name) => [name, pack(folder, name)]),
	) as Record<PackageName, Packed>;

/** All packages, packed and installed in a folder of their own, as users have them. */
export class Installed {
	readonly folder = mkdtempSync(join(tmpdir(), "robotrie-"));
	readonly package = this.folderOf("robotrie");
	/** The path of each tarball, and the files in it. */
	readonly tarballs: Readonly<Record<PackageName, Packed>>;

	/** Other packages are installed beside them, as optional peers are. */
	constructor(...packages: readonly string[]) {
		this.tarballs = packAll(this.folder);
		writeFileSync(
			join(this.folder, "package.json"),
			'{ "private": true, "type": "module" }',
		);
		this.run(
			"npm",
			...["install", "--no-audit", "--no-fund", "--prefer-offline"],
			...Object.values(this.tarballs).map(({ tarball }) => tarball),
			...packages,
		);
	}

	/** Where a package is installed. */
	folderOf(name: PackageName): string {
		return join(this.folder, "node_modules", name);
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
	read(file: string, name: PackageName = "robotrie"): Buffer {
		return readFileSync(join(this.folderOf(name), file));
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
