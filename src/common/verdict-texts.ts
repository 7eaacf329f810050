/** Sentences about verdicts, for the command line and the playground. */
import { count, shorten } from "./wording.ts";

/** The rule that decides as a robots.txt has it; without one, which group has none. */
export function decidingText({
	rule,
	group,
}: {
	readonly rule: {
		readonly type: string;
		readonly pattern: string;
		readonly line: number;
	} | null;
	readonly group: { readonly line: number } | null;
}): string {
	if (rule) {
		const field = rule.type === "allow" ? "Allow" : "Disallow";
		return `line ${rule.line}: ${field}: ${rule.pattern}`;
	}
	return group
		? `no rule of the group at line ${group.line} matches`
		: "no group";
}

/** Crawlers that are named. */
const MOST_NAMED = 6;

export function agentsText(agents: readonly string[]): string {
	const named = agents.slice(0, MOST_NAMED).join(", ");
	return agents.length > MOST_NAMED
		? `${named} and ${agents.length - MOST_NAMED} more`
		: named;
}

/** How much changes, of how much that was compared. */
export function summaryText({
	changes,
	agents,
	urls,
}: {
	readonly changes: readonly { readonly url: string }[];
	readonly agents: readonly string[];
	readonly urls: number;
}): string {
	const changed = new Set(changes.map(({ url }) => url)).size;
	return `${changed} of ${count(urls, "URL")} ${changed === 1 ? "changes its" : "change their"} verdict; ${count(agents.length, "crawler")} compared`;
}

/** "for ExampleBot /a is allowed in rfc9309 and yandex, disallowed in google". */
export function answersText({
	agent,
	url,
	allowed,
}: {
	readonly agent: string;
	readonly url: string;
	readonly allowed: Readonly<Record<string, boolean>>;
}): string {
	const named = (verdict: boolean) =>
		Object.keys(allowed)
			.filter((name) => allowed[name] === verdict)
			.join(" and ");
	const crawler = agent === "*" ? "" : `for ${agent} `;
	return `${crawler}${shorten(url)} is allowed in ${named(true)}, disallowed in ${named(false)}`;
}

/** "Googlebot-News", "GPTBot or ChatGPT-User": the tokens of a suggestion in a sentence. */
export function tokensText({
	tokens,
}: {
	readonly tokens: readonly string[];
}): string {
	return tokens.length < 3
		? tokens.join(" or ")
		: `${tokens.slice(0, -1).join(", ")} or ${tokens.at(-1)}`;
}
