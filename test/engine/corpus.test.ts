import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";

/** Real sites, with verdicts of Google's own library; data beside the project, not part of it. */
const shared = fileURLToPath(new URL("../../../shared/", import.meta.url));
const present = existsSync(shared);

function records<T>(file: string, folder = shared): T[] {
	const text = gunzipSync(readFileSync(`${folder}${file}`)).toString();
	return text
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as T);
}

const parse = (base64: string) =>
	RobotsTxt.parse(Buffer.from(base64, "base64"), { dialect: "google" });

interface Conformance {
	readonly robots_b64: string;
	readonly cases: readonly [string, string, number, number][];
}

interface Host {
	readonly host: string;
	readonly robots_b64: string;
	readonly urls: readonly string[];
	readonly allowed: Readonly<Record<string, string>>;
}

interface Derived {
	readonly host: string;
	readonly urls: readonly string[];
	readonly allowed: { readonly googlebot: string };
	readonly lines: readonly number[];
}

/** What agreed, and the first few that did not. */
class Tally {
	verdicts = 0;
	lines = 0;
	readonly wrong: string[] = [];

	verdict(right: boolean, what: () => string): void {
		if (right) this.verdicts++;
		else this.#note(what);
	}

	line(right: boolean, what: () => string): void {
		if (right) this.lines++;
		else this.#note(what);
	}

	#note(what: () => string): void {
		if (this.wrong.length < 5) this.wrong.push(what());
	}
}

/** Line 0 stands for none: where the library names no line, the rule is of no interest. */
const sameLine = (line: number | undefined, wanted: number) =>
	wanted === 0 || line === wanted;

test("conformance: 25,452 verdicts and their lines", () => {
	const tally = new Tally();
	let named = 0;
	for (const { robots_b64, cases } of records<Conformance>(
		"google.jsonl.gz",
		fileURLToPath(new URL("../../conformance/", import.meta.url)),
	)) {
		using robots = parse(robots_b64);
		for (const [agent, url, allowed, line] of cases) {
			using matcher = robots.for(agent);
			const what = () => JSON.stringify([robots_b64, agent, url, line]);
			const [many] = matcher.matchMany([url]);
			tally.verdict(
				robots.isAllowed(url, agent) === (allowed === 1) && many === allowed,
				what,
			);
			if (line !== 0) named++;
			tally.line(sameLine(matcher.match(url)?.line, line), what);
		}
	}
	expect(tally).toMatchObject({ verdicts: 25_452, lines: 25_452, wrong: [] });
	expect(named).toBe(9_155);
});

const title = present
	? "As Google's library answers"
	: "As Google's library answers: SKIPPED, ../shared with its corpora is missing";

describe.skipIf(!present)(title, () => {
	const hosts = present ? records<Host>("corpus/hosts.jsonl.gz") : [];

	test("hosts: 444,860 verdicts, four agents", () => {
		const tally = new Tally();
		for (const { host, robots_b64, urls, allowed } of hosts) {
			const bytes = new TextEncoder().encode(urls.join("\n"));
			using robots = parse(robots_b64);
			for (const [agent, wanted] of Object.entries(allowed)) {
				using matcher = robots.for(agent);
				const lines = matcher.matchLines(bytes);
				const many = matcher.matchMany(urls);
				urls.forEach((url, i) => {
					const verdict = Number(wanted[i]);
					tally.verdict(
						lines[i] === verdict && many[i] === verdict,
						() => `${host} ${agent} ${url}`,
					);
				});
			}
		}
		expect(tally).toMatchObject({ verdicts: 444_860, wrong: [] });
	});

	test("derived: 35,568 verdicts and their lines", () => {
		const tally = new Tally();
		const files = new Map(
			hosts.map(({ host, robots_b64 }) => [host, robots_b64]),
		);
		for (const { host, urls, allowed, lines } of records<Derived>(
			"corpus/derived.jsonl.gz",
		)) {
			using robots = parse(files.get(host) ?? "");
			using matcher = robots.for("googlebot");
			const verdicts = matcher.matchLines(
				new TextEncoder().encode(urls.join("\n")),
			);
			urls.forEach((url, i) => {
				const what = () => `${host} ${url} line ${lines[i]}`;
				tally.verdict(verdicts[i] === Number(allowed.googlebot[i]), what);
				tally.line(sameLine(matcher.match(url)?.line, lines[i] ?? 0), what);
			});
		}
		expect(tally).toMatchObject({ verdicts: 35_568, lines: 35_568, wrong: [] });
	});
});
