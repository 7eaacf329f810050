import { shorten } from "../common/shorten.ts";
import { RULE_FIELDS } from "../robots-txt/parsed-file.ts";
import type { Found } from "./finding.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { type Span, wireSamples } from "./witness.ts";

const strict = new TextDecoder("utf-8", { fatal: true });

/** Characters that a URL writes otherwise, and segments that it leaves out: worth asking the URL parser. */
const rewritten = /[\0-\x20\x7f"<>\\^`{|}]|\/\.\.?(?:[/?$]|$)/;

/** Findings about single patterns. */
export function findPatternOddities(reading: Reading): Found[] {
	const { bytes, rules } = reading.file;
	const findings: Found[] = [];
	for (let index = 0; index * RULE_FIELDS < rules.length; index++) {
		const from = rules[index * RULE_FIELDS] ?? 0;
		const to = rules[index * RULE_FIELDS + 1] ?? 0;
		const pattern: Span = { bytes, from, to };
		const text = bytes.subarray(from, to);
		const hasNonAscii = text.some((byte) => byte > 127);
		const rule = reading.rule(index);
		const { line } = rule;
		if (hasNonAscii) findings.push(nonAscii(text, rule.pattern, line));
		if (rewritten.test(rule.pattern)) {
			const written = writtenForm(reading, pattern, index);
			if (written !== undefined)
				findings.push({
					line,
					code: "unmatchable-pattern",
					severity: "warning",
					message: `No URL matches ${shorten(fieldAndPattern(rule))}: write ${shorten(written)}, as URLs spell it.`,
				});
		}
		const dollar = rule.pattern.indexOf("$");
		if (dollar >= 0 && dollar < rule.pattern.length - 1)
			findings.push({
				line,
				code: "inner-dollar",
				severity: "info",
				message: `In ${shorten(rule.pattern)} the "$" is an ordinary character: only at the end of a path it means the end of the URL.`,
			});
	}
	return findings;
}

function nonAscii(bytes: Uint8Array, pattern: string, line: number): Found {
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
	return {
		line,
		code: "unescaped-character",
		severity: "info",
		message: `${shorten(pattern)} is compared as ${shorten(encodeURI(pattern).replaceAll("%25", "%"))}, as URLs spell it.`,
	};
}

/** Wildcards beyond which a pattern is not tried. */
const MOST_STARS = 50;

/** How URLs write what the pattern matches, if the rule then matches none of them; undefined where it does match. */
function writtenForm(
	reading: Reading,
	pattern: Span,
	index: number,
): string | undefined {
	using matcher = reading.matcher([index, index + 1]);
	let first: string | undefined;
	let tried = 0;
	for (const path of wireSamples(pattern)) {
		if (tried++ > MOST_STARS) return undefined;
		// `search` would lose an empty query.
		const { href, origin } = new URL(`http://a${path}`);
		if (matcher.match(href)) return undefined;
		first ??= href.slice(origin.length);
	}
	return first;
}
