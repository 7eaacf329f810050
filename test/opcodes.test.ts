import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as table from "../assembly/format/opcodes.ts";
import { opcodes, unpacked } from "../src/matching/opcodes.ts";

/** What the compilers cannot see of the table of opcodes: its rows, and that both run loops have a case for each opcode. */

const constants: Readonly<Record<string, unknown>> = table;
const rowsOf = (numbers: readonly number[], size: number) =>
	Array.from({ length: numbers.length / size }, (_, i) =>
		numbers.slice(i * size, (i + 1) * size),
	);
const constant = (name: string) => constants[name] as number;
const nameOf = (name: string) => name.toUpperCase();

test("opcodes are numbered from 0, and each has its row", () => {
	const numbered = Object.keys(constants)
		.filter((name) => name.startsWith("OP_"))
		.sort((a, b) => constant(a) - constant(b));
	expect(numbered).toEqual(opcodes.map(({ name }) => `OP_${nameOf(name)}`));
	expect(numbered.map(constant)).toEqual([...opcodes.keys()]);
	expect(rowsOf(table.OPCODE_ROWS, table.OPCODE_FIELDS)).toEqual(
		opcodes.map(({ name }) => [
			constant(`OPERANDS_${nameOf(name)}`),
			constant(`C_${nameOf(name)}`),
			constant(`TRAITS_${nameOf(name)}`),
			constant(`KIND_${nameOf(name)}`),
		]),
	);
});

test("each compact opcode has its row, and other rows none", () => {
	const rows = Array.from(
		{ length: table.FIRST_PLAIN_ROW + table.C_NUMBER + 1 },
		() => [table.UNKNOWN, table.UNKNOWN, table.UNKNOWN] as readonly number[],
	);
	const forms = Object.keys(constants).flatMap((key) => {
		const form = /^C_OPERANDS_(.+)$/.exec(key)?.[1] ?? "";
		// A further form has the opcode's name after a word.
		const owner =
			`OP_${form}` in constants ? form : form.replace(/^[A-Z]+_/, "");
		const code = constant(`C_${form}`);
		if (form === "" || code === table.C_NONE) return [];
		return {
			row:
				code < table.C_PLAIN
					? code >> 5
					: code - table.C_PLAIN + table.FIRST_PLAIN_ROW,
			numbers: [
				constant(key),
				constant(`TRAITS_${owner}`),
				constant(`OP_${owner}`),
			],
		};
	});
	for (const { row, numbers } of forms) rows[row] = numbers;
	// No two have the same byte.
	expect(new Set(forms.map(({ row }) => row)).size).toBe(forms.length);
	expect(rowsOf(table.COMPACT_ROWS, table.COMPACT_FIELDS)).toEqual(rows);
});

test.each(opcodes)("$name is whole", (opcode) => {
	const { name, traits, listing, does, operands } = opcode;
	const kinds = unpacked(constant(`OPERANDS_${nameOf(name)}`));
	const has = (...some: readonly number[]) =>
		some.some((kind) => kinds.includes(kind));
	// A sentence that goes on after "the instruction".
	expect(does).toMatch(/^[A-Z][a-z]+s .+\.$/);
	expect(opcode.kind).toBeTypeOf("string");
	// What the listing names is there.
	const shown = operands.map((operand) => operand.name);
	const flags = { start: 0, end: 0, last: 0 };
	for (const [, word = ""] of listing.matchAll(/\{([\w-]+)\}/g))
		expect(word in flags || shown.includes(word), word).toBe(true);
	// The writer fills a size in at the front; a guard has a target and a bit, and no rank.
	expect(kinds.slice(1)).not.toContain(table.OPERAND_SIZE);
	expect(kinds.slice(1)).not.toContain(table.OPERAND_SHORT_SIZE);
	expect(has(table.OPERAND_BIT)).toBe((traits & table.GUARDS) !== 0);
	if (has(table.OPERAND_BIT)) expect(has(table.OPERAND_SKIP)).toBe(true);
	expect(has(table.OPERAND_BIT) && has(table.OPERAND_RANK)).toBe(false);
	// A jump has one place for its targets.
	expect(has(table.OPERAND_ARMS) && has(table.OPERAND_SKIP)).toBe(false);
});

const source = (file: string) =>
	readFileSync(new URL(`../assembly/${file}`, import.meta.url), "utf8");

/** A run loop names an opcode where it runs it: beyond its imports. */
test.each([
	["match/run.ts", opcodes.map(({ name }) => `OP_${nameOf(name)}`)],
	[
		"sites/compact-run.ts",
		Object.keys(constants).flatMap((key) => {
			const form = /^C_OPERANDS_(.+)$/.exec(key)?.[1];
			// Those in front of C_PLAIN are told apart by order; there is no room for another one.
			return form && constant(`C_${form}`) >= table.C_PLAIN
				? [`C_${form}`]
				: [];
		}),
	],
] as const)("%s has a case for each opcode", (file, names) => {
	const code = source(file).replace(/^import [^;]+;/gm, "");
	expect(
		names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
	).toEqual([]);
});
