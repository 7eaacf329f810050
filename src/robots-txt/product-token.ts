import type { DialectRules } from "./dialect.ts";

/**
 * All product tokens of a user-agent line's value, in lower case ("Mozilla/5.0 (compatible; YandexBot/3.0)"): Yandex looks for its
 * names anywhere in the line. For other dialects there is one, with which the value begins ("googlebot/1.2" names googlebot).
 */
export function productTokens(text: string): string[] {
	// Lower case only then: that of some other letters is an ASCII letter.
	const tokens = text.match(/[a-z0-9_-]+/gi) ?? [];
	return tokens.map((token) => token.toLowerCase());
}

/** The product token that a text begins with, perhaps empty. RFC 9309 §2.2.1 has no digits, real crawlers do. */
export function productToken(text: string, dialect: DialectRules): string {
	const pattern = dialect.googleMatching ? /^[a-z_-]*/i : /^[a-z0-9_-]*/i;
	return pattern.exec(text)?.[0].toLowerCase() ?? "";
}
