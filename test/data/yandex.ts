import type { Situation } from "./documents.ts";

const robots = {
	agents:
		"User-agent: YandexBot # только основной\nDisallow: /*id=\n\nUser-agent: Yandex # все, кроме основного\nDisallow: /*sid= # кроме\n\nUser-agent: * # не Яндекс\nDisallow: /cgi-bin\n",
	extended:
		"User-agent: Yandex\nAllow: /obsolete/private/*.html$ # html\n    # по пути\nDisallow: /*.php$\nDisallow: /*/private/\nDisallow: /*/old/*.zip$\n",
};

const yandex = (...rules: string[]) =>
	`User-agent: Yandex\n${rules.join("\n")}\n`;

/** The Yandex document, section by section; agent "Yandex" unless a row says otherwise. */
export const yandexDocument: readonly Situation[] = [
	{
		where: "User-agent: without groups access is not restricted",
		robots: "User-agent: Googlebot\nDisallow: /",
		allowed: ["/"],
	},
	{
		where: "User-agent: case does not matter",
		robots: "USER-AGENT: yANDEX\nDisallow: /",
		disallowed: ["/"],
	},
	{
		where: "User-agent: Yandex replaces *",
		robots: "User-agent: *\nDisallow: /a\nUser-agent: Yandex\nDisallow: /b",
		disallowed: ["/b"],
		allowed: ["/a"],
	},
	{
		where: "User-agent: * without Yandex",
		robots: "User-agent: *\nDisallow: /a",
		disallowed: ["/a"],
	},
	{
		where: "User-agent: YandexBot has directives of its own",
		robots: robots.agents,
		agent: "YandexBot",
		disallowed: ["/x?id=1", "/x?sid=1"],
		allowed: ["/cgi-bin"],
	},
	...[
		"YandexMedia",
		"YandexImages",
		"YandexCatalog",
		"YandexDirect",
		"YandexBlogs",
		"YandexNews",
		"YandexPagechecker",
	].map((agent) => ({
		where: `User-agent: ${agent} follows Yandex`,
		robots: robots.agents,
		agent,
		disallowed: ["/x?sid=1"],
		allowed: ["/x?id=1", "/cgi-bin"],
	})),
	{
		where: "User-agent: others follow *",
		robots: robots.agents,
		agent: "Otherbot",
		disallowed: ["/cgi-bin"],
		allowed: ["/x?id=1", "/x?sid=1"],
	},
	{
		where: "User-agent: a name is looked for anywhere in the line",
		robots:
			"User-agent: Mozilla/5.0 (compatible; YandexBot/3.0)\nDisallow: /a\nUser-agent: *\nDisallow: /b",
		agent: "YandexBot",
		disallowed: ["/a"],
		allowed: ["/b"],
	},
	{
		where: "User-agent: a robot's whole header",
		robots: robots.agents,
		agent: "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
		disallowed: ["/x?id=1"],
		allowed: ["/x?sid", "/cgi-bin"],
	},
	{
		where: "User-agent: a robot that the document does not name",
		robots: robots.agents,
		agent: "YandexNewest",
		disallowed: ["/x?sid=1"],
		allowed: ["/x?id=1", "/cgi-bin"],
	},
	{
		where: "Note: empty lines within a group, which should not be there",
		robots: "User-agent: Yandex\n\nDisallow: /a\n\n\nDisallow: /b\n",
		disallowed: ["/a", "/b"],
		allowed: ["/c"],
	},
	{
		where: "Note: what stands behind # does not count",
		robots: "#User-agent: *\nUser-agent: Yandex #x\nDisallow: /a#b\n#Allow: /",
		disallowed: ["/a", "/ab"],
		allowed: ["/"],
	},
	{
		where: "Disallow: the whole site",
		robots: yandex("Disallow: / # блокирует"),
		disallowed: ["/", "/a"],
	},
	{
		where: "Disallow: pages that begin with /cgi-bin",
		robots: yandex("Disallow: /cgi-bin # блокирует", "    #начинающимся"),
		disallowed: ["/cgi-bin", "/cgi-bin/a", "/cgi-binary"],
		allowed: ["/", "/a/cgi-bin"],
	},
	{
		where: "Allow: everything but pages that begin with /cgi-bin is forbidden",
		robots: yandex("Allow: /cgi-bin", "Disallow: /"),
		disallowed: ["/", "/a"],
		allowed: ["/cgi-bin", "/cgi-bin/a"],
	},
	{
		where: "Sorting: only /catalog",
		robots: yandex("Allow: /catalog", "Disallow: /"),
		disallowed: ["/", "/a"],
		allowed: ["/catalog", "/catalog/auto"],
	},
	{
		where: "Sorting: not /catalog, but /catalog/auto",
		robots: yandex("Allow: /", "Allow: /catalog/auto", "Disallow: /catalog"),
		disallowed: ["/catalog", "/catalog/a"],
		allowed: ["/", "/catalog/auto", "/catalog/auto/x"],
	},
	{
		where: "Sorting: Allow wins a tie",
		robots: yandex("Disallow: /catalog", "Allow: /catalog"),
		allowed: ["/catalog"],
	},
	{
		where: "Without parameters: Disallow is Allow: /",
		robots: yandex("Disallow: # то же, что и Allow: /"),
		allowed: ["/", "/a"],
	},
	{
		where: "Without parameters: Allow is Disallow: /",
		robots: yandex("Allow: # то же, что и Disallow: /"),
		disallowed: ["/", "/a"],
	},
	{
		where: "Without parameters: as short as /",
		robots: yandex("Allow:", "Allow: /a"),
		disallowed: ["/", "/b"],
		allowed: ["/a"],
	},
	{
		where: "Without parameters: Disallow ties with Disallow: / and allows",
		robots: yandex("Disallow: /", "Disallow:"),
		allowed: ["/", "/a"],
	},
	{
		where: "*: within a path, and in front of a name",
		robots: yandex("Disallow: /cgi-bin/*.aspx # и", "Disallow: /*private # не"),
		disallowed: [
			"/cgi-bin/example.aspx",
			"/cgi-bin/private/test.aspx",
			"/private",
			"/cgi-bin/private",
		],
		allowed: ["/cgi-bin/example.asp", "/example.aspx"],
	},
	...["/cgi-bin*", "/cgi-bin"].map((pattern) => ({
		where: `$: a * is understood at the end: ${pattern}`,
		robots: yandex(`Disallow: ${pattern} # то же самое`),
		disallowed: ["/cgi-bin", "/cgi-bin/a"],
		allowed: ["/cgi"],
	})),
	{
		where: "$: /example$",
		robots: yandex("Disallow: /example$ # запрещает"),
		disallowed: ["/example"],
		allowed: ["/example.html"],
	},
	...["/example", "/example*$"].map((pattern) => ({
		where: `$: ${pattern}`,
		robots: yandex(`Disallow: ${pattern} # так же`),
		disallowed: ["/example", "/example.html"],
		allowed: ["/exampl"],
	})),
	...["/example", "/example*$", "/example**$"].map((pattern) => ({
		where: `$: ${pattern} is as long as /example`,
		robots: yandex(`Disallow: ${pattern}`, "Allow: /*xample"),
		allowed: ["/example", "/example.html"],
	})),
	{
		where: "$: *$ is as long as *",
		robots: yandex("Disallow: *$", "Allow: /"),
		allowed: ["/", "/a"],
	},
	{
		where: "$: /a*$ is longer than /",
		robots: yandex("Disallow: /a*$", "Allow: /"),
		disallowed: ["/a", "/ab"],
		allowed: ["/b"],
	},
	{
		where: "$: behind another * it still counts",
		robots: yandex("Disallow: /a*b$", "Allow: /a**"),
		disallowed: ["/ab"],
		allowed: ["/abc"],
	},
	{
		where: "Further information: Allow: / beats Disallow: /",
		robots: yandex("Allow: /", "Disallow: /"),
		allowed: ["/", "/a"],
	},
	{
		where: "Further information: /private*html",
		robots: yandex("Disallow: /private*html"),
		disallowed: [
			"/private*html",
			"/private/test.html",
			"/private/html/test.aspx",
		],
		allowed: ["/private/test"],
	},
	{
		where: "Further information: /private$",
		robots: yandex("Disallow: /private$"),
		disallowed: ["/private"],
		allowed: ["/private$", "/private$test", "/private/"],
	},
	{
		where: "Further information: no empty line in front of User-agent",
		robots: "User-agent: *\nDisallow: /\nUser-agent: Yandex\nAllow: /",
		allowed: ["/", "/a"],
	},
	{
		where: "Further information: comments in front of User-agent",
		robots:
			"User-agent: *\nDisallow: /\n# комментарий1...\n# комментарий2...\n# комментарий3...\nUser-agent: Yandex\nAllow: /",
		allowed: ["/", "/a"],
	},
	{
		where: "Extended format: /archive",
		robots: yandex("Allow: /archive", "Disallow: /"),
		disallowed: ["/", "/a"],
		allowed: ["/archive", "/archive/2013"],
	},
	{
		where: "Extended format: .html below /obsolete/private/",
		robots: robots.extended,
		disallowed: [
			"/obsolete/private/a.htm",
			"/x/private/y",
			"/a.php",
			"/x/old/y.zip",
			"/x/old/y/z.zip",
		],
		allowed: [
			"/obsolete/private/a.html",
			"/obsolete/private/b/a.html",
			"/private/y",
			"/a.php?b",
			"/old/y.zip",
			"/x/old/y.zip.txt",
		],
	},
	{
		where: "Extended format: add.php with user",
		robots: yandex("Disallow: /add.php?*user= ", "# запрещает"),
		disallowed: ["/add.php?user=1", "/add.php?a=b&user=1"],
		allowed: ["/add.php", "/add.php?a=b", "/add.php?user"],
	},
	{
		where: "Size: more than 32 KB allow everything",
		robots: `${yandex("Disallow: /")}#${"x".repeat(32 * 1024)}`,
		maxBytes: 32 * 1024,
		allowed: ["/", "/a"],
	},
	{
		where: "Size: 32 KB count",
		robots: yandex("Disallow: /").padEnd(32 * 1024, "#"),
		maxBytes: 32 * 1024,
		disallowed: ["/", "/a"],
	},
	{
		where: "Size: as if it were an empty Disallow",
		robots: yandex("Disallow:"),
		allowed: ["/", "/a"],
	},
];

/** "Директива Crawl-delay": the example as one file. */
const delayBlock = `User-agent: Yandex
Crawl-delay: 2 # задает таймаут в 2 секунды

User-agent: *
Disallow: /search
Crawl-delay: 4.5 # задает таймаут в 4.5 секунды
`;

/** Crawl-delay: agent and seconds. */
export const crawlDelays: readonly (readonly [
	string,
	string,
	string,
	number | undefined,
])[] = [
	[
		"Crawl-delay: for Yandex",
		"User-agent: Yandex\nCrawl-delay: 2 # задает\n",
		"Yandex",
		2,
	],
	[
		"Crawl-delay: for all, with a fraction",
		"User-agent: *\nDisallow: /search\nCrawl-delay: 4.5 # задает\n",
		"YandexBot",
		4.5,
	],
	["Crawl-delay: 0.5", "User-agent: *\nCrawl-delay: 0.5", "Yandex", 0.5],
	[
		"Crawl-delay: YandexImages follows Yandex",
		"User-agent: Yandex\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 9",
		"YandexImages",
		2,
	],
	[
		"Crawl-delay: of another group",
		"User-agent: Googlebot\nCrawl-delay: 2",
		"Yandex",
		undefined,
	],
	["Crawl-delay: no number", "User-agent: *\nCrawl-delay: 2s", "x", undefined],
	["Crawl-delay: negative", "User-agent: *\nCrawl-delay: -1", "x", undefined],
	["Crawl-delay: outside groups", "Crawl-delay: 1", "x", undefined],
	[
		"Crawl-delay: the first that is a number",
		"User-agent: *\nCrawl-delay: soon\nCrawl-delay: .25\nCrawl-delay: 3",
		"x",
		0.25,
	],
	["Crawl-delay: the document's block, Yandex", delayBlock, "Yandex", 2],
	["Crawl-delay: the document's block, others", delayBlock, "x", 4.5],
];

/** "Директива Host": lines that the document calls ignored. */
export const invalidHosts: readonly string[] = [
	"www.myhost-.ru",
	"www.-myhost.ru",
	"www.myhost.ru:100000",
	"www.my_host.ru",
	".my-host.ru:8000",
	"my-host.ru.",
	"my..host.ru",
	"www.myhost.ru/",
	"www.myhost.ru:8080/",
	"http://www.myhost.ru",
	"213.180.194.129",
	"www.firsthost.ru,www.secondhost.ru",
	"www.firsthost.ru www.secondhost.ru",
];

/** Where the document gives no example. */
export const otherInvalidHosts: readonly string[] = [
	"",
	":80",
	"a.ru:",
	"a.ru:0",
	"a.ru:65536",
	"a.ru:8x",
	"a.ru:80:80",
	"a.ru:+80",
	"хост.рф",
	"a.1",
	"1.2.3.4:80",
	"[::1]",
	`${"a".repeat(64)}.ru`,
	`${"a.".repeat(130)}ru`,
];

/** A file and its main mirror. */
export const hosts: readonly (readonly [string, string, string | undefined])[] =
	[
		[
			"the main mirror of a group of mirrors",
			"#Если www.glavnoye-zerkalo.ru главное зеркало сайта, то  \nUser-Agent: *\nDisallow: /forum\nDisallow: /cgi-bin\nHost: www.glavnoye-zerkalo.ru\n",
			"www.glavnoye-zerkalo.ru",
		],
		[
			"a file that is composed correctly",
			"User-Agent: *\nDisallow:\nHost: www.myhost.ru\n",
			"www.myhost.ru",
		],
		[
			"the first one is used",
			"Host: myhost.ru # используется\n\nUser-agent: *\nDisallow: /cgi-bin\n\nUser-agent: Yandex\nDisallow: /cgi-bin\nHost: www.myhost.ru # не используется\n",
			"myhost.ru",
		],
		[
			"a correct one, domen.myhost.ru",
			"User-Agent: *\nDisallow:\nHost: domen.myhost.ru\n",
			"domen.myhost.ru",
		],
		// That it names another site than the file's is nothing that the file tells.
		[
			"an incorrect one, of another site",
			"User-Agent: *\nDisallow:\nHost: myhost.ru\n",
			"myhost.ru",
		],
		[
			"all examples of ignored lines",
			invalidHosts.map((host) => `Host: ${host}\n`).join(""),
			undefined,
		],
		[
			"the first valid one",
			`${invalidHosts.map((host) => `Host: ${host}\n`).join("")}Host: a.ru\nHost: b.ru`,
			"a.ru",
		],
		...otherInvalidHosts.map(
			(host) => [`no host: ${host}`, `Host: ${host}`, undefined] as const,
		),
		...[
			"a.ru:8080",
			"a.ru:65535",
			"localhost",
			"1-2.a--b.ru",
			"xn--n1aff.xn--p1ai",
			`${"a".repeat(63)}.ru`,
		].map((host) => [`host ${host}`, `host: ${host}`, host] as const),
		["in any case", "HOST: WWW.MyHost.RU:80", "www.myhost.ru:80"],
		["none", "User-agent: *\nDisallow: /", undefined],
	];
