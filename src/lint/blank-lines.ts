/**
 * Blank lines where the Yandex document does not admit them, and where it recommends one ("Использование директив Disallow и
 * Allow", the note). Its robots skip blank lines, and so does the yandex dialect: these are remarks about form.
 */
import type { ParsedFile } from "../robots-txt/parsed-file.ts";
import { blankLineBefore } from "./edits.ts";
import type { Found } from "./finding.ts";
import { type RawLine, rawLines } from "./raw-lines.ts";
import type { Reading } from "./reading.ts";

const HASH = 35;

type Kind = "agent" | "rule" | "comment" | "blank" | "other";

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

/** Blank lines behind each other: the first one's number, and offsets of their bytes. */
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
		message: `A blank line between ${between} is not admitted by Yandex's document; its robots skip it.`,
		edit: { start, end, text: "" },
	};
}

function recommended(bytes: Uint8Array, line: number, start: number): Found {
	return {
		line,
		code: "blank-line",
		severity: "info",
		message:
			"Yandex's document recommends a blank line before each group; its robots read the line without one.",
		edit: blankLineBefore(bytes, start),
	};
}
