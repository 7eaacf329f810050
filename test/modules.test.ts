import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instantiateSync } from "@assemblyscript/loader";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../src/engine/linear-memory.ts";
import { RobotsTxt } from "../src/index.ts";
import { asText } from "../tools/texts.mjs";
import { root } from "./installed.ts";

/**
 * What the host says that modules export, against what they do export: TypeScript believes the interfaces, and a wrong count of
 * parameters would pass silently, as WebAssembly reads a missing argument as 0.
 */
const declared: readonly (readonly [
	module: string,
	files: readonly (readonly [file: string, name: string])[],
])[] = [
	[
		"robotrie",
		[
			["src/engine/workspace.ts", "MainExports"],
			["src/engine/linear-memory.ts", "RowExports"],
			["src/engine/linear-memory.ts", "CommonExports"],
		],
	],
	[
		"robotrie-index",
		[
			["src/sites/capture.ts", "IndexExports"],
			["src/engine/linear-memory.ts", "RowExports"],
			["src/engine/linear-memory.ts", "CommonExports"],
		],
	],
	[
		"robotrie-audit",
		[["packages/audit/src/common/scanner-module.ts", "ScannerExports"]],
	],
];

/** The functions of an interface, and how many parameters each has. */
function functionsOf(file: string, name: string): [string, number][] {
	const text = readFileSync(join(root, file), "utf8");
	const body = new RegExp(`interface ${name}\\b[^{]*\\{(.*?)\\n\\}`, "s").exec(
		text,
	)?.[1];
	if (body === undefined) throw new Error(`${file} has no ${name}`);
	return [...body.matchAll(/^\t(\w+)\(([^)]*)\)/gm)].map(
		([, method = "", parameters = ""]) => [
			method,
			[...parameters.matchAll(/\w+\??:/g)].length,
		],
	);
}

describe.each(declared)(
	"%s exports what the host declares",
	(module, files) => {
		const file = join(root, `build/${module}.simd.wasm`);
		const { instance } = instantiateSync(
			new WebAssembly.Module(readFileSync(file)),
		);
		const functions = files.flatMap(([file, name]) => functionsOf(file, name));

		test("there are some", () => expect(functions.length).toBeGreaterThan(3));

		test.each(functions)("%s(), with %i parameters", (name, count) => {
			const exported = instance.exports[name];
			expect(exported).toBeTypeOf("function");
			expect((exported as (...args: number[]) => number).length).toBe(count);
			// LinearMemory hands on as many.
			expect(count).toBeLessThanOrEqual(6);
		});
	},
);

test("a module's text is printable ASCII, and gives back every byte", () => {
	const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
	const text = asText(bytes);
	expect(text).toMatch(/^[ -~]{256,422}$/);
	expect(bytesOf(text)).toEqual(bytes);
});

// In texts of a page of memory and of more.
test.each([1, 65535, 65536, 65537, 131072])(
	"a text of %i characters, in pairs or not, gives back its bytes",
	(characters) => {
		const singles = Uint8Array.from({ length: characters }, (_, at) => at % 85);
		const pairs = new Uint8Array((characters + 1) >> 1).fill(100);
		for (const bytes of [singles, pairs])
			expect(Buffer.compare(bytesOf(asText(bytes)), bytes)).toBe(0);
	},
);

test("a build fails when a function is named that no module has", async () => {
	const { checkPatterns } = await import(join(root, "tools/wasm-module.mjs"));
	expect(() => checkPatterns(["assembly/url/url/hashBytes"])).toThrow(
		/names functions that no module has: bytes\/memory\/allocate\*, bytes\/memory\/release, .*readLine$/,
	);
});

describe("The packages that the owner chose", () => {
	const manifest = JSON.parse(
		readFileSync(join(root, "package.json"), "utf8"),
	) as { devDependencies: Record<string, string> };

	test.each([
		["assemblyscript", "tools/wasm-module.mjs"],
		["@assemblyscript/loader", "src/engine/linear-memory.ts"],
		["tinybench", "bench/measure.ts"],
		["vitest", "vitest.config.ts"],
	])("%s is in package.json, and in use", (name, file) => {
		expect(Object.keys(manifest.devDependencies)).toContain(name);
		expect(readFileSync(join(root, file), "utf8")).toMatch(
			new RegExp(`(?:from |import\\()"${name}(/[^"]*)?"`),
		);
	});

	test("the loader's instance answers", () => {
		const robots = RobotsTxt.parse("User-agent: *\nDisallow: /a");
		expect(robots.isAllowed("/a", "x")).toBe(false);
	});
});
