/**
 * Diagnostics as users read them: codes, severities and sentences. find-diagnostics.ts finds them; this file words them for a dialect.
 */
import { shorten } from "../common/wording.ts";
import { type DialectRules, dialectNames, dialectRules } from "./dialect.ts";
import { displayName } from "./other-fields.ts";

/** What a diagnostic is about. */
export type DiagnosticCode =
	| "byte-order-mark"
	| "empty-allow"
	| "empty-disallow"
	| "empty-field"
	| "file-too-large"
	| "file-truncated"
	| "invalid-agent"
	| "invalid-host"
	| "invalid-value"
	| "line-truncated"
	| "misspelled-field"
	| "missing-colon"
	| "missing-line-end"
	| "nul-byte"
	| "partly-ignored"
	| "pattern-without-slash"
	| "proposed-field"
	| "relative-sitemap"
	| "repeated-host"
	| "rule-outside-group"
	| "unknown-field";

/** A diagnostic before it is worded: its code, its line, and the text it is about. */
export interface RawDiagnostic {
	readonly code: DiagnosticCode;
	readonly line: number;
	readonly text?: string;
	/** What is wrong with it, as the rest of a sentence; for a misspelled field the one that was meant. */
	readonly reason?: string;
}

/**
 * `error`: something that its author surely meant to count does not. `warning`: it counts, but not for every crawler or
 * not as it looks. `info`: worth knowing, no fault.
 */
export type Severity = "error" | "warning" | "info";

/** A finding about one line of a robots.txt. */
export interface Diagnostic {
	/** Line number, from 1. CR, LF and CRLF end a line. */
	readonly line: number;
	/** What it is about. */
	readonly code: DiagnosticCode;
	/** How much it matters. */
	readonly severity: Severity;
	/** One sentence. */
	readonly message: string;
}

interface Wording {
	readonly severity: (dialect: DialectRules, reason: string) => Severity;
	readonly message: (
		text: string,
		dialect: DialectRules,
		reason: string,
	) => string;
}

const always = (severity: Severity) => () => severity;
/** An error, but a warning where the dialect reads the line all the same. */
const unlessLenient = ({ lenientFields }: DialectRules): Severity =>
	lenientFields ? "warning" : "error";
/** The dialects that read misspelled fields, or those that do not. */
const readers = (lenient: boolean): string =>
	dialectNames
		.filter((name) => dialectRules(name).lenientFields === lenient)
		.join(" and ");
/** Yandex's announcement, see docs/lint/invalid-host.md. */
const HOST_ENDED = "Yandex, the only crawler that read Host, stopped in 2018";

const wordings: Readonly<Record<DiagnosticCode, Wording>> = {
	"byte-order-mark": {
		severity: always("info"),
		message: () =>
			"The file begins with a byte order mark, which is skipped; save it as UTF-8 without one.",
	},
	"empty-allow": {
		severity: (dialect) => (dialect.emptyPatternInverts ? "warning" : "info"),
		message: (_, dialect) =>
			dialect.emptyPatternInverts
				? "Allow without a path disallows here all that no other rule matches, as in Yandex's text of 2013; since June 2016 its robots ignore the line, as others do."
				: "Allow without a path is ignored; for Yandex it disallowed all that no other rule matches until June 2016, and does in the yandex dialect.",
	},
	"empty-disallow": {
		severity: always("info"),
		message: () =>
			"Disallow without a path disallows nothing; other rules of the group still count.",
	},
	"empty-field": {
		severity: always("error"),
		message: (text) =>
			`The line "${text}" has no field name in front of the colon and is ignored.`,
	},
	"file-too-large": {
		severity: always("error"),
		message: (text) =>
			`The file is larger than ${text} bytes: this dialect then allows everything.`,
	},
	"file-truncated": {
		severity: always("error"),
		message: (text) =>
			`The file is larger than ${text} bytes: from this line on it is ignored. A crawler that stops within the line may read a part of it.`,
	},
	"invalid-agent": {
		severity: always("warning"),
		message: (text, dialect, read) => {
			const named = text || "An empty value";
			if (read === "")
				return `${named} is not a product token, so no crawler obeys this line.`;
			if (dialect.namesAnywhere)
				return `${named} is more than a product token: Yandex looks for its robots' names in it.`;
			const characters = dialect.googleMatching
				? 'letters, "-" and "_"'
				: 'letters, digits, "-" and "_"';
			return `${named} is read as ${read}: a product token has only ${characters}${/^[\w-]+$/.test(text) && !dialect.googleMatching ? ", and no version" : ""}.`;
		},
	},
	"invalid-host": {
		severity: always("info"),
		message: (text, _, reason) =>
			`${text} has no effect: ${HOST_ENDED}. Before that it was ignored too: ${reason}.`,
	},
	"invalid-value": {
		severity: always("error"),
		message: (text, _, reason) => `${text} is ignored: ${reason}.`,
	},
	"line-truncated": {
		severity: always("error"),
		message: (text) =>
			`The line is longer than ${text} bytes; the rest of it is ignored.`,
	},
	"misspelled-field": {
		severity: (dialect, meant) =>
			meant === "content-signal" ? "warning" : unlessLenient(dialect),
		message: (text, dialect, meant) =>
			meant === "content-signal"
				? `${text} is read as Content-Signal here; other readers ignore the line, as its name has no "s" at the end.`
				: dialect.lenientFields
					? `${text} is read as ${meant} here; ${readers(false)} ignore the line: write ${displayName(meant)}.`
					: `${text} is not a field name: ${readers(false)} ignore the line, ${readers(true)} reads it as ${meant}. Write ${displayName(meant)}.`,
	},
	"missing-colon": {
		severity: unlessLenient,
		message: (text, dialect) =>
			dialect.lenientFields && /^\S+[ \t]+\S+$/.test(text)
				? `${text} has no colon; white space is read as one here, other crawlers ignore the line.`
				: `${text} has no colon and is ignored.`,
	},
	"missing-line-end": {
		severity: always("warning"),
		message: (text, _, urls) =>
			`Sitemap: ${text} holds ${urls} URLs: they are told apart here, and other crawlers read them as one; write each in a Sitemap line of its own.`,
	},
	"nul-byte": {
		severity: always("error"),
		message: (_, dialect) =>
			dialect.nulEndsLine
				? "The line ends at a NUL byte."
				: "The line holds a NUL byte; some crawlers stop reading it there.",
	},
	"partly-ignored": {
		severity: always("warning"),
		message: (text, _, reason) =>
			`A part of ${text} is ignored: ${reason}. The rest counts.`,
	},
	"pattern-without-slash": {
		severity: (dialect) => (dialect.googleMatching ? "error" : "warning"),
		message: (text, dialect) =>
			dialect.googleMatching
				? `${text} does not begin with "/" or "*" and so matches nothing.`
				: `${text} does not begin with "/" or "*"; it is read as /${text}.`,
	},
	"proposed-field": {
		severity: always("warning"),
		message: (text, dialect, meant) =>
			dialect.lenientFields
				? `${text} is read as ${meant} here, and so holds for every use: write Content-Signal: ai-train=no instead.`
				: `${text} is ignored: it is a proposal of 2024 whose draft has expired. Google's library reads it as ${meant}; write Content-Signal: ai-train=no instead.`,
	},
	"relative-sitemap": {
		severity: always("warning"),
		message: (text, _, resolved) =>
			resolved
				? `Sitemap: ${text} is not an absolute URL: it is read as ${shorten(resolved)} here, and crawlers that ask for scheme and host leave it out.`
				: text
					? `Sitemap: ${text} is not an absolute URL and is left out: write it with scheme and host, as in https://example.com/sitemap.xml.`
					: "Sitemap has no value and is left out: write an absolute URL, as in https://example.com/sitemap.xml.",
	},
	"repeated-host": {
		severity: always("info"),
		message: (text) =>
			`${text} has no effect: ${HOST_ENDED}, and had read the first valid one only.`,
	},
	"rule-outside-group": {
		severity: always("error"),
		message: (text) =>
			/^crawl-delay/i.test(text)
				? `${text} stands in front of the first user-agent line and is ignored. Bing reads Crawl-delay below User-agent: bingbot or *; Google and Yandex do not read it.`
				: `${text} stands in front of the first user-agent line and is ignored.`,
	},
	"unknown-field": {
		severity: always("info"),
		message: (text) =>
			`${text} is not a field that crawlers are known to read, so the line is ignored.`,
	},
};

/** A diagnostic with its severity and message. */
export function diagnosticOf(
	{ code, line, text = "", reason = "" }: RawDiagnostic,
	dialect: DialectRules,
): Diagnostic {
	const shown = shorten(text);
	const wording = wordings[code];
	return {
		line,
		code,
		severity: wording.severity(dialect, reason),
		message: wording.message(shown, dialect, reason),
	};
}
