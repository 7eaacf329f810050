/**
 * Findings about what pages consist of and what their queries are: style sheets and scripts that search engines may not fetch, Allow rules for
 * them that lose to longer ones, and rules for a query that only the home page has. Matchers decide which rule counts.
 */
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { shorten } from "../common/wording.ts";
import type { Rule } from "../matching/rules.ts";
import { ANYBODY, type Found } from "./finding.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { Budget } from "./witness.ts";

/** Where pages have their style sheets and scripts; a rule that names such a folder shows that the site has it. */
const resources = [
	"/style.css",
	"/script.js",
	"/css/style.css",
	"/js/script.js",
	"/assets/style.css",
	"/assets/script.js",
	"/static/style.css",
	"/static/script.js",
	"/wp-includes/css/style.css",
	"/wp-includes/js/script.js",
	"/wp-content/themes/name/style.css",
	"/wp-content/plugins/name/script.js",
	"/themes/name/style.css",
	"/skin/style.css",
];

/** Whether a rule is about such folders or files: others may match one of these paths by chance. */
const aboutResources =
	/css|js\b|style|script|static|assets|skin|themes|wp-(?:content|includes)|plugins|modules|components|misc|includes/i;

const GOOGLEBOT = "googlebot";

/** Rules that keep Googlebot, or crawlers without a group, from style sheets and scripts, and Allow rules for such that lose. */
export function findBlockedResources(reading: Reading): Found[] {
	const findings = new Map<number, Found>();
	const seen = new Set<number>();
	for (const agent of [GOOGLEBOT, ANYBODY]) {
		const groups = reading.select(agent);
		const id = reading.choiceId(groups);
		if (seen.has(id)) continue;
		seen.add(id);
		using matcher = reading.matcher(reading.ranges(groups));
		if (!matcher.decide("http://a/").allowed) continue;
		for (const path of resources) {
			const { allowed, rule } = matcher.decide(`http://a${path}`);
			if (allowed || !rule || findings.has(rule.line)) continue;
			if (!aboutResources.test(rule.pattern)) continue;
			const isAll = /\*\.(?:css|js)\b/i.test(rule.pattern);
			findings.set(rule.line, {
				line: rule.line,
				code: "blocked-resources",
				severity: isAll ? "warning" : "info",
				message: `${shorten(fieldAndPattern(rule))} keeps ${agent === GOOGLEBOT ? "Googlebot" : "crawlers"} from style sheets or scripts such as ${path}, without which Google may not see pages as people do: allow what they need.`,
			});
		}
	}
	return [...findings.values(), ...findLosing(reading)];
}

/** "/*.css", as people write it who mean: wherever it is. */
const everywhere =
	/^\/?\*\.(css|m?js|png|jpe?g|gif|svg|webp|woff2?|ttf|ico)(?:\$|\*|\?)?$/i;

/** A folder by its name. */
const folder = /^\/[\w./-]*\/\*?$/;

/** Pairs of an Allow and a Disallow that are tried. */
const MOST_PAIRS = 50_000;

/** Allow rules for files of a kind, wherever they are, that longer rules for folders beat. */
function findLosing(reading: Reading): Found[] {
	const findings = new Map<number, Found>();
	const pairs = new Budget(MOST_PAIRS);
	for (const groups of reading.choices()) {
		if (!pairs.affords(reading.ruleCount(groups))) break;
		const rules = rulesOf(reading, groups);
		const allows = rules.filter(
			({ type, pattern }) => type === "allow" && everywhere.test(pattern),
		);
		if (allows.length === 0) continue;
		const folders = rules.filter(
			({ type, pattern }) => type === "disallow" && folder.test(pattern),
		);
		using matcher = reading.matcher(reading.ranges(groups));
		for (const allow of allows) {
			if (findings.has(allow.line)) continue;
			if (!pairs.affords(folders.length)) break;
			const [, ending = ""] = everywhere.exec(allow.pattern) ?? [];
			const winners = folders.filter(({ pattern, line }) => {
				const decision = matcher.decide(
					`http://a${pattern.replace("*", "")}a.${ending}`,
				);
				return !decision.allowed && decision.rule?.line === line;
			});
			const telling = winners.find(({ pattern }) =>
				aboutResources.test(pattern),
			);
			const winner = telling ?? winners[0];
			if (!winner) continue;
			const inside = winner.pattern.replace("*", "");
			const more = winners.length - 1;
			findings.set(allow.line, {
				line: allow.line,
				code: "blocked-resources",
				// A folder of documents has no style sheets.
				severity: telling ? "warning" : "info",
				message: `${shorten(fieldAndPattern(allow))} loses to ${shorten(fieldAndPattern(winner))} (line ${winner.line})${more > 0 ? ` and ${more} more` : ""}, as the longest rule counts: ${shorten(`${inside}a.${ending}`)} is disallowed. Write Allow: ${shorten(`${inside}*.${ending}`)} to open it.`,
				relatedLine: winner.line,
			});
		}
	}
	return [...findings.values()];
}

function rulesOf(reading: Reading, groups: readonly number[]): Rule[] {
	return groups.flatMap((index) => {
		const { firstRule = 0, lastRule = 0 } = reading.file.groups[index] ?? {};
		return Array.from({ length: lastRule - firstRule }, (_, i) =>
			reading.rule(firstRule + i),
		);
	});
}

/** The query of a path that is the home page's. Who has a "*" or "$" in it knows what it means. */
const homeQuery = /^\/\?[^*$]+\*?$/;

/** Queries that the home page of a widespread system really has: searches, and pages by their number. */
const knownQuery =
	/^\/\?(?:s|p|q|m|cat|tag|page|page_id|paged|attachment_id|author|feed|preview|search|query|option|route|rest_route|replytocom|action)\b/i;

/** Rules for a query that only the home page has, where those of all pages may be meant. */
export function findHomeQueries(reading: Reading): Found[] {
	const { rules } = reading.file;
	const all = Array.from({ length: rules.length / RULE_FIELDS }, (_, index) =>
		reading.rule(index),
	);
	const patterns = new Set(all.map(({ pattern }) => pattern));
	return all.flatMap((rule): Found[] => {
		const { type, pattern, line } = rule;
		if (type === "allow") return [];
		const wide = `/*${pattern.slice(1)}`;
		if (!homeQuery.test(pattern) || knownQuery.test(pattern)) return [];
		if (patterns.has(wide) || patterns.has(wide.slice(1))) return [];
		return [
			{
				line,
				code: "home-page-query",
				severity: "info",
				message: `${shorten(fieldAndPattern(rule))} matches a query of the home page alone: write ${shorten(wide)} for that of all pages.`,
			},
		];
	});
}
