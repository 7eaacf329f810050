/**
 * `fix`: applies the edits of findings until none is left. What hardly is a robots.txt stays as it is: a wrong file that is named by mistake
 * must not be changed. lint.ts finds, this file writes.
 */
import { checkOptions } from "../common/arguments.ts";
import { DEFAULT_MAX_BYTES, sourceBytes } from "../robots-txt/dialect.ts";
import { type Edit, type Finding, withEdits } from "./finding.ts";
import { type LintOptions, lint, lintOptions } from "./lint.ts";
import { foreignFile, htmlPage } from "./whole-file.ts";

/** What `fix` makes of a file. */
export interface Fixed {
	/** The file with the edits applied, in UTF-8; a copy of what was given, where there are none. */
	readonly bytes: Uint8Array;
	/** The findings whose edits were applied, in the order in which they were. */
	readonly fixed: readonly Finding[];
	/** What `lint` finds in `bytes`: what has no one right repair. */
	readonly findings: readonly Finding[];
	/** Why nothing is changed, as a sentence: the bytes are hardly a robots.txt, or too many. */
	readonly refused?: string;
}

/**
 * An edit may uncover another finding with one, and of edits that touch only the first is applied: of groups of one crawler, which are
 * merged in pairs, half are left each time.
 */
const MOST_ROUNDS = 24;

/**
 * Repairs a robots.txt where there is one right repair: applies the edits of the findings, lints again, and so on until no edit is
 * left. Lines of `fixed` are those of the file as it was when the edit was applied. Bytes that hardly are a robots.txt (another format, a
 * page of markup, control characters, or mostly lines without a field) and files over the limit stay as they are; `refused` says so.
 * @param source A string, or UTF-8 bytes; they stay as they are.
 * @example
 * const { bytes, fixed } = fix("User-agent: *\nDisalow: /a\n");
 * new TextDecoder().decode(bytes); // "User-agent: *\nDisallow: /a\n"
 * @throws {RobotrieError} as `lint` does.
 */
export function fix(
	source: Uint8Array | string,
	options: LintOptions = {},
): Fixed {
	checkOptions("fix", options, lintOptions);
	let bytes: Uint8Array = sourceBytes(source).slice();
	let findings = lint(bytes, options);
	const fixed: Finding[] = [];
	const limit = options.maxBytes ?? DEFAULT_MAX_BYTES;
	const refused = refusalOf(bytes, findings, limit);
	if (refused !== undefined) return { bytes, fixed, findings, refused };
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const edits = findings.flatMap(({ edit }): readonly Edit[] =>
			edit ? [edit] : [],
		);
		if (edits.length === 0) break;
		const { bytes: changed, applied } = withEdits(bytes, edits);
		// Its end would no longer be read.
		if (changed.length > limit) break;
		fixed.push(...findings.filter(({ edit }) => edit && applied.has(edit)));
		bytes = changed;
		findings = lint(bytes, options);
	}
	return { bytes, fixed, findings };
}

/** Characters that no text has: control characters but white space. */
const isControl = (byte: number) =>
	(byte < 32 && (byte < 9 || byte > 13)) || byte === 127;

/** Why a file is not repaired; undefined for one that is. */
function refusalOf(
	bytes: Uint8Array,
	findings: readonly Finding[],
	limit: number,
): string | undefined {
	const other = foreignFile(bytes) ?? htmlPage(bytes);
	if (other) return other.message;
	const control = bytes.find(isControl);
	if (control !== undefined) {
		const hex = control.toString(16).toUpperCase().padStart(2, "0");
		return `This is no text: it holds the control character 0x${hex}.`;
	}
	if (bytes.length > limit)
		return `The file has ${bytes.length} bytes, more than the ${limit} that are read: a repair would move where crawlers stop.`;
	return hasFewFields(bytes, findings)
		? "This is hardly a robots.txt: fewer than half of its lines are fields that crawlers know, or nearly so."
		: undefined;
}

/** Whether most lines that hold anything but a comment are no field that crawlers know, nor nearly one. */
function hasFewFields(
	bytes: Uint8Array,
	findings: readonly Finding[],
): boolean {
	const lines = new TextDecoder()
		.decode(bytes)
		.split(/\r\n|\r|\n/)
		.filter((line) => /^\s*[^\s#]/.test(line)).length;
	const without = findings.filter(
		({ code, edit }) =>
			code === "unknown-field" ||
			code === "empty-field" ||
			(code === "missing-colon" && !edit),
	).length;
	return without * 2 > lines;
}
