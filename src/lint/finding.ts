import { shorten } from "../common/shorten.ts";
import type { Severity } from "../robots-txt/diagnostics.ts";
import { type Dialect, dialectNames } from "../robots-txt/dialect.ts";

/** All codes of findings: those of `RobotsTxt.diagnostics` and those of `lint` alone. */
export const lintCodes = [
	"absolute-url",
	"blank-line",
	"byte-order-mark",
	"dialects-differ",
	"directory-without-slash",
	"disallowed-sitemap",
	"doubtful-parameter",
	"duplicate-rule",
	"empty-allow",
	"empty-disallow",
	"empty-field",
	"file-too-large",
	"file-truncated",
	"group-without-rules",
	"html-entity",
	"html-page",
	"inner-dollar",
	"invalid-agent",
	"invalid-host",
	"invalid-utf-8",
	"invalid-value",
	"invisible-character",
	"joined-groups",
	"line-truncated",
	"malformed-escape",
	"misnamed-file",
	"missing-colon",
	"missing-line-end",
	"misspelled-agent",
	"misspelled-field",
	"near-size-limit",
	"noindex",
	"not-examined",
	"not-robots-txt",
	"nul-byte",
	"obsolete-field",
	"partly-ignored",
	"pattern-without-slash",
	"proposed-field",
	"quotation-marks",
	"regular-expression",
	"relative-sitemap",
	"repeated-agent",
	"repeated-host",
	"rule-outside-group",
	"shadowed-rule",
	"unescaped-character",
	"unknown-field",
	"unmatchable-pattern",
	"unreachable-group",
	"utf-16",
] as const;

/** What a finding is about. */
export type LintCode = (typeof lintCodes)[number];

/** The agent that stands for every crawler that a file does not name. */
export const ANYBODY = "*";

/** A path for which the dialects differ, with their answers. */
export interface DialectExample {
	/** A product token, or `*` for a crawler that the file does not name. */
	readonly agent: string;
	/** Path and query; a whole URL if the path begins with "//", which as it stands would name a host. */
	readonly url: string;
	/** Whether a crawler of each dialect may fetch it. */
	readonly allowed: Readonly<Record<Dialect, boolean>>;
}

/** A change of the file, the only one that mends what a finding is about. */
export interface Edit {
	/** Where the text to replace begins: a byte offset in the file, of a string in its UTF-8. */
	readonly start: number;
	/** Offset behind the last byte to replace; equal to `start` where nothing is. */
	readonly end: number;
	/** What to write in its place. */
	readonly text: string;
}

/** A finding about a line of a robots.txt. */
export interface Finding {
	/** Line number, from 1. CR, LF and CRLF end a line. */
	readonly line: number;
	/** What it is about. */
	readonly code: LintCode;
	/** How much it matters. */
	readonly severity: Severity;
	/** One sentence. */
	readonly message: string;
	/** The other line that the message mentions. */
	readonly relatedLine?: number;
	/** A path for which the dialects differ because of the line. */
	readonly example?: DialectExample;
	/** The change that its message advises, where there is one right change. Several findings of a line may have the same one. */
	readonly edit?: Edit;
	/** The page that explains the code, from the package's root: "docs/lint/shadowed-rule.md". */
	readonly page: string;
}

/** A finding before it is given its page. */
export type Found = Omit<Finding, "page">;

/** The page about a code, from the package's root. */
export function pageOf(code: LintCode): string {
	return `docs/lint/${code}.md`;
}

/** "for ExampleBot /a is allowed in rfc9309 and yandex, disallowed in google". */
export function answersText({ agent, url, allowed }: DialectExample): string {
	const named = (verdict: boolean) =>
		dialectNames.filter((name) => allowed[name] === verdict).join(" and ");
	const crawler = agent === ANYBODY ? "" : `for ${agent} `;
	return `${crawler}${shorten(url)} is allowed in ${named(true)}, disallowed in ${named(false)}`;
}
