import type { CrawlerKind } from "./crawler.ts";

/**
 * Crawlers by what they fetch for: a comma stands between two, and ">" in front of the product tokens that a crawler falls
 * back to. Its first token is what User-Agent headers call it.
 */
export type CrawlerLists = { readonly [kind in CrawlerKind]?: string };

/** Crawlers that one page documents. */
export interface CrawlerFamily {
	readonly operator: string;
	readonly documentation: string;
	readonly crawlers?: CrawlerLists;
	/** Tokens in robots.txt that no header names: what another crawler fetched is used, or not, as their groups say. */
	readonly withoutHeader?: CrawlerLists;
	/** Groups for `*` do not hold for them. */
	readonly withoutGlobal?: CrawlerLists;
	/** They fetch when a person asks, and may then ignore robots.txt. */
	readonly onDemand?: CrawlerLists;
	/** They do not ask robots.txt, or obey nothing but a group of their own. */
	readonly withoutRobotsTxt?: CrawlerLists;
}

const google = "https://developers.google.com/crawling/docs/crawlers-fetchers/";

/** Well-known crawlers. Facts are those of the pages named; a new crawler is a word more in its operator's list. */
export const crawlerFamilies: readonly CrawlerFamily[] = [
	{
		operator: "Google",
		documentation: `${google}google-common-crawlers`,
		crawlers: {
			search: `Googlebot, Googlebot-Image > Googlebot, Googlebot-Video > Googlebot,
				Googlebot-Mobile > Googlebot, Storebot-Google`,
			monitoring: "Google-InspectionTool > Googlebot",
			research:
				"GoogleOther, GoogleOther-Image > GoogleOther, GoogleOther-Video > GoogleOther",
			"ai-search": "Google-CloudVertexBot > Googlebot",
		},
		withoutHeader: {
			search: "Googlebot-News > Googlebot",
			"ai-training": "Google-Extended",
		},
	},
	{
		operator: "Google",
		documentation: `${google}google-special-case-crawlers`,
		withoutGlobal: {
			ads: "AdsBot-Google, AdsBot-Google-Mobile, AdsBot-Google-Mobile-Apps, Mediapartners-Google",
			other: "APIs-Google, DuplexWeb-Google",
		},
		withoutRobotsTxt: {
			security: "Google-Safety",
		},
	},
	{
		operator: "Google",
		documentation: `${google}google-user-triggered-fetchers`,
		withoutRobotsTxt: {
			feed: "FeedFetcher-Google, GoogleProducer",
			"ai-assistant": "Google-NotebookLM",
			preview: "GoogleMessages",
			other:
				"Google-CWS, Google-Pinpoint, Google-Read-Aloud, Google-Site-Verification",
		},
	},
	{
		operator: "Microsoft",
		documentation:
			"https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
		crawlers: {
			search: "bingbot > msnbot, msnbot-media > msnbot, msnbot",
			ads: "AdIdxBot",
			preview:
				"BingPreview, BingVideoPreview, MicrosoftPreview, SkypeUriPreview",
		},
	},
	{
		operator: "Yandex",
		documentation:
			"https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html",
		crawlers: {
			search: `YandexBot > Yandex, YandexBlogs > Yandex, YandexCatalog > Yandex, YandexImages > Yandex,
				YandexMarket > Yandex, YandexMedia > Yandex, YandexNews > Yandex, YandexOntoDB > Yandex,
				YandexSitelinks > Yandex, YandexSpravBot > Yandex, YandexVertis > Yandex,
				YandexVerticals > Yandex, YandexVideo > Yandex`,
			feed: "YandexTurbo > Yandex",
			ads: "YandexAdNet > Yandex",
			preview: "YandexImageResizer > Yandex",
			monitoring:
				"YandexPagechecker > Yandex, YandexWebmaster > Yandex, YandexForDomain > Yandex",
			"ai-training": "YandexAdditional > Yandex",
		},
		withoutGlobal: {
			search: `YandexMobileBot > Yandex, YandexOntoDBAPI > Yandex, YandexSearchShop > Yandex,
				YandexVideoParser > Yandex`,
			ads: "YandexDirect > Yandex, YandexDirectDyn > Yandex, YandexPartner > Yandex",
			preview: `YandexFavicons > Yandex, YandexMobileScreenShotBot > Yandex, YandexRCA > Yandex,
				YandexScreenshotBot > Yandex`,
			monitoring:
				"YandexAccessibilityBot > Yandex, YandexCalendar > Yandex, YandexTracker > Yandex",
		},
		withoutRobotsTxt: {
			monitoring: "YandexMetrika > Yandex",
			ads: "YaDirectFetcher",
		},
	},
	{
		operator: "Apple",
		documentation: "https://support.apple.com/en-us/119829",
		crawlers: {
			search: "Applebot > Googlebot",
		},
		withoutHeader: {
			"ai-training": "Applebot-Extended > Applebot > Googlebot",
		},
	},
	{
		operator: "OpenAI",
		documentation: "https://developers.openai.com/docs/bots",
		crawlers: {
			"ai-training": "GPTBot",
			"ai-search": "OAI-SearchBot",
			ads: "OAI-AdsBot",
		},
		onDemand: {
			"ai-assistant": "ChatGPT-User",
		},
	},
	{
		operator: "Anthropic",
		documentation:
			"https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler",
		crawlers: {
			"ai-training": "ClaudeBot, anthropic-ai",
			"ai-search": "Claude-SearchBot",
			"ai-assistant": "Claude-User, Claude-Web",
		},
	},
	{
		operator: "Perplexity",
		documentation: "https://docs.perplexity.ai/guides/bots",
		crawlers: {
			"ai-search": "PerplexityBot",
		},
		onDemand: {
			"ai-assistant": "Perplexity-User",
		},
	},
	{
		operator: "Meta",
		documentation:
			"https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
		crawlers: {
			"ai-training": "meta-externalagent, FacebookBot",
			"ai-search": "meta-webindexer",
			ads: "meta-externalads",
			preview: "facebookexternalhit, facebookcatalog, WhatsApp",
		},
		onDemand: {
			"ai-assistant": "meta-externalfetcher",
		},
	},
	{
		operator: "Amazon",
		documentation: "https://developer.amazon.com/amazonbot",
		crawlers: {
			"ai-training": "Amazonbot",
			"ai-search": "Amzn-SearchBot",
			"ai-assistant": "Amzn-User",
		},
	},
	{
		operator: "Amazon",
		documentation:
			"https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html",
		crawlers: {
			"ai-assistant": "bedrockbot",
		},
	},
	{
		operator: "ByteDance",
		documentation: "https://zhanzhang.toutiao.com/",
		crawlers: {
			"ai-training": "Bytespider",
			preview: "TikTokSpider",
		},
	},
	{
		operator: "Common Crawl",
		documentation: "https://commoncrawl.org/ccbot",
		crawlers: {
			"ai-training": "CCBot",
		},
	},
	{
		operator: "Mistral",
		documentation: "https://docs.mistral.ai/robots",
		crawlers: {
			"ai-assistant": "MistralAI-User",
		},
	},
	{
		operator: "Cohere",
		documentation: "https://cohere.com/",
		crawlers: {
			"ai-training": "cohere-training-data-crawler",
			"ai-assistant": "cohere-ai",
		},
	},
	{
		operator: "Ai2",
		documentation: "https://allenai.org/crawler",
		crawlers: {
			"ai-training": "AI2Bot, Ai2Bot-Dolma > AI2Bot",
		},
	},
	{
		operator: "Huawei",
		documentation: "https://aspiegel.com/petalbot",
		crawlers: {
			search: "PetalBot",
			"ai-training": "PanguBot",
		},
	},
	{
		operator: "Diffbot",
		documentation: "https://www.diffbot.com/",
		crawlers: {
			"ai-training": "Diffbot",
		},
	},
	{
		operator: "Webz.io",
		documentation: "https://webz.io/bot.html",
		crawlers: {
			"ai-training": "omgili, omgilibot, webzio, webzio-extended",
		},
	},
	{
		operator: "Hive",
		documentation: "https://imagesift.com/about",
		crawlers: {
			"ai-training": "ImagesiftBot",
		},
	},
	{
		operator: "Timpi",
		documentation: "https://timpi.io/",
		crawlers: {
			"ai-training": "Timpibot",
		},
	},
	{
		operator: "You.com",
		documentation: "https://about.you.com/youbot/",
		crawlers: {
			"ai-search": "YouBot",
		},
	},
	{
		operator: "DuckDuckGo",
		documentation:
			"https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot",
		crawlers: {
			search: "DuckDuckBot",
			preview: "DuckDuckGo-Favicons-Bot",
		},
	},
	{
		operator: "DuckDuckGo",
		documentation:
			"https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot",
		crawlers: {
			"ai-assistant": "DuckAssistBot",
		},
	},
	{
		operator: "Baidu",
		documentation: "https://www.baidu.com/search/robots_english.html",
		crawlers: {
			search: `Baiduspider, Baiduspider-favo > Baiduspider, Baiduspider-image > Baiduspider,
				Baiduspider-mobile > Baiduspider, Baiduspider-news > Baiduspider,
				Baiduspider-render > Baiduspider, Baiduspider-video > Baiduspider`,
			ads: "Baiduspider-ads > Baiduspider, Baiduspider-cpro > Baiduspider",
		},
	},
	{
		operator: "Yahoo",
		documentation: "https://help.yahoo.com/kb/SLN22600.html",
		crawlers: {
			search: "Slurp",
			other: "YahooMailProxy",
		},
	},
	{
		operator: "Brave",
		documentation: "https://search.brave.com/help/brave-search-crawler",
		crawlers: {
			search: "Bravebot",
		},
	},
	{
		operator: "Sogou",
		documentation: "https://www.sogou.com/docs/help/webmasters.htm",
		crawlers: {
			search: "Sogou web spider, Sogou inst spider, Sogou Pic Spider",
		},
	},
	{
		operator: "Qihoo 360",
		documentation: "https://www.so.com/help/help_3_2.html",
		crawlers: {
			search: "360Spider, HaoSouSpider",
		},
	},
	{
		operator: "Naver",
		documentation: "https://searchadvisor.naver.com/guide/seo-basic-robots",
		crawlers: {
			search: "Yeti, NaverBot",
		},
	},
	{
		operator: "Seznam",
		documentation:
			"https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/",
		crawlers: {
			search: "SeznamBot",
		},
	},
	{
		operator: "Qwant",
		documentation: "https://help.qwant.com/bot/",
		crawlers: {
			search: "Qwantbot, Qwantbot-news > Qwantbot, Qwantify",
		},
	},
	{
		operator: "Mojeek",
		documentation: "https://www.mojeek.com/bot.html",
		crawlers: {
			search: "MojeekBot",
		},
	},
	{
		operator: "Mail.ru",
		documentation: "https://help.mail.ru/webmaster/indexing/robots.txt",
		crawlers: {
			search: "Mail.RU_Bot",
		},
	},
	{
		operator: "Coc Coc",
		documentation: "https://help.coccoc.com/searchengine",
		crawlers: {
			search: "coccocbot, coccocbot-web, coccocbot-image",
		},
	},
	{
		operator: "Kagi",
		documentation: "https://kagi.com/bot",
		crawlers: {
			search: "Kagibot",
		},
	},
	{
		operator: "Exalead",
		documentation: "http://www.exabot.com/go/robot",
		crawlers: {
			search: "Exabot",
		},
	},
	{
		operator: "Internet Archive",
		documentation: "https://archive.org/details/archive.org_bot",
		crawlers: {
			archive: "archive.org_bot, ia_archiver, special_archiver",
		},
	},
	{
		operator: "Arquivo.pt",
		documentation: "https://arquivo.pt/faq-crawling",
		crawlers: {
			archive: "Arquivo-web-crawler",
		},
	},
	{
		operator: "Bibliothèque nationale de France",
		documentation: "https://www.bnf.fr/en/capture-your-web-pages-bnf",
		crawlers: {
			archive: "bnf.fr_bot",
		},
	},
	{
		operator: "Ahrefs",
		documentation: "https://ahrefs.com/robot",
		crawlers: {
			seo: "AhrefsBot, AhrefsSiteAudit",
		},
	},
	{
		operator: "Semrush",
		documentation: "https://www.semrush.com/bot/",
		crawlers: {
			seo: `SemrushBot, SemrushBot-BA, SemrushBot-CT, SemrushBot-FT, SemrushBot-OCOB, SemrushBot-SA,
				SemrushBot-SI, SemrushBot-SWA, SiteAuditBot, SplitSignalBot`,
		},
	},
	{
		operator: "Majestic",
		documentation: "https://mj12bot.com/",
		crawlers: {
			seo: "MJ12bot",
		},
	},
	{
		operator: "Moz",
		documentation: "https://moz.com/help/moz-procedures/crawlers/dotbot",
		crawlers: {
			seo: "DotBot",
		},
	},
	{
		operator: "Moz",
		documentation: "https://moz.com/help/moz-procedures/crawlers/rogerbot",
		crawlers: {
			seo: "rogerbot",
		},
	},
	{
		operator: "Screaming Frog",
		documentation:
			"https://www.screamingfrog.co.uk/seo-spider/user-guide/configuration/",
		crawlers: {
			seo: "Screaming Frog SEO Spider",
		},
	},
	{
		operator: "SISTRIX",
		documentation: "http://crawler.sistrix.net/",
		crawlers: {
			seo: "SISTRIX",
		},
	},
	{
		operator: "SEO PowerSuite",
		documentation: "http://webmeup-crawler.com/",
		crawlers: {
			seo: "BLEXBot",
		},
	},
	{
		operator: "SE Ranking",
		documentation: "https://seranking.com/backlinks-crawler",
		crawlers: {
			seo: "SERankingBacklinksBot",
		},
	},
	{
		operator: "DataForSEO",
		documentation: "https://dataforseo.com/dataforseo-bot",
		crawlers: {
			seo: "DataForSeoBot",
		},
	},
	{
		operator: "Serpstat",
		documentation: "https://serpstatbot.com/",
		crawlers: {
			seo: "serpstatbot",
		},
	},
	{
		operator: "Babbar",
		documentation: "https://babbar.tech/crawler",
		crawlers: {
			seo: "Barkrowler",
		},
	},
	{
		operator: "SEOkicks",
		documentation: "https://www.seokicks.de/robot.html",
		crawlers: {
			seo: "SEOkicks",
		},
	},
	{
		operator: "seobility",
		documentation: "https://www.seobility.net/sites/bot.html",
		crawlers: {
			seo: "SeobilityBot",
		},
	},
	{
		operator: "MegaIndex",
		documentation: "http://megaindex.com/crawler",
		crawlers: {
			seo: "MegaIndex.ru",
		},
	},
	{
		operator: "OnCrawl",
		documentation: "https://help.oncrawl.com/",
		crawlers: {
			seo: "OnCrawl",
		},
	},
	{
		operator: "Criteo",
		documentation: "https://www.criteo.com/criteo-crawler/",
		crawlers: {
			ads: "CriteoBot",
		},
	},
	{
		operator: "Oracle",
		documentation:
			"https://www.oracle.com/corporate/acquisitions/grapeshot/crawler.html",
		crawlers: {
			ads: "GrapeshotCrawler",
		},
	},
	{
		operator: "X",
		documentation:
			"https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started",
		crawlers: {
			preview: "Twitterbot",
		},
	},
	{
		operator: "LinkedIn",
		documentation: "https://www.linkedin.com/",
		crawlers: {
			preview: "LinkedInBot",
		},
	},
	{
		operator: "Slack",
		documentation: "https://api.slack.com/robots",
		crawlers: {
			preview:
				"Slackbot, Slackbot-LinkExpanding > Slackbot, Slack-ImgProxy > Slackbot",
		},
	},
	{
		operator: "Discord",
		documentation: "https://discord.com/",
		crawlers: {
			preview: "Discordbot",
		},
	},
	{
		operator: "Telegram",
		documentation: "https://telegram.org/",
		crawlers: {
			preview: "TelegramBot",
		},
	},
	{
		operator: "Pinterest",
		documentation:
			"https://help.pinterest.com/en/business/article/pinterestbot",
		crawlers: {
			preview: "Pinterestbot",
		},
	},
	{
		operator: "Reddit",
		documentation: "https://www.reddit.com/",
		crawlers: {
			preview: "redditbot",
		},
	},
	{
		operator: "Snap",
		documentation: "https://developers.snap.com/robots",
		crawlers: {
			preview: "Snap URL Preview Service",
		},
	},
	{
		operator: "Flipboard",
		documentation: "https://about.flipboard.com/browserproxy/",
		crawlers: {
			preview: "FlipboardProxy",
		},
	},
	{
		operator: "Iframely",
		documentation: "https://iframely.com/docs/about",
		crawlers: {
			preview: "Iframely",
		},
	},
	{
		operator: "Feedly",
		documentation: "https://www.feedly.com/fetcher.html",
		withoutRobotsTxt: {
			feed: "Feedly",
		},
	},
	{
		operator: "UptimeRobot",
		documentation: "https://uptimerobot.com/",
		crawlers: {
			monitoring: "UptimeRobot",
		},
	},
	{
		operator: "Pingdom",
		documentation: "https://www.pingdom.com/",
		crawlers: {
			monitoring: "Pingdom.com_bot, PingdomPageSpeed",
		},
	},
	{
		operator: "StatusCake",
		documentation: "https://www.statuscake.com/",
		crawlers: {
			monitoring: "StatusCake",
		},
	},
	{
		operator: "Site24x7",
		documentation: "https://www.site24x7.com/",
		crawlers: {
			monitoring: "Site24x7",
		},
	},
	{
		operator: "Better Stack",
		documentation: "https://betterstack.com/",
		crawlers: {
			monitoring: "Better Uptime Bot",
		},
	},
	{
		operator: "Google",
		documentation: "https://developer.chrome.com/docs/lighthouse",
		withoutRobotsTxt: {
			monitoring: "Chrome-Lighthouse",
		},
	},
	{
		operator: "W3C",
		documentation: "https://validator.w3.org/services",
		crawlers: {
			monitoring: "W3C-checklink",
		},
		withoutRobotsTxt: {
			monitoring: "W3C_Validator",
		},
	},
	{
		operator: "Brandwatch",
		documentation: "https://www.brandwatch.com/legal/magpie-crawler/",
		crawlers: {
			research: "magpie-crawler",
		},
	},
	{
		operator: "Awario",
		documentation: "https://awario.com/bots.html",
		crawlers: {
			research: "AwarioBot, AwarioSmartBot, AwarioRssBot",
		},
	},
	{
		operator: "Turnitin",
		documentation: "https://www.turnitin.com/robot/crawlerinfo.html",
		crawlers: {
			research: "TurnitinBot",
		},
	},
	{
		operator: "Censys",
		documentation: "https://about.censys.io/",
		withoutRobotsTxt: {
			security: "CensysInspect",
		},
	},
];
