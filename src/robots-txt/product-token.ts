import type { DialectRules } from "./dialect.ts";

/**
 * Product tokens of a user-agent line's value, in lower case: one, the run of token characters that the value begins
 * with ("googlebot/1.2" names googlebot), but for yandex all such runs ("Mozilla/5.0 (compatible; YandexBot/3.0)"),
 * as Yandex looks for its names anywhere in the line.
 */
export function productTokens(text: string, dialect: DialectRules): string[] {
	if (dialect.name !== "yandex") return [productToken(text, dialect)];
	// Lower case only then: that of some other letters is an ASCII letter.
	const tokens = text.match(/[a-z0-9_-]+/gi) ?? [];
	return tokens.map((token) => token.toLowerCase());
}

/** The product token that a text begins with, perhaps empty. RFC 9309 §2.2.1 has no digits, real crawlers do. */
export function productToken(text: string, dialect: DialectRules): string {
	const pattern = dialect.googleMatching ? /^[a-z_-]*/i : /^[a-z0-9_-]*/i;
	return pattern.exec(text)?.[0].toLowerCase() ?? "";
}
