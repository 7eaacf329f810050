/**
 * Verdicts of well-known crawlers, each in the dialect of its operator. The library, the command line, the audit and the page hold to the same
 * rows.
 */
import type { Dialect } from "../../src/index.ts";

export interface OwnRow {
	readonly name: string;
	readonly robots: string;
	readonly agent: string;
	readonly url: string;
	readonly dialect: Dialect;
	readonly allowed: boolean;
}

const unslashed = "User-agent: *\nDisallow: a\n";
const misspelt = "User-agent: *\nDissalow: /a\n";
const forGooglebot =
	"User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
const both =
	"User-agent: Googlebot-News\nDisallow: /b\n\nUser-agent: Googlebot\nDisallow: /a\n";
const forAll = "User-agent: *\nDisallow: /a\n";
const forYandex = "User-agent: Yandex\nAllow:\n";

const row = (
	name: string,
	robots: string,
	agent: string,
	dialect: Dialect,
	allowed: boolean,
	url = "/a",
): OwnRow => ({ name, robots, agent, url, dialect, allowed });

export const ownRows: readonly OwnRow[] = [
	row("a rule without /", unslashed, "Googlebot", "google", true),
	row("a rule without /", unslashed, "GPTBot", "rfc9309", false),
	row("a misspelt field", misspelt, "Googlebot", "google", false),
	row("a misspelt field", misspelt, "bingbot", "rfc9309", true),
	row("a fallback", forGooglebot, "Googlebot-Image", "google", false),
	row("a fallback", forGooglebot, "Googlebot-Image", "google", true, "/b"),
	row("no fallback", forGooglebot, "Storebot-Google", "google", true),
	row("a group of its own", both, "Googlebot-News", "google", true),
	row("a group of its own", both, "Googlebot-News", "google", false, "/b"),
	row("* without a group", forAll, "Googlebot", "google", false),
	row("* and who ignores it", forAll, "AdsBot-Google", "google", true),
	row("* and who ignores it", forAll, "YandexDirect", "yandex", true),
	row("an empty Allow", forYandex, "YandexBot", "yandex", false),
	row("an unlisted one", forYandex, "YandexNewBot", "yandex", false),
	row("an empty Allow", forYandex, "bingbot", "rfc9309", true),
];
