import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
// Within the package, which can import itself by its name.
mkdirSync(join(root, "build"), { recursive: true });
const folder = mkdtempSync(join(root, "build/docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The sites that the examples speak of, in place of the network. */
const network = `const fetch = async (url) =>
	url.startsWith("https://example.com/")
		? new Response("User-agent: *\\nDisallow: /private/")
		: new Response(null, { status: 404 });\n`;

/** Each example, and the output that the text shows next. */
const examplesOf = (page: string) => [
	...readFileSync(join(root, "docs", page), "utf8").matchAll(
		/```js\n(.*?)```.*?```text\n(.*?)```/gs,
	),
];
const pages: readonly (readonly [page: string, examples: number])[] = [
	["client.md", 3],
	["many-sites.md", 2],
];
const examples = pages.flatMap(([page]) => examplesOf(page));

test.each(pages)("%s has its examples", (page, count) =>
	expect(examplesOf(page)).toHaveLength(count),
);

test.each(
	examples.map(([, code = "", output = ""]) => [
		code.split("\n")[0],
		code,
		output,
	]),
)("%s", (_, code = "", output) => {
	const file = join(
		folder,
		`${examples.findIndex((one) => one[1] === code)}.mjs`,
	);
	writeFileSync(
		file,
		network +
			code.replaceAll("new RobotsClient({", "new RobotsClient({ fetch,"),
	);
	const printed = execFileSync(process.execPath, [file], {
		cwd: folder,
		encoding: "utf8",
	});
	expect(printed).toBe(output);
});
