/**
 * Findings for those who go by Yandex's pages: blank lines within groups, and the limits that its robots.txt checker names today.
 */
import { RULE_FIELDS, RULE_LINE } from "../../assembly/format/records.ts";
import { count, shorten } from "../common/wording.ts";
import type { ParsedFile } from "../robots-txt/parse.ts";
import { blankLineBefore, type Found } from "./finding.ts";
import { type RawLine, rawLines } from "./raw-lines.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";

const HASH = 35;

type Kind = "agent" | "rule" | "comment" | "blank" | "other";

/**
 * Blank lines where the Yandex document does not admit them, and where it recommends one ("Использование директив Disallow и
 * Allow", the note). It does not say what its robots make of them; the yandex dialect skips them, so these are remarks about form.
 */
export function findBlankLines({ file, dialect }: Reading): Found[] {
	if (!dialect.placesBlankLines) return [];
	const findings: Found[] = [];
	const kindOf = kinds(file);
	/** The last line that is neither blank nor a comment; a first User-agent line needs nothing before it. */
	let last: Kind | undefined;
	/** Runs of blank lines since then. */
	let runs: Run[] = [];
	/** Where the comments directly above begin. */
	let comments: number | undefined;
	let before: Kind | undefined;
	for (const raw of rawLines(file.extent)) {
		const kind = kindOf(raw);
		const { line, start } = raw;
		const run = runs.at(-1);
		if (run && before === "blank") run.end = start;
		if (kind === "blank") {
			if (before !== "blank") runs.push({ line, start, end: start });
			comments = undefined;
		} else if (kind === "comment") comments ??= start;
		else {
			if (kind === "rule" && (last === "agent" || last === "rule"))
				for (const one of runs) findings.push(notAdmitted(one, last));
			if (
				kind === "agent" &&
				last !== undefined &&
				last !== "agent" &&
				runs.length === 0
			)
				findings.push(recommended(file.bytes, line, comments ?? start));
			last = kind;
			runs = [];
			comments = undefined;
		}
		before = kind;
	}
	return findings;
}

/** Consecutive blank lines: the first one's number, and offsets of their bytes. */
interface Run {
	readonly line: number;
	readonly start: number;
	end: number;
}

function kinds({ groups, rules, bytes }: ParsedFile): (line: RawLine) => Kind {
	const agents = new Set(
		groups.flatMap((group) => group.agents.map(({ line }) => line)),
	);
	const ruleLines = new Set<number>();
	for (let at = 3; at < rules.length; at += 4) ruleLines.add(rules[at] ?? 0);
	return ({ line, start, bytes: text }) => {
		if (agents.has(line)) return "agent";
		if (ruleLines.has(line)) return "rule";
		if (text.some((byte) => byte > 32)) return "other";
		return bytes[start + text.length] === HASH ? "comment" : "blank";
	};
}

function notAdmitted({ line, start, end }: Run, before: Kind): Found {
	const between =
		before === "agent" ? "User-agent and its rules" : "rules of a group";
	return {
		line,
		code: "blank-line",
		severity: "info",
		message: `A blank line between ${between} is not admitted by Yandex's document, which does not say what it does; this dialect skips it.`,
		edit: {
			...{ start, end, text: "" },
			why: "Delete the blank lines, which Yandex's document does not admit here.",
		},
	};
}

function recommended(bytes: Uint8Array, line: number, start: number): Found {
	return {
		line,
		code: "blank-line",
		severity: "info",
		message:
			"Yandex's document recommends a blank line before each group; this dialect reads the line without one.",
		edit: blankLineBefore(bytes, start),
	};
}

/** The page "Robots.txt parsing errors" of Yandex Webmaster, read on 28 November 2026. */
const MOST_RULES = 2048;
const LONGEST_RULE = 1024;

/** More rules, or longer ones, than Yandex's checker admits. What its robots do with the rest the page does not say. */
export function findYandexLimits(reading: Reading): Found[] {
	const { rules } = reading.file;
	const total = rules.length / RULE_FIELDS;
	const severity = reading.dialect.familyToken === null ? "info" : "warning";
	const findings: Found[] = [];
	if (total > MOST_RULES)
		findings.push({
			line: rules[MOST_RULES * RULE_FIELDS + RULE_LINE] ?? 1,
			code: "yandex-limit",
			severity,
			message: `The file has ${count(total, "rule")}, and Yandex's checker counts more than 2,048 as an error: its robots may not read this one and what follows.`,
		});
	const long = Array.from({ length: total }, (_, index) => index).filter(
		(index) => {
			const [from = 0, to = 0] = rules.subarray(index * RULE_FIELDS);
			return (
				to - from > LONGEST_RULE &&
				[...reading.rule(index).pattern].length > LONGEST_RULE
			);
		},
	);
	const [first] = long;
	if (first === undefined) return findings;
	const rule = reading.rule(first);
	const more = long.length - 1;
	findings.push({
		line: rule.line,
		code: "yandex-limit",
		severity,
		message: `${shorten(fieldAndPattern(rule))}${more > 0 ? ` and ${count(more, "other rule")}` : ""} ${more > 0 ? "have" : "has"} more than 1,024 characters, which Yandex's checker counts as an error: its robots may not read ${more > 0 ? "them" : "it"}.`,
	});
	return findings;
}
