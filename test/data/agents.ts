/**
 * How names are read in headers and in user-agent lines: made-up crawlers in every shape that real ones send. conformance-rows.ts makes
 * conformance/agents.jsonl of them, which the hosts in all languages are asked for.
 */
import type { Dialect } from "../../src/index.ts";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const chrome = `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/125.0.0.0 Safari/537.36`;
const phone =
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const mac =
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 Safari/605.1.15";

/** What a crawler calls itself, and the name of the group that it obeys, null for `*`. */
export const agentHeaders: readonly (readonly [
	header: string,
	group: string | null,
])[] = [
	// A first product.
	["AcmeBot", "acmebot"],
	["acmeBOT", "acmebot"],
	[" AcmeBot ", "acmebot"],
	["AcmeBot/1.0", "acmebot"],
	["AcmeBot/1.0 (+https://acme.example/bot)", "acmebot"],
	["AcmeBot 1.0 (+https://acme.example/bot)", "acmebot"],
	["AcmeBot/1.0 Otherbot/2.0", "acmebot"],
	["AcmeBot (like Otherbot)", "acmebot"],
	["AcmeBot/1.0 like Otherbot/1.0", "acmebot"],
	["AcmeBot/1.0 (compatible with Otherbot)", "acmebot"],
	['"AcmeBot/1.0"', "acmebot"],
	["(AcmeBot/1.0)", "acmebot"],
	["acme-news/2 feeds:1", "acme-news"],
	["acme_news", "acme_news"],
	["A1bot2/3", "a1bot2"],
	["007", "007"],
	// Versions without a slash.
	["AcmeBot-1.0", "acmebot"],
	["AcmeBot_2.6.2 (acme@acme.example)", "acmebot"],
	["AcmeBot1.0", "acmebot"],
	["AcmeBot-2", "acmebot"],
	["AcmeBot_2", "acmebot"],
	["AcmeBot-20240101 (x)", "acmebot"],
	["AcmeBot2", "acmebot2"],
	["AcmeBot-v2", "acmebot-v2"],
	["AcmeBot-1-2", "acmebot"],
	["1.0", "1"],
	["-2", "-2"],
	// Several words.
	["Acme Spider", "acme"],
	["Acme Crawler/2.0", "acme"],
	["AI Bot/1.0", "ai"],
	[`${chrome} Acme Spider`, "acme"],
	[`${chrome} Acme Crawler/2.0 (+https://acme.example)`, "acme"],
	[`${chrome} AI Bot/1.0`, "ai"],
	[`${chrome} Acme Web Archiver/1.0`, "acme"],
	["Mozilla/5.0 (Acme Spider; +https://acme.example)", "acme"],
	["Mozilla/5.0 (compatible; Acme Spider/1.0)", "acme"],
	["Mozilla/5.0 (X11; Linux x86_64; Acme Fetcher/1.0)", "acme"],
	["Mozilla/5.0 (Windows NT 10.0 Bot)", "bot"],
	["Mozilla/5.0 (Macintosh; Intel Acme Bot)", "bot"],
	["Mozilla/5.0 Bot/1.0", "bot"],
	// Behind "compatible".
	["Mozilla/5.0 (compatible; AcmeBot/2.1; +https://acme.example)", "acmebot"],
	["Mozilla/5.0 (compatible;AcmeBot)", "acmebot"],
	["Mozilla/5.0 (compatible, AcmeBot/1.0)", "acmebot"],
	["Mozilla/5.0 (compatible AcmeBot/1.0)", "acmebot"],
	["Mozilla/5.0 (COMPATIBLE: AcmeBot/1.0)", "acmebot"],
	["Mozilla/5.0 (compatible; Acme/1.0; Otherbot)", "acme"],
	["Mozilla/5.0 (compatible; +https://acme.example/; Acme/1.0)", "acme"],
	["Mozilla/5.0 (compatible; Linux x86_64; Acme/1.0)", "acme"],
	["Mozilla/5.0 (compatible; de-DE; Acme/1.0)", "acme"],
	[
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; AcmeBot/1.0)",
		"acmebot",
	],
	["Mozilla/4.0 (compatible; MSIE 6.0) (compatible; Acme/1.0)", "acme"],
	["Mozilla/4.0 compatible Acme/1.0 (acme@acme.example)", "acme"],
	[
		`Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Acme/1.2; +https://acme.example) Chrome/1.0 Safari/537.36`,
		"acme",
	],
	[
		`Mozilla/5.0 ${webKit}; compatible; Acme/1.2; +https://acme.example`,
		"acme",
	],
	[`${phone} (compatible; AcmeBot/2.1; +https://acme.example)`, "acmebot"],
	[
		"PHONE-X1/2.0 N9(c100;TB;W24H16) (compatible; Acme-Mobile/2.1)",
		"acme-mobile",
	],
	["Acme/1.0 (compatible; OtherBot/2.0)", "otherbot"],
	// In other comments, or behind a browser's products.
	[`${mac} (AcmeBot/0.1; +https://acme.example)`, "acmebot"],
	[`${mac} AcmeBot/0.1`, "acmebot"],
	[`${chrome} AcmeBot-Images/1.0`, "acmebot-images"],
	[`${chrome}; Acme/1.0; +https://acme.example`, "acme"],
	[`${chrome} Acme/0.7.2 (+https://acme.example/Acme/)`, "acme"],
	["Mozilla/5.0 (Acme/1.0; see https://acme.example)", "acme"],
	["Mozilla/5.0 Acme/5.1 (+https://acme.example)", "acme"],
	["Mozilla/5.0 (AcmeBot/1.0) OtherBot/1.0", "otherbot"],
	["Mozilla/5.0 (a \\) b; compatible; AcmeBot/1.0)", "acmebot"],
	["Mozilla/5.0 (Acme\\Bot/1.0)", "acmebot"],
	["Mozilla/5.0 ((((compatible; AcmeBot", "acmebot"],
	// Browsers, and what names nobody.
	[chrome, "mozilla"],
	[phone, "mozilla"],
	["Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)", "mozilla"],
	["Mozilla/5.0 (Linux; Android 10; CUBOT X30) Gecko/1", "mozilla"],
	["Mozilla/5.0 (bot@acme.example)", "mozilla"],
	["", null],
	["  ", null],
	["(none)", null],
	["*", null],
	["https://acme.example/AcmeBot", null],
	["\u00dcberBot/1.0", null],
	// Crawlers of the table: names wherever they stand, and what they fall back to.
	[`${mac} (Applebot/0.1; +https://acme.example)`, "applebot"],
	[`${chrome} BingPreview/1.0b`, "bingpreview"],
	[
		"PHONE-X1/2.0 N9(c100) (compatible; Googlebot-Mobile/2.1)",
		"googlebot-mobile",
	],
	["Sogou web spider/4.0(+https://acme.example)", "sogou"],
	["Googlebot-News", "googlebot-news"],
];

interface AgentFile {
	readonly what: string;
	/** Values of user-agent lines, each of a group of its own. */
	readonly lines: readonly string[];
	readonly agent: string | readonly string[];
	/** The groups that the crawler obeys, by their numbers from 1. */
	readonly groups: Partial<Readonly<Record<Dialect, readonly number[]>>>;
}

const one = (
	what: string,
	line: string,
	agent: string,
	groups: AgentFile["groups"],
): AgentFile => ({ what, lines: [line, "*"], agent, groups });

export const agentFiles: readonly AgentFile[] = [
	...["AcmeBot-1.0", "AcmeBot_2.6.2", "AcmeBot1.0", "AcmeBot-2"].map((line) =>
		one(`a version: ${line}`, line, "AcmeBot", {
			rfc9309: [1],
			yandex: [1],
			google: line === "AcmeBot1.0" ? [1] : [2],
		}),
	),
	one("its own version", "AcmeBot-1.0", "AcmeBot-1.0", {
		rfc9309: [1],
		yandex: [1],
		google: [2],
	}),
	one("another version", "AcmeBot_1.0", "AcmeBot-2.0", {
		rfc9309: [1],
		yandex: [1],
	}),
	one("digits that are no version", "AcmeBot2", "AcmeBot", {
		rfc9309: [2],
		yandex: [2],
	}),
	one("digits that are no version", "AcmeBot2", "AcmeBot2", {
		rfc9309: [1],
		yandex: [1],
	}),
	one("two versions", "AcmeBot-1-2.0", "AcmeBot", {
		rfc9309: [1],
		yandex: [1],
		google: [2],
	}),
	...[
		": AcmeBot",
		"*AcmeBot",
		"*AcmeBot*",
		'"AcmeBot"',
		"(AcmeBot)",
		"@AcmeBot",
		"** AcmeBot",
		"'AcmeBot/1.0'",
	].map((line) =>
		one(`junk in front: ${line}`, line, "AcmeBot", {
			rfc9309: [1],
			yandex: [1],
			google: [2],
		}),
	),
	one("a slash begins a version", "/AcmeBot", "AcmeBot", {
		rfc9309: [2],
		google: [2],
		yandex: [1],
	}),
	{
		what: "a star and white space are all crawlers",
		lines: ["* AcmeBot", "Other"],
		agent: "AcmeBot",
		groups: { rfc9309: [1], google: [1], yandex: [1] },
	},
	one("a letter that is not ASCII", "\u00dcberBot", "berBot", {
		rfc9309: [2],
		google: [2],
		yandex: [1],
	}),
	one("several words", "Acme Spider", "Acme Spider/2.0", { rfc9309: [1] }),
	one("several words", "Acme Spider", `${chrome} Acme Spider/2.0`, {
		rfc9309: [1],
	}),
	{
		what: "a crawler that falls back",
		lines: ["Googlebot", "*"],
		agent: "Googlebot-News",
		groups: { rfc9309: [1], yandex: [1], google: [2] },
	},
	...[
		"Googlebot-News-2",
		"Googlebot-Image-1.0 (x)",
		"Mozilla/5.0 (compatible; Googlebot-Image-1.0; x)",
		`${chrome} (Googlebot-Image-1.0; x)`,
	].map((agent) => ({
		what: `a version does not hide what it falls back to: ${agent}`,
		lines: ["Googlebot", "*"],
		agent,
		groups: { rfc9309: [1], yandex: [1] },
	})),
	one("a version does not hide that it ignores *", "x", "AdsBot-Google-2", {
		rfc9309: [],
		yandex: [],
		google: [2],
	}),
	{
		what: "a list adds nothing",
		lines: ["Googlebot", "*"],
		agent: ["Googlebot-News", "Acme"],
		groups: { rfc9309: [2], yandex: [2], google: [2] },
	},
	{
		what: "a crawler that groups for * do not hold for",
		lines: ["Other", "*"],
		agent: "Mediapartners-Google",
		groups: { rfc9309: [], yandex: [], google: [2] },
	},
	{
		what: "a robot of Yandex that the table lacks",
		lines: ["Yandex", "*"],
		agent: "YandexAcmeBot",
		groups: { rfc9309: [1], yandex: [1], google: [2] },
	},
	{
		what: "a robot of Yandex that groups for * do not hold for",
		lines: ["Other", "*"],
		agent: "YandexDirect",
		groups: { rfc9309: [], yandex: [2], google: [2] },
	},
	{
		what: "the first of a list that has a group",
		lines: ["b", "a", "*"],
		agent: ["c", "a", "b"],
		groups: { rfc9309: [2], yandex: [2], google: [1, 2] },
	},
	{
		what: "a header in a list",
		lines: ["b", "*"],
		agent: ["c", "Mozilla/5.0 (compatible; b/1.0)"],
		groups: { rfc9309: [1], yandex: [1], google: [1] },
	},
	one("google takes text as it is given", "Acme", "Acme/1.0", {
		rfc9309: [1],
		yandex: [1],
		google: [2],
	}),
	one(
		"in google a header with a comment is its token",
		"Acme",
		"Acme/1.0 (x)",
		{
			rfc9309: [1],
			yandex: [1],
			google: [1],
		},
	),
	one("names anywhere in a line", "x/1.0 (Acme-2.0)", "Acme", {
		rfc9309: [2],
		yandex: [1],
		google: [2],
	}),
];
