import { expect, test } from "vitest";
import { robotrie } from "./run.ts";

const file = "https://example.com/robots.txt";
const urls = [
	"https://example.com:443/a?b",
	"http://example.com/",
	"http://B\u00fccher.example/",
	"/path",
];

interface Row {
	readonly args: readonly string[];
	readonly output: string;
	readonly code: number;
}

test.each<Row>([
	{
		args: [],
		output: `${file}\t${urls[0]}
http://example.com/robots.txt\t${urls[1]}
http://xn--bcher-kva.example/robots.txt\t${urls[2]}
invalid\t${urls[3]}
`,
		code: 0,
	},
	{
		args: ["--robots-url", file],
		output: `applies\t${urls[0]}
elsewhere\t${urls[1]}
elsewhere\t${urls[2]}
invalid\t${urls[3]}
`,
		code: 0,
	},
])("scope $args", async ({ args, output, code }) => {
	const fromArguments = await robotrie(["scope", ...args, ...urls]);
	const fromStdin = await robotrie(["scope", ...args], {
		stdin: `\n${urls.join("\r\n")}`,
	});
	for (const result of [fromArguments, fromStdin]) {
		expect(String(result.stdout)).toBe(output);
		expect(result).toMatchObject({ code, stderr: "" });
	}
});

test.each([
	[urls[0], 0],
	[urls[1], 1],
	[urls[3], 1],
])("--check, %s: exit code %i", async (url = "", code) => {
	const args = ["scope", "--robots-url", file, "--check", url];
	expect(await robotrie(args)).toMatchObject({ code, stderr: "" });
});

test("--json", async () => {
	const result = await robotrie(["scope", "--json", ...urls.slice(0, 1), "x"]);
	expect(JSON.parse(String(result.stdout))).toEqual([
		{ url: urls[0], robotsUrl: file },
		{ url: "x", robotsUrl: null },
	]);
	const asked = await robotrie(["scope", "--json", "--robots-url", file], {
		stdin: `${urls[0]}\n${urls[1]}\nx\n`,
	});
	expect(JSON.parse(String(asked.stdout))).toEqual([
		{ url: urls[0], robotsUrl: file, applies: true },
		{
			url: urls[1],
			robotsUrl: "http://example.com/robots.txt",
			applies: false,
		},
		{ url: "x", robotsUrl: null, applies: false },
	]);
});

test("many URLs are all answered", async () => {
	const stdin = "https://example.com/a\n".repeat(50_000);
	const result = await robotrie(["scope", "--robots-url", file], { stdin });
	expect(result.stdoutSize).toBe(stdin.length + 50_000 * "applies\t".length);
	expect(result.code).toBe(0);
});
