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
const text = readFileSync(join(root, "docs/client.md"), "utf8");
const examples = [...text.matchAll(/```js\n(.*?)```.*?```text\n(.*?)```/gs)];

test("the page has its examples", () => expect(examples).toHaveLength(3));

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
