/**
 * A finding, and the edits that it advises. Every check makes `Found` objects; lint.ts turns them into findings. Offsets are those of the
 * bytes that `lint` was given, a byte order mark included, so that an edit can be applied to them.
 */
import { concatenate } from "../common/chunks.ts";
import type { Severity } from "../robots-txt/diagnostics.ts";
import type { Dialect } from "../robots-txt/dialect.ts";

/** All codes of findings: those of `RobotsTxt.diagnostics` and those of `lint` alone. */
export const lintCodes = [
	"absolute-url",
	"blank-line",
	"blocked-resources",
	"byte-order-mark",
	"dialects-differ",
	"directory-without-slash",
	"disallowed-page",
	"disallowed-sitemap",
	"doubtful-delay",
	"doubtful-parameter",
	"doubtful-sitemap",
	"duplicate-rule",
	"empty-allow",
	"empty-disallow",
	"empty-field",
	"file-too-large",
	"file-truncated",
	"group-without-rules",
	"half-escape",
	"hash-in-path",
	"home-page-query",
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
	"look-alike",
	"looser-group",
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
	"note-in-path",
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
	"site-closed",
	"unescaped-character",
	"unknown-field",
	"unmatchable-pattern",
	"unreachable-group",
	"unseen-noindex",
	"utf-16",
	"yandex-limit",
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

/**
 * A change of the file that mends what a finding is about, where nobody can have meant two things. All other bytes of the file stay. A safe one
 * changes nothing that a crawler reads; any other is a suggestion, and changes verdicts.
 */
export interface Edit {
	/** Where the text to replace begins: a byte offset in the file, of a string in its UTF-8. */
	readonly start: number;
	/** Offset after the last byte to replace; equal to `start` where nothing is. */
	readonly end: number;
	/** What to write in its place. */
	readonly text: string;
	/** What is done, and why it is right: one sentence. */
	readonly why: string;
	/**
	 * No verdict of any crawler changes, in any dialect, and nothing that a crawler reads is lost; a sitemap may be found. What is not safe
	 * is for a person to decide: `fix` applies it only with `unsafe`.
	 */
	readonly safe: boolean;
}

/** An edit before it is known whether it is safe (safety.ts); one that merges groups is so by the way that it is made (repeated.ts). */
export type Change = Omit<Edit, "safe"> & { readonly safe?: boolean };

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
	/** The change that its message advises, where there is one. Several findings of a line may have the same one. */
	readonly edit?: Edit;
	/** The page that explains the code, from the package's root: "docs/lint/shadowed-rule.md". */
	readonly page: string;
}

/** A finding before it is given its page. */
export type Found = Omit<Finding, "page" | "edit"> & { readonly edit?: Change };

/** The page about a code, from the package's root. */
export function pageOf(code: LintCode): string {
	return `docs/lint/${code}.md`;
}

const encoder = new TextEncoder();

const LF = 10;
const CR = 13;
const COLON = 58;
const BOM = [0xef, 0xbb, 0xbf];

/** The longest line that is repaired: Google's library cuts longer ones, and an edit would move the cut. */
const LONGEST_MENDED = 2083 * 8 - 1;

/** Whether an edit lies in lines that every dialect reads as a whole, and leaves them so. */
export function isInWholeLines(
	bytes: Uint8Array,
	{ start, end, text }: Change,
): boolean {
	const from = lineStart(bytes, start);
	const [to] = lineEnd(bytes, end);
	const added = new TextEncoder().encode(text).length - (end - start);
	if (to - from + Math.max(added, 0) <= LONGEST_MENDED) return true;
	// A long range of short lines.
	const after = withEdits(bytes.subarray(from, to), [
		{ start: start - from, end: end - from, text, why: "" },
	]).bytes;
	return [bytes.subarray(from, to), after].every(
		(each) => longestLine(each) <= LONGEST_MENDED,
	);
}

function longestLine(bytes: Uint8Array): number {
	let longest = 0;
	for (let start = 0; start < bytes.length; ) {
		const [end, next] = lineEnd(bytes, start);
		longest = Math.max(longest, end - start);
		start = next;
	}
	return longest;
}

const isLineEnd = (byte: number | undefined) => byte === LF || byte === CR;

/** Offset of the first byte of the line that an offset is in; after a byte order mark. */
export function lineStart(bytes: Uint8Array, at: number): number {
	let start = at;
	while (start > 0 && !isLineEnd(bytes[start - 1])) start--;
	return start === 0 && BOM.every((byte, i) => bytes[i] === byte) ? 3 : start;
}

/** Offset of the end of the line that an offset is in, and the offset after its CR, LF or CRLF. */
export function lineEnd(
	bytes: Uint8Array,
	at: number,
): [end: number, next: number] {
	let end = at;
	while (end < bytes.length && !isLineEnd(bytes[end])) end++;
	if (end === bytes.length) return [end, end];
	return [end, end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1)];
}

/** The characters that end the line that an offset is in, or the line before; LF in a file of one line. */
export function lineBreak(bytes: Uint8Array, at: number): string {
	let [end, next] = lineEnd(bytes, at);
	if (end === next) {
		next = lineStart(bytes, at);
		end = next - (bytes[next - 1] === LF && bytes[next - 2] === CR ? 2 : 1);
		if (end < 0 || !isLineEnd(bytes[end])) return "\n";
	}
	return String.fromCharCode(...bytes.subarray(end, next));
}

/** The name of the field whose value begins at an offset, as written. */
export function fieldName(bytes: Uint8Array, value: number): string {
	const start = lineStart(bytes, value);
	const colon = bytes.indexOf(COLON, start);
	const end = colon < 0 || colon > value ? value : colon;
	return new TextDecoder().decode(bytes.subarray(start, end)).trim();
}

/** Other values in place of one, each on a line of its own, below the same field. */
export function valueEdit(
	bytes: Uint8Array,
	start: number,
	end: number,
	values: readonly string[],
	why: string,
): Change {
	const [first = "", ...others] = values;
	if (others.length === 0) return { start, end, text: first, why };
	const between = `${lineBreak(bytes, start)}${fieldName(bytes, start)}: `;
	return { start, end, text: values.join(between), why };
}

/** Other lines in place of the text between two offsets of a line. */
export function linesEdit(
	bytes: Uint8Array,
	start: number,
	end: number,
	lines: readonly string[],
): Change {
	return {
		...{ start, end, text: lines.join(lineBreak(bytes, start)) },
		why: "Begin a new line with each field, as crawlers read one on a line.",
	};
}

/** Another name in front of the first colon of the line that an offset is in. */
export function nameEdit(bytes: Uint8Array, at: number, name: string): Change {
	const start = lineStart(bytes, at);
	const [end] = lineEnd(bytes, at);
	const line = new TextDecoder("latin1").decode(bytes.subarray(start, end));
	const [, blank = "", written = ""] = /^([ \t]*)([^:]*:)/.exec(line) ?? [];
	return {
		start: start + blank.length,
		end: start + blank.length + written.length,
		text: `${name}:`,
		why: `Write ${name}, the name that all crawlers know.`,
	};
}

/** A blank line in front of the line that begins at an offset. */
export function blankLineBefore(bytes: Uint8Array, start: number): Change {
	return {
		...{ start, end: start, text: lineBreak(bytes, start - 1) },
		why: "Put a blank line before the group, as Yandex's document recommends.",
	};
}

/**
 * A file with edits applied, and those that were: of edits that overlap, the first, as its text may answer the others. Several findings
 * may have the same edit, which is applied once.
 */
export function withEdits<One extends Change>(
	bytes: Uint8Array,
	edits: Iterable<One>,
): { readonly bytes: Uint8Array; readonly applied: ReadonlySet<One> } {
	const inOrder = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
	const applied = new Set<One>();
	const parts: Uint8Array[] = [];
	let at = 0;
	let last: One | undefined;
	for (const edit of inOrder) {
		const { start, end, text } = edit;
		if (last?.start === start && last.end === end && last.text === text) {
			applied.add(edit);
			continue;
		}
		// What touches the one before may be about the same byte.
		if (last && start <= last.end) continue;
		parts.push(bytes.subarray(at, start), encoder.encode(text));
		at = end;
		last = edit;
		applied.add(edit);
	}
	parts.push(bytes.subarray(at));
	return { bytes: concatenate(parts), applied };
}
