import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Packs into a folder what the test run has built: building again would pull it from under other suites. */
export function pack(folder: string): { tarball: string; packed: string[] } {
	const report = execFileSync(
		"npm",
		["pack", root, "--json", "--ignore-scripts"],
		{ cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
	);
	const [{ filename, files }] = JSON.parse(report) as [
		{ filename: string; files: { path: string }[] },
	];
	return {
		tarball: join(folder, filename),
		packed: files.map(({ path }) => path),
	};
}

/** The package, packed and installed in a folder of its own, as users have it. */
export class Installed {
	readonly folder = mkdtempSync(join(tmpdir(), "robotrie-"));
	readonly package = join(this.folder, "node_modules", "robotrie");
	/** The tarball's path, and the files in it. */
	readonly tarball: string;
	readonly packed: readonly string[];

	/** Other packages are installed beside it, as its optional peers are. */
	constructor(...packages: readonly string[]) {
		({ tarball: this.tarball, packed: this.packed } = pack(this.folder));
		writeFileSync(
			join(this.folder, "package.json"),
			'{ "private": true, "type": "module" }',
		);
		this.run(
			"npm",
			...["install", "--no-audit", "--no-fund", "--prefer-offline"],
			this.tarball,
			...packages,
		);
	}

	/** What a command prints that runs in the folder. */
	run(command: string, ...args: string[]): string {
		return execFileSync(command, args, {
			cwd: this.folder,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});
	}

	/** A file of the installed package. */
	read(file: string): Buffer {
		return readFileSync(join(this.package, file));
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
