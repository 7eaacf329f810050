import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldFormats } from "../src/formats/formats.ts";
import { formatNames, LogAudit } from "../src/index.ts";
import { formatOfHead } from "../src/scan/detect.ts";

const docs = readFileSync(
	new URL("../../../docs/log-formats.md", import.meta.url),
	"utf8",
);

/** Each example with the format whose heading it stands below; "combined" is what stands behind other texts. */
const examples = docs.split(/^##+ /m).flatMap((section) => {
	const name = section.slice(0, section.indexOf("\n"));
	return [...section.matchAll(/^```log\n(.*?)\n```$/gms)].map(
		([, text = ""]) => ({
			name: /^[\w-]+$/.test(name) ? name : "combined",
			text,
		}),
	);
});

test("each format has an example", () =>
	expect(new Set(examples.map(({ name }) => name))).toEqual(
		new Set(formatNames.filter((name) => !fieldFormats.includes(name))),
	));

test.each(examples)("$name: $text", async ({ name, text }) => {
	expect(formatOfHead(Buffer.from(text), "a.log").name).toBe(name);
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: Buffer.from("User-agent: *\nDisallow: /private/"),
			},
		],
		defaultAgent: "GPTBot",
	});
	await audit.add("a.log", [Buffer.from(text)]);
	expect(audit.report()).toMatchObject({
		unparsed: 0,
		crawlers: [
			{
				name: "GPTBot",
				requests: 1,
				disallowed: 1,
				statuses: { "2xx": 1 },
				firstSeen: expect.stringMatching(/^2025-10-14T12:30:45/),
			},
		],
	});
});

test("a row is all that a format needs: no other file asks for its name", () => {
	const names = formatNames.filter((name) => !fieldFormats.includes(name));
	const asking = new RegExp(`"(?:${names.join("|")})"`);
	const url = new URL("../src/", import.meta.url);
	const files = readdirSync(url, { recursive: true, encoding: "utf8" });
	const sources = files.filter((file) => file.endsWith(".ts"));
	expect(sources).toContain(join("formats", "format-table.ts"));
	for (const file of sources) {
		if (file.endsWith("format-table.ts")) continue;
		const code = readFileSync(new URL(file, url), "utf8")
			// Docstrings and examples may name one.
			.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
		expect([file, asking.exec(code)?.[0]]).toEqual([file, undefined]);
	}
});
