import { createReadStream } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { file, robotrieProcess } from "./run.ts";

/** Larger than what one thread reads at once, so that it would be cut. */
const RECORDS = 90_000;

const rules = file("rules.txt", "User-agent: *\nDisallow: /private/\n");

/** Requests of which some are written in an unusual way, and some are broken. */
const requests = Array.from({ length: RECORDS }, (_, i) => ({
	ClientIP: `192.0.2.${i % 200}`,
	ClientRequestHost: "shop.example",
	ClientRequestReferer: `https://shop.example/${"a/rather/long/way/to/".repeat(5)}${i}`,
	ClientRequestURI: i % 3 === 0 ? `/private/${i}` : `/b/${i}`,
	ClientRequestUserAgent: ["GPTBot/1", "Mozilla/5.0 Firefox/1", 'Foo"Bot/1'][
		i % 3
	] as string,
	EdgeResponseStatus: 200 + (i % 2),
	EdgeStartTimestamp: i % 1000 === 7 ? "soon" : 1760445045 + i,
}));

const columns = Object.keys(requests[0] as object);
const quoted = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;

const formats: readonly (readonly [name: string, text: string])[] = [
	[
		"JSON, an object a line",
		requests
			.map((each, i) => {
				const line = JSON.stringify(each);
				return `${i % 50 === 0 ? line.replaceAll("/", "\\/") : line}\n`;
			})
			.join(""),
	],
	["JSON, a list", JSON.stringify(requests, undefined, 1)],
	[
		"CSV with line feeds in quotes",
		`${[
			columns,
			...requests.map((each, i) =>
				Object.values({
					...each,
					ClientRequestReferer: `${i % 9 === 0 ? '"\n' : ""}${each.ClientRequestReferer}`,
				}).map(quoted),
			),
		].join("\n")}\n`,
	],
];

describe.each(formats)("%s", (name, text) => {
	const log = file(`${name}.log`, text);
	const packed = file(`${name}.log.gz`, gzipSync(text, { level: 1 }));

	async function report(args: readonly string[], stdin?: string) {
		const { stdout, code } = await robotrieProcess(
			["audit", "-r", rules, "-o", "json", ...args],
			stdin === undefined ? {} : { stdin: createReadStream(stdin) },
		);
		expect(code).toBe(0);
		const { unparsedLines, ...rest } = JSON.parse(
			stdout.toString(),
		) as AuditReport;
		// Their names.
		return {
			...rest,
			logs: rest.logs.length,
			broken: unparsedLines.map(({ line }) => line),
		};
	}

	test("is counted the same as a file, by any number of threads, packed and from stdin", async () => {
		expect(text.length).toBeGreaterThan(17 * 1024 * 1024);
		const one = await report(["--workers", "1", log]);
		const broken = RECORDS / 1000;
		expect(one).toMatchObject({
			lines: RECORDS + one.blank,
			unparsed: broken,
			judged: RECORDS - broken - one.people,
			crawlers: [{ name: "GPTBot", disallowed: RECORDS / 3 - broken / 3 }, {}],
		});
		expect(await report(["--workers", "3", log])).toEqual(one);
		expect(await report([packed])).toEqual(one);
		expect(await report([], log)).toEqual(one);
	});
});
