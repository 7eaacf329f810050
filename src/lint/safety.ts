/**
 * Whether an edit is safe: whether every dialect reads the lines that it touches as it did before. Files are read line by line, so texts whose
 * lines are read alike, in the same order, can stand for each other in any file, and no URL has to be tried. lint.ts asks for each edit.
 */
import {
	OTHER_ALLOW_OUTSIDE,
	OTHER_DISALLOW_OUTSIDE,
	OTHER_FIELDS,
	OTHER_FROM,
	OTHER_KIND,
	OTHER_TO,
	RULE_FIELDS,
	RULE_FROM,
	RULE_IS_ALLOW,
	RULE_TO,
} from "../../assembly/format/records.ts";
import { parseUrl } from "../common/arguments.ts";
import { concatenate } from "../common/chunks.ts";
import { isAbsoluteUrl } from "../common/urls.ts";
import {
	DEFAULT_MAX_BYTES,
	dialectNames,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { knownOtherFields } from "../robots-txt/other-fields.ts";
import { type Change, lineEnd, withEdits } from "./finding.ts";
import { Reading } from "./reading.ts";

/** A longer text is not looked at: nobody's slip is that long. */
const LONGEST = 64 * 1024;

/** In front of lines from within a file: a rule belongs to a group then, as it does there. */
const HEADING = new TextEncoder().encode("User-agent: x\n");

const LF = 10;
const CR = 13;
const latin1 = new TextDecoder("latin1");

/** Whether all dialects read a file with an edit as they read it without; a sitemap more may be found. */
export function isSafe(bytes: Uint8Array, edit: Change): boolean {
	const { start, end } = edit;
	let from = start;
	while (from > 0 && bytes[from - 1] !== LF && bytes[from - 1] !== CR) from--;
	const [to] = lineEnd(bytes, end);
	if (to - from + edit.text.length > LONGEST) return false;
	const before = bytes.subarray(from, to);
	const moved = { ...edit, start: start - from, end: end - from };
	const texts = [before, withEdits(before, [moved]).bytes];
	// A byte order mark is one at the beginning of a file alone.
	const [was, is] =
		from === 0 ? texts : texts.map((text) => concatenate([HEADING, text]));
	return dialectNames.every((name) => {
		const [old, now] = [was, is].map(
			(text) =>
				new Reading(
					text ?? new Uint8Array(0),
					dialectRules(name),
					DEFAULT_MAX_BYTES,
				),
		);
		return old !== undefined && now !== undefined && isReadAlike(old, now);
	});
}

function isReadAlike(old: Reading, now: Reading): boolean {
	return (
		headingsOf(old) === headingsOf(now) &&
		areSameRules(old, now) &&
		keepsOthers(old, now)
	);
}

/** User-agent lines, by the names that crawlers look for, with the place of rules among them. */
function headingsOf({ file }: Reading): string {
	return file.groups
		.map(({ agents, firstRule, lastRule }) =>
			[
				...agents.map(({ global, tokens }) =>
					global ? "*" : tokens.join(" "),
				),
				`${firstRule}-${lastRule}`,
			].join("\n"),
		)
		.join("\n\n");
}

/** Rules that are the same text, or become the same byte-code. */
function areSameRules(old: Reading, now: Reading): boolean {
	const [a, b] = [old.file.rules, now.file.rules];
	if (a.length !== b.length) return false;
	for (let at = 0; at < a.length; at += RULE_FIELDS) {
		if (a[at + RULE_IS_ALLOW] !== b[at + RULE_IS_ALLOW]) return false;
		if (patternAt(old, at) === patternAt(now, at)) continue;
		const index = at / RULE_FIELDS;
		if (programOf(old, index) !== programOf(now, index)) return false;
	}
	return true;
}

function patternAt({ file: { bytes, rules } }: Reading, at: number): string {
	return latin1.decode(
		bytes.subarray(rules[at + RULE_FROM], rules[at + RULE_TO]),
	);
}

function programOf(reading: Reading, index: number): string {
	using matcher = reading.matcher([index, index + 1]);
	return matcher.program.join();
}

/** Nothing of the other lines is lost, and nothing but sitemaps is new. */
function keepsOthers(old: Reading, now: Reading): boolean {
	const [before, after] = [othersOf(old), othersOf(now)];
	return (
		before.every((line) => after.includes(line)) &&
		after.every((line) => before.includes(line) || line.startsWith("sitemap "))
	);
}

/** Lines that are neither user-agent lines nor rules and that somebody reads: a sitemap's URL is the one that it is parsed to. */
function othersOf({ file }: Reading): readonly string[] {
	const { bytes, otherRecords } = file;
	const lines = file.others.flatMap(({ field, value }) => {
		if (knownOtherFields.has(field)) return [`${field}: ${value}`];
		return field === "sitemap" && isAbsoluteUrl(value)
			? [`sitemap ${parseUrl(value)?.href}`]
			: [];
	});
	for (let at = 0; at < otherRecords.length; at += OTHER_FIELDS) {
		const kind = otherRecords[at + OTHER_KIND];
		if (kind === OTHER_ALLOW_OUTSIDE || kind === OTHER_DISALLOW_OUTSIDE) {
			const from = otherRecords[at + OTHER_FROM];
			const to = otherRecords[at + OTHER_TO];
			lines.push(`${kind} ${latin1.decode(bytes.subarray(from, to))}`);
		}
	}
	return lines;
}
