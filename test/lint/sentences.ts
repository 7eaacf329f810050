import { type Dialect, RobotsTxt } from "../../src/index.ts";
import type { Finding } from "../../src/lint.ts";
import { dialects } from "../differential.ts";
import { latin1 } from "../latin1.ts";

/** A robots.txt, with crawlers and URLs to ask about. */
export interface Subject {
	/** Lines with their line ends between them, as Latin-1. */
	readonly lines: readonly string[];
	readonly dialect: Dialect;
	readonly agents: readonly string[];
	readonly urls: readonly string[];
}

const MOST_AGENTS = 25;
const MOST_PATTERNS = 50;

export function subjectOf(bytes: Uint8Array, dialect: Dialect): Subject {
	const agents = new Set(["nobody", "Googlebot", "Yandex", "AdsBot-Google"]);
	const patterns = new Set(["/", "/x?y", "/robots.txt"]);
	for (const name of dialects) {
		using robots = RobotsTxt.parse(bytes, { dialect: name });
		for (const group of robots.groups) {
			for (const agent of group.agents)
				for (const token of agent.match(/[\w-]+/g) ?? [])
					if (agents.size < MOST_AGENTS) agents.add(token);
			for (const { pattern } of group.rules)
				if (patterns.size < MOST_PATTERNS) patterns.add(pattern);
		}
	}
	return {
		lines: Buffer.from(bytes)
			.toString("latin1")
			.split(/(\r\n|\r|\n)/),
		dialect,
		agents: [...agents],
		urls: [...patterns].flatMap((pattern) =>
			["", "x"].map((filler) => urlOf(pattern, filler)),
		),
	};
}

function urlOf(pattern: string, filler: string): string {
	const path = pattern.replace(/\$$/, "").replaceAll("*", filler);
	const rooted = path.startsWith("/") ? path : `/${path}`;
	return new URL(`https://example.com${rooted}${filler}`).href;
}

export function parse({ lines, dialect }: Subject, other = dialect): RobotsTxt {
	return RobotsTxt.parse(Buffer.from(lines.join(""), "latin1"), {
		dialect: other,
	});
}

function verdicts(subject: Subject): string {
	using robots = parse(subject);
	return subject.agents
		.map((agent) => {
			using matcher = robots.for(agent);
			return matcher.matchMany(subject.urls).join("");
		})
		.join();
}

const at = (line: number) => 2 * line - 2;

/** The file with another text in place of a line; a byte order mark in front of the first one stays. */
function withLine(subject: Subject, line: number, text: string): Subject {
	return withLines(subject, [line], text);
}

/** The same for several lines. */
export function withLines(
	subject: Subject,
	places: readonly number[],
	text: string,
): Subject {
	const lines = [...subject.lines];
	for (const line of places) {
		const [mark = ""] =
			line === 1 ? (/^\xef\xbb\xbf/.exec(lines[0] ?? "") ?? []) : [];
		lines[at(line)] =
			mark + text.slice(text.startsWith(mark) ? mark.length : 0);
	}
	return { ...subject, lines };
}

/** A file's own verdicts, which all its findings are compared with. */
const own = new WeakMap<Subject, string>();

function isSame(subject: Subject, changed: Subject): boolean {
	const expected = own.get(subject) ?? verdicts(subject);
	own.set(subject, expected);
	return expected === verdicts(changed);
}

const textAt = ({ lines }: Subject, line: number) => lines[at(line)] ?? "";

/** Rules that no URL asked about matches, in place of a rule that decides nothing. */
const INERT = "Disallow: /never-asked";

type Check = (subject: Subject, finding: Finding, groups: string[]) => boolean;

/** The line, which is no rule and no user-agent line, could as well not be there. */
const ignored: Check = (subject, { line }) =>
	isSame(subject, withLine(subject, line, ""));

/** The rule could as well be one that matches nothing. */
const idle: Check = (subject, { line }) =>
	isSame(subject, withLine(subject, line, INERT));

/** The same in the dialects that the sentence names, whatever the file was read in. */
const idleIn: Check = (subject, finding, [, names = ""]) =>
	dialects
		.filter((dialect) => names.split(" and ").includes(dialect))
		.every((dialect) => idle({ ...subject, dialect }, finding, []));

/** The line means the same with another value; what a message cuts cannot be checked. */
const readAs =
	(value: (groups: string[]) => string): Check =>
	(subject, { line }, groups) => {
		const text = value(groups);
		if (text.includes("\u2026")) return true;
		const [, field = ""] = /^([^:]*)/.exec(textAt(subject, line)) ?? [];
		return isSame(
			subject,
			withLine(subject, line, `${field}: ${latin1(text)}`),
		);
	};

/** The group of a line, as an index. */
function groupAt(robots: RobotsTxt, line: number): number {
	return robots.groups.findLastIndex((group) => group.line <= line);
}

/** Alone, the rule matches a path with the first escape where the half one stands, and none with the second. */
const halfEscape: Check = ({ dialect, ...subject }, { line }, groups) => {
	const [, half = "", kept = "", bare = ""] = groups;
	const text = textAt(subject as Subject, line).replace(/#.*/s, "");
	const pattern = text.slice(text.indexOf(":") + 1).trim();
	// Patterns with more than one half, or long ones, are too many cases for a sentence.
	if (pattern.split("%").length > 2) return true;
	using robots = RobotsTxt.parse(
		Buffer.from(`User-agent: *\nDisallow: ${pattern}\n`, "latin1"),
		{ dialect },
	);
	const isRefused = (escaped: string) => {
		const path = pattern
			.replace(/\$$/, "")
			.replace(half, escaped)
			.replaceAll("*", "");
		return !robots.isAllowed(path.startsWith("/") ? path : `/${path}`, "x");
	};
	return isRefused(kept) && !isRefused(bare);
};

const tokensAt = (subject: Subject, line: number) =>
	textAt(subject, line)
		.replace(/#.*/s, "")
		.replace(/^[^:]*:|^\s*\S+\s/s, "")
		.trim();

/** The crawlers that a user-agent line names, as agents. */
function namedAt(subject: Subject, line: number): string[] {
	const text = tokensAt(subject, line);
	if (/^\*(?:$|\s)/.test(text)) return ["nobody-at-all"];
	const digits = subject.dialect === "google" ? "" : "\\d";
	const token = new RegExp(`[a-z_${digits}-]+`, "gi");
	const found = text.match(token) ?? [];
	return subject.dialect === "yandex" ? found : found.slice(0, 1);
}

const neverChosen: Check = (subject, { line }) => {
	using robots = parse(subject);
	const group = groupAt(robots, line);
	return subject.agents.every(
		(agent) => !robots.groupsOf(agent).includes(group),
	);
};

/** Both lines head groups that count as one for a crawler. */
const together: Check = (subject, { line, relatedLine = 0 }) => {
	using robots = parse(subject);
	return namedAt(subject, line).some((agent) => {
		const chosen = robots.groupsOf(agent);
		return [line, relatedLine].every((each) =>
			chosen.includes(groupAt(robots, each)),
		);
	});
};

const fetchesAll: Check = (subject, { line }) => {
	using robots = parse(subject);
	return namedAt(subject, line).every((agent) =>
		subject.urls.every((url) => robots.isAllowed(url, agent)),
	);
};

/** What the site is closed to: nothing is left but robots.txt. */
const fetchesNothing: Check = (subject, _, [, names = ""]) => {
	using robots = parse(subject);
	const agents = names.startsWith("crawlers ")
		? ["nobody-at-all"]
		: names.split(" and ");
	return agents.every((agent) =>
		subject.urls
			.filter((url) => !url.endsWith("/robots.txt"))
			.every((url) => !robots.isAllowed(url, agent)),
	);
};

const allAllowed: Check = (subject) => {
	using robots = parse(subject);
	return subject.agents.every((agent) =>
		subject.urls.every((url) => robots.isAllowed(url, agent)),
	);
};

/** In the yandex dialect the rule, where it decides, disallows; no other rule then matches. */
const disallowsRest: Check = (subject, { line }) => {
	using robots = parse(subject, "yandex");
	return subject.agents.every((agent) =>
		subject.urls.every((url) => {
			const { rule, allowed } = robots.explain(url, agent);
			return rule?.line !== line || !allowed;
		}),
	);
};

const named =
	(field: string): Check =>
	(subject, { line }) =>
		isSame(
			subject,
			withLine(
				subject,
				line,
				textAt(subject, line).replace(/^[^:]*(?=:)|^\s*\S+/, field),
			),
		);

const nothing: Check = () => true;

const both =
	(...checks: readonly Check[]): Check =>
	(subject, finding, groups) =>
		checks.every((check) => check(subject, finding, groups));

/**
 * All that findings say, and what must hold for it. `nothing` stands for sentences that name no verdict.
 */
const sentences: readonly (readonly [RegExp, Check])[] = [
	[
		/^User-agent: .* is followed by no rule, so .* may fetch everything\./,
		fetchesAll,
	],
	[
		/ is followed by no rule here; the rules of the group at line \d+ hold for it\.$/,
		together,
	],
	[/^No crawler obeys this group: /, neverChosen],
	[
		/ share the rules that follow: /,
		(subject, { line, relatedLine = 0 }) => {
			using robots = parse(subject);
			return groupAt(robots, line) === groupAt(robots, relatedLine);
		},
	],
	[
		/ has a group at line \d+ already; crawlers merge the rules of both\.$/,
		together,
	],
	[/ is already named in line \d+ of the same group\.$/, together],
	[
		/ is followed by [\w-]+ and no rule, so it may fetch everything, also /,
		fetchesAll,
	],
	[/ closes the whole site for (.*)\. Is that meant\?$/, fetchesNothing],
	[
		/^(.*?)(?:, .*| and .*)? obeys? (?:its own group|their own groups) alone, and so may fetch .*, such as (\/.*): repeat /,
		(subject, _, [, agent = "", path = ""]) => {
			using robots = parse(subject);
			return (
				`${agent}${path}`.includes("\u2026") ||
				(robots.isAllowed(path, agent) &&
					!robots.isAllowed(path, "nobody-at-all"))
			);
		},
	],
	[
		/ keeps (Googlebot|crawlers) from style sheets or scripts such as (\/\S*), /,
		(subject, _, [, agent = "", path = ""]) => {
			using robots = parse(subject);
			return !robots.isAllowed(
				path,
				agent === "crawlers" ? "nobody-at-all" : agent,
			);
		},
	],
	[
		/ loses to .*, as the longest rule counts: (\/.*) is disallowed\. /,
		(subject, _, [, path = ""]) => {
			using robots = parse(subject);
			return (
				path.includes("\u2026") ||
				subject.agents.some((agent) => !robots.isAllowed(path, agent))
			);
		},
	],
	[
		/ is read as ((?:Dis)?[Aa]llow: .*?)(?:, which is every page)?: "#" begins a comment\. /,
		(subject, { line }, [, rule = ""]) =>
			rule.includes("\u2026") ||
			isSame(subject, withLine(subject, line, latin1(rule))),
	],
	[
		/ holds \d+ names, and crawlers read one, ([\w-]+): /,
		(subject, finding, [, name = ""]) =>
			subject.dialect === "yandex" || readAs(() => name)(subject, finding, []),
	],
	[
		/ stands alone, and a line without a field is ignored: write Sitemap: /,
		ignored,
	],
	[/^The file begins with more than one byte order mark: /, ignored],
	[/ matches a query of the home page alone: write /, nothing],
	[/^Crawl-delay: .* (?:leaves|is not read by|is more than) /, nothing],
	[
		/^Sitemap: .* (?:is on .*, which (?:crawlers|seems)|begins with two schemes|is named in line|is http, and)/,
		nothing,
	],
	[/, (?:and|which) Yandex's checker counts /, nothing],
	[/ can never win: /, idle],
	[/ says the same as line \d+\.$/, idle],
	[/^Allow without a path is ignored; /, both(idle, disallowsRest)],
	[
		/^Allow without a path disallows here all that no other rule matches/,
		disallowsRest,
	],
	[/^Disallow without a path disallows nothing; /, idle],
	[/^No URL that a client writes matches /, idle],
	[/^In (\w+(?: and \w+)*), no URL that a client writes matches /, idleIn],
	[
		/^".*" is no word that crawlers know but a path, which (?:is read as (\/\w+)|matches nothing): /,
		(subject, finding, groups) =>
			subject.dialect === "google"
				? idle(subject, finding, groups)
				: readAs(([, path = ""]) => path)(subject, finding, groups),
	],
	[/^The line stands in quotation marks, so crawlers ignore it: /, ignored],
	[/^Sitemap: .* has quotation marks, and so is no URL: /, ignored],
	[
		/^Sitemap: .* may not be fetched by (.*?)(?:,| and .*)?: .* \(line \d+\) disallows (?:it|them)/s,
		(subject, { line }, [, agent = ""]) => {
			using robots = parse(subject);
			const who = agent.startsWith("crawlers ") ? "nobody-at-all" : agent;
			return (
				agent.includes("\u2026") ||
				!robots.isAllowed(tokensAt(subject, line), who)
			);
		},
	],
	[
		/ does not begin with "\/" or "\*"; it is read as (\/.*?)(?:; write \/\*[.?].*)?\.$/s,
		readAs(([, path = ""]) => path),
	],
	[/ does not begin with "\/" or "\*" and so matches nothing[:;]/, idle],
	[
		/ is a whole URL, and a rule needs a path: /,
		(subject, finding, groups) =>
			subject.dialect === "google"
				? idle(subject, finding, groups)
				: nothing(subject, finding, groups),
	],
	[
		/ is compared as (.*), as URLs spell it\.$/,
		readAs(([, path = ""]) => path),
	],
	[
		/ is read as ([\w-]+): (?:write|a product token)/,
		readAs(([, token = ""]) => token),
	],
	[
		/ (?:names no crawler: write only .*|is not a product token, so no crawler obeys this line)\.$/,
		(subject, { line }) =>
			isSame(subject, withLine(subject, line, "User-agent: never-asked")),
	],
	[
		/ is read as (disallow|allow|user-agent|sitemap) here[,;]/,
		(subject, finding, [, field = ""]) => named(field)(subject, finding, []),
	],
	[
		/ is ignored: it is a proposal of 2024 .* reads it as (\w+); /,
		(subject, finding, [, field = ""]) => {
			const google = { ...subject, dialect: "google" } as const;
			return ignored(subject, finding, []) && named(field)(google, finding, []);
		},
	],
	[/ is read as Content-Signal here; /, ignored],
	[
		/ has no colon; white space is read as one here/,
		(subject, { line }) =>
			isSame(
				subject,
				withLine(
					subject,
					line,
					textAt(subject, line)
						.trim()
						.replace(/[ \t]+/, ":"),
				),
			),
	],
	[/ has no colon and is ignored(?:\.$|: write )/, ignored],
	[
		/ has its first colon in the value, so crawlers misread the line or ignore it: /,
		nothing,
	],
	[
		/ is not a field that crawlers are known to read: rfc9309 and yandex ignore the line, google compares only the first letters of a name and reads it as ([\w-]+)\. /,
		(subject, finding, [, field = ""]) => {
			const google = { ...subject, dialect: "google" } as const;
			return ignored(subject, finding, []) && named(field)(google, finding, []);
		},
	],
	[
		/ is not a field name, so the line is ignored\. Comments begin with "#"\.$/,
		ignored,
	],
	[
		/ seems to begin with a host, and a rule needs a path; it matches nothing: /,
		idle,
	],
	[
		/ seems to begin with a host, and a rule needs a path; it is read as (\/.*?): write /s,
		readAs(([, path = ""]) => path),
	],
	[
		/^".*" is U\+[0-9A-F]+ .*, which looks like ".*" and is another character to crawlers: /s,
		nothing,
	],
	[
		/ seems to hold a note or markup, which crawlers take for a part of the path: /,
		nothing,
	],
	[/^A comment goes on with /, ignored],
	[/^The file begins with markup, which crawlers skip; /, nothing],
	[
		/ names no crawler: a line names one crawler, such as /,
		(subject, { line }) =>
			isSame(subject, withLine(subject, line, "User-agent: never-asked")),
	],
	[
		/ is read as ([\w-]+): a line names one crawler, such as /,
		readAs(([, token = ""]) => token),
	],
	[/ is not a field name, so the line is ignored: /, ignored],
	[
		/ is not a field name: rfc9309 and yandex ignore the line, google reads it as ([\w-]+)\. /,
		(subject, finding, [, field = ""]) => {
			const google = { ...subject, dialect: "google" } as const;
			return ignored(subject, finding, []) && named(field)(google, finding, []);
		},
	],
	[
		/ is read as ([\w-]+), which is another crawler: /,
		(subject, finding, groups) =>
			subject.dialect === "yandex" ||
			readAs(([, token = ""]) => token)(subject, finding, groups),
	],
	[
		/ is not a field that crawlers are known to read, so the line is ignored\.$/,
		ignored,
	],
	[/^Noindex in robots\.txt is not read by crawlers/, ignored],
	[/ has no field name in front of the colon and is ignored\.$/, ignored],
	[/ stands in front of the first user-agent line and is ignored\./, ignored],
	[/ is ignored: .*\.$/s, ignored],
	[/^A part of .* is ignored: /s, ignored],
	[/ has no effect: Yandex, /, ignored],
	[/^(?:Host has no effect|Request-rate|Visit-time) /, ignored],
	[
		/ is not an absolute URL and is left out|^Sitemap has no value and is left out/,
		ignored,
	],
	[
		/ from this line on it is ignored\. A crawler that stops/,
		(subject, { line }) =>
			isSame(subject, { ...subject, lines: subject.lines.slice(0, at(line)) }),
	],
	[/: this dialect then allows everything\.$/, allAllowed],
	[
		/^This is not a robots\.txt but .* crawlers find no rule in it and fetch everything\./,
		allAllowed,
	],
	[/^The file is UTF-16, which no crawler reads/, allAllowed],
	[
		/^The file is UTF-16: .* Google finds no rule in it/,
		(subject, finding) =>
			allAllowed({ ...subject, dialect: "google" }, finding, []),
	],
	[
		/^(?:The whole file is one line|The line holds two fields), of which crawlers read the first/,
		nothing,
	],
	[
		/^The line is longer than (\d+) bytes; the rest of it is ignored\.$/,
		(subject, { line }, [, length]) =>
			isSame(
				subject,
				withLine(subject, line, textAt(subject, line).slice(0, Number(length))),
			),
	],
	[
		/^The line ends at a NUL byte\.$/,
		(subject, { line }) =>
			isSame(
				subject,
				withLine(subject, line, textAt(subject, line).replace(/\0.*/s, "")),
			),
	],
	[
		/^The file begins with a byte order mark, which is skipped/,
		(subject) => {
			const [first = "", ...rest] = subject.lines;
			const text = first.replace(/^\xef(?:\xbb\xbf?)?/, "");
			// A second one would become the first.
			return (
				text.startsWith("\xef") ||
				isSame(subject, { ...subject, lines: [text, ...rest] })
			);
		},
	],
	// What follows names no verdict, or one that the finding's example proves.
	[/ is (?:allowed|disallowed) in .*, (?:allowed|disallowed) in /s, nothing],
	[/^This is not a robots\.txt but a page of markup/, nothing],
	[
		/^The line holds a NUL byte; some crawlers stop reading it there\.$/,
		nothing,
	],
	[/ the "\$" is an ordinary character: /, nothing],
	[/ is not UTF-8, so it matches only URLs in the same encoding/, nothing],
	[
		/^An invisible character, U\+.*: delete it\. Crawlers read it as part of the text\.$/,
		nothing,
	],
	[/^In Clean-param: /, nothing],
	[/ is read as the name of a crawler, which nobody has: /, nothing],
	[/ is not the name of a well-known crawler: write /, nothing],
	// advice.test.ts checks what these advise.
	[
		/ has quotation marks, which (?:no name has|crawlers take for a part of the path): /,
		nothing,
	],
	[/ holds (?:several paths|\d+ URLs), which crawlers read as one: /, nothing],
	[/ is a regular expression, which crawlers read letter by letter; /, nothing],
	[/ has an "&" as HTML writes it, and URLs have it as it is: /, nothing],
	[/ has a "%" without two hexadecimal digits after it, /, nothing],
	[
		/has the beginning of an escape, "(%[2-7]?)", which matches (%..), but not (%..): URLs are compared with that one decoded\.$/,
		halfEscape,
	],
	[/^Sitemap: .* has a space, which no URL has: /, nothing],
	[/^A blank line between .* is not admitted by Yandex's document, /, nothing],
	[/^Yandex's document recommends a blank line before each group; /, nothing],
	[/ matches every path that begins so, such as /, nothing],
	[
		/^This is not a robots\.txt but a document of a word processor \(RTF\)/,
		nothing,
	],
	[/ is not a well-known crawler; /, nothing],
	[
		/ is more than a product token: Yandex looks for its robots' names in it\.$/,
		nothing,
	],
	[/^The file has \d+ bytes; crawlers may stop reading after /, nothing],
	[/^The file has \d+ bytes, and Google reads \d+ of them: /, nothing],
	[/^The file has \d+ bytes; Yandex's text of 2013 /, nothing],
	[/^The file has too many crawlers and rules to compare them all/, nothing],
];

/** Findings that are not true, and sentences that the table does not know; of each kind the first `most` are checked. */
export function falsehoods(
	bytes: Uint8Array,
	dialect: Dialect,
	findings: readonly Finding[],
	most: number,
): string[] {
	let subject: Subject | undefined;
	const checked = new Map<RegExp, number>();
	return findings.flatMap((finding) => {
		const { line, message } = finding;
		for (const [pattern, check] of sentences) {
			const groups = pattern.exec(message);
			if (!groups) continue;
			const count = (checked.get(pattern) ?? 0) + 1;
			checked.set(pattern, count);
			if (count > most || check === nothing) return [];
			subject ??= subjectOf(bytes, dialect);
			return check(subject, finding, [...groups])
				? []
				: [`${line}: ${message}`];
		}
		return [`${line}: unknown sentence: ${message}`];
	});
}
