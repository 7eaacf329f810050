import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The package, packed and installed in a folder of its own, as users have it. */
export class Installed {
	readonly folder = mkdtempSync(join(tmpdir(), "robotrie-"));
	readonly package = join(this.folder, "node_modules", "robotrie");
	/** The tarball's path, and the files in it. */
	readonly tarball: string;
	readonly packed: readonly string[];

	/** Other packages are installed beside it, as its optional peers are. */
	constructor(...packages: readonly string[]) {
		// What the test run has built is packed; building again would pull it from under other suites.
		const [report] = JSON.parse(
			this.run("npm", "pack", root, "--json", "--ignore-scripts"),
		) as [{ filename: string; files: { path: string }[] }];
		this.tarball = join(this.folder, report.filename);
		this.packed = report.files.map(({ path }) => path);
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
