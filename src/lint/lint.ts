import { checkOptions, type OptionTable } from "../common/arguments.ts";
import {
	type Dialect,
	dialectKind,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { RULE_FIELDS } from "../robots-txt/parsed-file.ts";
import {
	DEFAULT_MAX_BYTES,
	maxBytesKind,
	sourceBytes,
} from "../robots-txt/source.ts";
import { findDoubtfulParameters } from "./clean-params.ts";
import { findDifferences } from "./differences.ts";
import {
	answersText,
	type DialectExample,
	type Finding,
	type Found,
	type LintCode,
	lintCodes,
	pageOf,
} from "./finding.ts";
import { findGroupOddities } from "./groups.ts";
import { findInvisible } from "./invisible.ts";
import { findLineOddities } from "./lines.ts";
import { findObsoleteFields } from "./obsolete.ts";
import { findPatternOddities } from "./patterns.ts";
import { rawLines } from "./raw-lines.ts";
import { Reading } from "./reading.ts";
import { findRunTogether } from "./run-together.ts";
import { findShadows } from "./shadows.ts";
import { findFileOddities, foreignFile, isMarkupAlone } from "./whole-file.ts";
import { Work } from "./work.ts";

export type { DialectExample, Finding, LintCode };
export { lintCodes };

/** Options of `lint`. */
export interface LintOptions {
	/** The dialect that decides what is an error. Default "rfc9309". */
	readonly dialect?: Dialect;
	/**
	 * Bytes of the file that are read. Default 512,000 in every dialect: Google's crawlers stop at 500 KiB, although Google's library,
	 * which the google dialect follows, does not.
	 */
	readonly maxBytes?: number;
}

const lintOptions: OptionTable<LintOptions> = {
	dialect: dialectKind,
	maxBytes: maxBytesKind,
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
	const { dialect = "rfc9309", maxBytes = DEFAULT_MAX_BYTES } = options;
	const rules = dialectRules(dialect);
	const bytes = sourceBytes(source);
	const foreign = foreignFile(bytes);
	if (foreign) return [withPage(foreign)];
	const reading = new Reading(bytes, rules, maxBytes);
	if (isMarkupAlone(reading))
		return findFileOddities(bytes, maxBytes).map(withPage);
	const work = new Work(MAX_RULES);
	const text = findTextOddities(reading);
	const found = [
		...findFileOddities(bytes, maxBytes),
		...text.findings,
		...withoutIdioms(findLineOddities(reading), reading),
		...findDoubtfulParameters(reading),
		...findObsoleteFields(reading),
		...findGroupOddities(reading),
		...findPatternOddities(reading),
		...findShadows(reading, work),
	];
	// Beyond the limit the dialects part on everything: one finding says so.
	const differing =
		bytes.length > maxBytes
			? found
			: withDifferences(found, bytes, maxBytes, work);
	if (work.exhausted) differing.push(notExamined);
	return withoutEchoes(differing, text.echoes)
		.sort((a, b) => a.line - b.line)
		.map(withPage);
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
		const together = findRunTogether(raw, file.lines);
		if (together) {
			findings.push(together);
			echoes.set(raw.line, echoesOfMissingEnd);
		}
	}
	return { findings, echoes };
}

function withPage(found: Found): Finding {
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
	"invalid-agent",
	"invalid-value",
	"misspelled-agent",
	"pattern-without-slash",
	"relative-sitemap",
	"unmatchable-pattern",
	"unreachable-group",
]);

/** What an invisible character makes of a line, in front of the colon and behind it. */
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

/** Leaves out what another finding has said already. */
function withoutEchoes(
	findings: readonly Found[],
	echoes: TextOddities["echoes"],
): Found[] {
	const html = findings.some(({ code }) => code === "html-page");
	const linesOf = (wanted: LintCode) =>
		new Set(
			findings.filter(({ code }) => code === wanted).map(({ line }) => line),
		);
	const unreachable = linesOf("unreachable-group");
	const misspelled = linesOf("misspelled-agent");
	return findings.filter(
		({ code, line }) =>
			!(html && markupCodes.has(code)) &&
			!echoes.get(line)?.has(code) &&
			!(code === "misspelled-agent" && unreachable.has(line)) &&
			!(
				code === "invalid-agent" &&
				(unreachable.has(line) || misspelled.has(line))
			),
	);
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
	work: Work,
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
