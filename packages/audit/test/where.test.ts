import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { auditRows, LogAudit, type VerdictRow } from "../src/index.ts";

const robots = [
	{
		file: "robots.txt",
		bytes: Buffer.from("User-agent: *\nDisallow: /private\n"),
	},
];

const request = fc.record({
	host: fc.constantFrom("a.example", "A.example:8080", "b.example"),
	target: fc.constantFrom(
		"/",
		"/private/a",
		"/private/a?b=c",
		"/a*b",
		"/robots.txt",
		"*",
		"http://c.example/private/a?x",
	),
	status: fc.constantFrom("200", "304", "404", "503", "-"),
	method: fc.constantFrom("GET", "HEAD", "POST"),
	agent: fc.constantFrom("GPTBot/1.0", "CCBot/2.0", "Googlebot/2.1", "-"),
});
type Request = Readonly<
	Record<"host" | "target" | "status" | "method" | "agent", string>
>;

const lineOf = ({ host, target, status, method, agent }: Request) =>
	`${host} 192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "${method} ${target} HTTP/1.1" ${status} 5 "-" "${agent}"`;

/** Conditions, and which rows meet them. */
const conditions: readonly (readonly [
	field: string,
	condition: string,
	isMet: (row: VerdictRow) => boolean,
])[] = [
	["host", "host=a.example", ({ host }) => /^a\.example(:|$)/i.test(`${host}`)],
	["host", "host=*.EXAMPLE:8080", ({ host }) => `${host}`.endsWith(":8080")],
	["host", "host=b*e", ({ host }) => host === "b.example"],
	["path", "path=/private/*", ({ path }) => `${path}`.includes("/private/")],
	["path", "path=/private/a", ({ path }) => `${path}`.includes("/private/a")],
	["path", "path=*?b=*", ({ path }) => `${path}`.includes("?b=")],
	["path", "path=/PRIVATE/*", () => false],
	["path", "path=/*/*", ({ path }) => `${path}`.includes("/private/")],
	["path", "path=/", ({ path }) => path === "/"],
	["status", "status=404", ({ status }) => status === 404],
	["status", "status=4XX", ({ status }) => status === 404],
	["status", "status=-", ({ status }) => status === null],
	["method", "method=head", ({ method }) => method === "HEAD"],
	["crawler", "crawler=gptbot", ({ crawler }) => crawler === "GPTBot"],
	["crawler", "crawler=*g*bot", ({ crawler }) => /g.*bot$/i.test(`${crawler}`)],
	[
		"purpose",
		"purpose=ai-*",
		({ category }) => `${category}`.startsWith("ai-"),
	],
	[
		"purpose",
		"purpose=AI Training",
		({ category }) => category === "ai-training",
	],
	["purpose", "purpose=search*", ({ category }) => category === "search"],
	[
		"purpose",
		" purpose = search-engine ",
		({ category }) => category === "search-engine",
	],
];
const condition = fc.record({
	of: fc.constantFrom(...conditions),
	isNot: fc.boolean(),
});

async function rowsOf(lines: readonly string[], where?: readonly string[]) {
	const rows: VerdictRow[] = [];
	const log = Buffer.from(lines.map((line) => `${line}\n`).join(""));
	const options = { robots, format: "vcombined", where };
	for await (const row of auditRows(options, [log])) rows.push(row);
	return rows;
}

async function reportOf(lines: readonly string[], where?: readonly string[]) {
	const audit = new LogAudit({ robots, format: "vcombined", where });
	const log = Buffer.from(lines.map((line) => `${line}\n`).join(""));
	await audit.add("a.log", [log]);
	return audit.report();
}

test("Conditions on a field are alternatives, fields and negations must all hold; rows and reports are those of the lines that meet them", () =>
	fc.assert(
		fc.asyncProperty(
			fc.array(request, { minLength: 1, maxLength: 40 }),
			fc.array(condition, { minLength: 1, maxLength: 4 }),
			async (requests, asked) => {
				const lines = requests.map(lineOf);
				const where = asked.map(({ of: [, text], isNot }) =>
					isNot ? text.replace("=", "!=") : text,
				);
				const isMet = (row: VerdictRow) => {
					const fields = new Set(
						asked.filter(({ isNot }) => !isNot).map(({ of: [field] }) => field),
					);
					return (
						[...fields].every((field) =>
							asked.some(
								({ of: [own, , meets], isNot }) =>
									!isNot && own === field && meets(row),
							),
						) &&
						!asked.some(({ of: [, , meets], isNot }) => isNot && meets(row))
					);
				};
				const all = await rowsOf(lines);
				const right = all.filter(isMet);
				expect(await rowsOf(lines, where)).toEqual(right);
				const report = await reportOf(lines, where);
				const kept = await reportOf(
					right.map(({ line }) => lines[line - 1] as string),
				);
				expect(report.crawlers).toEqual(kept.crawlers);
				expect(report.leftOut).toBe(all.length - right.length);
				expect(report.judged).toBe(right.length);
			},
		),
		{ numRuns: casesOf(150) },
	));

test("with all lines, those that are left out have a row that says so", async () => {
	const lines = ["GPTBot/1", "CCBot/2"].map((agent) =>
		lineOf({ host: "a", target: "/", status: "200", method: "GET", agent }),
	);
	const rows = auditRows({ robots, all: true, where: ["crawler=CCBot"] }, [
		Buffer.from(lines.join("\n")),
	]);
	const verdicts: unknown[] = [];
	for await (const { verdict, crawler } of rows)
		verdicts.push([verdict, crawler]);
	expect(verdicts).toEqual([
		["leftOut", null],
		["allowed", "CCBot"],
	]);
});

describe("A condition is refused that", () => {
	test.each([
		["is of no field", "size=5", "is not one of host, path, status"],
		["has no sign", "host", "is not one of host, path, status"],
		["has no value", "host=", "has no value"],
		["has two equals signs", "crawler==GPTBot", "has one = too many"],
		["is of no status", "status=4", "needs a status such as 404 or 4xx"],
		["is of no status with an asterisk", "status=4*", "needs a status such as"],
	])("%s", (_, where, message) =>
		expect(() => auditRows({ robots, where: [where] }, [])).toThrow(message),
	);
});

test("many asterisks take no time", async () => {
	const line = lineOf({
		...{ host: "a", status: "200", method: "GET", agent: "GPTBot/1" },
		target: `/${"a".repeat(100_000)}`,
	});
	const rows = await rowsOf([line], [`path=${"*a".repeat(50_000)}b`]);
	expect(rows).toEqual([]);
});
