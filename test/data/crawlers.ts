/** A User-Agent header and the crawler in it, undefined for none that is known. */
export const headers: readonly (readonly [string, string | undefined])[] = [
	[
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Googlebot",
	],
	[
		"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.1.2 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Googlebot",
	],
	["Googlebot-Image/1.0", "Googlebot-Image"],
	["Googlebot-Image-1.0", "Googlebot-Image"],
	["Googlebot-2", "Googlebot"],
	["Googlebot_2", "Googlebot"],
	["Mozilla/5.0 (compatible; bingbot-2.0; x)", "bingbot"],
	["Googlebot-Imagery-2", undefined],
	[
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36,gzip(gfe) (via translate.google.com)",
		"translate.google.com",
	],
	[
		"Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
		"GoogleImageProxy",
	],
	[
		"Mozilla/5.0 (compatible; Google-Apps-Script; beanserver; +https://script.google.com; id: Uae3)",
		"Google-Apps-Script",
	],
	[
		"Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; +http://docs.google.com)",
		"GoogleDocs",
	],
	["ExampleBot/1.0 (+https://translate.google.com/)", undefined],
	["Googlebot/2.1", "Googlebot"],
	["Mozilla/5.0 a b c d e f Googlebot/2.1", "Googlebot"],
	["  googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot"],
	["AdsBot-Google (+http://www.google.com/adsbot.html)", "AdsBot-Google"],
	[
		"Mozilla/5.0 (Linux; Android 6.0.1) Mobile Safari/537.36 (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html)",
		"AdsBot-Google-Mobile",
	],
	[
		"FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)",
		"FeedFetcher-Google",
	],
	[
		"Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)",
		"Feedly",
	],
	[
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/99.0.1.2 Safari/537.36",
		"bingbot",
	],
	["msnbot-media/1.1 (+http://search.msn.com/msnbot.htm)", "msnbot-media"],
	[
		"Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)",
		"YandexImages",
	],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
		"Applebot",
	],
	[
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.1; +https://openai.com/gptbot",
		"GPTBot",
	],
	[
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
		"ClaudeBot",
	],
	[
		"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
		"Slurp",
	],
	[
		"Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)",
		"archive.org_bot",
	],
	[
		"Mozilla/5.0 (compatible; Linux x86_64; Mail.RU_Bot/2.0; +http://go.mail.ru/help/robots)",
		"Mail.RU_Bot",
	],
	[
		"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
		"Sogou web spider",
	],
	["Screaming Frog SEO Spider/19.4", "Screaming Frog SEO Spider"],
	["TelegramBot (like TwitterBot)", "TelegramBot"],
	["Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)", "Pingdom.com_bot"],
	["SemrushBot-BA; +http://www.semrush.com/bot.html", "SemrushBot-BA"],
	[
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-Agent)",
		"Google-Agent",
	],
	[
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Google-GeminiNotebook; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-gemininotebook)",
		"Google-GeminiNotebook",
	],
	[
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-Index/1.0; +https://docs.mistral.ai/robots)",
		"MistralAI-Index",
	],
	[
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ShapBot/0.1.0",
		"ShapBot",
	],
	[
		"Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.81 YisouSpider/5.0 Safari/537.36",
		"YisouSpider",
	],
	["Diffbot-User/1.0", "Diffbot-User"],
	["YandexAdditionalBot/1.0", "YandexAdditionalBot"],
	["iTMS", "iTMS"],
	["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0", undefined],
	["NotGooglebot/1.0", undefined],
	["Googlebot2/1.0", undefined],
	["Mine/1.0 (+http://example.com/Googlebot)", undefined],
	["Mine/1.0", undefined],
	["", undefined],
	["()", undefined],
];

/** A token and the crawler that it names. */
export const tokens: readonly (readonly [string, string | undefined])[] = [
	["Googlebot", "Googlebot"],
	["GOOGLEBOT-NEWS", "Googlebot-News"],
	["Google-Extended", "Google-Extended"],
	[" Google-Extended ", "Google-Extended"],
	["bingbot", "bingbot"],
	["archive.org_bot", "archive.org_bot"],
	["Googlebo", undefined],
	["Yandex", undefined],
	["*", undefined],
];

/** A group for each agent, which disallows "/0/", "/1/" and so on. */
const family = (...agents: readonly string[]) =>
	agents
		.map((agent, index) => `User-agent: ${agent}\nDisallow: /${index}/\n`)
		.join("\n");

type Answers = readonly [string | readonly string[], string | null];

/** Files, and by which user-agent line each crawler goes; null for none. */
export const choices: readonly {
	readonly file: string;
	readonly answers: readonly Answers[];
}[] = [
	{
		file: family("Googlebot", "*"),
		answers: [
			["Googlebot-News", "Googlebot"],
			["Googlebot-Image", "Googlebot"],
			["Googlebot-Image/1.0", "Googlebot"],
			["Google-InspectionTool", "Googlebot"],
			["Google-Extended", "*"],
			["GoogleOther-Image", "*"],
			["Applebot", "Googlebot"],
			["Applebot-Extended", "*"],
			["Storebot-Google", "*"],
			["AdsBot-Google", null],
			["AdsBot-Google-Mobile", null],
			["Mediapartners-Google", null],
			["APIs-Google", null],
			["Google-Safety", null],
			["FeedFetcher-Google", null],
			["AdsBot-Google (+http://www.google.com/adsbot.html)", null],
			["Googlebot-Nosuch", "*"],
			[["Googlebot-News"], "Googlebot"],
			[["AdsBot-Google"], null],
			// Two and more are taken as they are, but "*" holds for no AdsBot.
			[["Googlebot-News", "Googlebot"], "Googlebot"],
			[["Googlebot-News", "Nobody"], "*"],
			[["AdsBot-Google", "Googlebot"], "Googlebot"],
			[["AdsBot-Google", "Nobody"], null],
			[["Mozilla/5.0 (compatible; Applebot/0.1)"], "Googlebot"],
		],
	},
	{
		file: family("AdsBot-Google", "Googlebot-News", "msnbot", "Applebot", "*"),
		answers: [
			["AdsBot-Google", "AdsBot-Google"],
			["AdsBot-Google-Mobile", null],
			["Googlebot", "*"],
			["Googlebot-News", "Googlebot-News"],
			["bingbot", "msnbot"],
			["Applebot-Extended", "*"],
		],
	},
	{
		file: family("Mybot", "Screaming Frog SEO Spider", "archive.org_bot", "*"),
		answers: [
			["Mybot", "Mybot"],
			["mybot/2.0 (+https://example.com/)", "Mybot"],
			["Mozilla/5.0 (compatible; MyBot; +https://example.com/)", "Mybot"],
			["Mozilla/5.0 (X11) Chrome/1.0 MyBot/1.0", "Mybot"],
			["Mozilla/5.0 (X11) Firefox/130.0", "*"],
			["Mozilla/4.0 (compatible; MSIE 6.0; Windows)", "*"],
			["Screaming Frog SEO Spider/19.4", "Screaming Frog SEO Spider"],
			["Screaming Frog SEO Spider", "Screaming Frog SEO Spider"],
			[
				"Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/)",
				"archive.org_bot",
			],
			["*", "*"],
			["", "*"],
		],
	},
	{
		file: family("Yandex", "YandexImages", "*"),
		answers: [
			["YandexBot", "Yandex"],
			["YandexImages", "YandexImages"],
			["YandexDirect", "Yandex"],
			["Mozilla/5.0 (compatible; YandexNews/4.0)", "Yandex"],
			["Yandex", "Yandex"],
		],
	},
	{
		file: family("*"),
		answers: [
			["YandexBot", "*"],
			["GPTBot", "*"],
			["Google-Extended", "*"],
		],
	},
];

/** What the google dialect makes of them: the tokens given and no others, for every crawler the groups for "*". */
export const googleChoices: readonly Answers[] = [
	["Googlebot-News", "*"],
	["Googlebot/2.1", "*"],
	["Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot"],
	[
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Googlebot",
	],
	["Googlebot-Image/1.0", "*"],
	["AdsBot-Google", "*"],
	["Applebot", "*"],
	[["Googlebot-News", "Googlebot"], "Googlebot"],
];

/** User-agent lines, an agent, and whether the google dialect takes the line to name it: as Google's library does. */
export const googleAgents: readonly (readonly [
	line: string,
	agent: string,
	names: boolean,
])[] = [
	["FooBot", "FooBot", true],
	["FOOBOT", "foobot", true],
	["foobot", "FOOBOT", true],
	["FooBot", "Foo", false],
	["Foo", "FooBot", false],
	["Foo-Bar", "Foo-Bar", true],
	["Foo-Bar", "Foo", false],
	["Foo_Bar", "foo_bar", true],
	["Foo Bar", "Foo", true],
	["Foo Bar", "Foo Bar", false],
	["Foo Bar", "Bar", false],
	["Foo/1.0", "Foo", true],
	["Foo/1.0", "Foo/1.0", false],
	["Foo", "Foo/1.0", false],
	["Googlebot/2.1", "Googlebot", true],
	["Googlebot", "Googlebot/2.1", false],
	["Googlebot", "Googlebot/2.1 (+http://www.google.com/bot.html)", true],
	["Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1)", true],
	["Mozilla", "Mozilla/5.0 (compatible; Googlebot/2.1)", false],
	["Foo", " Foo", false],
	["Foo", "Foo ", false],
	["  Foo  ", "Foo", true],
	["Foo*", "Foo", true],
	["Foo", "Foo*", false],
	["Foo2", "Foo", true],
	["Foo2", "Foo2", false],
	["Foo", "", false],
	["", "", true],
	["123", "", true],
	["", "(none)", false],
	["", "*", false],
	["*Foo", "Foo", false],
	["Foo", "\u30c4", false],
	["Kagibot", "\u212aagibot", false],
	["\u212aagibot", "Kagibot", false],
];

/** Values of user-agent lines that are for every crawler, or not. */
export const globals: readonly (readonly [value: string, isGlobal: boolean])[] =
	[
		["*", true],
		["* baz", true],
		["*\tbaz", true],
		["*baz", false],
		["**", false],
		["baz *", false],
		["", false],
	];
