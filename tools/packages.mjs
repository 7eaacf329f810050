// The packages that are published. The build, the release and tests find them here. A folder in packages/ is one as soon as it has a
// package.json that is not private; no list names it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Each package's folder and package.json, the root's first. */
export const packages = [
	".",
	...readdirSync(join(root, "packages"))
		.sort()
		.map((name) => `packages/${name}`),
]
	.map((folder) => ({ folder, file: join(root, folder, "package.json") }))
	.filter(({ file }) => existsSync(file))
	.map(({ folder, file }) => ({
		folder,
		about: JSON.parse(readFileSync(file, "utf8")),
	}))
	.filter(({ about }) => !about.private);
