// The packages that are published. The build, the release and tests find them here. A folder in packages/ is one as soon as it has a
// package.json that is not private; no list names it.
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
