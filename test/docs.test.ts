import { execFileSync } from "node:child_process";
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { warcOf } from "../packages/cli/test/sites.ts";
import { clientOptions } from "../packages/client/src/source/options.ts";
import { network, onNetwork, STATED, valueIn } from "./shown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
// Within the package, which can import itself by its name.
mkdirSync(join(root, "build"), { recursive: true });
const folder = mkdtempSync(join(root, "build/docs-"));
for (const name of ["robots.txt", "access.log"])
	copyFileSync(join(root, "sample", name), join(folder, name));
const textOf = (page: string) => readFileSync(join(root, page), "utf8");
// What packages/audit/README.md reads besides.
const firstLines = textOf("sample/access.log")
	.split(/(?<=\n)/)
	.slice(0, 1000);
writeFileSync(join(folder, "access.log.1.gz"), gzipSync(firstLines.join("")));
// What packages/sites/README.md reads: a site that redirects to another, whose file has a rule.
const answers = [
	{
		url: "https://example.com/robots.txt",
		status: "HTTP/1.1 301 Moved Permanently",
		fields: { Location: "https://www.example.com/robots.txt" },
	},
	{
		url: "https://www.example.com/robots.txt",
		body: "User-agent: *\nDisallow: /p\n",
	},
];
writeFileSync(join(folder, "crawl.warc.gz"), await warcOf(answers));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each example, and the output that the text shows next. */
const examplesOf = (page: string) => [
	...textOf(page).matchAll(/```js\n(.*?)```(.*?)```text\n(.*?)```/gs),
];
const pages: readonly (readonly [page: string, examples: number])[] = [
	["docs/client.md", 6],
	["docs/columns.md", 3],
	["docs/many-sites.md", 4],
	["docs/sharding.md", 1],
	["packages/audit/README.md", 2],
	["packages/client/README.md", 1],
	["packages/sites/README.md", 1],
];
const examples = pages.flatMap(([page]) => examplesOf(page));

test.each(pages)("%s has its examples", (page, count) =>
	expect(examplesOf(page)).toHaveLength(count),
);

test.each(
	examples.map(([, code = "", text = "", output = ""]) => [
		code.split("\n")[0],
		code,
		text,
		output,
	]),
)("%s", (_, code = "", text = "", output = "") => {
	const file = join(
		folder,
		`${examples.findIndex((one) => one[1] === code)}.mjs`,
	);
	writeFileSync(file, network + onNetwork(code));
	const printed = execFileSync(process.execPath, [file], {
		cwd: folder,
		encoding: "utf8",
	});
	// A text may show the first lines of many.
	const shown = output.split("\n").length;
	const lines = printed.split("\n");
	expect(
		/begins with\s*$/.test(text)
			? `${lines.slice(0, shown - 1).join("\n")}\n`
			: printed,
	).toBe(output);
});

/**
 * The statements of a page whose value stands behind them: `expression; // value: words about it`. A value that ends in "… }"
 * names some of an object's properties. Each is run after all that stands before it in its example.
 */
function statementsOf(page: string) {
	const blocks = [...textOf(page).matchAll(/```(?:js|ts)\n(.*?)```/gs)];
	return blocks.flatMap(([, code = ""]) => {
		const lines = code.replace(/\n\/\/ +/g, " // ").split("\n");
		return lines.flatMap((line, i) => {
			const [, expression, comment = ""] = STATED.exec(line) ?? [];
			return expression === undefined
				? []
				: [
						{
							page,
							expression,
							value: valueIn(comment.replaceAll(" // ", " ")),
							before: lines.slice(0, i).join("\n"),
						},
					];
		});
	});
}

const stated = [
	["docs/crawlers.md", 7],
	["docs/other-lines.md", 5],
	["README.md", 4],
	["docs/library.md", 14],
	["docs/migrating.md", 6],
] as const;

test.each(stated)("%s states its values", (page, count) =>
	expect(statementsOf(page)).toHaveLength(count),
);

test.each(stated.flatMap(([page]) => statementsOf(page)))(
	"$page: $expression",
	({ before, expression, value }) => {
		const file = join(folder, "stated.mjs");
		writeFileSync(
			file,
			`${before}
const value = ${expression};
console.log(JSON.stringify(value instanceof Uint8Array ? [...value] : value));`,
		);
		const printed = execFileSync(process.execPath, [file], {
			cwd: folder,
			encoding: "utf8",
		});
		const found: unknown = JSON.parse(printed);
		if (typeof value === "object" && value !== null)
			expect(found).toMatchObject(value);
		else expect(found).toBe(value);
	},
);

test("docs/client.md has a row of every option of RobotsClient, and of no other", () => {
	const [, section = ""] = textOf("docs/client.md").split("\n## Options\n");
	const [table = ""] = section.split("\n## ");
	const names = [...table.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
		([, cell = ""]) => cell.match(/\w+/g) ?? [],
	);
	expect(names.toSorted()).toEqual(Object.keys(clientOptions).toSorted());
});

test("docs/many-sites.md shows what its shell example prints", () => {
	const [, script = "", output = ""] =
		/```sh\n(.*?)```.*?```txt\n(.*?)```/s.exec(textOf("docs/many-sites.md")) ??
		[];
	const cli = join(root, "packages/cli/main.js");
	const printed = execFileSync(
		"sh",
		["-ec", `robotrie() { node ${cli} "$@" 2>&1; }\n${script}`],
		{ cwd: folder, encoding: "utf8" },
	);
	expect(printed).toBe(output);
});
