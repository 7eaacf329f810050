/**
 * The table of well-known crawlers: what a row says, and the rows by operator. crawlers.ts makes `crawlers` of it. A row has its operator's
 * page and the day it was checked; `npm run crawlers:check` compares rows with the pages.
 */
/** What a crawler fetches for. */
export type CrawlerKind =
	/** A search engine's index, images, news and shopping included. */
	| "search"
	/** Checking and placing advertisements. */
	| "ads"
	/** Training models. */
	| "ai-training"
	/** The index behind a search that answers in sentences. */
	| "ai-search"
	/** A person who asks an assistant. */
	| "ai-assistant"
	/** Keeping what the web was. */
	| "archive"
	/** Reports on links and sites for those who optimise them. */
	| "seo"
	/** The card or picture shown where somebody posts a link. */
	| "preview"
	/** Whether and how a site works, for its owner. */
	| "monitoring"
	/** Feeds that somebody subscribed to. */
	| "feed"
	/** Finding abuse and weak spots. */
	| "security"
	/** Studies of texts or markets. */
	| "research"
	/** Anything else. */
	| "other";

/** A well-known crawler, as its operator documents it. */
export interface Crawler {
	/** Its own product token, the first of `tokens`. */
	readonly name: string;
	/**
	 * Product tokens whose groups it obeys, the most specific first: the first one that the file names decides
	 * (`["Googlebot-News", "Googlebot"]`).
	 */
	readonly tokens: readonly string[];
	/**
	 * It obeys the groups for `*` if no group names it: in `crawlers` as its operator says today, which the rfc9309 dialect follows;
	 * `findCrawler(agent, { dialect })` says what another dialect does.
	 */
	readonly obeysGlobal: boolean;
	/** Where `obeysGlobal` comes from: the URL of the operator's page, or the document or library that the dialect follows. */
	readonly obeysGlobalSource: string;
	/** False if its operator says that it may ignore robots.txt, as fetchers that act for a person often do. */
	readonly obeysRobotsTxt: boolean;
	/** The company or organisation that runs it. */
	readonly operator: string;
	/** What it fetches for. */
	readonly kind: CrawlerKind;
	/**
	 * Who causes its requests: the operator, by its own schedule, or a user, who asks an assistant, posts a link, subscribes to a feed
	 * or has a site watched.
	 */
	readonly trigger: "operator" | "user";
	/** False for tokens that no User-Agent header names: what other crawlers of the operator fetch is used as their groups say. */
	readonly sendsRequests: boolean;
	/** URL of the operator's page about the crawler; undefined where none is known. */
	readonly documentation?: string;
	/** URLs of files or pages with the addresses it comes from; empty where none is known. */
	readonly addressRanges: readonly string[];
	/** Day on which this row was compared with that page, "2026-11-22"; undefined for older rows. */
	readonly checked?: string;
}

/**
 * Crawlers by what they fetch for: a comma stands between two, and ">" in front of the product tokens that a crawler falls
 * back to. Its first token is what User-Agent headers call it.
 */
export type CrawlerLists = { readonly [kind in CrawlerKind]?: string };

/** Crawlers that one page documents. */
export interface CrawlerFamily {
	readonly operator: string;
	/** The operator's page about them. Left out where none is known: no home pages. */
	readonly documentation?: string;
	/** Files or pages with the addresses they come from. */
	readonly addressRanges?: readonly string[];
	/** Day on which the rows were compared with the page. */
	readonly checked?: string;
	/** They fetch because a person asks for it, whatever their kind. */
	readonly byUser?: true;
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
const googleRanges = "https://developers.google.com/static/crawling/ipranges/";
const openai = "https://developers.openai.com/docs/bots";
const perplexity = "https://docs.perplexity.ai/guides/bots";
const diffbot = "https://docs.diffbot.com/docs/does-crawl-respect-robotstxt";
const checked = "2026-11-22";

/** Well-known crawlers. Facts are those of the pages named; a new crawler is a word more in its operator's list. */
export const crawlerFamilies: readonly CrawlerFamily[] = [
	{
		operator: "Google",
		documentation: `${google}google-common-crawlers`,
		addressRanges: [`${googleRanges}common-crawlers.json`],
		checked,
		crawlers: {
			search: `Googlebot, Googlebot-Image > Googlebot, Googlebot-Video > Googlebot,
				Googlebot-Mobile > Googlebot, Storebot-Google`,
			monitoring: "Google-InspectionTool > Googlebot",
			research:
				"GoogleOther, GoogleOther-Image > GoogleOther, GoogleOther-Video > GoogleOther",
		},
		withoutHeader: {
			search: "Googlebot-News > Googlebot",
			"ai-training": "Google-Extended",
		},
	},
	{
		// Site owners ask for its crawls.
		operator: "Google",
		documentation: `${google}google-common-crawlers`,
		addressRanges: [`${googleRanges}common-crawlers.json`],
		checked,
		byUser: true,
		crawlers: {
			"ai-search": "Google-CloudVertexBot > Googlebot",
		},
	},
	{
		operator: "Google",
		documentation: `${google}google-special-case-crawlers`,
		addressRanges: [`${googleRanges}special-crawlers.json`],
		checked,
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
		addressRanges: [
			`${googleRanges}user-triggered-fetchers.json`,
			`${googleRanges}user-triggered-fetchers-google.json`,
			`${googleRanges}user-triggered-agents.json`,
		],
		checked,
		byUser: true,
		withoutRobotsTxt: {
			feed: "FeedFetcher-Google, GoogleProducer",
			"ai-assistant": "Google-Agent, Google-GeminiNotebook, Google-NotebookLM",
			preview: "GoogleMessages",
			other:
				"Google-CWS, Google-Pinpoint, Google-Read-Aloud, Google-Site-Verification",
		},
	},
	{
		// A page that a person has translated. Its header is the person's, with "(via translate.google.com)" behind it.
		operator: "Google",
		documentation:
			"https://developers.google.com/search/docs/appearance/translated-results",
		byUser: true,
		onDemand: {
			other: "translate.google.com",
		},
	},
	{
		// Pictures in a person's mail.
		operator: "Google",
		documentation: "https://support.google.com/mail/answer/145919",
		byUser: true,
		withoutRobotsTxt: {
			preview: "GoogleImageProxy",
		},
	},
	{
		// IMPORTXML and the like in a person's spreadsheet.
		operator: "Google",
		documentation: "https://support.google.com/docs/answer/3093342",
		byUser: true,
		withoutRobotsTxt: {
			other: "GoogleDocs",
		},
	},
	{
		operator: "Google",
		documentation:
			"https://developers.google.com/apps-script/reference/url-fetch/url-fetch-app",
		byUser: true,
		withoutRobotsTxt: {
			other: "Google-Apps-Script",
		},
	},
	{
		operator: "Microsoft",
		documentation:
			"https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
		addressRanges: ["https://www.bing.com/toolbox/bingbot.json"],
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
		addressRanges: ["https://yandex.com/ips"],
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
			"ai-training": "YandexAdditional > Yandex, YandexAdditionalBot > Yandex",
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
		addressRanges: ["https://search.developer.apple.com/applebot.json"],
		checked,
		crawlers: {
			search: "Applebot > Googlebot",
		},
		withoutHeader: {
			// Apple's page has only Applebot follow rules for Googlebot.
			"ai-training": "Applebot-Extended",
		},
		withoutRobotsTxt: {
			feed: "iTMS",
		},
	},
	{
		operator: "OpenAI",
		documentation: openai,
		addressRanges: ["https://openai.com/gptbot.json"],
		crawlers: {
			"ai-training": "GPTBot",
		},
	},
	{
		operator: "OpenAI",
		documentation: openai,
		addressRanges: ["https://openai.com/searchbot.json"],
		crawlers: {
			"ai-search": "OAI-SearchBot",
		},
	},
	{
		operator: "OpenAI",
		documentation: openai,
		crawlers: {
			ads: "OAI-AdsBot",
		},
	},
	{
		operator: "OpenAI",
		documentation: openai,
		addressRanges: ["https://openai.com/chatgpt-user.json"],
		onDemand: {
			"ai-assistant": "ChatGPT-User",
		},
	},
	{
		operator: "Anthropic",
		documentation:
			"https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler",
		addressRanges: ["https://claude.com/crawling/bots.json"],
		crawlers: {
			"ai-training": "ClaudeBot, anthropic-ai",
			"ai-search": "Claude-SearchBot",
			"ai-assistant": "Claude-User, Claude-Web",
		},
	},
	{
		operator: "Perplexity",
		documentation: perplexity,
		addressRanges: ["https://www.perplexity.ai/perplexitybot.json"],
		crawlers: {
			"ai-search": "PerplexityBot",
		},
	},
	{
		operator: "Perplexity",
		documentation: perplexity,
		addressRanges: ["https://www.perplexity.ai/perplexity-user.json"],
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
		checked,
		crawlers: {
			"ai-training": "MistralAI-Training",
			"ai-search": "MistralAI-Index",
			"ai-assistant": "MistralAI-User",
		},
	},
	{
		operator: "Moonshot AI",
		documentation: "https://www.kimi.com/policies/kimi-crawlers",
		crawlers: {
			"ai-training": "KimiBot",
			"ai-search": "Kimi-SearchBot",
			"ai-assistant": "Kimi-User",
		},
	},
	{
		operator: "Parallel",
		documentation: "https://docs.parallel.ai/resources/crawler",
		addressRanges: ["https://docs.parallel.ai/resources/shapbot.json"],
		checked,
		crawlers: {
			"ai-search": "ShapBot",
		},
	},
	{
		operator: "Cohere",
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
		documentation: "https://webmaster.petalsearch.com/site/petalbot",
		crawlers: {
			search: "PetalBot",
			"ai-training": "PanguBot",
		},
	},
	{
		operator: "Diffbot",
		documentation: diffbot,
		checked,
		crawlers: {
			search: "Diffbot",
		},
	},
	{
		operator: "Diffbot",
		documentation: diffbot,
		checked,
		byUser: true,
		crawlers: {
			other: "Diffbot-User",
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
		addressRanges: ["https://duckduckgo.com/duckduckbot.json"],
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
		operator: "Alibaba",
		documentation: "https://zhanzhang.sm.cn/open/info",
		crawlers: {
			search: "YisouSpider",
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
		addressRanges: ["https://api.ahrefs.com/v3/public/crawler-ips"],
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
		crawlers: {
			preview: "Discordbot",
		},
	},
	{
		operator: "Telegram",
		addressRanges: ["https://core.telegram.org/resources/cidr.txt"],
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
		addressRanges: ["https://uptimerobot.com/inc/files/ips/IPv4andIPv6.txt"],
		crawlers: {
			monitoring: "UptimeRobot",
		},
	},
	{
		operator: "Pingdom",
		addressRanges: [
			"https://my.pingdom.com/probes/ipv4",
			"https://my.pingdom.com/probes/ipv6",
		],
		crawlers: {
			monitoring: "Pingdom.com_bot, PingdomPageSpeed",
		},
	},
	{
		operator: "StatusCake",
		crawlers: {
			monitoring: "StatusCake",
		},
	},
	{
		operator: "Site24x7",
		crawlers: {
			monitoring: "Site24x7",
		},
	},
	{
		operator: "Better Stack",
		addressRanges: ["https://uptime.betterstack.com/ips.txt"],
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
		withoutRobotsTxt: {
			security: "CensysInspect",
		},
	},
];
