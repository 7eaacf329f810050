/** A crawler as callers name it: by a product token, a whole User-Agent header, or a list of tokens. */
import { areAll, check, type Kind } from "./arguments.ts";

/**
 * A crawler: its product token (`"Googlebot-News"`), or its whole User-Agent header. For well-known ones the table of
 * crawlers (`findCrawler`) adds the tokens that they fall back to, and says whether groups for `*` hold for them. Or a
 * list of tokens, the most specific first (`["Googlebot-News", "Googlebot"]`): to two or more no others are added.
 *
 * The google dialect adds nothing, as Google's library does not: it takes the groups of all tokens
 * given, or else those for `*`, for every crawler. Text with a comment in parentheses is a header
 * there and stands for its token; all other text is compared as it is, so that `Foo Bar` and
 * `Googlebot/2.1` equal no token. A whole header is accepted because that is what a crawler has at
 * hand; it is read once per call.
 */
export type Agent = string | readonly string[];

export const agentKind: Kind = {
	text: "a product token, a User-Agent header or a list of product tokens",
	accepts: (value) =>
		typeof value === "string" ||
		(Array.isArray(value) &&
			value.length > 0 &&
			areAll(value, (name) => typeof name === "string")),
	hint: (value) =>
		typeof value === "object" && value !== null && "agent" in value
			? "pass its agent alone"
			: undefined,
};

/** @throws {RobotrieError} invalid-argument, for anything but a string or a list of strings with at least one. */
export function agentList(agent: Agent): readonly string[] {
	check("agent", agent, agentKind);
	return typeof agent === "string" ? [agent] : agent;
}

/** A crawler that is kept beyond a call: programs of an index would be of several, if the caller changed the list. */
export function keptAgent(agent: Agent): Agent {
	return typeof agent === "string" ? agent : Object.freeze([...agent]);
}

/** A product token, not a header. RFC 9309 §2.2.1 has no digits in it, real crawlers do. */
export function isProductToken(agent: string): boolean {
	return /^[\w-]+$/.test(agent);
}

/** Text that can only be a User-Agent header: with a version or a comment. */
export function isHeader(agent: string): boolean {
	return /[/(]/.test(agent);
}
