import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { robotsParser as theirParser } from "../bench/peer.ts";
import { RobotsTxt } from "../src/index.ts";
import ourParser from "../src/robots-parser.ts";
import { root } from "./installed.ts";

const require = createRequire(import.meta.url);
const readForGuard: (
	stream: Readable,
) => Promise<unknown> = require("robots-txt-parse");
const guard: (parsed: unknown) => {
	isAllowed(agent: string, path: string): boolean;
} = require("robots-txt-guard");

const SITE = "https://example.com";

type Judge = (
	text: string,
	url: string,
	agent: string,
) => boolean | undefined | Promise<boolean>;

const robotrie: Judge = (text, url, agent) =>
	RobotsTxt.parse(text).isAllowed(url, agent);
const parserOf =
	(parser: typeof theirParser): Judge =>
	(text, url, agent) =>
		parser(`${SITE}/robots.txt`, text).isAllowed(`${SITE}${url}`, agent);

/** Columns of verdicts; those of programs in other languages are as they were found on one day. */
const judges: Readonly<Record<string, readonly Judge[]>> = {
	"robots-parser": [parserOf(theirParser)],
	"robots-txt-guard": [
		async (text, url, agent) =>
			guard(await readForGuard(Readable.from([text]))).isAllowed(agent, url),
	],
	robotrie: [robotrie, parserOf(ourParser)],
	google: [
		(text, url, agent) =>
			RobotsTxt.parse(text, { dialect: "google" }).isAllowed(url, agent),
	],
	rfc9309: [robotrie],
};

const codeIn = (cell: string) =>
	cell.split("<br>").map((part) => /^`(.*)`$/.exec(part)?.[1] ?? part);

/** The rows of all tables that have verdicts, by their cells' headings. */
const rows = readFileSync(join(root, "docs/migrating.md"), "utf8")
	.split("\n\n")
	.filter((block) => block.startsWith("| robots.txt |"))
	.flatMap((table) => {
		const [headings = [], , ...lines] = table
			.trim()
			.split("\n")
			.map((line) =>
				line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")),
			);
		return lines.map(
			(cells) =>
				new Map(headings.map((heading, i) => [heading, cells[i] ?? ""])),
		);
	});

test("docs/migrating.md has its rows", () => expect(rows).toHaveLength(41));

describe("What docs/migrating.md says", () => {
	const cases = rows.flatMap((row) =>
		[...row].flatMap(([heading, verdict]) =>
			(judges[heading] ?? []).map((judge) => ({
				heading,
				verdict,
				judge,
				text: codeIn(row.get("robots.txt") ?? "").join("\n"),
				url: codeIn(row.get("URL") ?? "").join(),
				agent: codeIn(row.get("agent") ?? "").join(),
			})),
		),
	);
	test.each(cases)(
		"$heading: $agent at $url is $verdict",
		async ({ heading, judge, text, url, agent, verdict }) => {
			// The drop-in takes the site in front of a path.
			const allowed = await judge(
				text,
				heading === "robots-txt-guard" ? url : url.replace(SITE, ""),
				agent,
			);
			expect(allowed ? "allowed" : "disallowed").toBe(verdict);
		},
	);
});
