/**
 * Findings about the patterns of rules: slips, as meant.ts reads them, patterns that match nothing, and directories without their slash. It
 * advises another pattern only if the matchers confirm that it does what was meant.
 */
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { shorten } from "../common/wording.ts";
import type { Rule } from "../matching/rules.ts";
import {
	DEFAULT_MAX_BYTES,
	type Dialect,
	dialectNames,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { isRuleField } from "./field-names.ts";
import {
	type Change,
	type Found,
	fieldName,
	type LintCode,
	lineEnd,
	valueEdit,
} from "./finding.ts";
import { isWholeUrl } from "./lines.ts";
import {
	decodeWindows,
	type Meant,
	meantBy,
	QUOTES,
	type Slip,
} from "./meant.ts";
import { fieldAndPattern, Reading } from "./reading.ts";
import { Budget, type Span, wireSamples } from "./witness.ts";

const strict = new TextDecoder("utf-8", { fatal: true });

/** Characters that a URL writes otherwise, and segments that it leaves out: worth asking the URL parser. */
const rewritten = /[\0-\x20\x7f"<>\\^`{|}]|(?:^|\/)\.\.?(?:[/?$]|$)|\?.*'/s;

/** What most paths have none of: anything but plain characters, wildcards and escapes. */
const plain = /^[/*](?:[\w/*$?=.,~!:;@+-]|%[0-9a-f]{2}|&(?!amp;|#))*$/i;

/** Plain characters that may be meant otherwise: two paths, a segment of dots, a part of a regular expression. */
const doubtful = /[,;]\/|\/\.\.?(?:[/?$]|$)|\.\+/;

/** Longer patterns are nobody's slip, and would take a search for slips too long. */
const LONGEST = 2000;

/** Patterns of a file that are compiled to see what they match: a fifth of a second. */
const MOST_TRIES = 3000;

/** A rule's pattern with its place. */
interface Written {
	readonly reading: Reading;
	readonly index: number;
	readonly span: Span;
	readonly line: number;
	/** "Disallow: /a". */
	readonly rule: string;
	readonly pattern: string;
}

/** Findings about single patterns. */
export function findPatternOddities(reading: Reading): Found[] {
	const { bytes, rules } = reading.file;
	const findings: Found[] = [];
	const patterns = new Set<string>();
	const entities: number[] = [];
	const tries = new Budget(MOST_TRIES);
	for (let index = 0; index * RULE_FIELDS < rules.length; index++) {
		const from = rules[index * RULE_FIELDS] ?? 0;
		const to = rules[index * RULE_FIELDS + 1] ?? 0;
		const rule = reading.rule(index);
		const { line, pattern } = rule;
		const text = bytes.subarray(from, to);
		const written: Written = {
			...{ reading, index, line, pattern },
			span: { bytes, from, to },
			rule: fieldAndPattern(rule),
		};
		patterns.add(pattern);
		if (text.some((byte) => byte > 127)) findings.push(nonAscii(text, written));
		const cut = cutByHash(written);
		if (cut) findings.push(cut);
		if (!plain.test(pattern) || doubtful.test(pattern)) {
			const found = slipIn(text, written, tries);
			if (found?.code === "html-entity") entities.push(findings.length);
			if (found) findings.push(found);
		}
		const half = halfEscape.exec(pattern);
		const [kept, bare] = half ? (halves[half[1] ?? ""] ?? []) : [];
		if (kept && !reading.dialect.googleMatching)
			findings.push({
				line,
				code: "half-escape",
				severity: "warning",
				message: `${shorten(written.rule)} has the beginning of an escape, "${half?.[0]}", which matches ${kept}, but not ${bare}: URLs are compared with that one decoded.`,
			});
		const dollar = pattern.indexOf("$");
		if (dollar >= 0 && dollar < pattern.length - 1)
			findings.push({
				line,
				code: "inner-dollar",
				severity: "info",
				message: `In ${shorten(pattern)} the "$" is an ordinary character: only at the end of a path it means the end of the URL.`,
			});
	}
	// Who writes both forms knows of the wrong one, and that some pages link to it.
	const known = new Set(
		entities.filter((at) => patterns.has(findings[at]?.edit?.text ?? "")),
	);
	return findings.filter((_, at) => !known.has(at));
}

const HASH = 35;

/** A path that goes on with "#" and no white space in between: what follows is a comment to crawlers, and was hardly meant as one. */
function cutByHash({
	span: { bytes, from, to },
	line,
	rule,
	pattern,
}: Written): Found | undefined {
	if (from === to || bytes[to] !== HASH) return undefined;
	const [end] = lineEnd(bytes, to);
	const rest = new TextDecoder().decode(bytes.subarray(to, end)).trimEnd();
	// Words are a note that lacks its space.
	if (/\s/.test(rest) || rest.length > LONGEST) return undefined;
	const isWhole = /^\/?\*?$/.test(pattern);
	return {
		line,
		code: "hash-in-path",
		severity: isWhole ? "error" : "warning",
		message: `${shorten(rule + rest)} is read as ${shorten(rule)}${isWhole ? ", which is every page" : ""}: "#" begins a comment. Crawlers never ask for what follows a "#" in a URL; write %23 for one in a path, and a space before a comment.`,
	};
}

function nonAscii(bytes: Uint8Array, { pattern, line, span }: Written): Found {
	try {
		strict.decode(bytes);
	} catch {
		return {
			line,
			code: "invalid-utf-8",
			severity: "warning",
			message: `${shorten(pattern)} is not UTF-8, so it matches only URLs in the same encoding: save the file as UTF-8.`,
		};
	}
	const escaped = encodeURI(pattern).replaceAll("%25", "%");
	return {
		line,
		code: "unescaped-character",
		severity: "info",
		message: `${shorten(pattern)} is compared as ${shorten(escaped)}, as URLs spell it.`,
		...(rewritten.test(pattern)
			? {}
			: {
					edit: valueEdit(
						span.bytes,
						span.from,
						span.to,
						[pattern.replace(/[^\0-\x7f]+/g, encodeURIComponent)],
						"Write the path as URLs spell it; crawlers compare the same.",
					),
				}),
	};
}

/** What a finding says, by the slip that it is about; what follows is the advice. */
const wordings: Readonly<
	Record<
		Exclude<Slip, "spelling">,
		{
			readonly severity: "error" | "warning";
			readonly code: LintCode;
			readonly text: (rule: string, pattern: string) => string;
			readonly otherwise: string;
		}
	>
> = {
	"note-in-path": {
		code: "note-in-path",
		severity: "error",
		text: (rule) =>
			`${rule} seems to hold a note or markup, which crawlers take for a part of the path`,
		otherwise: 'a comment begins with "#"',
	},
	"quotation-marks": {
		code: "quotation-marks",
		severity: "error",
		text: (rule) =>
			`${rule} has quotation marks, which crawlers take for a part of the path`,
		otherwise: "leave them out",
	},
	"missing-line-end": {
		code: "missing-line-end",
		severity: "error",
		text: (rule) => `${rule} holds several paths, which crawlers read as one`,
		otherwise: "write each on a line of its own",
	},
	"regular-expression": {
		code: "regular-expression",
		severity: "error",
		text: (rule) =>
			`${rule} is a regular expression, which crawlers read letter by letter; only "*" and a "$" at the end have a meaning`,
		otherwise: "no rule can say the same",
	},
	"html-entity": {
		code: "html-entity",
		severity: "warning",
		text: (rule) =>
			`${rule} has an "&" as HTML writes it, and URLs have it as it is`,
		otherwise: 'write "&"',
	},
	"malformed-escape": {
		code: "malformed-escape",
		severity: "warning",
		text: (rule) =>
			`${rule} has a "%" without two hexadecimal digits after it, which is no escape; a percent sign is %25 in URLs`,
		otherwise: "correct the escape",
	},
};

/** A second field, of which raw-lines.ts tells. */
const secondField = /(?:user-agent|disallow|allow|sitemap|crawl-delay)\s*:/i;

/**
 * The beginning of an escape where a rule, or a literal of it, ends. Of escapes that begin otherwise (`%0`, `%E`) none is ever decoded, so such a
 * rule matches all that begin so.
 */
const halfEscape = /%([2-7]?)(?=\*|$)/;

/** By the first digit: an escape that the compared form has in a path, and one of a character that it has bare. */
const halves: Readonly<Record<string, readonly [kept: string, bare: string]>> =
	{
		"": ["%2C", "%41"],
		2: ["%2C", "%2D"],
		3: ["%3B", "%30"],
		4: ["%40", "%41"],
		5: ["%5E", "%5F"],
		6: ["%60", "%61"],
		7: ["%7B", "%7E"],
	};

/** What is written otherwise than it was meant. */
function slipIn(
	text: Uint8Array,
	written: Written,
	tries: Budget,
): Found | undefined {
	const { line, rule, pattern, span } = written;
	if (
		pattern.length > LONGEST ||
		isWholeUrl(pattern) ||
		secondField.test(pattern)
	)
		return unmatchable(written, undefined, tries);
	const isUtf8 = !pattern.includes("\ufffd");
	const meant = meantBy(isUtf8 ? pattern : decodeWindows(text));
	const patterns = !meant.certain
		? undefined
		: isUtf8 || meant.patterns.every((one) => /^[\0-\x7f]*$/.test(one))
			? confirmed(meant, tries)
			: undefined;
	const [slip = "spelling"] = meant.slips;
	if (slip === "spelling") return unmatchable(written, patterns, tries);
	// A lone quotation mark is a path that somebody asks for, and must not become one that disallows everything.
	if (meant.patterns.some((one) => /^\/?$/.test(one)) && !isQuotedRoot(pattern))
		return undefined;
	const { code, severity, text: wording, otherwise } = wordings[slip];
	return {
		...{ line, code, severity },
		message: `${wording(shorten(rule), pattern)}: ${advice(patterns, otherwise)}.`,
		...editOf(patterns, span),
	};
}

const quotedRoot = new RegExp(`^[${QUOTES}]+/[${QUOTES}]+$`, "u");

/** Whether a pattern is "/" in quotation marks. */
function isQuotedRoot(pattern: string): boolean {
	return quotedRoot.test(pattern);
}

/** What to write, as the rest of a sentence. */
function advice(
	patterns: readonly string[] | undefined,
	otherwise: string,
): string {
	if (!patterns) return otherwise;
	const shown = patterns.slice(0, 3).map(shorten);
	const more = patterns.length - shown.length;
	if (patterns.length === 1) return `write ${shown[0]}`;
	return more > 0
		? `write ${shown.join(", ")} and ${more} more on lines of their own`
		: `write ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)} on lines of their own`;
}

function editOf(
	patterns: readonly string[] | undefined,
	{ bytes, from, to }: Span,
): { edit?: Change } {
	if (!patterns || !isRuleField(fieldName(bytes, from))) return {};
	const why =
		patterns.length > 1
			? "Write each path on a line of its own, as crawlers read one on a line."
			: `Write ${shorten(patterns[0] ?? "")}, which matches the URLs that were meant.`;
	return { edit: valueEdit(bytes, from, to, patterns, why) };
}

/** A pattern that no client ever asks for, in the file's own dialect or in another one: crawlers of all of them read the file. */
function unmatchable(
	written: Written,
	patterns: readonly string[] | undefined,
	tries: Budget,
): Found | undefined {
	const { line, rule, pattern, span, reading } = written;
	if (!rewritten.test(pattern)) return undefined;
	const field = /^\w+/.exec(rule)?.[0] ?? "";
	const own = reading.dialect.name;
	const without = isMatched(reading, span, written.index) ? [] : [own];
	if (tries.affords(dialectNames.length - 1))
		for (const name of dialectNames)
			if (name !== own && !matches(name, pattern, field)) without.push(name);
	if (without.length === 0) return undefined;
	const where =
		without.length === dialectNames.length
			? ""
			: `In ${without.join(" and ")}, `;
	return {
		line,
		code: "unmatchable-pattern",
		severity: "warning",
		message: `${where}${where ? "no" : "No"} URL that a client writes matches ${shorten(rule)}${patterns ? `: write ${shorten(patterns[0] ?? "")}, as URLs spell it` : ""}.`,
		...editOf(patterns, span),
	};
}

/** The patterns that were meant, if they differ from what is written and match URLs in every dialect. */
function confirmed(
	{ patterns, slips }: Meant,
	tries: Budget,
): readonly string[] | undefined {
	if (patterns.length === 0 || slips.length === 0) return undefined;
	if (!tries.affords(patterns.length)) return undefined;
	return patterns.every((pattern) =>
		dialectNames.every((name) => matches(name, pattern, "Disallow")),
	)
		? patterns
		: undefined;
}

/** Whether a rule by itself matches any URL in a dialect. */
function matches(dialect: Dialect, pattern: string, field: string): boolean {
	const bytes = new TextEncoder().encode(`User-agent: *\n${field}: ${pattern}`);
	const rules = dialectRules(dialect);
	const reading = new Reading(bytes, rules, DEFAULT_MAX_BYTES);
	const [from = 0, to = 0] = reading.file.rules;
	return isMatched(reading, { bytes, from, to }, 0);
}

/** Wildcards beyond which a pattern is not tried. */
const MOST_STARS = 50;

/** Whether the rule matches any of the URLs that clients make of its pattern; true where that is not tried. */
function isMatched(reading: Reading, pattern: Span, index: number): boolean {
	using matcher = reading.matcher([index, index + 1]);
	let tried = 0;
	for (const path of wireSamples(pattern)) {
		if (tried++ > MOST_STARS) return true;
		if (matcher.match(new URL(`http://a${path}`).href)) return true;
	}
	return false;
}

/** Names of a directory and what stands in it, or of a file. */
const directory = /^\/[\w/-]*[\w-]$/;

/** Rules with the same beginning that are looked at. */
const MOST_NEIGHBOURS = 50;

/**
 * `Disallow: /dir` where an Allow rule takes /dir for a directory ("if a directory, it should end in a / mark", Google's page
 * "Create a robots.txt file"). Not told where other rules begin with the same letters: their author knows that it is a prefix.
 */
export function findSlashlessDirectories(reading: Reading): Found[] {
	const rules = Array.from(
		{ length: reading.file.rules.length / RULE_FIELDS },
		(_, index) => reading.rule(index),
	).sort((a, b) =>
		a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0,
	);
	const findings: Found[] = [];
	rules.forEach(({ type, pattern, line }, at) => {
		if (type !== "disallow" || !directory.test(pattern)) return;
		let inside: Rule | undefined;
		for (let next = at + 1; next < at + MOST_NEIGHBOURS; next++) {
			const other = rules[next];
			if (!other?.pattern.startsWith(pattern)) break;
			const after = other.pattern.charAt(pattern.length);
			if (/[\w.-]/.test(after)) return;
			if (after === "/" && other.type === "allow") inside ??= other;
		}
		if (inside)
			findings.push({
				line,
				code: "directory-without-slash",
				severity: "info",
				message: `Disallow: ${shorten(pattern)} matches every path that begins so, such as ${shorten(`${pattern}-x`)}; line ${inside.line} takes it for a directory. Write ${shorten(`${pattern}/`)} if only what is in the directory is meant.`,
				relatedLine: inside.line,
			});
	});
	return findings;
}
