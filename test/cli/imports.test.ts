import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run.ts";

const folder = join(root, "src/cli");

/** The files of src/cli that each of them imports, types included. */
const imports = new Map(
	readdirSync(folder).map((name) => [
		name,
		[
			...readFileSync(join(folder, name), "utf8").matchAll(
				/(?:from|import\()\s*"(\.[^"]+)"/g,
			),
		]
			.map(([, path = ""]) => join(folder, path))
			.filter((path) => dirname(path) === folder)
			.map((path) => path.slice(folder.length + 1)),
	]),
);

/** What a file imports, at any remove. */
function reachable(name: string): Set<string> {
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

test("the command line's files import in one direction", () => {
	expect(imports.get("program.ts")).toContain("audit.ts");
	const circular = [...imports.keys()].filter((name) =>
		reachable(name).has(name),
	);
	expect(circular).toEqual([]);
});
