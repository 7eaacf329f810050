// What of the build is older than what it is made of. Each part of it (a module in a variant, a package's code, its declarations) leaves a
// stamp in build/stamps: a hash of its inputs. A part whose stamp differs, or whose output is gone, is built again. The build, Vitest's
// set-up and tests of what is published ask here, so that no test runs over an old build.
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const LEFT_OUT = new Set(["node_modules", "dist", "build", "test", "bench"]);

/** The files of paths, those of folders included, in an order that is the same everywhere. */
export function filesIn(...paths) {
	return paths.flatMap((path) => {
		if (!existsSync(path)) return [];
		if (!statSync(path).isDirectory()) return [path];
		return readdirSync(path)
			.sort()
			.filter((name) => !LEFT_OUT.has(name))
			.flatMap((name) => filesIn(join(path, name)));
	});
}

/** Names and contents; a file that another tool wrote meanwhile has another hash, whatever its time says. */
function hashOf(files) {
	const hash = createHash("sha256");
	for (const file of files) {
		hash.update(`${file}\0`);
		hash.update(existsSync(file) ? readFileSync(file) : "");
	}
	return hash.digest("hex");
}

/** What every part is made with: the versions of compilers and bundlers. */
const COMMON = ["package-lock.json", "tools/stale.mjs"];

/**
 * A part of the build: its name, what it is made of (asked when it is looked at, as packages are made of modules), what it writes, and
 * how it is made.
 */
export class Part {
	constructor({ name, inputs, outputs, make, stamps = "build/stamps" }) {
		Object.assign(this, { name, inputs, outputs, make });
		this.stamp = join(stamps, name);
	}

	get hash() {
		return hashOf([...COMMON, ...this.inputs()]);
	}

	get isStale() {
		return !(
			existsSync(this.stamp) &&
			readFileSync(this.stamp, "utf8") === this.hash &&
			this.outputs.every((file) => existsSync(file))
		);
	}

	/** Without a stamp while it is made: what is interrupted is made again. */
	async build() {
		const { hash } = this;
		rmSync(this.stamp, { force: true });
		const made = await this.make();
		mkdirSync(dirname(this.stamp), { recursive: true });
		writeFileSync(this.stamp, hash);
		return made;
	}
}
