/**
 * docs/hosting.md against the modules: what they export is described there, and its numbers are those of the sources. Its host in Python
 * is run by integrations/python/tests/test_hosting.py.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as program from "../assembly/format/program.ts";
import * as records from "../assembly/format/records.ts";
import { agentFlags } from "../src/matching/agents.ts";
import { compileFlags } from "../src/matching/rules.ts";
import { dialectRules } from "../src/robots-txt/dialect.ts";
import { extentOf } from "../src/robots-txt/parse.ts";

import { oddUrls } from "./data/odd-urls.ts";

const page = readFileSync(
	new URL("../docs/hosting.md", import.meta.url),
	"utf8",
);
const constants: Readonly<Record<string, unknown>> = {
	...program,
	...records,
};

/** The cells of the table's rows in a section, by its heading or by the table's own. */
function rowsAfter(heading: string): string[][] {
	const section = page.slice(page.indexOf(heading) + heading.length);
	const [, rows = ""] = /\n\|[ |-]*\|\n((?:\|.*\n)+)/.exec(section) ?? [];
	return rows
		.trim()
		.split("\n")
		.map((row) =>
			row
				.split("|")
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
}

const codeIn = (cell = "") => cell.replaceAll("`", "");

describe.each(["robotrie", "robotrie-index"])("%s", (name) => {
	const file = `${name}.simd.wasm`;
	const module = new WebAssembly.Module(
		readFileSync(new URL(`../dist/${file}`, import.meta.url)),
	);
	const { exports } = new WebAssembly.Instance(module);
	const described = new Map(
		rowsAfter(`## Exports of ${file}`).map(([cell]) => {
			const [, name = "", , args] =
				/^(\w+)(\((.*?)\))?/.exec(codeIn(cell)) ?? [];
			return [name, args?.split(", ").filter(Boolean).length];
		}),
	);

	test("imports nothing", () =>
		expect(WebAssembly.Module.imports(module)).toEqual([]));

	test("exports what docs/hosting.md describes, with as many parameters", () => {
		const exported = Object.entries(exports).map(([name, value]) => [
			name,
			typeof value === "function" ? value.length : undefined,
		]);
		expect(new Map(exported.sort() as [string, number | undefined][])).toEqual(
			new Map([...described].sort()),
		);
	});
});

test.each(rowsAfter("| constant | value"))("%s is %s", (name = "", value) =>
	expect(constants[codeIn(name)]).toBe(Number(value)),
);

test.each(
	[...page.matchAll(/`((?:READ|COMPILE|AGENTS)_[A-Z_]+)` (\d+)/g)].map(
		([, name = "", value = ""]) => [name, value] as const,
	),
)("%s is %s", (name, value) => expect(constants[name]).toBe(Number(value)));

test("the table of odd URLs is that of the rows", () => {
	const words = ["disallowed", "allowed", "unknown", "invalid"];
	expect(rowsAfter("| kind | URL |")).toEqual(
		oddUrls.map(({ kind, url, site, matcher, index, refusedBy }) => [
			kind,
			url && `\`${url}\``,
			`\`${site}\``,
			words[matcher],
			words[index],
			refusedBy.join(", "),
		]),
	);
});

describe("The table of dialects", () => {
	const rows = rowsAfter("| dialect | id");
	test("has all flags", () => {
		expect(rows).toHaveLength(3);
		expect(page.match(/`(READ|COMPILE|AGENTS)_[A-Z_]+` \d/g)).toHaveLength(
			Object.keys(constants).filter((name) =>
				/^(READ|COMPILE|AGENTS_(SPELLED|ANYWHERE|FAMILY|ALONE))/.test(name),
			).length,
		);
	});
	test.each(rows)("%s", (name, id, read, line, compile, agents, file) => {
		const rules = dialectRules(codeIn(name));
		const { flags, maxLineBytes } = extentOf(
			new Uint8Array(),
			rules,
			rules.maxBytes,
		);
		const most = Math.min(maxLineBytes, 0xffff_ffff);
		const size = Number.isFinite(rules.maxBytes) ? rules.maxBytes : "no limit";
		const numbers = [flags, most, compileFlags(rules), agentFlags(rules)];
		expect([id, read, line, compile, agents, file]).toEqual(
			[rules.id, ...numbers, size].map(String),
		);
		// The host in Python has the same numbers, its limit of a line in hexadecimal.
		const python = new RegExp(`"${codeIn(name)}": \\((.*)\\),`).exec(page)?.[1];
		expect(python?.split(", ").map(Number)).toEqual(numbers);
	});
});
