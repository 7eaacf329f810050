import type { CrawlerKind } from "./crawlers.ts";

/** A crawler of one operator; what is left out is the usual. */
export interface CrawlerEntry {
	/** Product tokens, the most specific first. */
	readonly tokens: readonly [string, ...string[]];
	readonly kind: CrawlerKind;
	/** The first token unless given. */
	readonly name?: string;
	/** What User-Agent headers call it, where that is not the first token; empty where no header names it. */
	readonly seenAs?: readonly string[];
	/** True unless given. */
	readonly obeysGlobal?: false;
	/** True unless given. */
	readonly obeysRobotsTxt?: false;
	/** The operator's page unless given. */
	readonly documentation?: string;
}

/** Crawlers that one page documents. */
export interface CrawlerFamily {
	readonly operator: string;
	readonly documentation: string;
	readonly crawlers: readonly CrawlerEntry[];
}

const entries = (
	kind: CrawlerKind,
	...tokens: readonly string[]
): CrawlerEntry[] => tokens.map((token) => ({ tokens: [token], kind }));

/** Robots of a family that also obey groups for its main token. */
const siblings = (
	kind: CrawlerKind,
	main: string,
	...tokens: readonly string[]
): CrawlerEntry[] => tokens.map((token) => ({ tokens: [token, main], kind }));

const withoutGlobal = (list: readonly CrawlerEntry[]): CrawlerEntry[] =>
	list.map((entry) => ({ ...entry, obeysGlobal: false }));

/** What fetches for a person or against abuse, and says that it does not ask robots.txt. */
const withoutRobotsTxt = (list: readonly CrawlerEntry[]): CrawlerEntry[] =>
	list.map((entry) => ({
		...entry,
		obeysGlobal: false,
		obeysRobotsTxt: false,
	}));

const google = "https://developers.google.com/crawling/docs/crawlers-fetchers/";

/** Well-known crawlers. Facts are those of the pages named; a new crawler is a new entry. */
export const crawlerFamilies: readonly CrawlerFamily[] = [
	{
		operator: "Google",
		documentation: `${google}google-common-crawlers`,
		crawlers: [
			...entries("search", "Googlebot"),
			...siblings("search", "Googlebot", "Googlebot-Image", "Googlebot-Video"),
			// It crawls as Googlebot and obeys a token of its own.
			{ tokens: ["Googlebot-News", "Googlebot"], kind: "search", seenAs: [] },
			// Retired; robots.txt files and old logs still name it.
			...siblings("search", "Googlebot", "Googlebot-Mobile"),
			...entries("search", "Storebot-Google"),
			...siblings("monitoring", "Googlebot", "Google-InspectionTool"),
			...entries("research", "GoogleOther"),
			...siblings(
				"research",
				"GoogleOther",
				"GoogleOther-Image",
				"GoogleOther-Video",
			),
			...siblings("ai-search", "Googlebot", "Google-CloudVertexBot"),
			// No crawler: Googlebot's pages are used, or not, as this token's groups say.
			{ tokens: ["Google-Extended"], kind: "ai-training", seenAs: [] },
		],
	},
	{
		operator: "Google",
		documentation: `${google}google-special-case-crawlers`,
		crawlers: [
			...withoutGlobal(
				entries(
					"ads",
					"AdsBot-Google",
					"AdsBot-Google-Mobile",
					"AdsBot-Google-Mobile-Apps",
					"Mediapartners-Google",
				),
			),
			...withoutGlobal(entries("other", "APIs-Google", "DuplexWeb-Google")),
			...withoutRobotsTxt(entries("security", "Google-Safety")),
		],
	},
	{
		operator: "Google",
		documentation: `${google}google-user-triggered-fetchers`,
		crawlers: withoutRobotsTxt([
			{
				...{ name: "FeedFetcher", kind: "feed" },
				tokens: ["FeedFetcher-Google"],
			},
			...entries("feed", "GoogleProducer"),
			...entries("ai-assistant", "Google-NotebookLM"),
			...entries("preview", "GoogleMessages"),
			...entries(
				"other",
				"Google-CWS",
				"Google-Pinpoint",
				"Google-Read-Aloud",
				"Google-Site-Verification",
			),
		]),
	},
	{
		operator: "Microsoft",
		documentation:
			"https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
		crawlers: [
			// Groups for its predecessor hold for it where none names it.
			{ name: "Bingbot", tokens: ["bingbot", "msnbot"], kind: "search" },
			...siblings("search", "msnbot", "msnbot-media"),
			...entries("search", "msnbot"),
			...entries("ads", "AdIdxBot"),
			...entries(
				"preview",
				"BingPreview",
				"BingVideoPreview",
				"MicrosoftPreview",
				"SkypeUriPreview",
			),
		],
	},
	{
		operator: "Yandex",
		documentation:
			"https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html",
		crawlers: [
			...siblings(
				"search",
				"Yandex",
				"YandexBot",
				"YandexBlogs",
				"YandexCatalog",
				"YandexImages",
				"YandexMarket",
				"YandexMedia",
				"YandexNews",
				"YandexOntoDB",
				"YandexSitelinks",
				"YandexSpravBot",
				"YandexVertis",
				"YandexVerticals",
				"YandexVideo",
			),
			...siblings("feed", "Yandex", "YandexTurbo"),
			...siblings("ads", "Yandex", "YandexAdNet"),
			...siblings("preview", "Yandex", "YandexImageResizer"),
			...siblings(
				"monitoring",
				"Yandex",
				"YandexPagechecker",
				"YandexWebmaster",
				"YandexForDomain",
			),
			...siblings("ai-training", "Yandex", "YandexAdditional"),
			...withoutGlobal([
				...siblings(
					"search",
					"Yandex",
					"YandexMobileBot",
					"YandexOntoDBAPI",
					"YandexSearchShop",
					"YandexVideoParser",
				),
				...siblings(
					"ads",
					"Yandex",
					"YandexDirect",
					"YandexDirectDyn",
					"YandexPartner",
				),
				...siblings(
					"preview",
					"Yandex",
					"YandexFavicons",
					"YandexMobileScreenShotBot",
					"YandexRCA",
					"YandexScreenshotBot",
				),
				...siblings(
					"monitoring",
					"Yandex",
					"YandexAccessibilityBot",
					"YandexCalendar",
					"YandexTracker",
				),
			]),
			...withoutRobotsTxt([
				...siblings("monitoring", "Yandex", "YandexMetrika"),
				...entries("ads", "YaDirectFetcher"),
			]),
		],
	},
	{
		operator: "Apple",
		documentation: "https://support.apple.com/en-us/119829",
		crawlers: [
			// Without a group of its own it follows Googlebot's.
			...siblings("search", "Googlebot", "Applebot"),
			{
				tokens: ["Applebot-Extended", "Applebot", "Googlebot"],
				kind: "ai-training",
				seenAs: [],
			},
		],
	},
	{
		operator: "OpenAI",
		documentation: "https://developers.openai.com/docs/bots",
		crawlers: [
			...entries("ai-training", "GPTBot"),
			...entries("ai-search", "OAI-SearchBot"),
			...entries("ads", "OAI-AdsBot"),
			{
				tokens: ["ChatGPT-User"],
				kind: "ai-assistant",
				obeysRobotsTxt: false,
			},
		],
	},
	{
		operator: "Anthropic",
		documentation:
			"https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler",
		crawlers: [
			...entries("ai-training", "ClaudeBot", "anthropic-ai"),
			...entries("ai-search", "Claude-SearchBot"),
			...entries("ai-assistant", "Claude-User", "Claude-Web"),
		],
	},
	{
		operator: "Perplexity",
		documentation: "https://docs.perplexity.ai/guides/bots",
		crawlers: [
			...entries("ai-search", "PerplexityBot"),
			{
				tokens: ["Perplexity-User"],
				kind: "ai-assistant",
				obeysRobotsTxt: false,
			},
		],
	},
	{
		operator: "Meta",
		documentation:
			"https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
		crawlers: [
			...entries("ai-training", "meta-externalagent", "FacebookBot"),
			...entries("ai-search", "meta-webindexer"),
			...entries("ads", "meta-externalads"),
			...entries("preview", "facebookexternalhit", "facebookcatalog"),
			{
				tokens: ["meta-externalfetcher"],
				kind: "ai-assistant",
				obeysRobotsTxt: false,
			},
			...entries("preview", "WhatsApp"),
		],
	},
	{
		operator: "Amazon",
		documentation: "https://developer.amazon.com/amazonbot",
		crawlers: [
			...entries("ai-training", "Amazonbot"),
			...entries("ai-search", "Amzn-SearchBot"),
			...entries("ai-assistant", "Amzn-User"),
		],
	},
	{
		operator: "Amazon",
		documentation:
			"https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html",
		crawlers: entries("ai-assistant", "bedrockbot"),
	},
	{
		operator: "ByteDance",
		documentation: "https://zhanzhang.toutiao.com/",
		crawlers: [
			...entries("ai-training", "Bytespider"),
			...entries("preview", "TikTokSpider"),
		],
	},
	{
		operator: "Common Crawl",
		documentation: "https://commoncrawl.org/ccbot",
		crawlers: entries("ai-training", "CCBot"),
	},
	{
		operator: "Mistral",
		documentation: "https://docs.mistral.ai/robots",
		crawlers: entries("ai-assistant", "MistralAI-User"),
	},
	{
		operator: "Cohere",
		documentation: "https://cohere.com/",
		crawlers: [
			...entries("ai-training", "cohere-training-data-crawler"),
			...entries("ai-assistant", "cohere-ai"),
		],
	},
	{
		operator: "Ai2",
		documentation: "https://allenai.org/crawler",
		crawlers: [
			...entries("ai-training", "AI2Bot"),
			...siblings("ai-training", "AI2Bot", "Ai2Bot-Dolma"),
		],
	},
	{
		operator: "Huawei",
		documentation: "https://aspiegel.com/petalbot",
		crawlers: [
			...entries("search", "PetalBot"),
			...entries("ai-training", "PanguBot"),
		],
	},
	{
		operator: "Diffbot",
		documentation: "https://www.diffbot.com/",
		crawlers: entries("ai-training", "Diffbot"),
	},
	{
		operator: "Webz.io",
		documentation: "https://webz.io/bot.html",
		crawlers: entries(
			"ai-training",
			"omgili",
			"omgilibot",
			"webzio",
			"webzio-extended",
		),
	},
	{
		operator: "Hive",
		documentation: "https://imagesift.com/about",
		crawlers: entries("ai-training", "ImagesiftBot"),
	},
	{
		operator: "Timpi",
		documentation: "https://timpi.io/",
		crawlers: entries("ai-training", "Timpibot"),
	},
	{
		operator: "You.com",
		documentation: "https://about.you.com/youbot/",
		crawlers: entries("ai-search", "YouBot"),
	},
	{
		operator: "DuckDuckGo",
		documentation:
			"https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot",
		crawlers: [
			...entries("search", "DuckDuckBot"),
			...entries("preview", "DuckDuckGo-Favicons-Bot"),
		],
	},
	{
		operator: "DuckDuckGo",
		documentation:
			"https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot",
		crawlers: entries("ai-assistant", "DuckAssistBot"),
	},
	{
		operator: "Baidu",
		documentation: "https://www.baidu.com/search/robots_english.html",
		crawlers: [
			...entries("search", "Baiduspider"),
			...siblings(
				"search",
				"Baiduspider",
				"Baiduspider-favo",
				"Baiduspider-image",
				"Baiduspider-mobile",
				"Baiduspider-news",
				"Baiduspider-render",
				"Baiduspider-video",
			),
			...siblings("ads", "Baiduspider", "Baiduspider-ads", "Baiduspider-cpro"),
		],
	},
	{
		operator: "Yahoo",
		documentation: "https://help.yahoo.com/kb/SLN22600.html",
		crawlers: [
			{ name: "Yahoo! Slurp", tokens: ["Slurp"], kind: "search" },
			...entries("other", "YahooMailProxy"),
		],
	},
	{
		operator: "Brave",
		documentation: "https://search.brave.com/help/brave-search-crawler",
		crawlers: entries("search", "Bravebot"),
	},
	{
		operator: "Sogou",
		documentation: "https://www.sogou.com/docs/help/webmasters.htm",
		crawlers: [
			{
				name: "Sogou web spider",
				tokens: ["Sogou web spider"],
				kind: "search",
				seenAs: ["Sogou web spider", "Sogou inst spider", "Sogou Pic Spider"],
			},
		],
	},
	{
		operator: "Qihoo 360",
		documentation: "https://www.so.com/help/help_3_2.html",
		crawlers: entries("search", "360Spider", "HaoSouSpider"),
	},
	{
		operator: "Naver",
		documentation: "https://searchadvisor.naver.com/guide/seo-basic-robots",
		crawlers: entries("search", "Yeti", "NaverBot"),
	},
	{
		operator: "Seznam",
		documentation:
			"https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/",
		crawlers: entries("search", "SeznamBot"),
	},
	{
		operator: "Qwant",
		documentation: "https://help.qwant.com/bot/",
		crawlers: [
			...entries("search", "Qwantbot"),
			...siblings("search", "Qwantbot", "Qwantbot-news"),
			...entries("search", "Qwantify"),
		],
	},
	{
		operator: "Mojeek",
		documentation: "https://www.mojeek.com/bot.html",
		crawlers: entries("search", "MojeekBot"),
	},
	{
		operator: "Mail.ru",
		documentation: "https://help.mail.ru/webmaster/indexing/robots.txt",
		crawlers: entries("search", "Mail.RU_Bot"),
	},
	{
		operator: "Coc Coc",
		documentation: "https://help.coccoc.com/searchengine",
		crawlers: entries(
			"search",
			"coccocbot",
			"coccocbot-web",
			"coccocbot-image",
		),
	},
	{
		operator: "Kagi",
		documentation: "https://kagi.com/bot",
		crawlers: entries("search", "Kagibot"),
	},
	{
		operator: "Exalead",
		documentation: "http://www.exabot.com/go/robot",
		crawlers: entries("search", "Exabot"),
	},
	{
		operator: "Internet Archive",
		documentation: "https://archive.org/details/archive.org_bot",
		crawlers: entries(
			"archive",
			"archive.org_bot",
			"ia_archiver",
			"special_archiver",
		),
	},
	{
		operator: "Arquivo.pt",
		documentation: "https://arquivo.pt/faq-crawling",
		crawlers: entries("archive", "Arquivo-web-crawler"),
	},
	{
		operator: "Bibliothèque nationale de France",
		documentation: "https://www.bnf.fr/en/capture-your-web-pages-bnf",
		crawlers: entries("archive", "bnf.fr_bot"),
	},
	{
		operator: "Ahrefs",
		documentation: "https://ahrefs.com/robot",
		crawlers: entries("seo", "AhrefsBot", "AhrefsSiteAudit"),
	},
	{
		operator: "Semrush",
		documentation: "https://www.semrush.com/bot/",
		crawlers: entries(
			"seo",
			"SemrushBot",
			"SemrushBot-BA",
			"SemrushBot-CT",
			"SemrushBot-FT",
			"SemrushBot-OCOB",
			"SemrushBot-SA",
			"SemrushBot-SI",
			"SemrushBot-SWA",
			"SiteAuditBot",
			"SplitSignalBot",
		),
	},
	{
		operator: "Majestic",
		documentation: "https://mj12bot.com/",
		crawlers: entries("seo", "MJ12bot"),
	},
	{
		operator: "Moz",
		documentation: "https://moz.com/help/moz-procedures/crawlers/dotbot",
		crawlers: entries("seo", "DotBot"),
	},
	{
		operator: "Moz",
		documentation: "https://moz.com/help/moz-procedures/crawlers/rogerbot",
		crawlers: entries("seo", "rogerbot"),
	},
	{
		operator: "Screaming Frog",
		documentation:
			"https://www.screamingfrog.co.uk/seo-spider/user-guide/configuration/",
		crawlers: entries("seo", "Screaming Frog SEO Spider"),
	},
	{
		operator: "SISTRIX",
		documentation: "http://crawler.sistrix.net/",
		crawlers: [
			{
				name: "SISTRIX Crawler",
				tokens: ["SISTRIX"],
				kind: "seo",
			},
		],
	},
	{
		operator: "SEO PowerSuite",
		documentation: "http://webmeup-crawler.com/",
		crawlers: entries("seo", "BLEXBot"),
	},
	{
		operator: "SE Ranking",
		documentation: "https://seranking.com/backlinks-crawler",
		crawlers: entries("seo", "SERankingBacklinksBot"),
	},
	{
		operator: "DataForSEO",
		documentation: "https://dataforseo.com/dataforseo-bot",
		crawlers: entries("seo", "DataForSeoBot"),
	},
	{
		operator: "Serpstat",
		documentation: "https://serpstatbot.com/",
		crawlers: entries("seo", "serpstatbot"),
	},
	{
		operator: "Babbar",
		documentation: "https://babbar.tech/crawler",
		crawlers: entries("seo", "Barkrowler"),
	},
	{
		operator: "SEOkicks",
		documentation: "https://www.seokicks.de/robot.html",
		crawlers: entries("seo", "SEOkicks"),
	},
	{
		operator: "seobility",
		documentation: "https://www.seobility.net/sites/bot.html",
		crawlers: entries("seo", "SeobilityBot"),
	},
	{
		operator: "MegaIndex",
		documentation: "http://megaindex.com/crawler",
		crawlers: entries("seo", "MegaIndex.ru"),
	},
	{
		operator: "OnCrawl",
		documentation: "https://help.oncrawl.com/",
		crawlers: entries("seo", "OnCrawl"),
	},
	{
		operator: "Criteo",
		documentation: "https://www.criteo.com/criteo-crawler/",
		crawlers: entries("ads", "CriteoBot"),
	},
	{
		operator: "Oracle",
		documentation:
			"https://www.oracle.com/corporate/acquisitions/grapeshot/crawler.html",
		crawlers: entries("ads", "GrapeshotCrawler"),
	},
	{
		operator: "X",
		documentation:
			"https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started",
		crawlers: entries("preview", "Twitterbot"),
	},
	{
		operator: "LinkedIn",
		documentation: "https://www.linkedin.com/",
		crawlers: entries("preview", "LinkedInBot"),
	},
	{
		operator: "Slack",
		documentation: "https://api.slack.com/robots",
		crawlers: [
			...entries("preview", "Slackbot"),
			...siblings(
				"preview",
				"Slackbot",
				"Slackbot-LinkExpanding",
				"Slack-ImgProxy",
			),
		],
	},
	{
		operator: "Discord",
		documentation: "https://discord.com/",
		crawlers: entries("preview", "Discordbot"),
	},
	{
		operator: "Telegram",
		documentation: "https://telegram.org/",
		crawlers: entries("preview", "TelegramBot"),
	},
	{
		operator: "Pinterest",
		documentation:
			"https://help.pinterest.com/en/business/article/pinterestbot",
		crawlers: entries("preview", "Pinterestbot"),
	},
	{
		operator: "Reddit",
		documentation: "https://www.reddit.com/",
		crawlers: entries("preview", "redditbot"),
	},
	{
		operator: "Snap",
		documentation: "https://developers.snap.com/robots",
		crawlers: entries("preview", "Snap URL Preview Service"),
	},
	{
		operator: "Flipboard",
		documentation: "https://about.flipboard.com/browserproxy/",
		crawlers: entries("preview", "FlipboardProxy"),
	},
	{
		operator: "Iframely",
		documentation: "https://iframely.com/docs/about",
		crawlers: entries("preview", "Iframely"),
	},
	{
		operator: "Feedly",
		documentation: "https://www.feedly.com/fetcher.html",
		crawlers: withoutRobotsTxt(entries("feed", "Feedly")),
	},
	{
		operator: "UptimeRobot",
		documentation: "https://uptimerobot.com/",
		crawlers: entries("monitoring", "UptimeRobot"),
	},
	{
		operator: "Pingdom",
		documentation: "https://www.pingdom.com/",
		crawlers: [
			{
				name: "Pingdom",
				tokens: ["Pingdom.com_bot"],
				kind: "monitoring",
				seenAs: ["Pingdom.com_bot_version_1.4_", "PingdomPageSpeed"],
			},
		],
	},
	{
		operator: "StatusCake",
		documentation: "https://www.statuscake.com/",
		crawlers: entries("monitoring", "StatusCake"),
	},
	{
		operator: "Site24x7",
		documentation: "https://www.site24x7.com/",
		crawlers: entries("monitoring", "Site24x7"),
	},
	{
		operator: "Better Stack",
		documentation: "https://betterstack.com/",
		crawlers: entries("monitoring", "Better Uptime Bot"),
	},
	{
		operator: "Google",
		documentation: "https://developer.chrome.com/docs/lighthouse",
		crawlers: withoutRobotsTxt(entries("monitoring", "Chrome-Lighthouse")),
	},
	{
		operator: "W3C",
		documentation: "https://validator.w3.org/services",
		crawlers: [
			...entries("monitoring", "W3C-checklink"),
			...withoutRobotsTxt(entries("monitoring", "W3C_Validator")),
		],
	},
	{
		operator: "Brandwatch",
		documentation: "https://www.brandwatch.com/legal/magpie-crawler/",
		crawlers: entries("research", "magpie-crawler"),
	},
	{
		operator: "Awario",
		documentation: "https://awario.com/bots.html",
		crawlers: entries(
			"research",
			"AwarioBot",
			"AwarioSmartBot",
			"AwarioRssBot",
		),
	},
	{
		operator: "Turnitin",
		documentation: "https://www.turnitin.com/robot/crawlerinfo.html",
		crawlers: entries("research", "TurnitinBot"),
	},
	{
		operator: "Censys",
		documentation: "https://about.censys.io/",
		crawlers: withoutRobotsTxt(entries("security", "CensysInspect")),
	},
];
