import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { file, folder, robotrie } from "./run.ts";

/**
 * What `robotrie audit --anonymize` writes, in every form that it has: no address of the log is in any of them. packages/audit/test/anonymize.test.ts
 * tries the library with made-up logs.
 */

const rules = file("anonymize.txt", "User-agent: *\nDisallow: /private\n");
const ranges = file(
	"anonymize-ranges.json",
	'{"prefixes": [{"ipv4Prefix": "198.51.100.0/25"}]}',
);
const key = file("anonymize.key", "0123456789abcdef\n");
const clients = ["198.51.100.7", "203.0.113.77", "2001:db8:1:2::7"];
const lines = clients.flatMap((client, at) => [
	`${client} - - [14/Oct/2025:12:30:4${at} +0000] "GET /private/${client}?ip=${encodeURIComponent(client)} HTTP/1.1" 200 5 "http://${client}/" "GPTBot/1.2 (from ${client})"`,
	`${client} - - [14/Oct/2025:12:30:5${at} +0000] "GET /open HTTP/1.1" 200 5 "-" "${at === 1 ? "Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/130.0" : `Made${at}Bot (${client})`}"`,
	`${client} is not parsed`,
]);
const log = file("anonymize.log", lines.map((line) => `${line}\n`).join(""));
const packed = join(folder, "anonymize-2.log.gz");
writeFileSync(packed, gzipSync(readFileSync(log)));

const out = (name: string) => join(folder, `anonymize-${name}`);
/** Options, and the file that they write; "" if that is stdout. */
type Form = readonly [options: readonly string[], file: string];
const forms: readonly Form[] = [
	...["table", "json", "ndjson", "csv", "html"].map(
		(output): Form => [["-o", output], ""],
	),
	[["-o", "json", "--out", out("report.json")], out("report.json")],
	[["-g", "header"], ""],
	[["-g", "network", "-o", "json"], ""],
	[["--workers", "2", "-o", "json"], ""],
	[["--list-headers", "--json"], ""],
	[["--suggest", "addresses"], ""],
	[["--suggest", "cloudflare"], ""],
	[["--each", "-", "--each-all"], ""],
	[["--each", out("each.csv")], out("each.csv")],
	[["--each", out("each"), "--each-all"], out("each")],
	[["--violations", out("violations")], out("violations")],
	[["--state", out("state")], out("state")],
	[["follow", "--violations", "-"], ""],
];

describe.each([[["--anonymize"]], [["--anonymize-key", key]]])("%s", (how) => {
	const reading = ["-r", rules, "--verify", `GPTBot=${ranges}`, ...how];
	const audit = ["audit", ...reading];

	test.each(forms)("%s has no address", async (options, path) => {
		const isGrowing = options[0] === "follow";
		const { stdout, stderr } = await robotrie(
			isGrowing
				? ["audit", ...options, ...reading, "-"]
				: [...audit, ...options, log, packed],
			isGrowing ? { stdin: readFileSync(log) } : {},
		);
		const written = path === "" ? "" : readFileSync(path, "latin1");
		for (const client of clients)
			for (const form of [client, encodeURIComponent(client)])
				expect(`${stdout}${stderr}${written}`).not.toContain(form);
		expect(`${stdout}${written}`).not.toBe("");
		const isList = options.includes("--list-headers");
		expect(stderr).toContain(
			isGrowing
				? "3 lines of 9 cannot be parsed as combined\n"
				: isList
					? "6 lines of 18"
					: "6 lines of 18 cannot be parsed as combined\n",
		);
	});

	test("has states that make the same report", async () => {
		const state = out("merged.state");
		await robotrie([...audit, "--state", state, log]);
		const { stdout } = await robotrie([...audit, "--json", log]);
		const merged = await robotrie(["audit", "merge", "--json", state]);
		expect(merged.stdout).toEqual(stdout);
		const { stdout: usual } = await robotrie([
			"audit",
			"-r",
			rules,
			"--verify",
			`GPTBot=${ranges}`,
			"--json",
			log,
		]);
		const verdicts = (text: Buffer) =>
			JSON.parse(text.toString()).crawlers.map(
				(each: Readonly<Record<string, unknown>>) =>
					[each.verification, each.requests, each.disallowed].join(),
			);
		expect(verdicts(stdout)).toEqual(verdicts(usual));
		expect(verdicts(stdout)).toContain("verified,1,1");
	});
});

test("A key is the same from a file and from the environment", async () => {
	const audit = ["audit", "-r", rules, "-g", "address", "--json", log];
	const ofFile = await robotrie([...audit, "--anonymize-key", key]);
	const ofEnv = await robotrie([...audit, "--anonymize-key", "env:AUDIT_KEY"], {
		env: { AUDIT_KEY: "0123456789abcdef" },
	});
	expect(ofEnv.stdout).toEqual(ofFile.stdout);
	const names = JSON.parse(ofFile.stdout.toString()).crawlers.map(
		({ name }: { name: string }) => name,
	);
	expect(names.join()).toMatch(/^(ip[46]-[\da-f]{12}-[\da-f]{12},?){3}$/);
});
