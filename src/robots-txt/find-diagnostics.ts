/**
 * Finds the diagnostics of a parsed file. `RobotsTxt.diagnostics` and lint call it. The tokeniser leaves records of odd lines
 * (assembly/format/records.ts); values of other lines are checked here.
 */
import {
	FIELD_AGENT,
	FIELD_ALLOW,
	FIELD_DISALLOW,
	FIELD_SITEMAP,
	OTHER_AGENTS,
	OTHER_ALLOW_OUTSIDE,
	OTHER_DISALLOW_OUTSIDE,
	OTHER_FIELD,
	OTHER_FIELDS,
	OTHER_FROM,
	OTHER_KIND,
	OTHER_LINE,
	OTHER_MEANT,
	OTHER_MISSPELLED,
	OTHER_NAME_FROM,
	OTHER_NAME_TO,
	OTHER_NO_COLON,
	OTHER_NO_NAME,
	OTHER_NUL,
	OTHER_SITEMAP,
	OTHER_TO,
	OTHER_TRUNCATED,
	RULE_FIELDS,
} from "../../assembly/format/records.ts";
import { isAbsoluteUrl } from "../common/urls.ts";
import type { DiagnosticCode, RawDiagnostic } from "./diagnostics.ts";
import {
	groupFields,
	knownOtherFields,
	proposedFields,
	sitemapUrls,
	type ValueFault,
	valueFault,
} from "./other-fields.ts";
import { decodeText, type ParsedFile, tokenAsWritten } from "./parse.ts";

const SLASH = 47;
const STAR = 42;

/** Names of the fields that the tokeniser tells apart. The tokeniser gives numbers, and a diagnostic names the field that was meant. */
const fieldNames = new Map([
	[FIELD_AGENT, "user-agent"],
	[FIELD_ALLOW, "allow"],
	[FIELD_DISALLOW, "disallow"],
	[FIELD_SITEMAP, "sitemap"],
]);

/** Diagnostics of a file, sorted by line; `base` is its URL. */
export function findDiagnostics(
	file: ParsedFile,
	base?: string,
): RawDiagnostic[] {
	const found: RawDiagnostic[] = [];
	aboutFile(file, found);
	aboutOthers(file, base, found);
	aboutAgents(file, found);
	aboutRules(file, found);
	return found.sort((a, b) => a.line - b.line);
}

/** What is about the whole file; what is left out of it is told at its end, where reading stopped. */
function aboutFile(
	{ extent, lines }: ParsedFile,
	found: RawDiagnostic[],
): void {
	const { from, tooLarge, allowsAll } = extent;
	const text = String(extent.maxBytes);
	if (allowsAll) found.push({ code: "file-too-large", line: 1, text });
	if (from > 0) found.push({ code: "byte-order-mark", line: 1 });
	if (tooLarge && !allowsAll)
		found.push({ code: "file-truncated", line: lines + 1, text });
}

/** User-agent lines with more than a product token: crawlers read the token in them, or nothing. */
function aboutAgents({ groups }: ParsedFile, found: RawDiagnostic[]): void {
	// A token is text: one that is as long is all of it.
	for (const { agents } of groups)
		for (const agent of agents) {
			const { text, tokens, global, line } = agent;
			if (global || (text !== "" && tokens[0]?.length === text.length))
				continue;
			const reason = tokenAsWritten(agent);
			found.push({ code: "invalid-agent", line, text, reason });
		}
}

/**
 * Rules that are empty or begin with neither "/" nor "*". All dialects read them, each in its own way, so they are no record of the
 * tokeniser's.
 */
function aboutRules(
	{ bytes, rules }: ParsedFile,
	found: RawDiagnostic[],
): void {
	for (let at = 0; at < rules.length; at += RULE_FIELDS) {
		const from = rules[at] as number;
		const to = rules[at + 1] as number;
		const line = rules[at + 3] as number;
		if (from === to) {
			const code = rules[at + 2] === 1 ? "empty-allow" : "empty-disallow";
			found.push({ code, line });
		} else if (bytes[from] !== SLASH && bytes[from] !== STAR) {
			const text = decodeText(bytes, from, to);
			found.push({ code: "pattern-without-slash", line, text });
		}
	}
}

/** What the tokeniser has noted while it read, in the order of lines, and values that have not the documented form. */
function aboutOthers(
	{ bytes, otherRecords, extent }: ParsedFile,
	base: string | undefined,
	found: RawDiagnostic[],
): void {
	// The first valid Host line counts, in any group (Yandex's document of 2013).
	let hostSeen = false;
	for (let at = 0; at < otherRecords.length; at += OTHER_FIELDS) {
		const number = (field: number) => otherRecords[at + field] ?? 0;
		const line = number(OTHER_LINE);
		const add = (code: DiagnosticCode, text?: string, reason?: string) => {
			found.push({
				code,
				line,
				...(text === undefined ? {} : { text }),
				...(reason === undefined ? {} : { reason }),
			});
		};
		// Functions, so that no text is decoded without need.
		const name = () =>
			decodeText(bytes, number(OTHER_NAME_FROM), number(OTHER_NAME_TO));
		const value = () => decodeText(bytes, number(OTHER_FROM), number(OTHER_TO));
		const meant = fieldNames.get(number(OTHER_MEANT));
		switch (number(OTHER_KIND)) {
			case OTHER_TRUNCATED:
				add("line-truncated", String(extent.maxLineBytes));
				break;
			case OTHER_NUL:
				add("nul-byte");
				break;
			case OTHER_NO_COLON:
				add("missing-colon", value());
				break;
			case OTHER_NO_NAME:
				add("empty-field", value());
				break;
			case OTHER_ALLOW_OUTSIDE:
				add("rule-outside-group", `Allow: ${value()}`);
				break;
			case OTHER_DISALLOW_OUTSIDE:
				add("rule-outside-group", `Disallow: ${value()}`);
				break;
			case OTHER_SITEMAP: {
				const text = value();
				const urls = sitemapUrls(text, base);
				if (urls.length > 1) add("missing-line-end", text, String(urls.length));
				else if (!isAbsoluteUrl(text)) add("relative-sitemap", text, urls[0]);
				break;
			}
			case OTHER_MISSPELLED:
				add(codeOfName(name()), name(), meant);
				break;
			case OTHER_FIELD: {
				const written = name();
				const field = written.toLowerCase();
				if (meant) {
					add(codeOfName(written), written, meant);
					break;
				}
				if (!knownOtherFields.has(field)) {
					add("unknown-field", written);
					break;
				}
				const given = value();
				const text = `${written}: ${given}`;
				const fault = valueFault(field, given);
				if (field === "content-signals")
					add("misspelled-field", written, "content-signal");
				if (fault) add(codeOf(field, fault), text, fault.reason);
				else if (groupFields.has(field) && number(OTHER_AGENTS) === 0)
					add("rule-outside-group", text);
				else if (field === "host") {
					if (hostSeen) add("repeated-host", text);
					hostSeen = true;
				}
			}
		}
	}
}

/** A Host line has a code of its own, as no crawler reads it any more. */
function codeOf(field: string, { partly }: ValueFault): DiagnosticCode {
	if (field === "host") return "invalid-host";
	return partly ? "partly-ignored" : "invalid-value";
}

/** A name that begins with a field's: a slip, or a field that was proposed. */
function codeOfName(name: string): DiagnosticCode {
	return proposedFields.has(name.toLowerCase())
		? "proposed-field"
		: "misspelled-field";
}
