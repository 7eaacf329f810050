import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run.ts";

const folder = join(root, "packages/cli/src");

/** The files of packages/cli/src that each of them imports, types included. */
const files = new Map(
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".ts"))
		.map((name) => [name, importsOf(join(folder, name))]),
);

function importsOf(file: string): string[] {
	return [
		...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g),
	]
		.map(([, path = ""]) => join(dirname(file), path))
		.filter((path) => path.startsWith(join(folder, "/")))
		.map((path) => path.slice(folder.length + 1));
}

/** The folders that each of them imports from; "." is the sources' folder itself. */
const folders = new Map<string, string[]>();
for (const [name, imported] of files) {
	const from = dirname(name);
	const others = imported.map(dirname).filter((to) => to !== from);
	folders.set(from, [...(folders.get(from) ?? []), ...others]);
}

/** What a file or a folder imports, at any remove. */
function reachable(
	imports: ReadonlyMap<string, readonly string[]>,
	name: string,
): Set<string> {
	const seen = new Set<string>();
	const visit = (from: string) => {
		for (const to of imports.get(from) ?? []) {
			if (seen.has(to)) continue;
			seen.add(to);
			visit(to);
		}
	};
	visit(name);
	return seen;
}

test.each([
	["files", files, "program.ts", join("audit", "audit.ts")],
	["folders", folders, ".", "audit"],
] as const)(
	"the command line's %s import in one direction",
	(_, imports, from, to) => {
		expect(imports.get(from)).toContain(to);
		const circular = [...imports.keys()].filter((name) =>
			reachable(imports, name).has(name),
		);
		expect(circular).toEqual([]);
	},
);
