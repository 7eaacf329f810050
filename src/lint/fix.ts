/**
 * `fix`: applies the edits of findings until none is left: safe ones, and all if it is asked to. What hardly is a robots.txt stays as it is: a wrong file that is named by mistake
 * must not be changed. lint.ts finds, this file writes.
 */
import { checkOptions, type OptionTable } from "../common/arguments.ts";
import { flagKind } from "../common/kinds.ts";
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
	/** What `lint` finds in `bytes`: what is left. Without `unsafe` some of it may have suggestions. */
	readonly findings: readonly Finding[];
	/** Why nothing is changed, as a sentence: the bytes are hardly a robots.txt, or too many. */
	readonly refused?: string;
}

/**
 * An edit may uncover another finding with one, and of edits that touch only the first is applied: of groups of one crawler, which are
 * merged in pairs, half are left each time.
 */
const MOST_ROUNDS = 24;

/** Options of `fix`. */
export interface FixOptions extends LintOptions {
	/**
	 * Also make the changes that alter verdicts. Default false. Compare the file before and after (`compareFiles`) and let a person decide:
	 * what is a slip is a guess.
	 */
	readonly unsafe?: boolean;
}

const fixOptions: OptionTable<FixOptions> = {
	...lintOptions,
	unsafe: flagKind,
};

/**
 * Repairs a robots.txt without changing any verdict: applies the safe edits of the findings, lints again, and so on until none is left.
 * With `unsafe` it applies the suggestions, too. Lines of `fixed` are those of the file as it was when the edit was applied. Bytes that
 * hardly are a robots.txt (another format, a page of markup, control characters, or mostly lines without a field) and files over the limit
 * stay as they are; `refused` says so.
 * @param source A string, or UTF-8 bytes; they stay as they are.
 * @example
 * const file = "User-agent: *\nDisalow: /a\nsitemap http://example.com/s.xml\n";
 * const { bytes } = fix(file);
 * new TextDecoder().decode(bytes); // "User-agent: *\nDisalow: /a\nSitemap: http://example.com/s.xml\n"
 * new TextDecoder().decode(fix(file, { unsafe: true }).bytes); // "User-agent: *\nDisallow: /a\nSitemap: http://example.com/s.xml\n"
 * @throws {RobotrieError} as `lint` does.
 */
export function fix(
	source: Uint8Array | string,
	options: FixOptions = {},
): Fixed {
	checkOptions("fix", options, fixOptions);
	const { unsafe = false, ...lintOnly } = options;
	const isWanted = ({ edit }: Finding) =>
		edit !== undefined && (unsafe || edit.safe);
	let bytes: Uint8Array = sourceBytes(source).slice();
	let findings = lint(bytes, lintOnly);
	const fixed: Finding[] = [];
	const limit = options.maxBytes ?? DEFAULT_MAX_BYTES;
	const refused = refusalOf(bytes, findings, limit);
	if (refused !== undefined) return { bytes, fixed, findings, refused };
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const edits = findings
			.filter(isWanted)
			.flatMap(({ edit }): readonly Edit[] => (edit ? [edit] : []));
		if (edits.length === 0) break;
		const { bytes: changed, applied } = withEdits(bytes, edits);
		// Its end would no longer be read.
		if (changed.length > limit) break;
		fixed.push(...findings.filter(({ edit }) => edit && applied.has(edit)));
		bytes = changed;
		findings = lint(bytes, lintOnly);
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
