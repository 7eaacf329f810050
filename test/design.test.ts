import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
	FILTER_SIZE,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_MAX_UNANCHORED,
	H_ONCE_ONLY,
	H_RANKS,
	H_TABLE,
	H_UNANCHORED,
	H_VERSION,
	H_VISITED,
	HEADER_SIZE,
} from "../assembly/format/program.ts";
import { inputsOf } from "../src/engine/compiler.ts";
import { RobotsTxt } from "../src/index.ts";
import { chooseRanges } from "../src/matching/dialect-file.ts";
import { disassemble } from "../src/matching/disassemble.ts";
import { compileFlags, rangesOf } from "../src/matching/rules.ts";
import { dialectRules } from "../src/robots-txt/dialect.ts";
import { extentOf, parse } from "../src/robots-txt/parse.ts";
import { compactDump, compactProgram } from "./design-compact.ts";
import {
	dump,
	entriesAt,
	type Field,
	hashOf,
	jumpTable,
	passes,
	programFields,
	quoted,
	rankText,
	u32,
} from "./design-program.ts";
import { opcodeTable, table } from "./design-tables.ts";

const FILE = `User-agent: *
Disallow: /documentation/
Allow: /documentation/api
Disallow: /*.pdf
`;
const PATHS = [
	"/",
	"/documentation/intro",
	"/documentation/api/v2",
	"/documentation/api.pdf",
	"/press/kit.pdf",
];

const bytesOf = (text: string) => new TextEncoder().encode(text);
const dialect = dialectRules("rfc9309");
const extent = extentOf(bytesOf(FILE), dialect, dialect.maxBytes);
const parsed = parse(extent, dialect);
const robots = RobotsTxt.parse(FILE);
const matcher = robots.for("ExampleBot");
const { program } = matcher;

const chunks = (values: Int32Array, size: number) =>
	Array.from({ length: values.length / size }, (_, i) => [
		...values.subarray(i * size, (i + 1) * size),
	]);

function records(): string {
	const value = ([from, to]: readonly number[]) =>
		quoted(extent.bytes.subarray(from, to));
	return table([
		...chunks(parsed.agentRecords, 6).map((record) => [
			"user-agent",
			`[${record.join(", ")}]`,
			value(record),
		]),
		...chunks(parsed.rules, 4).map((record) => [
			"rule",
			`[${record.join(", ")}]`,
			value(record),
		]),
	]);
}

function inputs(): string {
	const ranges = chooseRanges(extent, "ExampleBot", dialect);
	expect(ranges).toEqual(rangesOf(parsed.groups));
	const found = chunks(inputsOf(extent, ranges, compileFlags(dialect)), 4);
	return table([
		["pattern", "bytes", "flags", "rule"],
		...found.map(([from = 0, length = 0, flags = 0, source = 0]) => [
			source < 0 ? "/robots.txt" : FILE.slice(from, from + length),
			length,
			flags,
			source,
		]),
	]);
}

function ranks(): string {
	const { rules } = matcher;
	return table([
		["rank", "rule"],
		...Array.from({ length: rules.size }, (_, i) => {
			const rule = rules.at(rules.size - i);
			return [
				rules.size - i,
				rule ? `${rule.type} ${rule.pattern}` : "allow /robots.txt itself",
			];
		}),
	]);
}

function* fieldsOfProgram(): Generator<Field> {
	const header: readonly (readonly [at: number, size: number, text: string])[] =
		[
			[
				H_BYTE_LENGTH,
				4,
				`bytes of the program: ${u32(program, H_BYTE_LENGTH)}`,
			],
			[H_VERSION, 1, "version of the format"],
			[H_TABLE, 1, `how URLs are normalised: table ${program[H_TABLE]}`],
			[
				H_ONCE_ONLY,
				1,
				`unanchored patterns are tried once: ${program[H_ONCE_ONLY]}`,
			],
			[H_ONCE_ONLY + 1, 1, "free"],
			[H_RANKS, 4, `rules: ${u32(program, H_RANKS)}`],
			[H_UNANCHORED, 4, `unanchored part at ${u32(program, H_UNANCHORED)}`],
			[H_VISITED, 4, `bits of the visited set: ${u32(program, H_VISITED)}`],
			[
				H_MAX_UNANCHORED,
				4,
				`best of the unanchored part: ${rankText(u32(program, H_MAX_UNANCHORED))}`,
			],
			[
				H_ALWAYS,
				4,
				`best rule for every path: ${rankText(u32(program, H_ALWAYS))}`,
			],
		];
	for (const [at, size, text] of header) yield { at, size, text };
	yield* programFields(program);
}

function stages(): string {
	const text = bytesOf(`${PATHS.join("\n")}\n\n\n`);
	const literals = u32(program, H_UNANCHORED);
	const prefixes = jumpTable(program, HEADER_SIZE);
	const unanchored = jumpTable(program, literals + FILTER_SIZE);
	let start = 0;
	const rows = PATHS.map((path) => {
		const from = start;
		start += path.length + 1;
		const hit = prefixes.lookUp(hashOf(text, from + 1));
		const positions = Array.from(path, (_, at) => at).filter((at) =>
			passes(program, text, from + at),
		);
		const found = positions.map(
			(at) => unanchored.lookUp(hashOf(text, from + at)).code ?? "none",
		);
		const { rank, allowed } = matcher.decide(path);
		return [
			path,
			quoted(text.subarray(from + 1, from + 4)),
			hit.slot,
			hit.code ?? "none",
			positions.join(" ") || "none",
			found.join(" ") || "none",
			`${allowed ? "allowed" : "disallowed"}${rank ? `, rank ${rank}` : ""}`,
		];
	});
	return table([
		["path", "key", "slot", "code", "positions", "code", "verdict"],
		...rows,
	]);
}

function prefilter(): string {
	const path = PATHS.at(-1) ?? "";
	const bytes = bytesOf(`${path}\n\n`);
	const bits = (byte: number) => byte.toString(2).padStart(8, "0");
	return table([
		["at", "bytes", "low 1", "high 1", "low 2", "low 3", "all"],
		...Array.from(path, (_, at) => {
			const entries = entriesAt(program, bytes, at);
			return [
				at,
				quoted(bytes.subarray(at, at + 3)),
				...entries.map(bits),
				bits(entries.reduce((a, b) => a & b)),
			];
		}).slice(-6),
	]);
}

function branches(): string {
	const names = [
		"admin",
		"basket",
		"cart",
		"diff",
		"edit",
		"find",
		"go",
		"help",
		"img",
	];
	const rules = names.map((name) => `Disallow: /shop/${name}`);
	return disassemble(
		RobotsTxt.parse(["User-agent: *", ...rules].join("\n")).for("ExampleBot"),
	);
}

const fenced = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

const blocks: Readonly<Record<string, () => string>> = {
	file: () => fenced(FILE),
	records: () => fenced(records()),
	inputs: () => fenced(inputs()),
	ranks: () => fenced(ranks()),
	listing: () => fenced(disassemble(matcher)),
	program: () => fenced(dump(program, fieldsOfProgram())),
	branches: () => fenced(branches()),
	stages: () => fenced(stages()),
	prefilter: () => fenced(prefilter()),
	compact: () => fenced(compactDump(FILE)),
	opcodes: opcodeTable,
};

const PAGE = new URL("../docs/design.md", import.meta.url);
const BLOCK = /<!-- (?!end )(\w+) -->\n(?:.*?\n)??<!-- end -->/gs;

/** After an intended change, `npx vitest run --project host test/design.test.ts -u` writes the blocks anew. */
test("docs/design.md shows what the code makes of its example", async () => {
	const page = readFileSync(PAGE, "utf8");
	const seen: string[] = [];
	const current = page.replace(BLOCK, (_, name: string) => {
		seen.push(name);
		return `<!-- ${name} -->\n${blocks[name]?.() ?? "no such block"}\n<!-- end -->`;
	});
	expect(seen.toSorted()).toEqual(Object.keys(blocks).toSorted());
	await expect(current).toMatchFileSnapshot(fileURLToPath(PAGE));
});

test("docs/design.md names files that exist", () => {
	const page = readFileSync(PAGE, "utf8");
	const files = [
		...page.matchAll(/`((?:assembly|src|test)\/[\w./-]+)`/g),
		...page.matchAll(/\((images\/[\w.-]+)\)/g),
	].map(([, file = ""]) => file.replace(/^images/, "docs/images"));
	expect(files.length).toBeGreaterThan(30);
	for (const file of files)
		expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
});

test("docs/images/program.svg has the offsets of the example's parts", () => {
	const svg = readFileSync(
		new URL("../docs/images/program.svg", import.meta.url),
		"utf8",
	);
	const literals = u32(program, H_UNANCHORED);
	const tables = [HEADER_SIZE, literals + FILTER_SIZE];
	const codes = tables.map((at) => jumpTable(program, at).end);
	for (const at of [0, ...tables, ...codes, literals, program.length])
		expect(svg).toContain(`>${at}</text>`);
});

test("the sizes that docs/design.md names", () => {
	const page = readFileSync(PAGE, "utf8");
	expect(page).toContain(
		`${program.length} bytes in a matcher and ${compactProgram(FILE).length} in an index`,
	);
});
