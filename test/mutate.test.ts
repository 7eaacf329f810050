import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** AssemblyScript, and what can be broken in it, by column. */
const rows: readonly (readonly [source: string, ...mutants: string[]])[] = [
	["a < b;", "1 a < b → ;", "3 < → <=", "3 < → >="],
	["a && !b;", "1 a && !b → ;", "3 && → ||", "6 ! → nothing"],
	["x += 2;", "1 x += 2 → ;", "3 += → -=", "6 2 → 3", "6 2 → 1"],
	["const x: u32 = 0x0a;", "16 0x0a → 11", "16 0x0a → 9"],
	["if (a) b();", "5 a → true", "5 a → false", "8 b() → ;"],
	["while (a) break;", "8 a → false", "11 break → ;"],
	["const x = a ? b : c;", "11 a → true", "11 a → false"],
	[
		"v128.or(i8x16.le_u(a, b), c.or(d));",
		"1 v128.or(i8x16.le_u(a, b), c.or(d)) → ;",
		"6 or → and",
		"15 le_u → lt_u",
	],
	["const done = true;", "14 true → false"],
	['import { a } from "./b";'],
	["const x = load<u32>(a);"],
	["/** Not 1 + 1. */"],
];

test("What can be broken in AssemblyScript is listed by its place", () => {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-mutate-"));
	try {
		const file = join(folder, "code.ts");
		writeFileSync(file, rows.map(([source]) => `${source}\n`).join(""));
		const script = new URL("../tools/mutate.mjs", import.meta.url).pathname;
		const args = [script, "--list", "--file", file];
		const listed = execFileSync(process.execPath, args, { encoding: "utf8" });
		const wanted = rows.flatMap(([, ...mutants], index) =>
			mutants.map((mutant) => `${file}:${index + 1}:${mutant}`),
		);
		expect(listed.trim().replace(/ +/g, " ").split("\n")).toEqual(wanted);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
