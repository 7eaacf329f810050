/**
 * Makes the rows of conformance/*.jsonl: those of the specifications, from the tables in test/data, and cases of our own, which are drawn by
 * a generator that always draws the same. conformance.test.ts compares them with what is stored, `npm run conformance -- --write` stores
 * them. What a row says must come from the document or agree with the naive matcher (oracle.ts), not only with the engine.
 */
import { type Dialect, RobotsIndex, RobotsTxt, Verdict } from "../src/index.ts";
import { identify } from "../src/matching/agents.ts";
import { countedBytes } from "../src/matching/rules.ts";
import { dialectRules } from "../src/robots-txt/dialect.ts";
import { agentFiles, agentHeaders } from "./data/agents.ts";
import {
	groupChoice,
	groups,
	pathMatches,
	precedence,
	type Situation,
	withoutSlash,
} from "./data/documents.ts";
import { escaping, howTo, typos } from "./data/how-to.ts";
import { type Step, stories } from "./data/http-meaning.ts";
import { oddUrls } from "./data/odd-urls.ts";
import { delayRows } from "./data/other-lines.ts";
import { readings } from "./data/readings.ts";
import { type RecordedRow, recordedRows } from "./data/recorded.ts";
import { rows as rfcRows, urlRows } from "./data/rfc9309.ts";
import { groupRows } from "./data/rfc9309-groups.ts";
import { statements } from "./data/statements.ts";
import { crawlDelays, yandexDocument } from "./data/yandex.ts";
import { type SavedRow, savedRows } from "./saved-rows.ts";

type Agent = string | readonly string[];
type Source = Pick<VerdictRow, "robots" | "robots_b64">;

/** A verdict that any implementation can be asked for. */
export interface VerdictRow {
	/** The file as text, or its bytes in Base64 where they are not UTF-8. */
	readonly robots?: string;
	readonly robots_b64?: string;
	/** A product token, or several, the most specific first. */
	readonly agent: Agent;
	readonly url: string;
	readonly dialect: Dialect;
	readonly allowed: boolean;
	/** The deciding line, 0 for none. */
	readonly line: number;
	/** The document that says so, or "robotrie". */
	readonly origin: string;
	readonly where: string;
}

/** A choice of groups: the lines of their first user-agent lines. */
export interface GroupRow extends Source {
	readonly agent: Agent;
	readonly dialect: Dialect;
	readonly groups: readonly number[];
	readonly origin: string;
	readonly where: string;
}

/** An odd URL: what a matcher of the file and the saved index of `site` say of it, and who refuses it. */
interface UrlRow extends Source {
	readonly url: string;
	readonly kind: string;
	readonly agent: string;
	readonly dialect: Dialect;
	readonly site: string;
	readonly index_b64: string;
	readonly matcher: Verdict;
	readonly index: Verdict;
	readonly refused_by: readonly string[];
}

export interface Files {
	readonly verdicts: readonly VerdictRow[];
	readonly groups: readonly GroupRow[];
	readonly agents: readonly GroupRow[];
	readonly urls: readonly UrlRow[];
	readonly lengths: readonly object[];
	readonly "crawl-delay": readonly object[];
	readonly http: readonly object[];
	readonly recorded: readonly RecordedRow[];
	readonly saved: readonly SavedRow[];
}

const ROBOTRIE = "robotrie";
const RFC = "RFC 9309";
const GOOGLE = "Google's documentation";
const YANDEX = "Yandex's documentation";
const all: readonly Dialect[] = ["rfc9309", "google", "yandex"];
/** Larger files would be most of the data. */
const MOST_BYTES = 1000;

export const bytesOf = ({ robots, robots_b64 }: Source): Uint8Array =>
	robots === undefined
		? Buffer.from(robots_b64 ?? "", "base64")
		: Buffer.from(robots);

/** A file as a row has it. */
function sourceOf(bytes: Uint8Array): Source {
	const text = Buffer.from(bytes).toString();
	return Buffer.from(text).equals(bytes) && !text.includes("\ufeff")
		? { robots: text }
		: { robots_b64: Buffer.from(bytes).toString("base64") };
}

/**
 * The tokens of an agent, so that nobody needs our table of crawlers; undefined for headers and for crawlers that do not obey groups for
 * `*`, which a list of tokens does not say.
 */
function tokensOf(agent: Agent, dialect: Dialect): Agent | undefined {
	const names = typeof agent === "string" ? [agent] : agent;
	if (!names.every((name) => /^[\w-]+$/.test(name))) return undefined;
	const { tokens, obeysGlobal } = identify(agent, dialectRules(dialect));
	if (!obeysGlobal) return undefined;
	return tokens.length === 1 ? tokens[0] : tokens;
}

class Verdicts {
	readonly rows: VerdictRow[] = [];
	readonly #known = new Set<string>();

	/** Adds a case. `allowed` is what the document says; without it, what the engine answers. */
	add(
		bytes: Uint8Array,
		agent: Agent,
		url: string,
		dialect: Dialect,
		[origin, where]: readonly [string, string],
		allowed?: boolean,
	): void {
		const tokens = tokensOf(agent, dialect);
		if (tokens === undefined || bytes.length > MOST_BYTES) return;
		// As a path it is one thing, to Google's library a URL without a scheme.
		if (url.startsWith("//")) return;
		const { allowed: found, rule } = RobotsTxt.parse(bytes, {
			dialect,
		}).explain(url, tokens);
		const row = {
			...sourceOf(bytes),
			agent: tokens,
			url,
			dialect,
			allowed: allowed ?? found,
			line: rule?.line ?? 0,
			origin,
			where,
		};
		const key = JSON.stringify({ ...row, origin: "", where: "" });
		if (this.#known.has(key)) return;
		this.#known.add(key);
		this.rows.push(row);
	}

	situation(
		{ where, robots, agent, allowed = [], disallowed = [], ...row }: Situation,
		dialect: Dialect,
		origin: string,
		defaultAgent = "anybot",
	): void {
		if (row.maxBytes !== undefined) return;
		const bytes = Buffer.from(robots);
		for (const [urls, wanted] of [
			[allowed, true],
			[disallowed, false],
		] as const)
			for (const url of urls)
				this.add(
					bytes,
					agent ?? defaultAgent,
					url,
					dialect,
					[origin, where],
					wanted,
				);
	}
}

function documented(verdicts: Verdicts): void {
	for (const row of [...rfcRows, ...urlRows, ...groupRows]) {
		const { rules, url, agent = "anybot", where, line } = row;
		const robots =
			agent === "anybot" ? `User-agent: *\n${rules}` : (rules as string);
		const decides = robots.split("\n")[line - 1] ?? "";
		const allowed = line === 0 || /^\s*allow/i.test(decides);
		const origin = where.startsWith("SPEC") ? ROBOTRIE : RFC;
		const from = [origin, where] as const;
		verdicts.add(Buffer.from(robots), agent, url, "rfc9309", from, allowed);
	}
	for (const dialect of all) {
		for (const { where, pattern, matches, misses } of pathMatches)
			verdicts.situation(
				{
					where,
					robots: `User-agent: *\nDisallow: ${pattern}\n`,
					disallowed: matches,
					allowed: misses,
				},
				dialect,
				GOOGLE,
			);
		for (const row of [...precedence, ...groups])
			verdicts.situation(row, dialect, GOOGLE);
	}
	for (const row of howTo) {
		verdicts.situation(row, "rfc9309", GOOGLE);
		verdicts.situation(row, "google", GOOGLE);
	}
	for (const row of escaping) {
		verdicts.situation(row, "rfc9309", GOOGLE);
		if (row.urlEscaped) verdicts.situation(row, "google", GOOGLE);
	}
	for (const row of typos) verdicts.situation(row, "rfc9309", GOOGLE);
	verdicts.situation(
		{
			where: withoutSlash.where,
			robots: `User-agent: *\nDisallow: ${withoutSlash.pattern}\n`,
			disallowed: withoutSlash.matches,
			allowed: withoutSlash.misses,
		},
		"rfc9309",
		GOOGLE,
	);
	for (const row of yandexDocument)
		verdicts.situation(row, "yandex", YANDEX, "Yandex");
	for (const { says, where, verdicts: checks = [] } of statements)
		for (const { dialects = all, ...check } of checks)
			for (const dialect of dialects)
				verdicts.situation(
					{ ...check, where: says },
					dialect,
					where.includes("004") ? YANDEX : GOOGLE,
				);
}

/** How files are cut into lines, fields and groups, seen by what may be fetched. */
function read(verdicts: Verdicts): void {
	for (const { what, file } of readings) {
		const bytes = Buffer.from(file, "latin1");
		for (const dialect of all)
			for (const agent of ["a", "anybot"])
				for (const url of ["/a", "/b"])
					verdicts.add(bytes, agent, url, dialect, [ROBOTRIE, what]);
	}
}

/** Numbers below a limit, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const PATTERN = [
	"/",
	"a",
	"b",
	"*",
	"*",
	"$",
	"?",
	"%61",
	"%2F",
	"é",
	"%C3%A9",
	"ab",
	"/a",
	"=",
	"&",
	".htm",
	"%2a",
	"~",
	"index.html",
] as const;
const URL = [
	"/",
	"a",
	"b",
	"/a",
	"?",
	"a",
	"b",
	"%61",
	"%2F",
	"é",
	"%C3%A9",
	"ab",
	"=",
	"&",
	".htm",
	"*",
	"$",
	"%2A",
	"~",
	"index.html",
	"#a",
	";",
] as const;

/** Rules of one group, with URLs that some of them match. */
function drawnRules(verdicts: Verdicts): void {
	const draw = numbers(9309);
	const text = (pieces: readonly string[], most: number) =>
		Array.from(
			{ length: draw(most) },
			() => pieces[draw(pieces.length)] as string,
		).join("");
	for (let file = 0; file < 220; file++) {
		const patterns = Array.from(
			{ length: 1 + draw(6) },
			() => `/${text(PATTERN, 5)}`,
		);
		const robots = `User-agent: *\n${patterns
			.map((pattern) => `${draw(2) ? "Allow" : "Disallow"}: ${pattern}\n`)
			.join("")}`;
		const urls = patterns.flatMap((pattern) => {
			const like = pattern
				.replaceAll("*", () => text(URL, 3))
				.replace(/\$$/, "");
			return [like, `${like}${text(URL, 4)}`];
		});
		for (const dialect of all)
			for (const url of urls.slice(0, 6))
				verdicts.add(Buffer.from(robots), "anybot", url, dialect, [
					ROBOTRIE,
					`drawn rules ${file + 1}`,
				]);
	}
}

const AGENTS = [
	"Foo",
	"foo",
	"FooBot",
	"foo-news",
	"bar",
	"*",
	"Foo/1.0",
	"foo bar",
	"* x",
	"*x",
	"Baz7",
	"Mozilla/5.0 (compatible; bar)",
	"",
] as const;
const BETWEEN = [
	"",
	"# comment\n",
	"Sitemap: https://example.com/s\n",
	"Unknown: x\n",
	"Crawl-delay: 2\n",
	"\n",
] as const;
const ASKED: readonly Agent[] = [
	"foo",
	"FOO",
	"bar",
	"baz7",
	"fo",
	["foo-news", "foo"],
	["none", "bar"],
	"x",
];

/** Files of several groups; each rule of them has a path of its own. */
function drawnGroups(): { bytes: Uint8Array; paths: string[] }[] {
	const draw = numbers(2119);
	const pick = <Item>(items: readonly Item[]) =>
		items[draw(items.length)] as Item;
	return Array.from({ length: 40 }, () => {
		let robots = "";
		const paths: string[] = [];
		for (let group = 2 + draw(4); group > 0; group--) {
			for (let line = 1 + draw(3); line > 0; line--)
				robots += `${pick(["User-agent", "user-agent", "USER-AGENT"])}:${pick([" ", ""])}${pick(AGENTS)}\n${pick(BETWEEN)}`;
			for (let rule = draw(3); rule > 0; rule--) {
				paths.push(`/${paths.length + 1}`);
				robots += `Disallow: ${paths.at(-1)}\n${pick(BETWEEN)}`;
			}
		}
		return { bytes: Buffer.from(robots), paths };
	});
}

/** First lines of the groups that an agent obeys. */
function groupLines(bytes: Uint8Array, agent: Agent, dialect: Dialect) {
	const robots = RobotsTxt.parse(bytes, { dialect });
	return robots.groupsOf(agent).map((index) => robots.groups[index]?.line ?? 0);
}

function groupChoices(): GroupRow[] {
	const rows: GroupRow[] = groupChoice.crawlers.map(([where, agent, line]) => ({
		robots: groupChoice.robots,
		agent,
		dialect: "rfc9309",
		groups: [line],
		origin: GOOGLE,
		where,
	}));
	drawnGroups().forEach(({ bytes }, file) => {
		for (const dialect of all)
			for (const agent of ASKED)
				rows.push({
					...sourceOf(bytes),
					agent,
					dialect,
					groups: groupLines(bytes, agent, dialect),
					origin: ROBOTRIE,
					where: `drawn groups ${file + 1}`,
				});
	});
	return rows;
}

/** A file with a group for each name, two lines long. */
const groupsFor = (names: readonly string[]) =>
	names.map((name) => `User-agent: ${name}\nDisallow: /\n`).join("");

/**
 * Headers beside a group for each word in them, of which one is the crawler's; and files with a crawler. What comes out is said by hand, not
 * by the engine.
 */
function agentChoices(): GroupRow[] {
	const rows: GroupRow[] = agentHeaders.map(([header, group]) => {
		const words = (header.match(/[\w-]+/g) ?? []).map((word) =>
			word.toLowerCase(),
		);
		// Other versions of the crawler's name are its name, too.
		const isOther = (word: string) =>
			!word.startsWith(group ?? "") && !/[_-]\d+$/.test(word);
		const others = group === null ? words : words.filter(isOther);
		const names = [...new Set(others), ...(group === null ? [] : [group]), "*"];
		return {
			robots: groupsFor(names),
			agent: header,
			dialect: "rfc9309",
			groups: [1 + 2 * names.indexOf(group ?? "*")],
			origin: ROBOTRIE,
			where: "headers",
		};
	});
	for (const { what, lines, agent, groups } of agentFiles)
		for (const dialect of all) {
			const numbers = groups[dialect];
			if (numbers)
				rows.push({
					robots: groupsFor(lines),
					agent,
					dialect,
					groups: numbers.map((number) => 2 * number - 1),
					origin: ROBOTRIE,
					where: what,
				});
		}
	return rows;
}

/** Files in UTF-16, which the google dialect does not decode; the last ones end within a character. */
function utf16Files(verdicts: Verdicts): void {
	const text = "\ufeffUser-agent: *\r\nDisallow: /\u00e9\u{1f916}\nAllow: /";
	const little = Buffer.from(text, "utf16le");
	const big = Buffer.from(little).swap16();
	for (const [where, bytes, disallows] of [
		["UTF-16, little-endian", little, true],
		["UTF-16, big-endian", big, true],
		["UTF-16, cut within a byte pair", little.subarray(0, -1), true],
		["UTF-16, cut within a surrogate pair", big.subarray(0, -20), false],
		["UTF-16, a byte order mark alone", big.subarray(0, 2), false],
	] as const)
		for (const dialect of all)
			for (const url of ["/é🤖", "/é", "/b"])
				verdicts.add(
					bytes,
					"anybot",
					url,
					dialect,
					[ROBOTRIE, where],
					dialect === "google" || url !== "/é🤖" || !disallows,
				);
}

function oddUrlRows(): UrlRow[] {
	const robots = "User-agent: *\nDisallow: /p\n";
	return oddUrls.map(({ kind, url, site, matcher, index, refusedBy }) => {
		// Of one site, so that its bytes do not depend on the keys of its table.
		const saved = new RobotsIndex({ agent: "x" });
		saved.set(site, robots);
		return {
			robots,
			agent: "x",
			url,
			kind,
			dialect: "rfc9309",
			site,
			index_b64: Buffer.from(saved.toBytes()).toString("base64"),
			matcher,
			index,
			refused_by: refusedBy.map((name) => name.toLowerCase()),
		};
	});
}

const LENGTHS = [
	"/",
	"/a",
	"/a*",
	"/*",
	"/a$",
	"/a*$",
	"a",
	"*",
	"/é",
	"/%C3%A9",
	"/%c3%a9",
	"/%61",
	"/%2F",
	"/%2f",
	"/?a=%3A",
	"/?a=:",
	"/%40",
	"/@",
	"/$a",
	"/%24a",
	"/*a",
	"/a**",
	"/a%",
	"/a%2",
	"/ツ",
	"?a",
];

export function conformanceFiles(): Files {
	const verdicts = new Verdicts();
	documented(verdicts);
	read(verdicts);
	drawnRules(verdicts);
	drawnGroups().forEach(({ bytes, paths }, file) => {
		for (const dialect of all)
			for (const agent of ASKED)
				for (const url of paths.slice(0, 2))
					verdicts.add(bytes, agent, url, dialect, [
						ROBOTRIE,
						`drawn groups ${file + 1}`,
					]);
	});
	utf16Files(verdicts);
	return {
		verdicts: verdicts.rows,
		groups: groupChoices(),
		agents: agentChoices(),
		urls: oddUrlRows(),
		lengths: LENGTHS.flatMap((pattern) =>
			all.map((dialect) => ({
				pattern,
				dialect,
				bytes: countedBytes(pattern, dialect),
				origin: ROBOTRIE,
			})),
		),
		"crawl-delay": [
			...crawlDelays.flatMap(([where, robots, agent, seconds]) => {
				const tokens = tokensOf(agent, "yandex");
				return tokens === undefined
					? []
					: [
							{
								robots,
								agent: tokens,
								dialect: "yandex",
								seconds: seconds ?? null,
								origin: YANDEX,
								where,
							},
						];
			}),
			...delayRows.flatMap(([where, robots, delays]) =>
				Object.entries(delays).map(([agent, seconds]) => ({
					robots,
					agent,
					dialect: "rfc9309",
					seconds: seconds ?? null,
					origin: ROBOTRIE,
					where,
				})),
			),
		],
		recorded: recordedRows(),
		http: stories.flatMap(({ what, source, options = {}, steps }) => {
			const [step] = steps;
			if (steps.length !== 1 || !step || step.at) return [];
			const { dialect = "rfc9309", ...others } = options;
			if (Object.keys(others).length > 0) return [];
			const { status, redirects, failure } = step.outcome;
			return [
				{
					...(status === undefined ? {} : { status }),
					...(redirects?.length ? { redirects: redirects.length } : {}),
					...(failure ? { failure: failure.code } : {}),
					dialect,
					access: step.access,
					...verdictOf(step),
					origin: source.startsWith("Google")
						? GOOGLE
						: source.startsWith("RFC")
							? RFC
							: /yandex/i.test(source)
								? YANDEX
								: ROBOTRIE,
					where: what,
				},
			];
		}),
		saved: savedRows(),
	};
}

/** The number of a page's verdict where no file decides; none where nobody asked. */
function verdictOf({ access, code }: Step): { readonly verdict?: number } {
	if (access === "rules" || code === "address-refused") return {};
	const isAllowed = access === "allow-all";
	return { verdict: isAllowed ? Verdict.Allowed : Verdict.Later };
}

/** A file's text: a row a line. */
export const textOf = (rows: readonly object[]): string =>
	rows.map((row) => `${JSON.stringify(row)}\n`).join("");
