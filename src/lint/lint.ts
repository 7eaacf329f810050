/**
 * `lint`: runs all checks of this folder in each dialect, and merges findings that dialects share. A file may come from a
 * stranger: every check is linear in its size or limited by `Budget`.
 */
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import {
	checkOptions,
	type Kind,
	type OptionTable,
} from "../common/arguments.ts";
import { maxBytesKind, textKind } from "../common/kinds.ts";
import { answersText } from "../common/verdict-texts.ts";
import {
	DEFAULT_DIALECT,
	DEFAULT_MAX_BYTES,
	type Dialect,
	dialectKind,
	dialectRules,
	sourceBytes,
} from "../robots-txt/dialect.ts";
import { agentsOf, Closed, findClosed, findLooserGroups } from "./closed.ts";
import { findDifferences } from "./differences.ts";
import {
	type Change,
	type DialectExample,
	type Edit,
	type Finding,
	type Found,
	isInWholeLines,
	type LintCode,
	lintCodes,
	pageOf,
} from "./finding.ts";
import { findGroupOddities } from "./groups.ts";
import { findLineOddities } from "./lines.ts";
import { findLookAlike } from "./look-alikes.ts";
import {
	findDoubtfulDelays,
	findDoubtfulParameters,
	findObsoleteFields,
} from "./other-lines.ts";
import { findPatternOddities, findSlashlessDirectories } from "./patterns.ts";
import {
	findInvisible,
	findQuotedLine,
	findRunTogether,
	rawLines,
} from "./raw-lines.ts";
import { findUnreadRest, Reading } from "./reading.ts";
import { findBlockedResources, findHomeQueries } from "./resources.ts";
import { isSafe } from "./safety.ts";
import { findShadows } from "./shadows.ts";
import { findDisallowedPages } from "./site-pages.ts";
import {
	findDisallowedSitemaps,
	findDoubtfulSitemaps,
	findSitemapSlips,
} from "./sitemaps.ts";
import {
	findFileOddities,
	findMisnamed,
	foreignFile,
	isMarkupAlone,
} from "./whole-file.ts";
import { Budget } from "./witness.ts";
import { findBlankLines, findYandexLimits } from "./yandex.ts";

export type { DialectExample, Edit, Finding, LintCode };
export { lintCodes };

/** Options of `lint`. */
export interface LintOptions {
	/** The dialect that decides what is an error. Default "rfc9309". */
	readonly dialect?: Dialect;
	/**
	 * Bytes of the file that are read. Default 512,000; the google dialect reads all of it, as Google's library does, and a finding says
	 * where Google's crawlers stop (500 KiB).
	 */
	readonly maxBytes?: number;
	/** URLs of the site's sitemaps: findings name the rules that disallow some of them (`disallowed-page`). */
	readonly sitemapUrls?: readonly string[];
	/** URLs of pages that say `noindex`: findings name the rules that keep crawlers from seeing it (`unseen-noindex`). */
	readonly noindexUrls?: readonly string[];
	/**
	 * Where the file is: its URL ("https://example.com/robots.txt"), or its name or path on a disk. Names that crawlers do not ask
	 * for are then found ("Robots.txt"), and with a URL only sitemaps of its own site are judged by the rules.
	 */
	readonly location?: string;
}

/** Lists of texts; what is no URL among them is left out. */
const urlsKind: Kind = {
	text: "an array of strings",
	accepts: (value) =>
		Array.isArray(value) && value.every((one) => typeof one === "string"),
};

export const lintOptions: OptionTable<LintOptions> = {
	dialect: dialectKind,
	maxBytes: maxBytesKind,
	location: textKind,
	sitemapUrls: urlsKind,
	noindexUrls: urlsKind,
};

/** Rules that are compiled, counted anew for each crawler, as they may share them in ever other combinations: a second of work. */
const MAX_RULES = 400_000;

/**
 * Checks a robots.txt (a string or UTF-8 bytes); returns findings sorted by line. Besides `RobotsTxt.diagnostics` it finds rules that
 * can never win, groups that no crawler uses, and paths for which the dialects differ. Findings about matching are proved by
 * running the matchers. For a file with thousands of crawlers and rules some may be missing; a finding then says so.
 * @example
 * for (const { line, severity, message } of lint(await readFile("robots.txt")))
 *   console.log(`${line}: ${severity}: ${message}`);
 * @throws {RobotrieError} invalid-argument, for an unknown dialect, a `maxBytes` that is no number from 0 on, an option of
 * another name, or a source that is neither bytes nor a string; limit-exceeded, where a `maxBytes` of many megabytes lets in more than a program holds.
 */
export function lint(
	source: Uint8Array | string,
	options: LintOptions = {},
): readonly Finding[] {
	checkOptions("lint", options, lintOptions);
	const { dialect = DEFAULT_DIALECT, location } = options;
	const { sitemapUrls = [], noindexUrls = [] } = options;
	const rules = dialectRules(dialect);
	const { maxBytes = rules.maxBytes } = options;
	/** Where crawlers stop, whatever the dialect's library does. */
	const limit = options.maxBytes ?? DEFAULT_MAX_BYTES;
	const bytes = sourceBytes(source);
	const foreign = foreignFile(bytes, rules.decodesUtf16);
	const misnamed = findMisnamed(location);
	if (foreign) return [...misnamed, foreign].map(withPage);
	const reading = new Reading(bytes, rules, maxBytes);
	if (isMarkupAlone(reading))
		return [...misnamed, ...findFileOddities(bytes, limit, rules)].map(
			withPage,
		);
	const work = new Budget(MAX_RULES);
	const text = findTextOddities(reading);
	const closed = new Closed(reading);
	const agents = agentsOf(reading);
	const found = [
		...misnamed,
		...findFileOddities(bytes, limit, rules),
		...findUnreadRest(bytes, rules, maxBytes, limit),
		...text.findings,
		...withoutIdioms(findLineOddities(reading, location), reading),
		...findDoubtfulParameters(reading),
		...findDoubtfulDelays(reading),
		...findObsoleteFields(reading),
		...findGroupOddities(reading, closed),
		...findClosed(reading, closed, agents),
		...findLooserGroups(reading, closed, agents),
		...findPatternOddities(reading),
		...findSlashlessDirectories(reading),
		...findBlockedResources(reading),
		...findHomeQueries(reading),
		...findSitemapSlips(reading),
		...findDoubtfulSitemaps(reading, location),
		...findDisallowedSitemaps(reading, closed, location),
		...findDisallowedPages(
			reading,
			closed,
			{ sitemapUrls, noindexUrls },
			location,
		),
		...findBlankLines(reading),
		...findYandexLimits(reading),
		...findShadows(reading, work),
	];
	// Beyond the limit the dialects part on everything: one finding says so.
	const differing =
		bytes.length > limit ? found : withDifferences(found, bytes, limit, work);
	if (work.exhausted) differing.push(notExamined);
	const checks = new Budget(MOST_CHECKED);
	return withoutEchoes(differing, text.echoes)
		.sort((a, b) => a.line - b.line)
		.map(({ edit, ...found }) => ({
			...withPage(found),
			...judgedEdit(edit, bytes, limit, checks),
		}));
}

/** Edits that are looked at, each in all dialects; the rest are suggestions. Most take 50 µs. */
const MOST_CHECKED = 5000;

/** An edit, and whether it is safe; none that would move where crawlers stop reading the file or a line. */
function judgedEdit(
	edit: Change | undefined,
	bytes: Uint8Array,
	limit: number,
	checks: Budget,
): { edit?: Edit } {
	if (!edit || bytes.length > limit || !isInWholeLines(bytes, edit)) return {};
	const safe = edit.safe ?? (checks.affords(1) && isSafe(bytes, edit));
	return { edit: { ...edit, safe } };
}

/** Findings about the text of lines, and what other findings they explain, by line. */
interface TextOddities {
	readonly findings: readonly Found[];
	readonly echoes: ReadonlyMap<number, ReadonlySet<LintCode>>;
}

/** What lines hold that a look at them does not show. */
function findTextOddities({ file }: Reading): TextOddities {
	const findings: Found[] = [];
	const echoes = new Map<number, ReadonlySet<LintCode>>();
	for (const raw of rawLines(file.extent)) {
		const invisible = findInvisible(raw);
		if (invisible) {
			findings.push(invisible.found);
			echoes.set(
				raw.line,
				invisible.inValue ? echoesInValue : echoesInFieldName,
			);
		}
		const together = findRunTogether(file.bytes, raw, file.lines);
		const lookAlike = findLookAlike(raw);
		if (lookAlike) {
			findings.push(lookAlike);
			echoes.set(raw.line, echoesOfLookAlike);
		}
		const inQuotes = findQuotedLine(raw);
		if (inQuotes) {
			findings.push(inQuotes);
			echoes.set(raw.line, echoesOfQuotedLine);
		}
		if (together) {
			findings.push(together);
			echoes.set(raw.line, echoesOfMissingEnd);
		}
	}
	return { findings, echoes };
}

function withPage(found: Omit<Found, "edit">): Finding {
	return { ...found, page: pageOf(found.code) };
}

const notExamined: Found = {
	line: 1,
	code: "not-examined",
	severity: "info",
	message:
		"The file has too many crawlers and rules to compare them all, so some findings may be missing.",
};

/** "Disallow:" as a group's only rule is the usual way to say that there are none. */
function withoutIdioms(findings: readonly Found[], { file }: Reading): Found[] {
	const alone = new Set(
		file.groups
			.filter(({ firstRule, lastRule }) => lastRule - firstRule === 1)
			.map(({ firstRule }) => file.rules[firstRule * RULE_FIELDS + 3]),
	);
	return findings.filter(
		({ code, line }) => !(code === "empty-disallow" && alone.has(line)),
	);
}

/** What a page of markup is full of, line by line. */
const markupCodes: ReadonlySet<LintCode> = new Set([
	"empty-field",
	"misspelled-field",
	"missing-colon",
	"unknown-field",
]);

/** What a second field in a value makes of a line. */
const echoesOfMissingEnd: ReadonlySet<LintCode> = new Set([
	"group-without-rules",
	"html-entity",
	"invalid-agent",
	"invalid-value",
	"misspelled-agent",
	"pattern-without-slash",
	"quotation-marks",
	"relative-sitemap",
	"unescaped-character",
	"unmatchable-pattern",
	"unreachable-group",
]);

/** What an invisible character makes of a line, before the colon and after it. */
const echoesInFieldName: ReadonlySet<LintCode> = new Set([
	"empty-field",
	"misspelled-field",
	"missing-colon",
	"unknown-field",
]);
const echoesInValue: ReadonlySet<LintCode> = new Set([
	"invalid-agent",
	"invalid-utf-8",
	"invalid-value",
	"misspelled-agent",
	"pattern-without-slash",
	"relative-sitemap",
	"unescaped-character",
]);

/** What a letter that looks like the right one makes of a line. */
const echoesOfLookAlike: ReadonlySet<LintCode> = new Set([
	...(["invalid-agent", "misspelled-agent", "misspelled-field"] as const),
	...([
		"missing-colon",
		"pattern-without-slash",
		"unescaped-character",
	] as const),
	...(["unknown-field", "unreachable-group", "group-without-rules"] as const),
]);

/** What quotation marks around a whole line make of it. */
const echoesOfQuotedLine: ReadonlySet<LintCode> = new Set([
	"misspelled-field",
	"missing-line-end",
	"unescaped-character",
	"unknown-field",
	"unmatchable-pattern",
]);

/** Findings that say of a value what it was meant to be, and so all that is to be said of its form. */
const tellingCodes: ReadonlySet<LintCode> = new Set([
	"html-entity",
	"missing-line-end",
	"note-in-path",
	"quotation-marks",
	"regular-expression",
	"unmatchable-pattern",
]);
const echoesOfTelling: ReadonlySet<LintCode> = new Set([
	"group-without-rules",
	"inner-dollar",
	"invalid-agent",
	"invalid-utf-8",
	"pattern-without-slash",
	"relative-sitemap",
	"unescaped-character",
	"unreachable-group",
]);

/** Leaves out what another finding has said already. */
function withoutEchoes(
	findings: readonly Found[],
	echoes: TextOddities["echoes"],
): Found[] {
	const html = findings.find(({ code }) => code === "html-page");
	const isMarkup = ({ code, message }: Found) =>
		html !== undefined &&
		markupCodes.has(code) &&
		// Around rules only the tags are markup.
		(html.severity === "error" || message.startsWith("<"));
	const linesOf = (wanted: LintCode) =>
		new Set(
			findings.filter(({ code }) => code === wanted).map(({ line }) => line),
		);
	const telling = new Set(
		findings
			.filter(({ code }) => tellingCodes.has(code))
			.map(({ line }) => line),
	);
	const unreachable = linesOf("unreachable-group");
	const misspelled = linesOf("misspelled-agent");
	const isEcho = ({ code, line }: Found) =>
		echoes.get(line)?.has(code) ||
		(telling.has(line) && echoesOfTelling.has(code)) ||
		(code === "misspelled-agent" && unreachable.has(line)) ||
		(code === "invalid-agent" &&
			(unreachable.has(line) || misspelled.has(line)));
	return findings.filter((found) => !isMarkup(found) && !isEcho(found));
}

/** Codes of lines that not every dialect reads, or reads otherwise. */
const partingCodes: ReadonlySet<LintCode> = new Set([
	"absolute-url",
	"empty-allow",
	"empty-disallow",
	"invalid-agent",
	"line-truncated",
	"misspelled-agent",
	"misspelled-field",
	"missing-colon",
	"nul-byte",
	"pattern-without-slash",
	"unreachable-group",
]);

/** Adds what the dialects answer otherwise: to the finding that tells why, or as one of its own. */
function withDifferences(
	findings: readonly Found[],
	bytes: Uint8Array,
	maxBytes: number,
	work: Budget,
): Found[] {
	const { examples, findings: more } = findDifferences(bytes, maxBytes, work);
	const left = new Map(examples);
	const exemplified = findings.map((finding) => {
		const example = left.get(finding.line);
		if (!example || !partingCodes.has(finding.code)) return finding;
		left.delete(finding.line);
		// No site has such a path.
		return finding.code === "absolute-url" ? finding : { ...finding, example };
	});
	const unexplained = [...left].map(
		([line, example]): Found => ({
			line,
			code: "dialects-differ",
			severity: "warning",
			message: `The dialects read this line differently: ${answersText(example)}.`,
			example,
		}),
	);
	return [...exemplified, ...more, ...unexplained];
}
