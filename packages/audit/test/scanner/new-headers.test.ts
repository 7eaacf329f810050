import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LINES_PADDING } from "../../../../assembly/format/program.ts";
import { crawlers } from "../../../../src/index.ts";
import { casesOf } from "../../../../test/cases.ts";
import {
	AGENT_FIRST_CLASS,
	ENTRY_OUTCOME,
	ENTRY_PAIR,
	ENTRY_SIZE,
	FIELD_AGENT,
	HOST_WITHOUT_ROBOTS,
	OUTCOME_AGENTS,
	OUTCOME_LEFT_OUT,
	OUTCOME_PERSON,
	OUTCOME_WITHOUT_ROBOTS,
	SCAN_DONE,
	SCAN_NEW_AGENT,
} from "../../assembly/format.ts";
import { AddressBook } from "../../src/common/addresses.ts";
import { ScannerModule } from "../../src/common/scanner-module.ts";
import { placeFormat } from "../../src/formats/format-block.ts";
import { formatOf } from "../../src/formats/formats.ts";
import { decodeHeader, type Escaping } from "../../src/formats/log-format.ts";
import type { AuditOptions } from "../../src/index.ts";
import { patternsOf, scanSettings } from "../../src/options/options.ts";
import { AgentClasses, AgentDirectory } from "../../src/who/agent-classes.ts";
import {
	type AutomaticAgent,
	classify,
	expressionsWithoutLiteral,
	Header,
	readingsOf,
} from "../../src/who/classify.ts";
import { TOOL } from "../../src/who/people.ts";

type Sender = AutomaticAgent | "person" | "left-out" | "missing";

const before = Buffer.from(
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "',
);
const robots = [{ file: "robots.txt", bytes: new Uint8Array() }];

/** Whose headers are by a scan of lines that have them, and how often it asked the host. */
function scanned(
	headers: readonly Uint8Array[],
	escaping: Escaping,
	options: Partial<AuditOptions> = {},
): { senders: Sender[]; asked: number } {
	const module = new ScannerModule();
	const { calls } = module;
	const settings = scanSettings({ robots, ...options }, false);
	const classes = new AgentClasses(
		module,
		settings,
		new AddressBook([], undefined),
	);
	placeFormat(module, formatOf("combined"));
	module.bytes.set(readingsOf(escaping), calls.readings());
	calls.usePeriod(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
	calls.useEntries(true);
	calls.usePeople(classes.judgesPeople);
	calls.useSites(0, 0, HOST_WITHOUT_ROBOTS);
	calls.beginSegment(0);
	const lines = Buffer.concat(
		headers.flatMap((header) => [before, header, Buffer.from('"\n')]),
	);
	const from = module.place(
		Buffer.concat([lines, Buffer.alloc(LINES_PADDING)]),
		"lines",
	);
	const senders: Sender[] = [];
	let asked = 0;
	for (let at = from; ; at = calls.position()) {
		const reason = calls.scanLog(at, from + lines.length);
		const { view } = module;
		for (let i = 0; i < calls.entryCount(); i++) {
			const entry = calls.entries() + i * ENTRY_SIZE;
			const outcome = view.getInt32(entry + ENTRY_OUTCOME, true);
			const number = view.getUint32(entry + ENTRY_PAIR, true);
			senders.push(senderOf(outcome, () => classes.at(number)));
		}
		if (reason === SCAN_DONE) return { senders, asked };
		if (reason !== SCAN_NEW_AGENT) continue;
		asked++;
		const field = calls.fields() + FIELD_AGENT * 8;
		classes.meet(new Header(module.bytesBetween(field, field + 4), escaping));
	}
}

function senderOf(outcome: number, found: () => AutomaticAgent): Sender {
	if (outcome === OUTCOME_PERSON) return "person";
	if (outcome === OUTCOME_LEFT_OUT) return "left-out";
	if (outcome !== OUTCOME_WITHOUT_ROBOTS) {
		expect(outcome).toBeGreaterThan(OUTCOME_AGENTS - AGENT_FIRST_CLASS);
		return "missing";
	}
	const { name, category, agent } = found();
	return { name, category, agent };
}

/** Headers whose scan does not say what the host says of each by itself. */
function wrong(
	headers: readonly Uint8Array[],
	escaping: Escaping,
	options: Partial<AuditOptions> = {},
): unknown[] {
	const { agents = [], people, crawlers: others } = options;
	const directory = new AgentDirectory(
		agents,
		patternsOf(people),
		patternsOf(others),
	);
	const { senders } = scanned(headers, escaping, options);
	expect(senders.length).toBe(headers.length);
	return headers.flatMap((bytes, i) => {
		const text = decodeHeader(bytes, escaping);
		const found = senders[i];
		const missing = bytes.length === 0 || Buffer.from(bytes).equals(DASH);
		const own = missing ? "missing" : directory.find(text);
		return JSON.stringify(found) === JSON.stringify(own)
			? []
			: [{ text, found, own }];
	});
}

const DASH = Buffer.from("-");

/** How a log writes a header, by the escaping; undefined for one that would end the line. */
const written: Readonly<
	Record<Escaping, (header: string) => string | undefined>
> = {
	backslash: (header) => header.replace(/[\\"]/g, "\\$&"),
	none: (header) => (/["\\]/.test(header) ? undefined : header),
	plus: (header) =>
		/["\\]/.test(header) ? undefined : header.replaceAll(" ", "+"),
	percent: (header) =>
		/["\\]/.test(header)
			? undefined
			: header.replace(/[% ]/g, encodeURIComponent),
};
const escapings = Object.keys(written) as Escaping[];

function inLog(headers: readonly string[], escaping: Escaping): Uint8Array[] {
	return headers.flatMap((header) => {
		const text = written[escaping](header.replace(/[\r\n]/g, " "));
		return text === undefined ? [] : [Buffer.from(text)];
	});
}

const listed = createRequire(import.meta.url)("crawler-user-agents") as {
	instances: string[];
}[];
const chrome =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const browsers = [
	chrome,
	chrome.toUpperCase(),
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
	"Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18",
	"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)",
	"Mozilla/4.0 (compatible;)",
	"Mozilla/5.0 (compatible;)",
	"Mozilla/5.0 (X11)",
	"Mozilla/5.0 (foo@bar)",
	"Mozilla/5.0 (Foo 1.0)",
	"Mozilla/5.0 (X11; Linux) x",
	"Mozilla/5.0 (",
	"Mozilla/5.0 ( ",
];
/** What isbot's expressions without a literal match, at the end of a browser's header. */
const endings = [
	"; foo;",
	" a@b.c",
	" (me@site.x) y",
	" () x",
	" ()",
	" | x",
	";",
];
/** Headers that share a shape, of which a digit decides. */
const near = [
	"x/360Spider",
	"x/361Spider",
	"Mozilla/5.0 (X11; Linux x86_64) Gecko/1.0; rv",
	"Mozilla/5.0 (X11; Linux x86_64) Gecko/2.0; rv",
	"Mozilla/5.0 (X11) Code/2.5 Safari/537.36",
	"Mozilla/5.0 (X11) Code/1.5 Safari/537.36",
	"Foo.1Bot/1.0",
	"Foo.2Bot/1.0",
	"a.80legs/1.1",
	"a.81legs/1.1",
	"Foo (x/AI2Bot 1.0)",
	"Foo (x/AI3Bot 1.0)",
	`${"a/1".repeat(200)} GPTBot/1.0`,
	`${chrome} ${"x".repeat(512)}`,
	`${chrome} \u212arawler`,
	`${chrome} foo\\bar`,
	"",
	"-",
];

function pseudoRandom(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		return (state >>> 8) % limit;
	};
}
const random = pseudoRandom(11);
const otherVersions = (header: string) =>
	header.replace(/(?<=[/.]\d*)\d/g, () => `${random(10)}`);

describe("A scan says of each header what the host says of it alone:", () => {
	const known = [
		...browsers,
		...browsers.flatMap((header) => endings.map((end) => header + end)),
		...near,
		...crawlers.map(({ name }) => `Mozilla/5.0 (compatible; ${name}/1.0)`),
		...listed.flatMap(({ instances }) => instances.slice(0, 1)),
	];
	test.each<[change: string, changed: (header: string) => string]>([
		["as it is", (header) => header],
		["with other versions", otherVersions],
		["in capitals", (header) => header.toUpperCase()],
		["in a browser's", (header) => `${chrome} ${header} z`],
		[
			"cut anywhere",
			(header) => header.slice(random(9), header.length - random(9)),
		],
	])("%s", (_, changed) => {
		// Twice, so that the second of a shape meets what the first left.
		const headers = [...known, ...known.map(otherVersions)].map(changed);
		for (const escaping of escapings)
			expect(wrong(inLog(headers, escaping), escaping)).toEqual([]);
	});

	const piece = fc.oneof(
		fc.constantFrom(
			"Mozilla/5.0 (",
			"mozilla/4.0 (",
			"Mozilla/5.0",
			"Opera/9.80 (",
			") ",
			")",
			"; ",
			";",
			" ",
			"(",
			"()",
			"/",
			".",
			"@",
			"|",
			"%20",
			"+",
			"compatible; ",
			"like ",
			"Chrome/1.2.3",
			"Safari/9",
			"\u00e9",
			"\\",
			"1.0;",
			"Code/1.",
			"360Spider",
			"80legs",
			"AI2Bot",
			"bo",
			"t",
			"cub",
		),
		fc.constantFrom(...crawlers.map(({ name }) => name)),
		fc.constantFrom(...listed.flatMap(({ instances }) => instances)),
		fc.stringMatching(/^[a-z]{1,8}$/),
		fc.stringMatching(/^[/.]\d{1,3}$/),
		fc
			.constantFrom(...crawlers.map(({ name }) => name))
			.map((name) => name.slice(1)),
	);
	const header = fc
		.array(piece, { maxLength: 9, size: "max" })
		.map((pieces) => pieces.join(""));
	test("at random, in any order", () => {
		fc.assert(
			fc.property(
				fc.array(header, { maxLength: 12, size: "max" }),
				fc.constantFrom(...escapings),
				(headers, escaping) => {
					const all = [...headers, ...headers.map(otherVersions)];
					expect(wrong(inLog(all, escaping), escaping)).toEqual([]);
				},
			),
			{ numRuns: casesOf(150) },
		);
	});

	test.each<Partial<AuditOptions>>([
		{ agents: ["GPTBot", "AI2Bot"] },
		{ agents: ["+Acme", "+Chrome2"] },
		{ agents: ["Safari"] },
		{ people: ["Googlebot/2"] },
		{ crawlers: ["Chrome/126", "Opera"] },
	])("with %j", (options) => {
		const headers = [...known, ...known.map(otherVersions)];
		expect(wrong(inLog(headers, "none"), "none", options)).toEqual([]);
	});
});

describe("How often a scan asks for 500 headers", () => {
	const letters = (length: number) =>
		Array.from({ length }, () => "abcdeikmnouxyz"[random(14)]).join("");
	test.each<[headers: string, make: (i: number) => string, atMost: number]>([
		["of browsers in versions", (i) => chrome.replace("126", `${i}`), 0],
		[
			"with random words",
			(i) =>
				`Mozilla/5.0 (Windows NT 10.0; ${letters(6)} ${letters(5)}) AppleWebKit/537.36 (KHTML, like Gecko) ${letters(7)}${i}`,
			25,
		],
		["of GPTBot in versions", (i) => `GPTBot/1.${i}`, 3],
		[
			"of GPTBot behind Mozilla",
			(i) => `Mozilla/5.0 (compatible; GPTBot/1.${i}; +https://x.example/bot)`,
			4,
		],
		["of an unknown bot in versions", (i) => `Mozilla/5.0 (XyBot/${i})`, 3],
		["of another browser in versions", (i) => `Opera/9.80 (X11) A/1.${i} b`, 3],
		[
			"of AI2Bot in versions, whose name has a digit",
			(i) => `AI2Bot/${i}`,
			500,
		],
	])("%s", (_, make, atMost) => {
		const headers = Array.from({ length: 500 }, (_, i) => make(i));
		const { asked } = scanned(inLog(headers, "backslash"), "backslash");
		expect(asked).toBeLessThanOrEqual(atMost);
		if (atMost === 500) expect(asked).toBe(500);
	});

	test("with a table that is emptied on the way", () => {
		const headers = Array.from({ length: 140_000 }, (_, i) => `GPTBot/1.${i}`);
		const { asked, senders } = scanned(inLog(headers, "none"), "none");
		expect(asked).toBeLessThan(20);
		const gptbot = JSON.stringify(classify("GPTBot/1.0"));
		expect(senders.every((each) => JSON.stringify(each) === gptbot)).toBe(true);
	});
});

test("isbot's expressions without a literal are those that isPersons knows", () => {
	// If this fails: read isPersons in assembly/headers.ts, and whether a digit in a version can decide whether a new one matches.
	const isKnown = (source: string) =>
		source === TOOL.source || /^\^[a-z\d_ -]{2,}(?:[[\\./ ]|$)/.test(source);
	expect(
		expressionsWithoutLiteral().filter((source) => !isKnown(source)),
	).toEqual([
		";\\s\\w+;$",
		"@[a-z][\\w-]+\\.",
		"\\|",
		"^[<\\(;]",
		"^\\d+\\b",
		"^\\w*search\\b",
	]);
	// Those that begin with a word match no browser, but for these two, which end with ")" or have no comment.
	expect(
		expressionsWithoutLiteral().filter((source) =>
			source.startsWith("^mozilla"),
		),
	).toEqual([
		"^mozilla/\\d\\.\\d\\s[\\w\\.-]+$",
		"^mozilla/\\d\\.\\d\\s\\((?:compatible;)?(?:\\s?[\\w\\d-.]+[\\s/]\\d+\\.\\d+)?\\)$",
	]);
});
