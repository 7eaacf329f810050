/** User-Agent headers that crawlers and others really send, and the product token in each. */

const mozilla = "Mozilla/5.0";
const webKit = "AppleWebKit/537.36 (KHTML, like Gecko";
const windows = `${mozilla} (Windows NT 10.0; Win64; x64) ${webKit})`;
const mac = `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webKit})`;
const linux = `${mozilla} (X11; Linux x86_64) ${webKit})`;
const nexus = `${mozilla} (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${webKit}) Chrome/125.0.6422.175 Mobile Safari/537.36`;
const iPhone = `${mozilla} (iPhone; CPU iPhone OS 8_3 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) Version/8.0 Mobile/12F70 Safari/600.1.4`;
const chrome = "Chrome/125.0.0.0 Safari/537.36";
const compatible = (text: string) => `${mozilla} (compatible; ${text})`;
const webKitCompatible = (text: string) =>
	`${mozilla} ${webKit}; compatible; ${text})`;

type Rows = readonly (readonly [header: string, token: string])[];

/** Of crawlers in the table. */
export const knownSenders: Rows = [
	[compatible("ExaBot/1.0; +https://exa.ai"), "ExaBot"],
	[
		`${webKitCompatible("Gemini-Deep-Research; +https://gemini.google/overview/deep-research/")} ${chrome}`,
		"Gemini-Deep-Research",
	],
	[`${linux} ${chrome}; Devin/1.0; +https://devin.ai`, "Devin"],
	[compatible("Googlebot/2.1; +http://www.google.com/bot.html"), "Googlebot"],
	[
		`${webKitCompatible("Googlebot/2.1; +http://www.google.com/bot.html")} Chrome/125.0.6422.175 Safari/537.36`,
		"Googlebot",
	],
	[
		`${nexus} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
		"Googlebot",
	],
	[
		`${iPhone} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
		"Googlebot",
	],
	["Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot"],
	["Googlebot/2.1 (+http://www.googlebot.com/bot.html)", "Googlebot"],
	["Googlebot-Image/1.0", "Googlebot-Image"],
	["Googlebot-Video/1.0", "Googlebot-Video"],
	[
		"SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 UP.Browser/6.2.3.3.c.1.101 (GUI) MMP/2.0 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)",
		"Googlebot-Mobile",
	],
	[
		"DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)",
		"Googlebot-Mobile",
	],
	["AdsBot-Google (+http://www.google.com/adsbot.html)", "AdsBot-Google"],
	[
		`${nexus} (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html)`,
		"AdsBot-Google-Mobile",
	],
	["AdsBot-Google-Mobile-Apps", "AdsBot-Google-Mobile-Apps"],
	["Mediapartners-Google", "Mediapartners-Google"],
	[
		`${nexus} (compatible; Mediapartners-Google/2.1; +http://www.google.com/bot.html)`,
		"Mediapartners-Google",
	],
	[
		"APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html)",
		"APIs-Google",
	],
	[
		"FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)",
		"FeedFetcher-Google",
	],
	[compatible("Google-InspectionTool/1.0;"), "Google-InspectionTool"],
	[
		`${nexus} (compatible; Google-InspectionTool/1.0;)`,
		"Google-InspectionTool",
	],
	[`${linux.slice(0, -1)}; Storebot-Google/1.0) ${chrome}`, "Storebot-Google"],
	[compatible("GoogleOther"), "GoogleOther"],
	["GoogleOther-Image/1.0", "GoogleOther-Image"],
	[compatible("Google-Site-Verification/1.0"), "Google-Site-Verification"],
	[
		`${linux} Chrome/84.0.4143.7 Mobile Safari/537.36 Chrome-Lighthouse`,
		"Chrome-Lighthouse",
	],
	[compatible("bingbot/2.0; +http://www.bing.com/bingbot.htm"), "bingbot"],
	[
		`${webKitCompatible("bingbot/2.0; +http://www.bing.com/bingbot.htm")} ${chrome}`,
		"bingbot",
	],
	[
		`${nexus} (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)`,
		"bingbot",
	],
	["msnbot/2.0b (+http://search.msn.com/msnbot.htm)", "msnbot"],
	["msnbot-media/1.1 (+http://search.msn.com/msnbot.htm)", "msnbot-media"],
	[`${windows} ${chrome} BingPreview/1.0b`, "BingPreview"],
	[
		"Mozilla/5.0 (Windows Phone 8.1; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 530) like Gecko (compatible; adidxbot/2.0; +http://www.bing.com/bingbot.htm)",
		"AdIdxBot",
	],
	[compatible("YandexBot/3.0; +http://yandex.com/bots"), "YandexBot"],
	[
		`${iPhone} (compatible; YandexBot/3.0; +http://yandex.com/bots)`,
		"YandexBot",
	],
	[compatible("YandexImages/3.0; +http://yandex.com/bots"), "YandexImages"],
	[
		compatible("YandexMetrika/2.0; +http://yandex.com/bots yabs01"),
		"YandexMetrika",
	],
	[
		compatible("YandexAccessibilityBot/3.0; +http://yandex.com/bots"),
		"YandexAccessibilityBot",
	],
	[
		compatible("YaDirectFetcher/1.0; Dyatel; +http://yandex.com/bots"),
		"YaDirectFetcher",
	],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
		"Applebot",
	],
	[`${iPhone} (Applebot/0.1; +http://www.apple.com/go/applebot)`, "Applebot"],
	[compatible("Applebot/0.3; +http://www.apple.com/go/applebot"), "Applebot"],
	[`${webKitCompatible("GPTBot/1.2; +https://openai.com/gptbot")}`, "GPTBot"],
	[
		`${mozilla} ${webKit}); compatible; GPTBot/1.1; +https://openai.com/gptbot`,
		"GPTBot",
	],
	[
		`${mozilla} ${webKit}); compatible; ChatGPT-User/1.0; +https://openai.com/bot`,
		"ChatGPT-User",
	],
	[
		`${mac} Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot`,
		"OAI-SearchBot",
	],
	[webKitCompatible("ClaudeBot/1.0; +claudebot@anthropic.com"), "ClaudeBot"],
	[
		webKitCompatible("Claude-User/1.0; +Claude-User@anthropic.com"),
		"Claude-User",
	],
	[
		webKitCompatible("PerplexityBot/1.0; +https://perplexity.ai/perplexitybot"),
		"PerplexityBot",
	],
	[
		webKitCompatible(
			"Perplexity-User/1.0; +https://perplexity.ai/perplexity-user",
		),
		"Perplexity-User",
	],
	[
		"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
		"facebookexternalhit",
	],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
		"facebookexternalhit",
	],
	[
		"meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
		"meta-externalagent",
	],
	["WhatsApp/2.23.20.0 A", "WhatsApp"],
	[
		`${windows.slice(0, -1)}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36`,
		"Amazonbot",
	],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)",
		"Amazonbot",
	],
	[
		"Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
		"Bytespider",
	],
	[
		"Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.0.0 Safari/537.36",
		"Bytespider",
	],
	["CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"],
	[
		webKitCompatible("MistralAI-User/1.0; +https://docs.mistral.ai/robots"),
		"MistralAI-User",
	],
	[
		"Mozilla/5.0 (compatible) AI2Bot (+https://www.allenai.org/crawler)",
		"AI2Bot",
	],
	[
		`${nexus} (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)`,
		"PetalBot",
	],
	[
		"Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 (.NET CLR 3.5.30729; Diffbot/0.1)",
		"Diffbot",
	],
	[compatible("ImagesiftBot; +imagesift.com"), "ImagesiftBot"],
	["Timpibot/0.9 (+http://www.timpi.io)", "Timpibot"],
	["DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)", "DuckDuckBot"],
	[
		compatible("DuckDuckGo-Favicons-Bot/1.0; +http://duckduckgo.com"),
		"DuckDuckGo-Favicons-Bot",
	],
	[
		compatible("Baiduspider/2.0; +http://www.baidu.com/search/spider.html"),
		"Baiduspider",
	],
	["Baiduspider+(+http://www.baidu.com/search/spider.htm)", "Baiduspider"],
	[
		"Baiduspider-image+(+http://www.baidu.com/search/spider.htm)",
		"Baiduspider-image",
	],
	[
		compatible(
			"Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html",
		),
		"Baiduspider-render",
	],
	[
		compatible("Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp"),
		"Slurp",
	],
	[
		compatible("Yahoo! Slurp China; http://misc.yahoo.com.cn/help.html"),
		"Slurp",
	],
	[
		"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
		"Sogou web spider",
	],
	[
		"Sogou Pic Spider/3.0( http://www.sogou.com/docs/help/webmasters.htm#07)",
		"Sogou Pic Spider",
	],
	[
		"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider",
		"360Spider",
	],
	[compatible("Yeti/1.1; +http://naver.me/spd"), "Yeti"],
	[
		compatible("SeznamBot/4.0; +http://napoveda.seznam.cz/seznambot-intro/"),
		"SeznamBot",
	],
	[compatible("Qwantify/2.4w; +https://www.qwant.com/"), "Qwantify"],
	[compatible("MojeekBot/0.11; +https://www.mojeek.com/bot.html"), "MojeekBot"],
	[
		compatible("Linux x86_64; Mail.RU_Bot/2.0; +http://go.mail.ru/help/robots"),
		"Mail.RU_Bot",
	],
	[
		compatible("coccocbot-web/1.0; +http://help.coccoc.com/searchengine"),
		"coccocbot-web",
	],
	[
		compatible("Exabot/3.0 (BiggerBetter); +http://www.exabot.com/go/robot"),
		"Exabot",
	],
	[
		compatible(
			"archive.org_bot +http://www.archive.org/details/archive.org_bot",
		),
		"archive.org_bot",
	],
	[
		"ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
		"ia_archiver",
	],
	[
		compatible(
			"special_archiver/3.1.1 +http://www.archive.org/details/archive.org_bot",
		),
		"special_archiver",
	],
	[
		"Arquivo-web-crawler (compatible; heritrix/3.4.0-20200304 +https://arquivo.pt/faq-crawling)",
		"Arquivo-web-crawler",
	],
	[
		compatible(
			"bnf.fr_bot; +https://www.bnf.fr/fr/capture-de-votre-site-web-par-le-robot-de-la-bnf",
		),
		"bnf.fr_bot",
	],
	[compatible("AhrefsBot/7.0; +http://ahrefs.com/robot/"), "AhrefsBot"],
	[
		compatible("AhrefsSiteAudit/6.1; +http://ahrefs.com/robot/site-audit"),
		"AhrefsSiteAudit",
	],
	[
		compatible("SemrushBot/7~bl; +http://www.semrush.com/bot.html"),
		"SemrushBot",
	],
	[
		compatible("SemrushBot-BA; +http://www.semrush.com/bot.html"),
		"SemrushBot-BA",
	],
	[
		compatible("SiteAuditBot/0.97; +http://www.semrush.com/bot.html"),
		"SiteAuditBot",
	],
	[compatible("MJ12bot/v1.4.8; http://mj12bot.com/"), "MJ12bot"],
	[
		compatible(
			"DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com",
		),
		"DotBot",
	],
	[
		"rogerbot/1.2 (https://moz.com/help/guides/moz-procedures/what-is-rogerbot, rogerbot-crawler+shiny@moz.com)",
		"rogerbot",
	],
	["Screaming Frog SEO Spider/19.4", "Screaming Frog SEO Spider"],
	[compatible("SISTRIX Crawler; http://crawler.sistrix.net/"), "SISTRIX"],
	[compatible("BLEXBot/1.0; +http://webmeup-crawler.com/"), "BLEXBot"],
	[
		compatible("DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot"),
		"DataForSeoBot",
	],
	[
		"serpstatbot/2.1 (advanced backlink tracking bot; https://serpstatbot.com/; abuse@serpstatbot.com)",
		"serpstatbot",
	],
	[compatible("Barkrowler/0.9; +https://babbar.tech/crawler"), "Barkrowler"],
	[compatible("SEOkicks; +https://www.seokicks.de/robot.html"), "SEOkicks"],
	[
		compatible("MegaIndex.ru/2.0; +http://megaindex.com/crawler"),
		"MegaIndex.ru",
	],
	[
		"Mozilla/5.0 (compatible; GrapeshotCrawler/2.0; +http://www.grapeshot.co.uk/crawler.php)",
		"GrapeshotCrawler",
	],
	["CriteoBot/0.1 (+https://www.criteo.com/criteo-crawler/)", "CriteoBot"],
	["Twitterbot/1.0", "Twitterbot"],
	[
		"LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
		"LinkedInBot",
	],
	[
		"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
		"Slackbot-LinkExpanding",
	],
	["Slackbot 1.0 (+https://api.slack.com/robots)", "Slackbot"],
	["Slack-ImgProxy (+https://api.slack.com/robots)", "Slack-ImgProxy"],
	[compatible("Discordbot/2.0; +https://discordapp.com"), "Discordbot"],
	["TelegramBot (like TwitterBot)", "TelegramBot"],
	[
		compatible("Pinterestbot/1.0; +http://www.pinterest.com/bot.html"),
		"Pinterestbot",
	],
	[compatible("redditbot/1.0; +http://www.reddit.com/feedback"), "redditbot"],
	[
		compatible("FlipboardProxy/1.2; +http://flipboard.com/browserproxy"),
		"FlipboardProxy",
	],
	["Iframely/1.3.1 (+https://iframely.com/docs/about)", "Iframely"],
	[
		"Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)",
		"Feedly",
	],
	[
		"Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
		"UptimeRobot",
	],
	["Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)", "Pingdom.com_bot"],
	[
		"Better Uptime Bot Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
		"Better Uptime Bot",
	],
	["W3C-checklink/4.81 libwww-perl/6.05", "W3C-checklink"],
	["W3C_Validator/1.3 http://validator.w3.org/services", "W3C_Validator"],
	[
		"magpie-crawler/1.1 (U; Linux amd64; en-GB; +http://www.brandwatch.net)",
		"magpie-crawler",
	],
	[
		"TurnitinBot/3.0 (http://www.turnitin.com/robot/crawlerinfo.html)",
		"TurnitinBot",
	],
	[compatible("CensysInspect/1.1; +https://about.censys.io/"), "CensysInspect"],
];

/** Of crawlers, libraries and tools that are not in the table. */
export const unknownSenders: Rows = [
	[compatible("008/0.83; http://www.80legs.com/webcrawler.html"), "008"],
	[compatible("acapbot/0.1;treat like Googlebot"), "acapbot"],
	[compatible("Artemis; CERT PL; +https://cert.pl/skanowanie"), "Artemis"],
	[compatible("BW/1.3; rb.gy/qyzae5"), "BW"],
	[compatible("Cincraw/1.0; +http://cincrawdata.net/bot/"), "Cincraw"],
	[compatible("Dataprovider.com"), "Dataprovider"],
	[compatible("DNSResearchBot/2.1; +http://195.164.49.70"), "DNSResearchBot"],
	[
		compatible("ev-crawler/1.0; +https://headline.com/legal/crawler"),
		"ev-crawler",
	],
	[
		compatible(
			"Feedspot/1.0 (+https://www.feedspot.com/fs/fetcher; like FeedFetcher-Google)",
		),
		"Feedspot",
	],
	[
		compatible("heritrix/3.3.0-SNAPSHOT-20150603-0412 +http://example.org"),
		"heritrix",
	],
	[compatible("inoreader.com; 1 subscribers"), "inoreader"],
	[compatible("intelx.io_bot +https://intelx.io"), "intelx"],
	[
		compatible("InternetMeasurement/1.0; +https://internet-measurement.com/"),
		"InternetMeasurement",
	],
	[
		compatible("Let's Encrypt validation server; +https://www.letsencrypt.org"),
		"Let",
	],
	[compatible("Linux; AGAKIDSBOT/3.1 +agakids.ru/project"), "AGAKIDSBOT"],
	[
		compatible(
			"Lipperhey-Kaus-Australis/5.0; +https://www.lipperhey.com/en/about/",
		),
		"Lipperhey-Kaus-Australis",
	],
	[compatible("Miniflux/2.0.50; +https://miniflux.app"), "Miniflux"],
	[
		compatible("NetcraftSurveyAgent/1.0; +info@netcraft.com"),
		"NetcraftSurveyAgent",
	],
	[
		compatible("Nimbostratus-Bot/v1.3.2; http://cloudsystemnetworks.com"),
		"Nimbostratus-Bot",
	],
	[compatible("Odin; https://docs.getodin.com/"), "Odin"],
	[compatible("PR-CY.RU; + https://a.pr-cy.ru"), "PR-CY"],
	[compatible("proximic; +https://www.comscore.com/Web-Crawler"), "proximic"],
	[
		compatible("rss-is-dead.lol web bot; +https://rss-is-dead.lol"),
		"rss-is-dead",
	],
	[compatible("SeekportBot; +https://bot.seekport.com"), "SeekportBot"],
	[compatible("spbot/5.0.3; +http://OpenLinkProfiler.org/bot"), "spbot"],
	[
		compatible("t3versionsBot/1.0; +https://www.t3versions.com/bot"),
		"t3versionsBot",
	],
	[
		compatible(
			"U; AnyEvent-HTTP/2.24; +http://software.schmorp.de/pkg/AnyEvent",
		),
		"AnyEvent-HTTP",
	],
	[
		compatible("VelenPublicWebCrawler/1.0; +https://velen.io"),
		"VelenPublicWebCrawler",
	],
	[compatible("woorankreview/2.0; +https://www.woorank.com/"), "woorankreview"],
	[compatible("yoozBot-2.2; http://yooz.ir; info@yooz.ir"), "yoozBot"],
	[
		`${webKitCompatible("GeedoProductSearch; +http://www.geedo.com/product-search.html")} ${chrome}`,
		"GeedoProductSearch",
	],
	[
		`${windows.slice(0, -1)}; compatible; Friendly_Crawler/2.0) ${chrome}`,
		"Friendly_Crawler",
	],
	[
		`${mozilla} ${webKit}; rakutenusabot-image/1.0) ${chrome}`,
		"rakutenusabot-image",
	],
	[
		`${mac} ${chrome} ArchiveBox/0.7.2 (+https://github.com/ArchiveBox/ArchiveBox/)`,
		"ArchiveBox",
	],
	[
		`${mac} ${chrome} AppEngine-Google; (+http://code.google.com/appengine; appid: s~virustotalcloud)`,
		"AppEngine-Google",
	],
	["Mozilla/5.0 (l9scan/2.0; +https://github.com/LeakIX/l9scan)", "l9scan"],
	[
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; trendictionbot0.5.0; trendiction search; http://www.trendiction.de/bot)",
		"trendictionbot",
	],
	[
		"Mozilla/4.0 (compatible; grub-client-1.5.3; Crawl your own stuff with http://grub.org)",
		"grub-client",
	],
	[
		"Mozilla/4.0 compatible ZyBorg/1.0 (wn-14.zyborg@looksmart.net; http://www.WISEnutbot.com)",
		"ZyBorg",
	],
	[
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.0; Offline Explorer; MSIECrawler)",
		"MSIECrawler",
	],
	["Mozilla/5.0 Moreover/5.1 (+http://www.moreover.com)", "Moreover"],
	["FreshRSS/1.11.2 (Linux; https://freshrss.org) like Googlebot", "FreshRSS"],
	["SentiBot www.sentibot.eu (compatible with Googlebot)", "SentiBot"],
	["Gwene/1.0 (The gwene.org rss-to-news gateway) Googlebot", "Gwene"],
	["curl/8.5.0", "curl"],
	["Wget/1.21.4 (linux-gnu)", "Wget"],
	["Wget/1.9+cvs-stable (Red Hat modified)", "Wget"],
	["python-requests/2.31.0", "python-requests"],
	["Python-urllib/3.11", "Python-urllib"],
	["Python/3.9 aiohttp/3.7.3", "Python"],
	["Go-http-client/1.1", "Go-http-client"],
	["Apache-HttpClient/4.5.13 (Java/1.8.0_292)", "Apache-HttpClient"],
	["Jakarta Commons-HttpClient/3.1", "Jakarta"],
	["libwww-perl/6.67", "libwww-perl"],
	["okhttp/4.9.3", "okhttp"],
	["axios/1.6.0", "axios"],
	["node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "node-fetch"],
	["got (https://github.com/sindresorhus/got)", "got"],
	["Scrapy/2.11.0 (+https://scrapy.org)", "Scrapy"],
	["HTTrack/3.0x", "HTTrack"],
	["FeedBurner/1.0 (http://www.FeedBurner.com)", "FeedBurner"],
	["Tiny Tiny RSS/19.2 (http://tt-rss.org/)", "Tiny"],
	[
		"Nutch/2.2.1 (page scorer; http://integralads.com/site-indexing-policy/)",
		"Nutch",
	],
	[
		"DirBuster-1.0-RC1 (http://www.owasp.org/index.php/Category:OWASP_DirBuster_Project)",
		"DirBuster",
	],
	[
		"NetResearchServer/4.0(loopimprovements.com/robot.html)",
		"NetResearchServer",
	],
	["www.deadlinkchecker.com XMLHTTP/1.0", "www"],
];

/** Of browsers: "Mozilla" says nothing, other first products are given as they are. */
export const browsers: Rows = [
	[`${windows} ${chrome}`, "Mozilla"],
	[`${windows} ${chrome} Edg/125.0.0.0`, "Mozilla"],
	[`${windows} ${chrome} OPR/110.0.0.0`, "Mozilla"],
	[`${linux} ${chrome} Vivaldi/6.7.3329.35`, "Mozilla"],
	[
		`${mozilla} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`,
		"Mozilla",
	],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
		"Mozilla",
	],
	[
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
		"Mozilla",
	],
	[
		"Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
		"Mozilla",
	],
	[
		"Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
		"Mozilla",
	],
	[
		"Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
		"Mozilla",
	],
	[
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1; .NET CLR 1.1.4322)",
		"Mozilla",
	],
	[
		"Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
		"Mozilla",
	],
	["Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18", "Opera"],
	["Lynx/2.8.9rel.1 libwww-FM/2.14 SSL-MM/1.4.1", "Lynx"],
	[
		"Dalvik/2.1.0 (Linux; U; Android 13; SM-A515F Build/TP1A.220624.014)",
		"Dalvik",
	],
];

/** Shapes that none of the above has, and broken ones. */
export const oddHeaders: Rows = [
	[`${webKitCompatible("AcmeBot2/1.0")}`, "AcmeBot2"],
	[webKitCompatible("AcmeBot-Images/1.0"), "AcmeBot-Images"],
	[webKitCompatible("Acme-Fetcher"), "Acme-Fetcher"],
	[`${windows} ${chrome} AcmeBot-Images/1.0`, "AcmeBot-Images"],
	["AcmeBot/1.0 (like Twitterbot)", "AcmeBot"],
	["AcmeBot/1.0 (like Twitterbot; bingbot)", "AcmeBot"],
	["AcmeBot (behaves like (Twitterbot))", "AcmeBot"],
	["AcmeBot/1.0 like Twitterbot/1.0", "AcmeBot"],
	["AcmeBot/1.0 (compatible with Googlebot)", "AcmeBot"],
	["AcmeBot/1.0 (not Googlebot)", "AcmeBot"],
	["AcmeBot/1.0 Googlebot/2.1", "AcmeBot"],
	["AcmeBot/1.0", "AcmeBot"],
	["acmebot\t(x)", "acmebot"],
	["Acme/1.0 (compatible; AcmeBot/2.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible;AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (COMPATIBLE; AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible, AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible: AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible; +https://acme.example/; AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible; AcmeBot/1.0; Googlebot)", "AcmeBot"],
	["Mozilla/5.0 (X11; (compatible; AcmeBot/1.0))", "AcmeBot"],
	["Mozilla/5.0 (compatible; (nested (deeper)) AcmeBot/1.0)", "nested"],
	["Mozilla/5.0 (compatible; AcmeBot/1.0", "AcmeBot"],
	["Mozilla/5.0 (compatible; AcmeBot", "AcmeBot"],
	["Mozilla/5.0 ((((compatible; AcmeBot", "AcmeBot"],
	["Mozilla/5.0 )))) (compatible; AcmeBot)", "AcmeBot"],
	["Mozilla/5.0 (a \\) b; compatible; AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (a \\( b) Acme (compatible; AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (Acme\\Bot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (compatible; AcmeBot\\", "AcmeBot"],
	["Mozilla/5.0 (AcmeBot/1.0) (not Googlebot)", "AcmeBot"],
	["Mozilla/5.0 (X11) AcmeBot/1.0 (not Googlebot)", "AcmeBot"],
	[
		"Mozilla/5.0 (bot@acme.example; https://acme.example/Googlebot,bingbot)",
		"Mozilla",
	],
	["https://acme.example/Googlebot", ""],
	['"Mozilla/5.0 (compatible; AcmeBot/1.0)"', "AcmeBot"],
	['"AcmeBot/1.0"', "AcmeBot"],
	["AcmeBot1.0", "AcmeBot"],
	["Acme.Bot/1.0", "Acme"],
	["(compatible; AcmeBot/1.0)", "AcmeBot"],
	["(none)", ""],
	["(compatible)", ""],
	["(compatible;)", ""],
	["Mozilla/5.0 (compatible;)", "Mozilla"],
	["Mozilla", "Mozilla"],
	["", ""],
	["   ", ""],
	["()", ""],
	[")", ""],
	[";;;", ""],
	["\\", ""],
	["/1.0", ""],
	["*", ""],
	["\u00dcber-Bot/1.0", ""],
	["Foo,Googlebot/2.1", "Foo"],
	["Foo a,Googlebot/2.1", "Foo"],
	["Mozilla/5.0 Foo\u0080Bot/1.0", "Foo"],
	["Mozilla/5.0 ) AcmeBot/1.0", "AcmeBot"],
	["like", "like"],
	["Mozilla/5.0 like  Twitterbot/1.0", "Mozilla"],
	["Mozilla/5.0 like Gecko AcmeBot/1.0", "AcmeBot"],
	["Mozilla/5.0 like (AcmeBot/1.0)", "AcmeBot"],
	["Mozilla/5.0 (like Gecko Googlebot)", "Mozilla"],
	["Mozilla/5.0 (like (a) Twitterbot)", "Mozilla"],
	["Mozilla/5.0 (compatible, Acme/1.0)", "Acme"],
	["Mozilla/5.0 (compatible Acme/1.0)", "Acme"],
	["Mozilla/5.0 (compatible (Acme/1.0))", "Mozilla"],
	["Mozilla/5.0 (compatible;) (Acme/1.0)", "Mozilla"],
	["Mozilla/5.0 (compatible with Googlebot)", "Mozilla"],
	["Mozilla/5.0 (foo compatible Acme/1.0)", "Mozilla"],
	["Mozilla/5.0 (compatible; *; Acme/1.0)", "Acme"],
	["Mozilla/4.0 (compatible; MSIE 6.0) (compatible; Acme/1.0)", "Acme"],
	[
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; AcmeBot) FooBot/1.0",
		"AcmeBot",
	],
	["Mozilla/5.0 www.bot.example", "Mozilla"],
	["Mozilla/5.0 (x) www.bot.example", "Mozilla"],
	["Mozilla/5.0 (www.bot.example)", "Mozilla"],
	["(www.bot.example)", ""],
	["Mozilla/5.0 (Acmewww.bot/1.0)", "Acmewww"],
	["Mozilla/5.0 a+Bot/1.0+http://acme.example", "a"],
	["Mozilla/5.0 (Acme; +http://acme.example)", "Mozilla"],
	["Mozilla/5.0 (Acme/1.0; Foo; +http://acme.example)", "Mozilla"],
	["Mozilla/5.0 (Acme/1.0; see http://acme.example)", "Acme"],
	["Mozilla/5.0 (Acme/1.0; compatible; +http://acme.example)", "Acme"],
	["Mozilla/5.0 (+http://a.example) Acme/1.0 (+http://acme.example)", "Acme"],
	["(AcmeBot/1.0)", "AcmeBot"],
	["NotMozilla (AcmeBot/1.0)", "NotMozilla"],
	["Mozilla-X (AcmeBot/1.0)", "Mozilla-X"],
	["Mozilla/5.0 (FooBot/1.0) AcmeBot/1.0", "AcmeBot"],
	["Mozilla/5.0 FooBot/1.0 Googlebot/2.1", "FooBot"],
	["Mozilla/5.0 (\u00dcber-Bot/1.0)", "Mozilla"],
];
