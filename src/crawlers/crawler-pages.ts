/**
 * What operators say about their crawlers, by the first name of a family of crawler-data.ts. crawlers.ts makes `crawlers` of both. A row has
 * the operator's page and the day it was checked; `npm run crawlers:check` compares rows with the pages.
 */
/** An operator's page about some crawlers. */
export interface CrawlerPage {
	readonly operator: string;
	/** URL of the page. Left out where none is known: no home pages. */
	readonly documentation?: string;
	/** Files or pages with the addresses they come from. */
	readonly addressRanges?: readonly string[];
	/** Domains of their host names, and the page that names them: `documentation` where it is left out. */
	readonly hosts?: {
		readonly domains: readonly string[];
		readonly source?: string;
	};
	/** Day on which the rows were compared with the page. */
	readonly checked?: string;
}

const google = "https://developers.google.com/crawling/docs/crawlers-fetchers/";
const googleRanges = "https://developers.google.com/static/crawling/ipranges/";
const googleVerifying = `${google}verify-google-requests`;
const openai = "https://developers.openai.com/docs/bots";
const perplexity = "https://docs.perplexity.ai/guides/bots";
const diffbot = "https://docs.diffbot.com/docs/does-crawl-respect-robotstxt";
const checked = "2026-11-22";

/** A function, so that bundlers leave out what nothing calls: texts that are put together count as side effects. */
export function crawlerPages(): Readonly<Record<string, CrawlerPage>> {
	// Google's own machines; anybody can rent one that is called googleusercontent.com.
	const googleHosts = {
		domains: ["googlebot.com", "google.com"],
		source: googleVerifying,
	};
	return {
		Googlebot: {
			operator: "Google",
			documentation: `${google}google-common-crawlers`,
			addressRanges: [`${googleRanges}common-crawlers.json`],
			checked,
			hosts: googleHosts,
		},
		"Google-CloudVertexBot": {
			operator: "Google",
			documentation: `${google}google-common-crawlers`,
			addressRanges: [`${googleRanges}common-crawlers.json`],
			checked,
			hosts: googleHosts,
		},
		"AdsBot-Google": {
			operator: "Google",
			documentation: `${google}google-special-case-crawlers`,
			addressRanges: [`${googleRanges}special-crawlers.json`],
			checked,
			hosts: googleHosts,
		},
		"FeedFetcher-Google": {
			operator: "Google",
			documentation: `${google}google-user-triggered-fetchers`,
			addressRanges: [
				`${googleRanges}user-triggered-fetchers.json`,
				`${googleRanges}user-triggered-fetchers-google.json`,
				`${googleRanges}user-triggered-agents.json`,
			],
			checked,
			hosts: {
				domains: ["google.com", "gae.googleusercontent.com"],
				source: googleVerifying,
			},
		},
		"translate.google.com": {
			operator: "Google",
			documentation:
				"https://developers.google.com/search/docs/appearance/translated-results",
		},
		GoogleImageProxy: {
			operator: "Google",
			documentation: "https://support.google.com/mail/answer/145919",
		},
		GoogleDocs: {
			operator: "Google",
			documentation: "https://support.google.com/docs/answer/3093342",
		},
		"Google-Apps-Script": {
			operator: "Google",
			documentation:
				"https://developers.google.com/apps-script/reference/url-fetch/url-fetch-app",
		},
		bingbot: {
			operator: "Microsoft",
			documentation:
				"https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
			addressRanges: ["https://www.bing.com/toolbox/bingbot.json"],
			hosts: {
				domains: ["search.msn.com"],
				source:
					"https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26",
			},
		},
		MicrosoftPreview: {
			operator: "Microsoft",
			documentation:
				"https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
		},
		YandexBot: {
			operator: "Yandex",
			documentation:
				"https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html",
			addressRanges: ["https://yandex.com/ips"],
			hosts: { domains: ["yandex.ru", "yandex.net", "yandex.com"] },
		},
		Applebot: {
			operator: "Apple",
			documentation: "https://support.apple.com/en-us/119829",
			addressRanges: ["https://search.developer.apple.com/applebot.json"],
			checked,
			hosts: { domains: ["applebot.apple.com"] },
		},
		iTMS: {
			operator: "Apple",
			documentation: "https://support.apple.com/en-us/119829",
			addressRanges: ["https://search.developer.apple.com/applebot.json"],
			checked,
		},
		GPTBot: {
			operator: "OpenAI",
			documentation: openai,
			addressRanges: ["https://openai.com/gptbot.json"],
		},
		"OAI-SearchBot": {
			operator: "OpenAI",
			documentation: openai,
			addressRanges: ["https://openai.com/searchbot.json"],
		},
		"OAI-AdsBot": {
			operator: "OpenAI",
			documentation: openai,
		},
		"ChatGPT-User": {
			operator: "OpenAI",
			documentation: openai,
			addressRanges: ["https://openai.com/chatgpt-user.json"],
		},
		ClaudeBot: {
			operator: "Anthropic",
			documentation:
				"https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler",
			addressRanges: ["https://claude.com/crawling/bots.json"],
		},
		PerplexityBot: {
			operator: "Perplexity",
			documentation: perplexity,
			addressRanges: ["https://www.perplexity.ai/perplexitybot.json"],
		},
		"Perplexity-User": {
			operator: "Perplexity",
			documentation: perplexity,
			addressRanges: ["https://www.perplexity.ai/perplexity-user.json"],
		},
		"meta-externalagent": {
			operator: "Meta",
			documentation:
				"https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
		},
		Amazonbot: {
			operator: "Amazon",
			documentation: "https://developer.amazon.com/amazonbot",
			hosts: { domains: ["crawl.amazonbot.amazon"] },
		},
		"Amzn-SearchBot": {
			operator: "Amazon",
			documentation: "https://developer.amazon.com/amazonbot",
		},
		bedrockbot: {
			operator: "Amazon",
			documentation:
				"https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html",
		},
		Bytespider: {
			operator: "ByteDance",
		},
		CCBot: {
			operator: "Common Crawl",
			documentation: "https://commoncrawl.org/ccbot",
			hosts: { domains: ["crawl.commoncrawl.org"] },
		},
		"MistralAI-Training": {
			operator: "Mistral",
			documentation: "https://docs.mistral.ai/robots",
			checked,
		},
		KimiBot: {
			operator: "Moonshot AI",
			documentation: "https://www.kimi.com/policies/kimi-crawlers",
		},
		ShapBot: {
			operator: "Parallel",
			documentation: "https://docs.parallel.ai/resources/crawler",
			addressRanges: ["https://docs.parallel.ai/resources/shapbot.json"],
			checked,
		},
		"cohere-training-data-crawler": {
			operator: "Cohere",
		},
		AI2Bot: {
			operator: "Ai2",
			documentation: "https://allenai.org/crawler",
		},
		"amazon-kendra": {
			operator: "Amazon",
			documentation:
				"https://docs.aws.amazon.com/kendra/latest/dg/data-source-web-crawler.html",
		},
		"amazon-QBusiness": {
			operator: "Amazon",
			documentation:
				"https://docs.aws.amazon.com/amazonq/latest/business-use-dg/stop-web-crawler.html",
		},
		KlaviyoAIBot: {
			operator: "Klaviyo",
			documentation:
				"https://help.klaviyo.com/hc/en-us/articles/40496146232219",
		},
		AIWebIndex: {
			operator: "Lyrenth",
			documentation: "https://lyrenth.com/crawler-policy",
		},
		SBIntuitionsBot: {
			operator: "SB Intuitions",
			documentation: "https://www.sbintuitions.co.jp/en/bot/",
		},
		NovaAct: {
			operator: "Amazon",
			documentation:
				"https://docs.aws.amazon.com/nova-act/latest/userguide/what-is-nova-act.html",
		},
		"GoogleAgent-Mariner": {
			operator: "Google",
		},
		"ChatGPT Agent": {
			operator: "OpenAI",
		},
		"Claude-Code": {
			operator: "Anthropic",
		},
		Devin: {
			operator: "Cognition",
			documentation: "https://docs.devin.ai/get-started/devin-intro",
		},
		"Manus-User": {
			operator: "Butterfly Effect",
		},
		ExaBot: {
			operator: "Exa",
		},
		Crawl4AI: {
			operator: "whoever runs Crawl4AI",
			documentation: "https://github.com/unclecode/crawl4ai",
		},
		TavilyBot: {
			operator: "Tavily",
			documentation: "https://docs.tavily.com/documentation/search-crawler",
		},
		"AzureAI-SearchBot": {
			operator: "Microsoft",
		},
		CloudVertexBot: {
			operator: "Google",
		},
		"AI2Bot-DeepResearchEval": {
			operator: "Ai2",
		},
		"Shap-User": {
			operator: "Parallel",
		},
		"Mozilla-Tabstack": {
			operator: "Mozilla",
			documentation: "https://docs.tabstack.ai/trust/controlling-access",
		},
		LinerBot: {
			operator: "Liner",
			documentation: "https://docs.getliner.com/docs/linerbot",
		},
		TerraCotta: {
			operator: "Ceramic",
			documentation: "https://github.com/CeramicTeam/CeramicTerracotta",
		},
		AgentTimes: {
			operator: "not documented",
		},
		PetalBot: {
			operator: "Huawei",
			documentation: "https://webmaster.petalsearch.com/site/petalbot",
			hosts: { domains: ["petalsearch.com"] },
		},
		PanguBot: {
			operator: "Huawei",
			documentation: "https://webmaster.petalsearch.com/site/petalbot",
		},
		Diffbot: {
			operator: "Diffbot",
			documentation: diffbot,
			checked,
		},
		"Diffbot-User": {
			operator: "Diffbot",
			documentation: diffbot,
			checked,
		},
		omgili: {
			operator: "Webz.io",
			documentation: "https://webz.io/bot.html",
		},
		ImagesiftBot: {
			operator: "Hive",
			documentation: "https://imagesift.com/about",
		},
		Timpibot: {
			operator: "Timpi",
		},
		YouBot: {
			operator: "You.com",
			documentation: "https://about.you.com/youbot/",
		},
		DuckDuckBot: {
			operator: "DuckDuckGo",
			documentation:
				"https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot",
			addressRanges: ["https://duckduckgo.com/duckduckbot.json"],
		},
		DuckAssistBot: {
			operator: "DuckDuckGo",
			documentation:
				"https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot",
		},
		Baiduspider: {
			operator: "Baidu",
			documentation: "https://www.baidu.com/search/robots_english.html",
			hosts: {
				domains: ["baidu.com", "baidu.jp"],
				source: "https://help.baidu.com/question?prod_id=99&class=0&id=3001",
			},
		},
		Slurp: {
			operator: "Yahoo",
			documentation: "https://help.yahoo.com/kb/SLN22600.html",
		},
		Bravebot: {
			operator: "Brave",
			documentation: "https://search.brave.com/help/brave-search-crawler",
		},
		"Sogou web spider": {
			operator: "Sogou",
			documentation: "https://www.sogou.com/docs/help/webmasters.htm",
		},
		"360Spider": {
			operator: "Qihoo 360",
			documentation: "https://www.so.com/help/help_3_2.html",
		},
		YisouSpider: {
			operator: "Alibaba",
			documentation: "https://zhanzhang.sm.cn/open/info",
		},
		Yeti: {
			operator: "Naver",
			documentation: "https://searchadvisor.naver.com/guide/seo-basic-robots",
		},
		SeznamBot: {
			operator: "Seznam",
			documentation:
				"https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/",
			hosts: { domains: ["seznam.cz"] },
		},
		Qwantbot: {
			operator: "Qwant",
			documentation: "https://help.qwant.com/bot/",
		},
		MojeekBot: {
			operator: "Mojeek",
			documentation: "https://www.mojeek.com/bot.html",
		},
		"Mail.RU_Bot": {
			operator: "Mail.ru",
			documentation: "https://help.mail.ru/webmaster/indexing/robots.txt",
		},
		coccocbot: {
			operator: "Coc Coc",
			documentation: "https://help.coccoc.com/searchengine",
		},
		Kagibot: {
			operator: "Kagi",
			documentation: "https://kagi.com/bot",
		},
		Exabot: {
			operator: "Exalead",
			documentation: "http://www.exabot.com/go/robot",
		},
		"archive.org_bot": {
			operator: "Internet Archive",
			documentation: "https://archive.org/details/archive.org_bot",
		},
		"Arquivo-web-crawler": {
			operator: "Arquivo.pt",
			documentation: "https://arquivo.pt/faq-crawling",
		},
		"bnf.fr_bot": {
			operator: "Bibliothèque nationale de France",
			documentation: "https://www.bnf.fr/en/capture-your-web-pages-bnf",
		},
		AhrefsBot: {
			operator: "Ahrefs",
			documentation: "https://ahrefs.com/robot",
			addressRanges: ["https://api.ahrefs.com/v3/public/crawler-ips"],
			hosts: { domains: ["ahrefs.com", "ahrefs.net"] },
		},
		SemrushBot: {
			operator: "Semrush",
			documentation: "https://www.semrush.com/bot/",
		},
		MJ12bot: {
			operator: "Majestic",
			documentation: "https://mj12bot.com/",
		},
		DotBot: {
			operator: "Moz",
			documentation: "https://moz.com/help/moz-procedures/crawlers/dotbot",
		},
		rogerbot: {
			operator: "Moz",
			documentation: "https://moz.com/help/moz-procedures/crawlers/rogerbot",
		},
		"Screaming Frog SEO Spider": {
			operator: "Screaming Frog",
			documentation:
				"https://www.screamingfrog.co.uk/seo-spider/user-guide/configuration/",
		},
		SISTRIX: {
			operator: "SISTRIX",
			documentation: "http://crawler.sistrix.net/",
		},
		BLEXBot: {
			operator: "SEO PowerSuite",
			documentation: "http://webmeup-crawler.com/",
		},
		SERankingBacklinksBot: {
			operator: "SE Ranking",
			documentation: "https://seranking.com/backlinks-crawler",
		},
		DataForSeoBot: {
			operator: "DataForSEO",
			documentation: "https://dataforseo.com/dataforseo-bot",
		},
		serpstatbot: {
			operator: "Serpstat",
			documentation: "https://serpstatbot.com/",
		},
		Barkrowler: {
			operator: "Babbar",
			documentation: "https://babbar.tech/crawler",
		},
		SEOkicks: {
			operator: "SEOkicks",
			documentation: "https://www.seokicks.de/robot.html",
		},
		SeobilityBot: {
			operator: "seobility",
			documentation: "https://www.seobility.net/sites/bot.html",
		},
		"MegaIndex.ru": {
			operator: "MegaIndex",
			documentation: "http://megaindex.com/crawler",
		},
		OnCrawl: {
			operator: "OnCrawl",
		},
		CriteoBot: {
			operator: "Criteo",
			documentation: "https://www.criteo.com/criteo-crawler/",
		},
		GrapeshotCrawler: {
			operator: "Oracle",
			documentation:
				"https://www.oracle.com/corporate/acquisitions/grapeshot/crawler.html",
		},
		Twitterbot: {
			operator: "X",
			documentation:
				"https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started",
		},
		LinkedInBot: {
			operator: "LinkedIn",
		},
		Slackbot: {
			operator: "Slack",
			documentation: "https://api.slack.com/robots",
		},
		Discordbot: {
			operator: "Discord",
		},
		TelegramBot: {
			operator: "Telegram",
			addressRanges: ["https://core.telegram.org/resources/cidr.txt"],
		},
		Pinterestbot: {
			operator: "Pinterest",
			documentation:
				"https://help.pinterest.com/en/business/article/pinterestbot",
			hosts: { domains: ["pinterest.com"] },
		},
		redditbot: {
			operator: "Reddit",
		},
		"Snap URL Preview Service": {
			operator: "Snap",
			documentation: "https://developers.snap.com/robots",
		},
		FlipboardProxy: {
			operator: "Flipboard",
			documentation: "https://about.flipboard.com/browserproxy/",
		},
		Iframely: {
			operator: "Iframely",
			documentation: "https://iframely.com/docs/about",
		},
		Feedly: {
			operator: "Feedly",
			documentation: "https://www.feedly.com/fetcher.html",
		},
		UptimeRobot: {
			operator: "UptimeRobot",
			addressRanges: ["https://uptimerobot.com/inc/files/ips/IPv4andIPv6.txt"],
		},
		"Pingdom.com_bot": {
			operator: "Pingdom",
			addressRanges: [
				"https://my.pingdom.com/probes/ipv4",
				"https://my.pingdom.com/probes/ipv6",
			],
		},
		StatusCake: {
			operator: "StatusCake",
		},
		Site24x7: {
			operator: "Site24x7",
		},
		"Better Uptime Bot": {
			operator: "Better Stack",
			addressRanges: ["https://uptime.betterstack.com/ips.txt"],
		},
		"Chrome-Lighthouse": {
			operator: "Google",
			documentation: "https://developer.chrome.com/docs/lighthouse",
		},
		"W3C-checklink": {
			operator: "W3C",
			documentation: "https://validator.w3.org/services",
		},
		"magpie-crawler": {
			operator: "Brandwatch",
			documentation: "https://www.brandwatch.com/legal/magpie-crawler/",
		},
		AwarioBot: {
			operator: "Awario",
			documentation: "https://awario.com/bots.html",
		},
		TurnitinBot: {
			operator: "Turnitin",
			documentation: "https://www.turnitin.com/robot/crawlerinfo.html",
		},
		CensysInspect: {
			operator: "Censys",
		},
	};
}
