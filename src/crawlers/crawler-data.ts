/**
 * The table of well-known crawlers: what a row says, and how crawlers choose their groups. crawlers.ts makes `crawlers` of it and of
 * crawler-pages.ts, whose facts a program that only matches does not need: a tenth of its bundle's code.
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
	/** A program that acts for a person: it browses, buys, writes code. */
	| "ai-agent"
	/** AI, but for which use no page of its maker's says. */
	| "ai"
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
	/**
	 * False if its operator says that it may ignore robots.txt, as fetchers that act for a person often do; for agents also where the operator says
	 * nothing.
	 */
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
	/**
	 * Domains that the host names of its addresses are in, as its operator documents for checking them by reverse and forward DNS; empty where none
	 * is known.
	 */
	readonly hostDomains: readonly string[];
	/** URL of the operator's page that names `hostDomains`; undefined without any. */
	readonly hostDomainsSource?: string;
	/** Day on which this row was compared with that page, "2026-11-22"; undefined for older rows. */
	readonly checked?: string;
}

/**
 * Crawlers by what they fetch for: a comma stands between two, and ">" in front of the product tokens that a crawler falls
 * back to. Its first token is what User-Agent headers call it.
 */
export type CrawlerLists = { readonly [kind in CrawlerKind]?: string };

/** Crawlers that one page documents: that of its first name in crawler-pages.ts. */
export interface CrawlerFamily {
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

/** Well-known crawlers. Facts are those of their operators' pages; a new crawler is a word more in its operator's list. */
export const crawlerFamilies: readonly CrawlerFamily[] = [
	{
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
		byUser: true,
		crawlers: {
			"ai-search": "Google-CloudVertexBot > Googlebot",
		},
	},
	{
		withoutGlobal: {
			ads: "AdsBot-Google, AdsBot-Google-Mobile, AdsBot-Google-Mobile-Apps, Mediapartners-Google",
			other: "APIs-Google, DuplexWeb-Google",
		},
		withoutRobotsTxt: {
			security: "Google-Safety",
		},
	},
	{
		byUser: true,
		withoutRobotsTxt: {
			feed: "FeedFetcher-Google, GoogleProducer",
			"ai-agent": "Google-Agent",
			"ai-assistant": "Google-GeminiNotebook, Google-NotebookLM",
			preview: "GoogleMessages",
			other:
				"Google-CWS, Google-Pinpoint, Google-Read-Aloud, Google-Site-Verification",
		},
	},
	{
		// A page that a person has translated. Its header is the person's, with "(via translate.google.com)" behind it.
		byUser: true,
		onDemand: {
			other: "translate.google.com",
		},
	},
	{
		// Pictures in a person's mail.
		byUser: true,
		withoutRobotsTxt: {
			preview: "GoogleImageProxy",
		},
	},
	{
		// IMPORTXML and the like in a person's spreadsheet.
		byUser: true,
		withoutRobotsTxt: {
			other: "GoogleDocs",
		},
	},
	{
		byUser: true,
		withoutRobotsTxt: {
			other: "Google-Apps-Script",
		},
	},
	{
		crawlers: {
			search: "bingbot > msnbot, msnbot-media > msnbot, msnbot",
			ads: "AdIdxBot",
			preview: "BingPreview, BingVideoPreview",
		},
	},
	{
		// Not from Bing's machines.
		crawlers: {
			preview: "MicrosoftPreview, SkypeUriPreview",
		},
	},
	{
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
		crawlers: {
			search: "Applebot > Googlebot",
		},
		withoutHeader: {
			// Apple's page has only Applebot follow rules for Googlebot.
			"ai-training": "Applebot-Extended",
		},
	},
	{
		withoutRobotsTxt: {
			feed: "iTMS",
		},
	},
	{
		crawlers: {
			"ai-training": "GPTBot",
		},
	},
	{
		crawlers: {
			"ai-search": "OAI-SearchBot",
		},
	},
	{
		crawlers: {
			ads: "OAI-AdsBot",
		},
	},
	{
		onDemand: {
			"ai-assistant": "ChatGPT-User",
		},
	},
	{
		crawlers: {
			"ai-training": "ClaudeBot, anthropic-ai",
			"ai-search": "Claude-SearchBot",
			"ai-assistant": "Claude-User, Claude-Web",
		},
	},
	{
		crawlers: {
			"ai-search": "PerplexityBot",
		},
	},
	{
		onDemand: {
			"ai-assistant": "Perplexity-User",
		},
	},
	{
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
		crawlers: {
			"ai-training": "Amazonbot",
		},
	},
	{
		crawlers: {
			"ai-search": "Amzn-SearchBot",
			"ai-assistant": "Amzn-User",
		},
	},
	{
		crawlers: {
			"ai-assistant": "bedrockbot",
		},
	},
	{
		crawlers: {
			"ai-training": "Bytespider",
			ai: "TikTokSpider",
		},
	},
	{
		crawlers: {
			"ai-training": "CCBot",
		},
	},
	{
		crawlers: {
			"ai-training": "MistralAI-Training",
			"ai-search": "MistralAI-Index",
			"ai-assistant": "MistralAI-User",
		},
	},
	{
		crawlers: {
			"ai-training": "KimiBot",
			"ai-search": "Kimi-SearchBot",
			"ai-assistant": "Kimi-User",
		},
	},
	{
		crawlers: {
			"ai-search": "ShapBot",
		},
	},
	{
		crawlers: {
			"ai-training": "cohere-training-data-crawler",
			"ai-assistant": "cohere-ai",
		},
	},
	{
		crawlers: {
			"ai-training": "AI2Bot, Ai2Bot-Dolma > AI2Bot",
		},
	},
	{
		// Amazon's customers ask for its crawls.
		byUser: true,
		crawlers: {
			"ai-search": "amazon-kendra",
		},
	},
	{
		crawlers: {
			"ai-assistant": "amazon-QBusiness",
		},
	},
	{
		crawlers: {
			"ai-assistant": "KlaviyoAIBot",
		},
	},
	{
		crawlers: {
			"ai-search": "AIWebIndex",
		},
	},
	{
		crawlers: {
			"ai-training": "SBIntuitionsBot",
		},
	},
	{
		// Agents. What their operators' pages do not say of robots.txt is not held against them.
		onDemand: {
			"ai-agent": "NovaAct, AmazonBuyForMe",
		},
	},
	{
		onDemand: {
			"ai-agent": "GoogleAgent-Mariner, Google-Gemini-CLI",
		},
	},
	{
		onDemand: {
			"ai-agent": "ChatGPT Agent",
		},
	},
	{
		onDemand: {
			"ai-agent": "Claude-Code",
		},
	},
	{
		onDemand: {
			"ai-agent": "Devin",
		},
	},
	{
		onDemand: {
			"ai-agent": "Manus-User",
		},
	},
	{
		// Use unknown.
		crawlers: {
			ai: "ExaBot, ExaSearchBot",
		},
	},
	{
		crawlers: {
			ai: "Crawl4AI",
		},
	},
	{
		crawlers: {
			ai: "TavilyBot",
		},
	},
	{
		crawlers: {
			ai: "AzureAI-SearchBot",
		},
	},
	{
		crawlers: {
			ai: "CloudVertexBot, Gemini-Deep-Research, Google-Firebase, GoogleAgent-URLContext, NotebookLM",
		},
	},
	{
		crawlers: {
			ai: "AI2Bot-DeepResearchEval",
		},
	},
	{
		crawlers: {
			ai: "Shap-User",
		},
	},
	{
		crawlers: {
			ai: "Mozilla-Tabstack",
		},
	},
	{
		crawlers: {
			ai: "LinerBot",
		},
	},
	{
		crawlers: {
			ai: "TerraCotta, Terra Cotta",
		},
	},
	{
		// In public lists, but in no page of their makers' that is known.
		crawlers: {
			ai: `AgentTimes, Andibot, CragCrawler, Crawlspace, DeepSeekBot, Echobot Bot, EchoboxBot,
				Factset_spyderbot, FirecrawlAgent, FriendlyCrawler, GeistHaus-PageFetcher, GrokBot,
				iAskBot, iaskspider, ISSCyberRiskCrawler, laion-huggingface-processor, LAIONDownloader,
				Lightpanda, MyCentralAIScraperBot, NagetBot, Poseidon Research Crawler, QualifiedBot,
				Querit-SearchBot, QueritBot, QuillBot, Reflectionbot, TongyiBot, UseAI, wpbot, YiyanBot`,
			other: "netEstate Imprint Crawler, Datenbank Crawler, WARDBot, Panscient",
		},
		onDemand: {
			"ai-agent": "TwinAgent, opencode",
		},
	},
	{
		crawlers: {
			search: "PetalBot",
		},
	},
	{
		crawlers: {
			"ai-training": "PanguBot",
		},
	},
	{
		crawlers: {
			search: "Diffbot",
		},
	},
	{
		byUser: true,
		crawlers: {
			other: "Diffbot-User",
		},
	},
	{
		crawlers: {
			"ai-training": "omgili, omgilibot, webzio, webzio-extended",
		},
	},
	{
		crawlers: {
			"ai-training": "ImagesiftBot",
		},
	},
	{
		crawlers: {
			"ai-training": "Timpibot",
		},
	},
	{
		crawlers: {
			"ai-search": "YouBot",
		},
	},
	{
		crawlers: {
			search: "DuckDuckBot",
			preview: "DuckDuckGo-Favicons-Bot",
		},
	},
	{
		crawlers: {
			"ai-assistant": "DuckAssistBot",
		},
	},
	{
		crawlers: {
			search: `Baiduspider, Baiduspider-favo > Baiduspider, Baiduspider-image > Baiduspider,
				Baiduspider-mobile > Baiduspider, Baiduspider-news > Baiduspider,
				Baiduspider-render > Baiduspider, Baiduspider-video > Baiduspider`,
			ads: "Baiduspider-ads > Baiduspider, Baiduspider-cpro > Baiduspider",
		},
	},
	{
		crawlers: {
			search: "Slurp",
			other: "YahooMailProxy",
		},
	},
	{
		crawlers: {
			search: "Bravebot",
		},
	},
	{
		crawlers: {
			search: "Sogou web spider, Sogou inst spider, Sogou Pic Spider",
		},
	},
	{
		crawlers: {
			search: "360Spider, HaoSouSpider",
		},
	},
	{
		crawlers: {
			search: "YisouSpider",
		},
	},
	{
		crawlers: {
			search: "Yeti, NaverBot",
		},
	},
	{
		crawlers: {
			search: "SeznamBot",
		},
	},
	{
		crawlers: {
			search: "Qwantbot, Qwantbot-news > Qwantbot, Qwantify",
		},
	},
	{
		crawlers: {
			search: "MojeekBot",
		},
	},
	{
		crawlers: {
			search: "Mail.RU_Bot",
		},
	},
	{
		crawlers: {
			search: "coccocbot, coccocbot-web, coccocbot-image",
		},
	},
	{
		crawlers: {
			search: "Kagibot",
		},
	},
	{
		crawlers: {
			search: "Exabot",
		},
	},
	{
		crawlers: {
			archive: "archive.org_bot, ia_archiver, special_archiver",
		},
	},
	{
		crawlers: {
			archive: "Arquivo-web-crawler",
		},
	},
	{
		crawlers: {
			archive: "bnf.fr_bot",
		},
	},
	{
		crawlers: {
			seo: "AhrefsBot, AhrefsSiteAudit",
		},
	},
	{
		crawlers: {
			seo: `SemrushBot, SemrushBot-BA, SemrushBot-CT, SemrushBot-FT, SemrushBot-OCOB, SemrushBot-SA,
				SemrushBot-SI, SemrushBot-SWA, SiteAuditBot, SplitSignalBot`,
		},
	},
	{
		crawlers: {
			seo: "MJ12bot",
		},
	},
	{
		crawlers: {
			seo: "DotBot",
		},
	},
	{
		crawlers: {
			seo: "rogerbot",
		},
	},
	{
		crawlers: {
			seo: "Screaming Frog SEO Spider",
		},
	},
	{
		crawlers: {
			seo: "SISTRIX",
		},
	},
	{
		crawlers: {
			seo: "BLEXBot",
		},
	},
	{
		crawlers: {
			seo: "SERankingBacklinksBot",
		},
	},
	{
		crawlers: {
			seo: "DataForSeoBot",
		},
	},
	{
		crawlers: {
			seo: "serpstatbot",
		},
	},
	{
		crawlers: {
			seo: "Barkrowler",
		},
	},
	{
		crawlers: {
			seo: "SEOkicks",
		},
	},
	{
		crawlers: {
			seo: "SeobilityBot",
		},
	},
	{
		crawlers: {
			seo: "MegaIndex.ru",
		},
	},
	{
		crawlers: {
			seo: "OnCrawl",
		},
	},
	{
		crawlers: {
			ads: "CriteoBot",
		},
	},
	{
		crawlers: {
			ads: "GrapeshotCrawler",
		},
	},
	{
		crawlers: {
			preview: "Twitterbot",
		},
	},
	{
		crawlers: {
			preview: "LinkedInBot",
		},
	},
	{
		crawlers: {
			preview:
				"Slackbot, Slackbot-LinkExpanding > Slackbot, Slack-ImgProxy > Slackbot",
		},
	},
	{
		crawlers: {
			preview: "Discordbot",
		},
	},
	{
		crawlers: {
			preview: "TelegramBot",
		},
	},
	{
		crawlers: {
			preview: "Pinterestbot",
		},
	},
	{
		crawlers: {
			preview: "redditbot",
		},
	},
	{
		crawlers: {
			preview: "Snap URL Preview Service",
		},
	},
	{
		crawlers: {
			preview: "FlipboardProxy",
		},
	},
	{
		crawlers: {
			preview: "Iframely",
		},
	},
	{
		withoutRobotsTxt: {
			feed: "Feedly",
		},
	},
	{
		crawlers: {
			monitoring: "UptimeRobot",
		},
	},
	{
		crawlers: {
			monitoring: "Pingdom.com_bot, PingdomPageSpeed",
		},
	},
	{
		crawlers: {
			monitoring: "StatusCake",
		},
	},
	{
		crawlers: {
			monitoring: "Site24x7",
		},
	},
	{
		crawlers: {
			monitoring: "Better Uptime Bot",
		},
	},
	{
		withoutRobotsTxt: {
			monitoring: "Chrome-Lighthouse",
		},
	},
	{
		crawlers: {
			monitoring: "W3C-checklink",
		},
		withoutRobotsTxt: {
			monitoring: "W3C_Validator",
		},
	},
	{
		crawlers: {
			research: "magpie-crawler",
		},
	},
	{
		crawlers: {
			research: "AwarioBot, AwarioSmartBot, AwarioRssBot, Awario",
		},
	},
	{
		crawlers: {
			research: "TurnitinBot",
		},
	},
	{
		withoutRobotsTxt: {
			security: "CensysInspect",
		},
	},
];
