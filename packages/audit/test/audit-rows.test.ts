import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { casesOf } from "../../../test/cases.ts";
import {
	apacheFormat,
	auditRows,
	type LogFormat,
	type VerdictRow,
} from "../src/index.ts";

const robots = [
	{
		file: "robots.txt",
		bytes: Buffer.from("User-agent: *\nDisallow: /private\n"),
	},
];

/** More crawlers than are counted at once, some people, and lines that are none. */
const lines = Array.from({ length: 5000 }, (_, at) => {
	if (at % 97 === 0) return "?";
	const header =
		at % 5 === 0
			? "Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/130.0"
			: `New${at % 2000}Bot/1.0`;
	const path = at % 3 === 0 ? `/private/${at}?q=é` : `/open/${at}`;
	return `192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET ${path} HTTP/1.1" 200 ${at} "-" "${header}"`;
});
const log = Buffer.from(lines.map((line) => `${line}\n`).join(""));

/** What is right, by the line's number from 0. */
function expected(at: number, all: boolean): object | undefined {
	const kind = at % 97 === 0 ? "unparsed" : at % 5 === 0 ? "people" : "judged";
	if (kind !== "judged")
		return all ? { line: at + 1, verdict: kind, crawler: null } : undefined;
	const isPrivate = at % 3 === 0;
	return {
		line: at + 1,
		time: "2025-10-14T12:30:45.000Z",
		crawler: `New${at % 2000}Bot`,
		category: "unknown",
		verification: null,
		host: null,
		path: isPrivate ? `/private/${at}?q=é` : `/open/${at}`,
		status: 200,
		bytes: at,
		address: "192.0.2.1",
		verdict: isPrivate ? "disallowed" : "allowed",
		robots: "robots.txt",
		rule_line: isPrivate ? 2 : null,
		rule: isPrivate ? "/private" : null,
		user_agent: `New${at % 2000}Bot/1.0`,
		method: "GET",
		referrer: null,
	};
}

test.each([
	{ name: "one chunk", size: log.length, all: false },
	{ name: "chunks of 1,000 bytes", size: 1000, all: false },
	{ name: "chunks of 70,000 bytes, all lines", size: 70_000, all: true },
])("$name: a row for each line", async ({ size, all }) => {
	const chunks = Array.from({ length: Math.ceil(log.length / size) }, (_, at) =>
		log.subarray(at * size, (at + 1) * size),
	);
	const rows: VerdictRow[] = [];
	for await (const row of auditRows({ robots, all }, chunks)) rows.push(row);
	const right = lines
		.map((_, at) => expected(at, all))
		.filter((row) => row !== undefined);
	expect(rows).toMatchObject(right);
});

test.each(["rfc9309", "google", "yandex"] as const)(
	"robots.txt in another spelling, which is allowed by no line, %s",
	async (dialect) => {
		const log = [
			Buffer.from(lines[1]?.replace(/\/open\S*/, "/robots%2Etxt") ?? ""),
		];
		for await (const row of auditRows({ robots, dialect }, log))
			expect(row).toMatchObject({
				path: "/robots%2Etxt",
				verdict: "allowed",
				rule_line: null,
				rule: null,
			});
		expect.assertions(1);
	},
);

test("an empty log has no rows", async () => {
	expect(await auditRows({ robots }, []).next()).toEqual({
		done: true,
		value: undefined,
	});
});

test.each([
	["a text among the chunks", ["x"], "a chunk of bytes is a Uint8Array"],
	[
		"no format that is known",
		[Buffer.from("some text\nmore text\n")],
		"the format of the log is not one of",
	],
])("%s is an error", async (_name, chunks, message) => {
	const rows = auditRows({ robots }, chunks as Iterable<Uint8Array>);
	await expect(rows.next()).rejects.toThrow(message);
});

/** GPTBot's address, another one, and a proxy. */
const [own, other, proxy] = ["20.15.240.65", "192.0.2.1", "10.0.0.1"];
const agent =
	"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const rest = `[14/Oct/2025:12:30:45 +0000] "GET /private HTTP/1.1" 200 5 "-" "${agent}"`;
const forwarded = apacheFormat(
	'%{X-Forwarded-For}i %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
);

test.each<
	[
		text: string,
		format: string | LogFormat,
		trusted: string[],
		verification: string,
	]
>([
	[own, "combined", [], "verified"],
	[`${own}, ${other}`, "combined", [], "unknown"],
	[`${own}, ${other}, ${proxy}`, "combined", [], "unknown"],
	[`${own}, ${other}`, "combined", ["10.0.0.0/8"], "claimed"],
	[`${other}, ${own}, ${proxy}`, "combined", ["10.0.0.0/8"], "verified"],
	[`${own}, ${other}`, "combined", ["1"], "claimed"],
	[`${own}, ${other}`, forwarded, [], "unknown"],
	[`${own}, ${other}, ${proxy}`, forwarded, [], "unknown"],
	[`${own}, ${other}`, forwarded, ["1"], "claimed"],
	[`${other}, ${own}`, forwarded, ["1"], "verified"],
	[own, forwarded, [], "verified"],
	// A proxy that nobody named: who is behind it, only its list says, which proves nothing.
	[`${own} ${other}`, "proxied", [], "unknown"],
	[`${other} ${own}`, "proxied", [], "verified"],
	[`${other} ${other}`, "proxied", [], "claimed"],
	[`- ${other}`, "proxied", [], "claimed"],
	[`${own} ${other}`, "proxied", [other], "verified"],
])(
	"a list of addresses without quotes: %s, %o, proxies %j",
	async (text, format, trustedProxies, verification) => {
		const ranges = [{ name: "GPTBot", prefixes: [`${own}/32`] }];
		const log = [Buffer.from(`${text} - - ${rest}\n`)];
		const options = { robots, ranges, format, trustedProxies };
		for await (const row of auditRows(options, log))
			expect(row).toMatchObject({
				verification,
				verdict: "disallowed",
				address:
					{ combined: text, proxied: text.split(" ").at(-1) }[String(format)] ??
					null,
			});
		expect.assertions(1);
	},
);

/** A target as Apache escapes it (ap_escape_logitem). */
function escapedByApache(target: string): string {
	const letters = "btnv_r";
	return target.replace(/[\b\t\n\v\r"\\]/g, (character) => {
		const letter = letters[character.charCodeAt(0) - 8] ?? character;
		return `\\${letter}`;
	});
}

/** The same with numbers, as Nginx does. */
function escapedByNginx(target: string): string {
	return target.replace(
		/[\b\t\n\v\r"\\]/g,
		(character) =>
			`\\x${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
	);
}

test.each(["rfc9309", "google", "yandex"] as const)(
	"targets with control characters: logs of Apache, Nginx and JSON and isAllowed agree, %s",
	async (dialect) => {
		const text = `User-agent: *
Disallow: /cart/
Disallow: /a%09
Disallow: /b%0A
Disallow: /*c\\
Disallow: /d\tt
Disallow: /*%0Dt
Disallow: /*n$
`;
		const rules = [{ file: "robots.txt", bytes: Buffer.from(text) }];
		const matcher = RobotsTxt.parse(text, { dialect });
		const verdictsOf = async (lines: readonly string[]) => {
			const verdicts: string[] = [];
			const log = [Buffer.from(lines.map((line) => `${line}\n`).join(""))];
			for await (const row of auditRows({ robots: rules, dialect }, log))
				verdicts.push(`${row.path} ${row.verdict}`);
			return verdicts;
		};
		const piece = fc.constantFrom(
			"/cart/",
			"/ca",
			"rt/",
			"\t",
			"\n",
			"\r",
			"\b",
			"\v",
			"\\",
			'"',
			"n",
			"t",
			"r",
			"/a",
			"/b",
			"c",
			"/d",
			"%09",
			"%0A",
			"?q=",
			"x09",
			"é",
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.array(piece, { maxLength: 6 }).map((all) => `/${all.join("")}`),
					{ minLength: 1, maxLength: 20 },
				),
				async (targets) => {
					const combined = (escaped: string) =>
						`192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET ${escaped} HTTP/1.1" 200 5 "-" "ExampleBot/1.0"`;
					const right = targets.map(
						(target) =>
							`${target} ${matcher.isAllowed(target, "ExampleBot") ? "allowed" : "disallowed"}`,
					);
					const apache = targets.map((target) =>
						combined(escapedByApache(target)),
					);
					const nginx = targets.map((target) =>
						combined(escapedByNginx(target)),
					);
					const json = targets.map((request_uri) =>
						JSON.stringify({
							time_iso8601: "2025-10-14T12:30:45Z",
							request_uri,
							status: 200,
							http_user_agent: "ExampleBot/1.0",
						}),
					);
					for (const lines of [apache, nginx, json])
						expect(await verdictsOf(lines)).toEqual(right);
				},
			),
			{ numRuns: casesOf(40) },
		);
	},
);
