import { execFile } from "node:child_process";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { type Home, pageAddress } from "../../packages/cli/src/lint-page.ts";
import { robotrie, root } from "../../packages/cli/test/run.ts";
import type { Dialect } from "../../src/index.ts";
import { type LintOptions, lint, lintCodes } from "../../src/lint.ts";

const run = promisify(execFile);
const pages = join(root, "docs/lint");
const folder = mkdtempSync(join(tmpdir(), "robotrie-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pageText = (code: string) =>
	readFileSync(join(pages, `${code}.md`), "utf8");

/** The text of a page's first block in a language. */
function block(page: string, language: string): string | undefined {
	return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1];
}

/** The options before the file's name, the name, and those after it, of the page's command. */
function commandOf(page: string): readonly [string, string, string] {
	const [, options = "", name = "robots.txt", more = ""] =
		/^\$ robotrie lint (.*?)(robots\.txt)( --.*)?\n/i.exec(
			block(page, "console") ?? "",
		) ?? [];
	return [options, name, more];
}

/** What `lint` is given for the files of a page's options. */
function siteOf(page: string, cwd: string): LintOptions {
	const [, option, name] =
		/--(sitemaps|noindex) (\S+)/.exec(commandOf(page)[2]) ?? [];
	if (name === undefined) return {};
	const urls = readFileSync(join(cwd, name), "utf8").match(/https:[^\s<]+/g);
	return option === "sitemaps"
		? { sitemapUrls: urls ?? [] }
		: { noindexUrls: urls ?? [] };
}

/** Makes the page's robots.txt, and returns its folder. */
async function makeExample(page: string): Promise<string> {
	const cwd = mkdtempSync(join(folder, "page-"));
	const file = block(page, "robots\\.txt");
	if (file !== undefined) writeFileSync(join(cwd, commandOf(page)[1]), file);
	else await run("sh", ["-ec", block(page, "sh") ?? "false"], { cwd });
	return cwd;
}

/** The lines of lint's output about one code, those that follow a finding included. */
function linesAbout(code: string, output: string): string {
	const findings = output.match(/^robots\.txt:\d+: .*\n(?: {2}.*\n)*/gim) ?? [];
	return findings.filter((text) => text.split(" ")[2] === code).join("");
}

test("every code has a page, every page a code, and an index names them all", () => {
	const files = readdirSync(pages).filter((name) => name !== "README.md");
	expect(files.sort()).toEqual(lintCodes.map((code) => `${code}.md`));
	const index = readFileSync(join(pages, "README.md"), "utf8");
	for (const code of lintCodes) expect(index).toContain(`(${code}.md)`);
});

test.each<[Home["repository"], string]>([
	[undefined, ""],
	["", ""],
	[{}, ""],
	["to be decided", ""],
	["https://github.com", ""],
	["github:owner/robotrie", "https://github.com/owner/robotrie/blob/v1.2.3/"],
	[
		{ url: "git+https://code.example/owner/robotrie.git" },
		"https://code.example/owner/robotrie/blob/v1.2.3/",
	],
])("with the home %j pages are at %j, for lint --json", (repository, at) => {
	const page = "docs/lint/noindex.md";
	const about = {
		version: "1.2.3",
		...(repository !== undefined && { repository }),
	};
	expect(pageAddress(page, about)).toBe(at + page);
});

test("the program in the index runs", async () => {
	const text = block(readFileSync(join(pages, "README.md"), "utf8"), "js");
	const { stdout } = await run(
		process.execPath,
		["--input-type=module", "--eval", text ?? ""],
		// The package finds itself by its name.
		{ cwd: root },
	);
	expect(stdout).toMatch(
		/^2 warning shadowed-rule Disallow: \/shop\/ can never win: .+\n$/,
	);
});

describe.each(lintCodes)("The page about %s", (code) => {
	const page = pageText(code);

	test("its example yields what it shows", async () => {
		const cwd = await makeExample(page);
		const [command = "", ...output] = (block(page, "console") ?? "").split(
			/(?<=\n)/,
		);
		const [options, name, more] = commandOf(page);
		expect(command).toBe(`$ robotrie lint ${options}${name}${more}\n`);
		const args = `${options}${name}${more}`.split(" ").filter(Boolean);
		const { stdout } = await robotrie(["lint", ...args], { cwd });
		expect(output.join("")).not.toBe("");
		expect(linesAbout(code, stdout.toString())).toBe(output.join(""));
	});

	test("every dialect finds what its table says", async () => {
		const cwd = await makeExample(page);
		const [, location] = commandOf(page);
		const bytes = readFileSync(join(cwd, location));
		const [, limit] = /--max-bytes (\d+)/.exec(page) ?? [];
		const rows = [
			...page.matchAll(/^\| (rfc9309|google|yandex) \| ([\w, ]+) \|/gm),
		];
		expect(rows.map(([, dialect]) => dialect)).toEqual([
			"rfc9309",
			"google",
			"yandex",
		]);
		for (const [, dialect, severity = ""] of rows) {
			const findings = lint(bytes, {
				dialect: dialect as Dialect,
				location,
				...siteOf(page, cwd),
				...(limit ? { maxBytes: Number(limit) } : {}),
			});
			const own = findings.filter((finding) => finding.code === code);
			expect(new Set(own.map((finding) => finding.severity))).toEqual(
				new Set(severity === "none" ? [] : severity.split(", ")),
			);
			for (const finding of own)
				expect(finding.page).toBe(`docs/lint/${code}.md`);
		}
	});

	test("it is complete, and its links lead somewhere", () => {
		expect(page.startsWith(`# ${code}\n`)).toBe(true);
		for (const heading of [
			"Example",
			"How to fix it",
			"What each dialect does",
			"Where it is written",
		])
			expect(page).toContain(`\n## ${heading}\n`);
		for (const [, target = ""] of page.matchAll(/\]\(([^)]+)\)/g))
			expect(existsSync(join(pages, target)), target).toBe(true);
	});
});
