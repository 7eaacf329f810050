import type { AccessOptions, HttpOutcome } from "../../src/access.ts";
import type { Crawler, Dialect } from "../../src/index.ts";

/** What a file lets a crawler fetch, in all dialects or some. */
export interface VerdictCheck {
	readonly robots: string;
	/** Default "anybot". */
	readonly agent?: string;
	readonly allowed?: readonly string[];
	readonly disallowed?: readonly string[];
	readonly dialects?: readonly Dialect[];
}

/** How a statement is checked: one of these. */
export interface Check {
	readonly verdicts?: readonly VerdictCheck[];
	/** Lines besides rules: what is read of them. */
	readonly reads?: {
		readonly robots: string;
		readonly dialect?: Dialect;
		readonly agent?: string;
		readonly sitemaps?: readonly string[];
		readonly host?: string | undefined;
		readonly crawlDelay?: number | undefined;
		readonly cleanParams?: number;
		/** User-agent lines of each group. */
		readonly groups?: readonly (readonly string[])[];
		/** URLs before and after Clean-param lines. */
		readonly canonical?: readonly (readonly [string, string])[];
	};
	/** Findings of `lint`: codes that are there, and codes that are not. */
	readonly lint?: {
		readonly robots: string;
		readonly dialect?: Dialect;
		readonly finds?: readonly string[];
		readonly without?: readonly string[];
	};
	/** A robots.txt URL, what it governs and what it does not. */
	readonly governs?: {
		readonly file: string;
		readonly valid?: readonly string[];
		readonly invalid?: readonly string[];
	};
	/** What the answers to requests mean. */
	readonly answers?: readonly {
		readonly outcome: HttpOutcome;
		readonly access: "rules" | "allow-all" | "disallow-all";
		readonly options?: AccessOptions;
		/** Hours for which it holds. */
		readonly hours?: number;
		/** What was answered before, so many hours earlier. */
		readonly before?: readonly (readonly [hours: number, HttpOutcome])[];
	}[];
	readonly crawlers?: Readonly<Record<string, Partial<Crawler>>>;
	/** A file, a URL, and what `explain` gives as the reason. */
	readonly explains?: readonly [robots: string, url: string, reason: RegExp];
	/** Another test that checks it: a file of test/ and a text in it. */
	readonly test?: readonly [file: string, text: string];
	/** It is not kept, or decided otherwise: the heading in docs/deviations.md. */
	readonly deviates?: string;
}

/** A statement of the documents about how robots.txt is read. */
export interface Statement extends Check {
	/** Document and line or lines, for each document that says it: "003:120 001:184-186". */
	readonly where: string;
	/** What is said, in our words. */
	readonly says: string;
}

const every = (...lines: string[]) => `User-agent: *\n${lines.join("\n")}\n`;
const yandex = (...lines: string[]) =>
	`User-agent: Yandex\n${lines.join("\n")}\n`;
const group = (agent: string, ...lines: string[]) =>
	`User-agent: ${agent}\n${lines.join("\n")}\n`;
const careful: readonly Dialect[] = ["rfc9309", "yandex"];
const googles: readonly Dialect[] = ["rfc9309", "google"];
const only = (dialect: Dialect): readonly Dialect[] => [dialect];

const body = new TextEncoder().encode("User-agent: *\nDisallow: /a\n");
const status = (code: number, headers = {}): HttpOutcome => ({
	url: "https://example.com/robots.txt",
	status: code,
	headers,
	body,
});
const failed = (
	code: NonNullable<HttpOutcome["failure"]>["code"],
): HttpOutcome => ({ failure: { code, message: "it failed" } });
const hops = (count: number, last = 200): HttpOutcome => ({
	...status(last),
	redirects: Array.from({ length: count }, (_, i) => ({
		status: 301,
		url: `https://example.com/${i + 1}`,
	})),
});

/** A pattern of the table "Example path matches": what it matches and what not. */
const matches = (
	pattern: string,
	disallowed: readonly string[],
	allowed: readonly string[],
	dialects?: readonly Dialect[],
): Check => ({
	verdicts: [
		{
			robots: every(`Disallow: ${pattern}`),
			disallowed,
			allowed,
			...(dialects ? { dialects } : {}),
		},
	],
});

const three =
	"user-agent: googlebot-news\nDisallow: /1\n\nuser-agent: *\nDisallow: /2\n\nuser-agent: googlebot\nDisallow: /3\n";
const follows = (agent: string, group: 1 | 2 | 3): Check => ({
	verdicts: [
		{
			robots: three,
			agent,
			disallowed: [`/${group}`],
			allowed: ["/1", "/2", "/3"].filter((path) => path !== `/${group}`),
		},
	],
});

const fish = [
	"/fish",
	"/fish.html",
	"/fish/salmon.html",
	"/fishheads",
	"/fishheads/yummy.html",
	"/fish.php?id=anything",
];
const noFish = ["/Fish.asp", "/catfish", "/?id=fish"];

/** Documents 000 to 003, Google's: creating a file, the FAQ, and the specification in four editions. */
const google: readonly Statement[] = [
	{
		where: "003:7 003:14",
		says: "robots.txt says what may be requested; to keep a page out of results it must be fetched, and say noindex",
		test: ["packages/cli/test/indexing.test.ts", "noindex is never seen"],
	},
	{
		where: "003:17 003:256-267",
		says: "pictures are kept out of Google Images by rules for Googlebot-Image",
		verdicts: [
			{
				robots: group("Googlebot-Image", "Disallow: /images/dogs.jpg"),
				agent: "Googlebot-Image",
				disallowed: ["/images/dogs.jpg"],
				allowed: ["/images/cats.jpg"],
			},
			{
				robots: group("Googlebot-Image", "Disallow: /"),
				agent: "Googlebot-Image",
				disallowed: ["/", "/a.png"],
			},
			{
				robots: group("Googlebot-Image", "Disallow: /"),
				agent: "Googlebot",
				allowed: ["/", "/a.png"],
			},
		],
	},
	{
		where: "003:18",
		says: "scripts and styles may be blocked like any other URL",
		verdicts: [
			{
				robots: every("Disallow: /*.js$"),
				disallowed: ["/a.js"],
				allowed: ["/a.html"],
			},
		],
	},
	{
		where: "003:36",
		says: "it is up to the crawler to obey: some crawlers do not",
		crawlers: { Feedly: { obeysRobotsTxt: false } },
	},
	{
		where: "003:40",
		says: "crawlers differ in how they read the same directives",
		lint: {
			robots: every("Disallow: /fish*", "Allow: /fish"),
			finds: ["dialects-differ"],
		},
	},
	{
		where: "003:44-46 003:211 003:217",
		says: "a disallowed URL can still be indexed: noindex, which crawlers must be able to fetch, prevents it",
		test: ["packages/cli/test/indexing.test.ts", "noindex is never seen"],
	},
	{
		where: "003:50 003:96 003:1012-1015",
		says: "whether a rule blocks a page can be tested",
		explains: [
			every("Disallow: /private"),
			"/private/1",
			/^Disallow: \/private \(line 2\) is the longest rule that matches/,
		],
	},
	{
		where: "003:52",
		says: "noindex can be tested",
		test: ["packages/cli/test/indexing.test.ts", "X-Robots-Tag"],
	},
	{
		where: "003:64",
		says: "the file is /robots.txt of the host",
		test: ["scope.test.ts", "robotsUrlFor"],
	},
	{
		where: "003:66-84",
		says: "the simple example: a folder for Googlebot, everything for others, a sitemap",
		verdicts: [
			{
				robots: `${group("Googlebot", "Disallow: /nogooglebot/")}\n${every("Allow: /")}`,
				agent: "Googlebot",
				disallowed: ["/nogooglebot/", "/nogooglebot/a/b"],
				allowed: ["/", "/a"],
			},
			{
				robots: `${group("Googlebot", "Disallow: /nogooglebot/")}\n${every("Allow: /")}`,
				allowed: ["/", "/nogooglebot/"],
			},
		],
		reads: {
			robots: "Sitemap: http://www.example.com/sitemap.xml\n",
			sitemaps: ["http://www.example.com/sitemap.xml"],
		},
	},
	{
		where: "003:94",
		says: "word processors can add characters such as curly quotes, which cause problems",
		lint: {
			robots: every("Disallow: \u201c/private/\u201d"),
			finds: ["quotation-marks"],
		},
	},
	{
		where: "003:102-104 003:361 003:527-529 001:51 002:51 000:56",
		says: "a robots.txt in a subdirectory is none",
		governs: {
			file: "http://example.com/folder/robots.txt",
			invalid: ["http://example.com/", "http://example.com/folder/file"],
		},
	},
	{
		where: "003:108",
		says: "subdomains and other ports have files of their own",
		governs: {
			file: "http://website.example.com/robots.txt",
			valid: ["http://website.example.com/a"],
			invalid: ["http://example.com/a", "http://website.example.com:8181/a"],
		},
	},
	{
		where: "003:109 003:608 001:117 002:117 000:103 004:83",
		says: "everything behind # is a comment, anywhere in the file; white space around a line is ignored",
		verdicts: [
			{
				robots:
					"# a\n  User-agent: * # b\n\tDisallow : /a#b \t\n#Disallow: /c\n",
				disallowed: ["/a", "/ab"],
				allowed: ["/c"],
			},
		],
	},
	{
		where: "003:113 003:604 001:113 002:113 000:99",
		says: "the file is UTF-8; in another encoding it may be read wrongly",
		lint: {
			robots: every("Disallow: /caf\u00e9"),
			finds: ["unescaped-character"],
		},
		verdicts: [
			{ robots: every("Disallow: /\u00e4"), disallowed: ["/%C3%A4x"] },
		],
	},
	{
		where: "003:114-119 003:186-200",
		says: "groups have user-agent lines and one rule per line: which paths may be fetched, and which not",
		verdicts: [
			{
				robots: `${group("googlebot", "Disallow: /directory1/", "Disallow: /directory2/", "Allow: /directory2/subdirectory1/")}\n${group("anothercrawler", "Disallow: /")}`,
				agent: "googlebot",
				disallowed: ["/directory1/", "/directory2/x"],
				allowed: ["/", "/directory2/subdirectory1/x"],
			},
			{
				robots: `${group("googlebot", "Disallow: /directory1/")}\n${group("anothercrawler", "Disallow: /")}`,
				agent: "anothercrawler",
				disallowed: ["/"],
			},
		],
	},
	{
		where: "003:120",
		says: "groups are processed from top to bottom, and the first most specific one counts",
		deviates: "Which of several groups for one crawler counts",
	},
	{
		where: "003:121 003:367-369 003:806 001:218 002:215 000:218 004:40",
		says: "what no rule disallows is allowed",
		verdicts: [
			{ robots: every("Disallow: /a"), disallowed: ["/a"], allowed: ["/b"] },
			{ robots: group("x", "Disallow: /"), allowed: ["/"] },
			{ robots: "", allowed: ["/"] },
		],
	},
	{
		where:
			"003:122 003:395-397 003:808 003:847 001:220 002:217 000:220 000:267",
		says: "paths in rules are case-sensitive",
		verdicts: [
			{
				robots: every("Disallow: /file.asp"),
				disallowed: ["http://www.example.com/file.asp"],
				allowed: ["http://www.example.com/FILE.asp"],
			},
			{
				robots: every("Disallow: /MyP", "Disallow: /myp"),
				disallowed: ["/MyPrivateFolder/", "/mypage"],
				allowed: ["/MYPRIVATEFOLDER/"],
			},
		],
	},
	{
		where: "003:126 003:700 001:165 002:164 000:155",
		says: "a group begins with one or more user-agent lines, and ends with the next user-agent line or the file",
		verdicts: [
			{
				robots: "user-agent: e\nuser-agent: f\ndisallow: /g\nuser-agent: h\n",
				agent: "f",
				disallowed: ["/g"],
			},
			{
				robots: "user-agent: e\nuser-agent: f\ndisallow: /g\nuser-agent: h\n",
				agent: "h",
				allowed: ["/g"],
			},
		],
	},
	{
		where: "003:128",
		says: "a user-agent line may have * as a prefix or a suffix of a name",
		deviates: "`*` as a part of a name",
	},
	{
		where: "003:128 003:130-168 003:211-215",
		says: "* holds for all crawlers except AdsBot, which must be named",
		verdicts: [
			{
				robots: every("Disallow: /"),
				agent: "AdsBot-Google",
				allowed: ["/"],
				dialects: careful,
			},
			{ robots: every("Disallow: /"), agent: "Googlebot", disallowed: ["/"] },
			{
				robots: "User-agent: Googlebot\nUser-agent: AdsBot-Google\nDisallow: /",
				agent: "AdsBot-Google",
				disallowed: ["/"],
			},
			{
				robots: group("Googlebot", "Disallow: /"),
				agent: "AdsBot-Google",
				allowed: ["/"],
			},
		],
		deviates: "Whom groups for `*` do not cover",
	},
	{
		where: "003:170 003:810-818 001:222-228 002:221-225 000:222-228 004:68-75",
		says: "Disallow names paths that must not be fetched, from the root",
		verdicts: [
			{ robots: every("Disallow: /cgi-bin"), disallowed: ["/cgi-bin/x"] },
			{ robots: yandex("Disallow: /"), agent: "Yandex", disallowed: ["/"] },
		],
	},
	{
		where:
			"003:171 003:369 003:820-828 001:231-237 002:227-233 000:231-238 004:85-91",
		says: "Allow names paths that may be fetched, and overrides a shorter Disallow",
		verdicts: [
			{
				robots: every("Disallow: /", "Allow: /cgi-bin"),
				allowed: ["/cgi-bin/x"],
				disallowed: ["/x"],
			},
		],
	},
	{
		where: "003:170-171",
		says: "a directory is written with a slash at its end",
		lint: {
			robots: every("Disallow: /shop", "Allow: /shop/tea"),
			finds: ["directory-without-slash"],
		},
	},
	{
		where:
			"003:172-180 003:355-357 003:928-936 001:336-345 002:331-341 000:307-318",
		says: "Sitemap lines are full URLs, of any host, for all crawlers, as many as there are; other rules have no host",
		reads: {
			robots:
				"sitemap: https://cdn.example.net/a.xml\nUser-agent: a\nSITEMAP: http://www.example.com/b.xml\nSitemap: /c.xml\n",
			sitemaps: [
				"https://cdn.example.net/a.xml",
				"http://www.example.com/b.xml",
			],
		},
		lint: {
			robots:
				"Sitemap: /c.xml\nUser-agent: *\nDisallow: http://example.com/a\n",
			finds: ["relative-sitemap", "absolute-url"],
		},
	},
	{
		where: "003:182 000:163",
		says: "other rules are ignored",
		verdicts: [
			{ robots: every("Noindex: /a", "Disallow: /b"), allowed: ["/a"] },
		],
		lint: { robots: every("Index: /a"), finds: ["unknown-field"] },
		deviates: "Lines besides the documents' fields",
	},
	{
		where: "003:211",
		says: "Disallow: / for * closes the site",
		...matches("/", ["/", "/a", "/a?b"], []),
	},
	{
		where: "003:217-223",
		says: "a directory and its contents are closed by its name and a slash",
		...matches("/calendar/", ["/calendar/", "/calendar/a"], ["/calendar"]),
	},
	{
		where: "003:225-247",
		says: "one crawler alone is let in, or one alone kept out",
		verdicts: [
			{
				robots: `${group("Googlebot-news", "Allow: /")}\n${every("Disallow: /")}`,
				agent: "Googlebot-News",
				allowed: ["/"],
			},
			{
				robots: `${group("Googlebot-news", "Allow: /")}\n${every("Disallow: /")}`,
				agent: "otherbot",
				disallowed: ["/"],
			},
			{
				robots: `${group("Unnecessarybot", "Disallow: /")}\n${every("Allow: /")}`,
				agent: "Unnecessarybot",
				disallowed: ["/"],
			},
			{
				robots: `${group("Unnecessarybot", "Disallow: /")}\n${every("Allow: /")}`,
				allowed: ["/"],
			},
		],
	},
	{
		where: "003:249-254",
		says: "a single page is closed by its path",
		...matches("/private_file.html", ["/private_file.html"], ["/"]),
	},
	{
		where: "003:270-275",
		says: "files of a type are closed by *.gif$",
		...matches("/*.gif$", ["/a.gif", "/b/c.gif"], ["/a.gif?x", "/gif"]),
	},
	{
		where: "003:277-284",
		says: "all but Mediapartners-Google are kept out",
		verdicts: [
			{
				robots: `${every("Disallow: /")}${group("Mediapartners-Google", "Allow: /")}`,
				agent: "Mediapartners-Google",
				allowed: ["/"],
			},
			{
				robots: `${every("Disallow: /")}${group("Mediapartners-Google", "Allow: /")}`,
				agent: "Googlebot",
				disallowed: ["/"],
			},
		],
	},
	{
		where: "003:286-293",
		says: "$ stands for the end of a URL",
		...matches("/*.xls$", ["/a.xls"], ["/a.xlsx", "/a.xls?b"]),
	},
	{
		where: "003:305-315",
		says: "an uploaded file can be looked at as the crawler gets it",
		test: ["packages/cli/test/fetch.test.ts", "is the file, byte for byte"],
	},
	{
		where: "003:329 003:401",
		says: "a site without a robots.txt is crawled as a whole",
		answers: [
			{ outcome: status(404), access: "allow-all" },
			{ outcome: status(403), access: "allow-all" },
		],
	},
	{
		where: "003:335-337 003:383 003:387 003:407-409",
		says: "a page whose noindex is to be obeyed must not be disallowed",
		test: ["packages/cli/test/indexing.test.ts", "noindex is never seen"],
	},
	{
		where: "003:365",
		says: "robots.txt is public, and should be the same for every User-Agent",
		test: ["packages/cli/test/fetch.test.ts", "--as"],
	},
	{
		where: "003:373 003:602 001:111 002:111 000:97",
		says: "lines that are no valid lines are ignored without an error, those of an HTML page, too",
		verdicts: [
			{
				robots:
					"<html>\n<p>Hello: world\nUser-agent: *\nfoo\nDisallow: /a\n</html>\n",
				disallowed: ["/a"],
				allowed: ["/b"],
			},
		],
	},
	{
		where: "003:387",
		says: "robots.txt is kept for up to a day",
		answers: [{ outcome: status(200), access: "rules", hours: 24 }],
	},
	{
		where: "003:391 003:592 001:100 002:100 000:83",
		says: "503 suspends all crawling for a time, and is tried again",
		answers: [{ outcome: status(503), access: "disallow-all" }],
		test: ["access.test.ts", "http-meaning"],
	},
	{
		where: "003:411-417",
		says: "the robots meta tag is about a whole page, and stands in its head",
		test: ["packages/cli/test/indexing.test.ts", "outside the head"],
	},
	{
		where: "003:419-421",
		says: "noindex does not disallow crawling",
		verdicts: [{ robots: every("Noindex: /a"), allowed: ["/a"] }],
		lint: { robots: every("Noindex: /a"), finds: ["noindex"] },
	},
	{
		where: "003:423-425",
		says: "nofollow is about all links of a page",
		test: ["packages/cli/test/indexing.test.ts", "nofollow"],
	},
	{
		where: "003:429-431",
		says: "the X-Robots-Tag of a URL can be looked at",
		test: ["packages/cli/test/indexing.test.ts", "X-Robots-Tag"],
	},
	{
		where: "003:453 003:590 001:96 002:96 000:78-79",
		says: "at least five redirects are followed, then it is as a 404; redirects to disallowed URLs are followed; those inside HTML are not, and the page's lines count",
		answers: [
			{ outcome: hops(5), access: "rules" },
			{ outcome: hops(6, 301), access: "allow-all" },
		],
	},
	{
		where: "003:454 003:592 001:100 002:100",
		says: "after 30 days of failures the last good copy holds, or without one everything is allowed",
		test: ["access.test.ts", "http-meaning"],
	},
	{
		where: "003:455 003:595 001:104 002:104",
		says: "DNS, time-outs, resets, invalid and broken-off responses are server errors",
		answers: (
			[
				"dns",
				"timeout",
				"connection",
				"invalid-response",
				"incomplete-body",
			] as const
		).map((code) => ({ outcome: failed(code), access: "disallow-all" })),
	},
	{
		where: "003:458 003:612 001:121 002:121 000:107",
		says: "misspelled field names are not supported",
		verdicts: [
			{
				robots: "useragent: *\nDisallow: /\n",
				allowed: ["/"],
				dialects: careful,
			},
		],
		deviates: "Misspelled field names",
	},
	{
		where: "003:459 003:614-616 001:123 002:123 000:109",
		says: "Google reads 500 KiB and ignores the rest",
		deviates: "Files of more than 500 KiB",
	},
	{
		where: "003:461",
		says: "a group may be empty",
		verdicts: [
			{
				robots: `${every("Disallow: /")}user-agent: h\n`,
				agent: "h",
				allowed: ["/"],
			},
		],
	},
	{
		where: "003:476-478 001:22 002:22 000:27",
		says: "agents that act for a user (translation, feeds, malware) need not obey",
		crawlers: {
			"translate.google.com": { obeysRobotsTxt: false, trigger: "user" },
			"FeedFetcher-Google": { obeysRobotsTxt: false, trigger: "user" },
			"Google-Safety": { obeysRobotsTxt: false },
			Googlebot: { obeysRobotsTxt: true, trigger: "operator" },
		},
	},
	{
		where: "003:452 003:482 001:26 002:26 000:33",
		says: "http and https are what is crawled, by a non-conditional GET",
		deviates: "Conditional requests",
	},
	{
		where: "003:484 001:28 002:28 000:35",
		says: "ftp is read with an anonymous login",
		test: ["packages/client/test/ftp.test.ts", "the login is anonymous"],
	},
	{
		where:
			"003:486 001:30 002:30 000:37 003:496-511 001:35-41 002:35-41 000:46-51",
		says: "a file holds for its host, protocol and port, and all their directories",
		governs: {
			file: "http://example.com/robots.txt",
			valid: ["http://example.com/", "http://example.com/folder/file"],
			invalid: [
				"http://other.example.com/",
				"https://example.com/",
				"http://example.com:8181/",
			],
		},
	},
	{
		where: "003:488 000:39",
		says: "the URL of robots.txt is case-sensitive",
		governs: {
			file: "http://example.com/Robots.txt",
			invalid: ["http://example.com/"],
		},
	},
	{
		where: "003:513-525 001:42-50 002:42-50 000:52-55",
		says: "a file on a subdomain holds for that subdomain",
		governs: {
			file: "http://www.example.com/robots.txt",
			valid: ["http://www.example.com/"],
			invalid: [
				"http://example.com/",
				"http://shop.www.example.com/",
				"http://www.shop.example.com/",
			],
		},
	},
	{
		where: "003:531-542",
		says: "an IDN equals its punycode form, which is spelled with three l",
		deviates: "A misspelled host name",
	},
	{
		where: "001:52-56 002:52-56 000:57-59",
		says: "an IDN equals its punycode form",
		governs: {
			file: "http://www.m\u00fcller.eu/robots.txt",
			valid: ["http://www.m\u00fcller.eu/", "http://www.xn--mller-kva.eu/"],
			invalid: ["http://www.muller.eu/"],
		},
	},
	{
		where: "003:546-550 001:58-64 002:58-64 000:60",
		says: "ftp has a file of its own",
		governs: {
			file: "ftp://example.com/robots.txt",
			valid: ["ftp://example.com/"],
			invalid: ["http://example.com/"],
		},
	},
	{
		where: "003:552-558 001:66-70 002:66-70 000:61",
		says: "an IP address is a host of its own",
		governs: {
			file: "http://212.96.82.21/robots.txt",
			valid: ["http://212.96.82.21/"],
			invalid: ["http://example.com/"],
		},
	},
	{
		where: "003:560-569 001:72-79 002:72-79 000:62-64",
		says: "a default port equals none",
		governs: {
			file: "http://example.com:80/robots.txt",
			valid: ["http://example.com:80/", "http://example.com/"],
			invalid: ["http://example.com:81/"],
		},
	},
	{
		where: "003:569 000:64",
		says: "default ports: 80 for http, 443 for https, 21 for ftp",
		governs: {
			file: "https://example.com:443/robots.txt",
			valid: ["https://example.com/"],
			invalid: ["https://example.com:80/"],
		},
	},
	{
		where: "003:569 000:64",
		says: "the default port of ftp",
		governs: {
			file: "ftp://example.com:21/robots.txt",
			valid: ["ftp://example.com/"],
			invalid: ["ftp://example.com:22/"],
		},
	},
	{
		where: "003:571-577 001:81-85 002:81-85 000:65",
		says: "a file on another port holds for that port alone",
		governs: {
			file: "http://example.com:8181/robots.txt",
			valid: ["http://example.com:8181/"],
			invalid: ["http://example.com/"],
		},
	},
	{
		where: "003:581-585 001:89-93 002:89-93 000:71-75",
		says: "three outcomes: all allowed, all disallowed, or by the rules",
		answers: [
			{ outcome: status(200), access: "rules" },
			{ outcome: status(404), access: "allow-all" },
			{ outcome: status(500), access: "disallow-all" },
		],
	},
	{
		where: "003:589 001:95 002:95 000:76-77",
		says: "2xx: the rules hold",
		answers: [200, 203, 204, 206].map((code) => ({
			outcome: status(code),
			access: "rules",
		})),
	},
	{
		where: "003:591 003:401 001:97 002:97 000:80-81",
		says: "all 4xx are alike, 401 and 403 included: everything is allowed",
		answers: [400, 401, 403, 404, 410, 451].map((code) => ({
			outcome: status(code),
			access: "allow-all",
		})),
		deviates: "HTTP 429",
	},
	{
		where: "003:592 001:98-100 002:98-100 000:82-83",
		says: "5xx: everything is disallowed, for a time, and asked for again",
		answers: [500, 502, 503, 504, 599].map((code) => ({
			outcome: status(code),
			access: "disallow-all",
		})),
	},
	{
		where: "003:592 001:102 002:102 000:85",
		says: "a site that wrongly answers 5xx for missing pages is read as 404",
		answers: [
			{
				outcome: status(500),
				access: "allow-all",
				options: { serverErrorAsNotFound: true },
			},
		],
	},
	{
		where: "000:83 000:86-87 000:79",
		says: "undefined: lasting server errors, network failures, redirects to disallowed URLs and inside HTML",
		deviates: "What the edition before 2019 leaves undefined",
	},
	{
		where: "003:596 001:105 002:105 000:88-89",
		says: "an answer is kept for a day, longer while asking fails, and max-age changes it",
		answers: [
			{ outcome: status(200), access: "rules", hours: 24 },
			{
				outcome: status(200, { "cache-control": "max-age=7200" }),
				access: "rules",
				hours: 2,
			},
			{
				outcome: status(200, { "cache-control": "max-age=172800" }),
				access: "rules",
				hours: 48,
			},
		],
		deviates: "How long an answer holds",
	},
	{
		where: "003:596 001:105 002:105 000:88-89",
		says: "a copy holds longer while it cannot be fetched anew: for a day, then as far as options say",
		answers: [
			{
				before: [[23, status(200)]],
				outcome: status(503),
				access: "rules",
			},
			...([status(503), failed("timeout")] as const).flatMap(
				(outcome) =>
					[
						{ before: [[25, status(200)]], outcome, access: "disallow-all" },
						{
							before: [[25, status(200)]],
							outcome,
							access: "rules",
							options: { staleIfError: 48 * 3_600_000 },
						},
					] as const,
			),
		],
		deviates: "Cached copies while asking fails",
	},
	{
		where: "003:600 001:109 002:109 000:95",
		says: "lines end with CR, CR LF or LF",
		verdicts: ["\r", "\r\n", "\n"].map((end) => ({
			robots: `User-agent: *${end}Disallow: /a${end}Disallow: /b`,
			disallowed: ["/a", "/b"],
			allowed: ["/c"],
		})),
	},
	{
		where: "003:606 001:115 002:115 000:101",
		says: "a byte order mark is ignored",
		verdicts: [
			{ robots: `\ufeff${every("Disallow: /a")}`, disallowed: ["/a"] },
		],
	},
	{
		where: "003:608 001:117 002:117 000:103",
		says: "a line is a field, a colon and a value; spaces are optional",
		verdicts: [
			{
				robots: "user-agent:*\ndisallow:/a\nallow  :\t/ab\n",
				disallowed: ["/a"],
				allowed: ["/ab"],
			},
		],
	},
	{
		where: "003:610 001:119 002:119 000:105",
		says: "field names are case-insensitive, values depend on the field",
		verdicts: [
			{
				robots: "USER-AGENT: *\nDiSaLlOw: /A\n",
				disallowed: ["/A"],
				allowed: ["/a"],
			},
		],
	},
	{
		where: "003:620-637 001:127-136 002:127-136 000:115-138",
		says: "the grammar: groups of user-agent lines, blank lines and rules",
		verdicts: [
			{
				robots:
					"user-agent: a\n\nuser-agent: b\n\n\ndisallow: /x\n\nallow: /xy\n",
				agent: "a",
				disallowed: ["/x"],
				allowed: ["/xy"],
			},
		],
	},
	{
		where: "003:639 001:138-139 002:138-139",
		says: "other lines may be added, and bad lines are read leniently",
		verdicts: [
			{
				robots: every("Sitemap: https://a.test/s.xml", "???", "Disallow: /a"),
				disallowed: ["/a"],
			},
		],
	},
	{
		where: "003:642 003:648 003:656-658 001:141 001:145 002:141 002:145",
		says: "a product token has letters, - and _, or is *",
		verdicts: [
			{
				robots: group("a_b-C", "Disallow: /"),
				agent: "A_b-c",
				disallowed: ["/"],
			},
		],
		deviates: "Digits in names of crawlers",
	},
	{
		where: "003:643 001:142 002:142 000:137 000:220 003:808",
		says: "a path begins with /",
		deviates: "Paths without a slash",
	},
	{
		where:
			"003:644-654 003:660-678 001:143 001:146-150 002:143 002:146-150 000:139-144",
		says: "comments, empty lines, white space and line ends of the grammar",
		verdicts: [
			{
				robots: "\t \r\n#c\nuser-agent:\t* #c#c\r\n\r\ndisallow: /a\t# c\r",
				disallowed: ["/a"],
			},
		],
	},
	{
		where: "003:680-696 001:152-160 002:152-160",
		says: "UTF-8 characters of two, three and four bytes",
		verdicts: [
			{
				robots: every("Disallow: /\u00e4\u20ac\u{1f41f}"),
				disallowed: ["/%C3%A4%E2%82%AC%F0%9F%90%9F"],
			},
		],
	},
	{
		where: "003:702-733 001:167-182 002:166-180 000:167-180",
		says: "the four example groups; the last is empty",
		reads: {
			robots:
				"user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\nuser-agent: e\nuser-agent: f\ndisallow: /g\n\nuser-agent: h\n",
			groups: [["a"], ["b"], ["e", "f"], ["h"]],
		},
	},
	{
		where: "000:148-163",
		says: "rules without a user-agent line above them are ignored; sitemaps hold anywhere",
		verdicts: [
			{
				robots: `Disallow: /a\n${every("Disallow: /b")}`,
				disallowed: ["/b"],
				allowed: ["/a"],
			},
		],
		lint: {
			robots: `Disallow: /a\n${every("Disallow: /b")}`,
			finds: ["rule-outside-group"],
		},
	},
	{
		where: "003:735 001:186 002:184 000:165 000:184-186",
		says: "one group counts, that of the most specific agent, whatever the order of the groups",
		verdicts: [
			three,
			"user-agent: googlebot\nDisallow: /3\nuser-agent: *\nDisallow: /2\nuser-agent: googlebot-news\nDisallow: /1\n",
		].map((robots) => ({
			robots,
			agent: "Googlebot-News",
			disallowed: ["/1"],
			allowed: ["/2", "/3"],
			dialects: careful,
		})),
	},
	{
		where: "003:735 001:186 002:184",
		says: "agents are case-sensitive",
		deviates: "Case of agents",
	},
	{
		where: "000:186",
		says: "agents are compared in any case",
		verdicts: [
			{
				robots: group("GOOGLEBOT", "Disallow: /"),
				agent: "googlebot",
				disallowed: ["/"],
			},
		],
	},
	{
		where: "003:735 001:186 002:184 000:186",
		says: "googlebot/1.2 and googlebot* in a file are googlebot",
		verdicts: ["googlebot/1.2", "googlebot*"].map((agent) => ({
			robots: group(agent, "Disallow: /"),
			agent: "googlebot",
			disallowed: ["/"],
		})),
	},
	{
		where: "003:737 003:771-799 001:188 002:186",
		says: "several groups for one agent are combined",
		verdicts: [
			{
				robots:
					"user-agent: googlebot-news\ndisallow: /fish\n\nuser-agent: *\ndisallow: /carrots\n\nuser-agent: googlebot-news\ndisallow: /shrimp\n",
				agent: "googlebot-news",
				disallowed: ["/fish", "/shrimp"],
				allowed: ["/carrots"],
			},
			{
				robots:
					"user-agent: googlebot-news\ndisallow: /fish\n\nuser-agent: *\ndisallow: /carrots\n\nuser-agent: googlebot-news\ndisallow: /shrimp\n",
				disallowed: ["/carrots"],
				allowed: ["/fish", "/shrimp"],
			},
		],
	},
	{
		where:
			"003:739-762 003:767 001:190-207 001:210 002:188-204 002:207 000:188-205 000:208",
		says: "example 1: Googlebot News follows group 1, for pictures, too",
		...follows("Googlebot-News", 1),
	},
	{
		where: "003:765 001:208 002:205 000:206",
		says: "example 1: Googlebot follows group 3",
		...follows("Googlebot", 3),
	},
	{
		where: "003:766 001:209 002:206 000:207",
		says: "example 1: Googlebot Images follows group 3, as none names it",
		verdicts: [
			{
				robots: three,
				agent: "Googlebot-Image",
				disallowed: ["/3"],
				allowed: ["/1", "/2"],
				dialects: careful,
			},
		],
		deviates: "Fallbacks in the google dialect",
	},
	{
		where: "003:768-769 001:211-212 002:208-209 000:209-210",
		says: "example 1: other crawlers follow group 2, a related one does not count",
		...follows("Otherbot", 2),
	},
	{
		where: "003:769 001:212 002:209 000:210",
		says: "example 1: Otherbot-News follows group 2",
		...follows("Otherbot-News", 2),
	},
	{
		where:
			"003:806 003:812 003:822 001:218 001:224 001:233 002:215 002:221 002:229 000:218 000:224 000:233",
		says: "rules without a path are ignored",
		verdicts: [
			{
				robots: every("Disallow:", "Allow:", "Disallow: /a"),
				disallowed: ["/a"],
				allowed: ["/b"],
				dialects: googles,
			},
		],
	},
	{
		where: "000:220 000:285",
		says: "a path without a slash may be read as if it had one",
		...matches("fish/", ["/fish/", "/fish/a"], ["/fish"], careful),
	},
	{
		where: "003:832 001:242 002:237 000:244",
		says: "a path matches the beginning of URLs; other than ASCII characters are UTF-8 or percent-escaped UTF-8",
		verdicts: [
			{
				robots: every("Disallow: /\u00e4", "Disallow: /%C3%B6"),
				disallowed: ["/%C3%A4", "/%C3%B6x"],
				allowed: ["/%C3%BC"],
			},
			{
				robots: every("Disallow: /\u00e4", "Disallow: /%C3%B6"),
				disallowed: ["/\u00e4", "/\u00f6x"],
				dialects: careful,
			},
		],
	},
	{
		where: "003:834-837 001:244-247 002:239-242 000:248-251 004:132-140",
		says: "* is any run of characters, $ the end of the URL",
		verdicts: [
			{
				robots: every("Disallow: /a*b$"),
				disallowed: ["/ab", "/axxb", "/a/b?b"],
				allowed: ["/abc", "/a"],
			},
		],
	},
	{
		where: "003:839-841 001:248-249 002:243-244 000:255-256",
		says: "/ matches every URL",
		...matches("/", ["/", "/a/b?c"], []),
	},
	{
		where: "003:842 001:250 002:245 000:257",
		says: "/* equals /; the trailing wildcard is ignored",
		...matches("/*", ["/", "/a/b?c"], []),
	},
	{
		where: "003:843 001:251-266 002:246-261 000:258-267",
		says: "/fish",
		...matches("/fish", fish, noFish),
	},
	{
		where: "003:851-868 001:267-284 002:262-279 000:268-277",
		says: "/fish* equals /fish; the trailing wildcard is ignored",
		...matches("/fish*", fish, noFish),
		deviates: "A `*` at the end of a rule",
	},
	{
		where: "003:870-884 001:285-299 002:280-294 000:278-284",
		says: "/fish/ is anything in the folder",
		...matches(
			"/fish/",
			["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
			["/fish", "/fish.html", "/Fish/Salmon.asp"],
		),
	},
	{
		where: "003:888-901 001:300-313 002:295-308",
		says: "/*.php",
		...matches(
			"/*.php",
			[
				"/filename.php",
				"/folder/filename.php",
				"/filename.php/",
				"/folder/filename.php?parameters",
				"/folder/any.php.file.html",
			],
			["/", "/windows.PHP"],
		),
	},
	{
		where: "000:286-292",
		says: "/*.php, with other names",
		...matches(
			"/*.php",
			[
				"/nazwapliku.php",
				"/folder/nazwapliku.php",
				"/nazwapliku.php/",
				"/folder/nazwapliku.php?parametry",
				"/folder/dowolny.plik.php.html",
			],
			["/", "/windows.PHP"],
		),
	},
	{
		where: "003:903-915 001:314-326 002:309-321 000:294-299",
		says: "/*.php$",
		...matches(
			"/*.php$",
			["/filename.php", "/folder/filename.php"],
			[
				"/filename.php?parameters",
				"/filename.php/",
				"/filename.php5",
				"/windows.PHP",
			],
		),
	},
	{
		where: "003:917-924 001:327-334 002:322-329 000:301-303",
		says: "/fish*.php",
		...matches(
			"/fish*.php",
			["/fish.php", "/fishheads/catfish.php?parameters"],
			["/Fish.PHP"],
		),
	},
	{
		where: "003:936 001:345 002:341 000:318",
		says: "sitemaps may be followed unless they are disallowed",
		lint: {
			robots:
				"User-agent: *\nDisallow: /s\nSitemap: https://example.com/s.xml\n",
			finds: ["disallowed-sitemap"],
		},
	},
	{
		where: "003:938-940 001:347-349 002:341-343",
		says: "the longest path wins, and Allow where two are as long, with wildcards, too",
		verdicts: [
			{
				robots: every(
					"Disallow: /a",
					"Allow: /ab",
					"Disallow: /a*c",
					"Allow: /x",
					"Disallow: /x",
				),
				allowed: ["/ab", "/x"],
				disallowed: ["/a", "/abc"],
			},
		],
	},
	{
		where: "003:942-958 001:351-358 002:345-352 000:329",
		says: "/page: Allow: /p beats Disallow: /",
		verdicts: [
			{ robots: every("Allow: /p", "Disallow: /"), allowed: ["/page"] },
		],
	},
	{
		where: "003:960-974 001:360-366 002:354-360",
		says: "/folder/page: Allow: /folder beats Disallow: /folder",
		verdicts: [
			{
				robots: every("Disallow: /folder", "Allow: /folder"),
				allowed: ["/folder/page"],
			},
		],
	},
	{
		where: "000:330",
		says: "/folder/page: Allow: /folder/ beats Disallow: /folder",
		verdicts: [
			{
				robots: every("Disallow: /folder", "Allow: /folder/"),
				allowed: ["/folder/page"],
			},
		],
	},
	{
		where: "003:976-990 001:368-374 002:362-368 000:324 000:331",
		says: "/page.htm with Allow: /page and Disallow: /*.htm is undefined",
		deviates: "Wildcards and precedence",
	},
	{
		where: "003:992-1000 001:376-382 002:370-376 000:332",
		says: "/ with Allow: /$ and Disallow: / is allowed",
		verdicts: [{ robots: every("Allow: /$", "Disallow: /"), allowed: ["/"] }],
	},
	{
		where: "003:1002-1008 001:384-390 002:378-384 000:333",
		says: "/page.htm with Allow: /$ and Disallow: / is disallowed",
		verdicts: [
			{ robots: every("Allow: /$", "Disallow: /"), disallowed: ["/page.htm"] },
		],
	},
	{
		where: "000:324",
		says: "the longest path wins",
		verdicts: [
			{ robots: every("Allow: /ab", "Disallow: /a"), allowed: ["/ab"] },
		],
	},
];

const robotsOfYandex = [
	"YandexBot",
	"YandexMedia",
	"YandexImages",
	"YandexCatalog",
	"YandexDirect",
	"YandexBlogs",
	"YandexNews",
	"YandexPagechecker",
];
const yandexDialect = only("yandex");
const inYandex = (
	robots: string,
	disallowed: readonly string[],
	allowed: readonly string[],
	agent = "Yandex",
): VerdictCheck => ({
	robots,
	agent,
	disallowed,
	allowed,
	dialects: yandexDialect,
});

const mirror = (line: string): Check => ({
	reads: {
		robots: `${every("Disallow:")}${line}\n`,
		dialect: "yandex",
		host: undefined,
	},
	lint: {
		robots: `${every("Disallow: /a")}${line}\n`,
		dialect: "yandex",
		finds: ["invalid-host"],
	},
});

/** Document 004, Yandex's of 2013. */
const yandexDocument: readonly Statement[] = [
	{
		where: "004:28 004:38",
		says: "the file holds for all robots at once, or for each search engine by itself, and lies at the root",
		verdicts: [
			inYandex(
				`${every("Disallow: /a")}${yandex("Disallow: /b")}`,
				["/b"],
				["/a"],
			),
			{
				robots: `${every("Disallow: /a")}${yandex("Disallow: /b")}`,
				disallowed: ["/a"],
				allowed: ["/b"],
			},
		],
	},
	{
		where: "004:32",
		says: "the name is robots.txt, at the root",
		governs: {
			file: "http://example.com/a/robots.txt",
			invalid: ["http://example.com/"],
		},
	},
	{
		where: "004:34",
		says: "an analyser shows how the file is read",
		lint: {
			robots: yandex("Dissallow: /a"),
			dialect: "yandex",
			finds: ["misspelled-field"],
		},
	},
	{
		where: "004:40",
		says: "no file, no text, or a code other than 200: access is not restricted",
		answers: [
			...[201, 204, 206, 404, 403, 429, 500, 503].map((code) => ({
				outcome: status(code),
				access: "allow-all" as const,
				options: { dialect: "yandex" as const },
			})),
			{
				outcome: { ...status(200), headers: { "content-type": "image/png" } },
				access: "allow-all",
				options: { dialect: "yandex" },
			},
			{
				outcome: status(200),
				access: "rules",
				options: { dialect: "yandex" },
			},
		],
	},
	{
		where: "004:40",
		says: "a code other than 200 also means a redirect",
		deviates: "Redirects for Yandex",
	},
	{
		where: "004:40",
		says: "user-agent lines are searched for the substrings Yandex and *, in any case",
		verdicts: [
			inYandex("USER-AGENT: yANDEX\nDisallow: /a", ["/a"], ["/b"]),
			inYandex("User-agent: x Yandex\nDisallow: /a", ["/a"], ["/b"]),
		],
		deviates: "Names as parts of words",
	},
	{
		where: "004:40 004:53",
		says: "a group for Yandex, or for the robot itself, replaces that for *",
		verdicts: robotsOfYandex.flatMap((agent) => [
			inYandex(
				`${every("Disallow: /a")}${yandex("Disallow: /b")}`,
				["/b"],
				["/a"],
				agent,
			),
			inYandex(
				`${every("Disallow: /a")}${yandex("Disallow: /b")}${group(agent, "Disallow: /c")}`,
				["/c"],
				["/a", "/b"],
				agent,
			),
		]),
	},
	{
		where: "004:42-51",
		says: "eight robots can have groups of their own, else that for Yandex, else that for *",
		verdicts: robotsOfYandex.flatMap((agent) => [
			inYandex(every("Disallow: /a"), ["/a"], ["/b"], agent),
			inYandex(group(agent, "Disallow: /a"), ["/a"], ["/b"], agent),
		]),
		deviates: "Yandex's robots and `*`",
	},
	{
		where: "004:55-64",
		says: "the example: YandexBot, other robots of Yandex, and *",
		verdicts: (
			[
				["YandexBot", "/x?id=1", "/x?sid=1"],
				["YandexImages", "/x?sid=1", "/cgi-bin"],
				["Yandex", "/x?sid=1", "/cgi-bin"],
			] as const
		).map(([agent, disallowed, allowed]) =>
			inYandex(
				"User-agent: YandexBot # a\nDisallow: /*?id=\n\nUser-agent: Yandex # b\nDisallow: /*sid= # c\n\nUser-agent: * # d\nDisallow: /cgi-bin\n",
				[disallowed],
				[allowed],
				agent,
			),
		),
	},
	{
		where: "004:77-79",
		says: "blank lines between user-agent lines and rules are inadmissible",
		lint: {
			robots: yandex("", "Disallow: /a"),
			dialect: "yandex",
			finds: ["blank-line"],
		},
		deviates: "Blank lines inside a group",
	},
	{
		where: "004:81",
		says: "a blank line in front of each user-agent line is recommended",
		verdicts: [
			inYandex(
				"User-agent: *\nDisallow: /a\n\nUser-agent: Yandex\nDisallow: /b\n",
				["/b"],
				["/a"],
			),
		],
	},
	{
		where: "004:93-118",
		says: "rules are sorted by length, and the last that matches counts, whatever their order in the file",
		verdicts: [
			inYandex(
				yandex("Allow: /catalog", "Disallow: /"),
				["/x"],
				["/catalog/a"],
			),
			inYandex(
				yandex("Allow: /", "Allow: /catalog/auto", "Disallow: /catalog"),
				["/catalog", "/catalog/x"],
				["/", "/catalog/auto"],
			),
			inYandex(
				yandex("Disallow: /catalog", "Allow: /catalog/auto", "Allow: /"),
				["/catalog", "/catalog/x"],
				["/", "/catalog/auto"],
			),
		],
		test: ["packages/cli/test/show.test.ts", "--sorted"],
	},
	{
		where: "004:120",
		says: "of rules that are as long, Allow counts",
		verdicts: [inYandex(yandex("Allow: /a", "Disallow: /a"), [], ["/a"])],
	},
	{
		where: "004:122-130",
		says: "Disallow: without a path allows everything, Allow: disallows it",
		verdicts: [
			inYandex(yandex("Disallow:"), [], ["/", "/a"]),
			inYandex(yandex("Allow:"), ["/", "/a"], []),
		],
		deviates: "Rules without a path",
	},
	{
		where: "004:136-140",
		says: "the examples of *",
		verdicts: [
			inYandex(
				yandex("Disallow: /cgi-bin/*.aspx", "Disallow: /*private"),
				[
					"/cgi-bin/example.aspx",
					"/cgi-bin/private/test.aspx",
					"/private",
					"/cgi-bin/private",
				],
				["/cgi-bin/", "/a"],
			),
		],
	},
	{
		where: "004:142-149",
		says: "every rule ends with a * that is not written",
		verdicts: ["/cgi-bin*", "/cgi-bin"].map((pattern) =>
			inYandex(
				yandex(`Disallow: ${pattern}`),
				["/cgi-bin", "/cgi-bin/x"],
				["/cgi"],
			),
		),
	},
	{
		where: "004:151-158",
		says: "$ takes that * away",
		verdicts: [
			inYandex(yandex("Disallow: /example$"), ["/example"], ["/example.html"]),
			inYandex(yandex("Disallow: /example"), ["/example", "/example.html"], []),
		],
	},
	{
		where: "004:159-162",
		says: "/example*$ is the same as /example",
		verdicts: [
			inYandex(
				yandex("Disallow: /example*$"),
				["/example", "/example.html"],
				["/exampl"],
			),
			// It counts for no length, either: Allow, which is as long as /example, wins.
			inYandex(
				yandex("Disallow: /example*$", "Allow: /example"),
				[],
				["/example.html"],
			),
		],
	},
	{
		where: "004:164-173",
		says: "Sitemap lines, all of them",
		reads: {
			robots: yandex(
				"Allow: /",
				"Sitemap: http://mysite.ru/site_structure/my_sitemaps1.xml",
				"Sitemap: http://mysite.ru/site_structure/my_sitemaps2.xml",
			),
			dialect: "yandex",
			sitemaps: [
				"http://mysite.ru/site_structure/my_sitemaps1.xml",
				"http://mysite.ru/site_structure/my_sitemaps2.xml",
			],
		},
	},
	{
		where: "004:175-194",
		says: "Host names the main mirror, with a port if it is not 80, anywhere in the file",
		reads: {
			robots: "Host: www.myhost.ru:8080\nUser-Agent: *\nDisallow: /a\n",
			dialect: "yandex",
			host: "www.myhost.ru:8080",
		},
	},
	{
		where: "004:179-192",
		says: "Host behind the rules of a group is read",
		reads: {
			robots: "User-Agent: *\nDisallow:\nHost: www.myhost.ru\n",
			dialect: "yandex",
			host: "www.myhost.ru",
		},
		verdicts: [
			inYandex(
				"User-Agent: *\nDisallow: /forum\nDisallow: /cgi-bin\nHost: www.a.ru\n",
				["/forum", "/cgi-bin"],
				["/"],
			),
		],
	},
	{
		where: "004:196-207",
		says: "of several Host lines the first counts",
		reads: {
			robots: `Host: myhost.ru # a\n\n${every("Disallow: /cgi-bin")}\n${yandex("Disallow: /cgi-bin", "Host: www.myhost.ru # b")}`,
			dialect: "yandex",
			host: "myhost.ru",
		},
		lint: {
			robots: `Host: myhost.ru\n\n${every("Disallow: /cgi-bin", "Host: www.myhost.ru")}`,
			dialect: "yandex",
			finds: ["repeated-host"],
		},
	},
	{
		where: "004:209",
		says: "a Host that is no valid name with a valid port is ignored",
		reads: {
			robots: "Host: 1.2.3.4\nHost: a.ru\n",
			dialect: "yandex",
			host: "a.ru",
		},
	},
	...(
		[
			[212, "www.myhost-.ru"],
			[213, "www.-myhost.ru"],
			[214, "www.myhost.ru:100000"],
			[215, "www.my_host.ru"],
			[216, ".my-host.ru:8000"],
			[217, "my-host.ru."],
			[218, "my..host.ru"],
			[219, "www.myhost.ru/"],
			[220, "www.myhost.ru:8080/"],
			[221, "http://www.myhost.ru"],
			[222, "213.180.194.129"],
			[223, "www.firsthost.ru,www.secondhost.ru"],
			[224, "www.firsthost.ru www.secondhost.ru"],
		] as const
	).map(([line, host]) => ({
		where: `004:${line}`,
		says: `Host: ${host} is ignored`,
		...mirror(`Host: ${host}`),
	})),
	{
		where: "004:226-240",
		says: "whether a Host names the right mirror cannot be seen in the file",
		reads: {
			robots: "User-Agent: *\nDisallow:\nHost: domen.myhost.ru\n",
			dialect: "yandex",
			host: "domen.myhost.ru",
		},
	},
	{
		where: "004:242-244",
		says: "Crawl-delay is the shortest time from the end of a download to the start of the next",
		test: ["packages/client/test/visits.test.ts", "client.visited("],
	},
	{
		where: "004:246",
		says: "Crawl-delay may have a fraction",
		reads: {
			robots: yandex("Crawl-delay: 0.5"),
			dialect: "yandex",
			agent: "Yandex",
			crawlDelay: 0.5,
		},
	},
	...(
		[
			["Yandex", 2],
			["anybot", 4.5],
		] as const
	).map(([agent, crawlDelay]) => ({
		where: "004:248-255",
		says: `the example of Crawl-delay, for ${agent}`,
		reads: {
			robots: `User-agent: Yandex\nCrawl-delay: 2 # a\n\nUser-agent: *\nDisallow: /search\nCrawl-delay: 4.5 # b\n`,
			dialect: "yandex" as const,
			agent,
			crawlDelay,
		},
	})),
	{
		where: "004:257-288",
		says: "Clean-param names parameters that do not matter: such URLs are one",
		reads: {
			robots: yandex("Disallow:", "Clean-param: ref /some_dir/get_book.pl"),
			dialect: "yandex",
			canonical: [
				[
					"http://www.site.ru/some_dir/get_book.pl?ref=site_1&book_id=123",
					"http://www.site.ru/some_dir/get_book.pl?book_id=123",
				],
				[
					"http://www.site.ru/some_dir/get_book.pl?book_id=123&ref=site_3",
					"http://www.site.ru/some_dir/get_book.pl?book_id=123",
				],
				[
					"http://www.site.ru/other.pl?ref=site_1",
					"http://www.site.ru/other.pl?ref=site_1",
				],
			],
		},
		deviates: "The URL that Clean-param leaves",
	},
	{
		where: "004:290-294",
		says: "parameters are joined by &, a path prefix may follow; lines stand anywhere, and all of them count",
		reads: {
			robots: `Clean-param: a&b /x\n${every("Disallow: /q", "Clean-param: c")}`,
			dialect: "yandex",
			cleanParams: 2,
			canonical: [
				["http://e.ru/x?a=1&b=2&c=3&d=4", "http://e.ru/x?d=4"],
				["http://e.ru/y?a=1&c=3", "http://e.ru/y?a=1"],
			],
		},
	},
	{
		where: "004:296-302",
		says: "a path has only A-Za-z0-9.-/*_ and ends with an unwritten *; case matters; 500 characters at most",
		reads: {
			robots: `Clean-param: s /forum/showthread.php\nClean-param: a /x?y\nClean-param: ${"p".repeat(500)} /z\n`,
			dialect: "yandex",
			cleanParams: 1,
			canonical: [
				[
					"http://e.ru/forum/showthread.php5?s=1",
					"http://e.ru/forum/showthread.php5",
				],
				[
					"http://e.ru/FORUM/showthread.php?s=1",
					"http://e.ru/FORUM/showthread.php?s=1",
				],
				[
					"http://e.ru/forum/showthread.php?S=1",
					"http://e.ru/forum/showthread.php?S=1",
				],
			],
		},
		lint: {
			robots: `${every("Disallow: /a")}Clean-param: a /x?y\n`,
			dialect: "yandex",
			finds: ["invalid-value"],
		},
	},
	{
		where: "004:304-306",
		says: "the three examples of Clean-param are valid",
		reads: {
			robots:
				"Clean-param: abc /forum/showthread.php\nClean-param: sid&sort /forumt/*.php\nClean-param: someTrash&otherTrash\n",
			dialect: "yandex",
			cleanParams: 3,
			canonical: [
				[
					"http://e.ru/forumt/a/b.php?sid=1&sort=2&x=3",
					"http://e.ru/forumt/a/b.php?x=3",
				],
				["http://e.ru/?otherTrash=1", "http://e.ru/"],
			],
		},
	},
	{
		where: "004:308-323",
		says: "further examples: one parameter",
		reads: {
			robots:
				"Clean-param: s /forum/showthread.php\nClean-param: sid /index.php\n",
			canonical: [
				[
					"http://www.site1.ru/forum/showthread.php?s=681498b9648949605&t=8243",
					"http://www.site1.ru/forum/showthread.php?t=8243",
				],
				[
					"http://www.site2.ru/index.php?page=1&sort=3a&sid=2564126ebdec301c607e5df",
					"http://www.site2.ru/index.php?page=1&sort=3a",
				],
			],
		},
	},
	{
		where: "004:324-338",
		says: "further examples: several parameters, several scripts",
		reads: {
			robots:
				"Clean-param: s&ref /forum*/showthread.php\nClean-param: s /forum/index.php\nClean-param: s /forum/showthread.php\n",
			canonical: [
				[
					"http://www.site1.ru/forum_old/showthread.php?s=681498605&t=8243&ref=1311",
					"http://www.site1.ru/forum_old/showthread.php?t=8243",
				],
				[
					"http://www.site1.ru/forum/index.php?s=1e71c4427317a117a&t=8243",
					"http://www.site1.ru/forum/index.php?t=8243",
				],
			],
		},
	},
	{
		where: "004:342",
		says: "other directives are not supported",
		verdicts: [inYandex(yandex("Noindex: /a"), [], ["/a"])],
		deviates: "Lines besides the documents' fields",
	},
	{
		where: "004:344-350",
		says: "Allow: / beats Disallow: /",
		verdicts: [inYandex(yandex("Allow: /", "Disallow: /"), [], ["/", "/a"])],
	},
	{
		where: "004:352-356",
		says: "* inside a path is any run of characters",
		verdicts: [
			inYandex(
				yandex("Disallow: /private*html"),
				["/private*html", "/private/test.html", "/private/html/test.aspx"],
				["/private"],
			),
		],
	},
	{
		where: "004:358-361",
		says: "$ at the end is not a letter",
		verdicts: [
			inYandex(
				yandex("Disallow: /private$"),
				["/private"],
				["/private$", "/private$test"],
			),
		],
	},
	{
		where: "004:363-380",
		says: "groups need no blank line between them, and comments do not matter",
		verdicts: [
			inYandex(
				"User-agent: *\nDisallow: /\nUser-agent: Yandex\nAllow: /\n",
				[],
				["/"],
			),
			inYandex(
				"User-agent: *\nDisallow: /\n# a...\n# b...\n# c...\nUser-agent: Yandex\nAllow: /\n",
				[],
				["/"],
			),
		],
	},
	{
		where: "004:382-387",
		says: "everything but /archive is closed",
		verdicts: [
			inYandex(
				yandex("Allow: /archive", "Disallow: /"),
				["/", "/a"],
				["/archive/a"],
			),
		],
	},
	{
		where: "004:387",
		says: "Allow: /archive allows all that contains /archive",
		deviates: "A comment that says too much",
	},
	{
		where: "004:389-397",
		says: "the long example of * and $",
		verdicts: [
			inYandex(
				yandex(
					"Allow: /obsolete/private/*.html$ # a",
					"  # b",
					"Disallow: /*.php$ # c",
					"Disallow: /*/private/ # d",
					"Disallow: /*/old/*.zip$ # e",
				),
				["/a.php", "/x/private/a", "/x/old/y/a.zip", "/obsolete/private/a.txt"],
				["/obsolete/private/a.html", "/a.php5", "/old/a.zip"],
			),
		],
	},
	{
		where: "004:399-401",
		says: "a script with a parameter",
		verdicts: [
			inYandex(
				yandex("Disallow: /add.php?*user="),
				["/add.php?user=1", "/add.php?a=1&user=2"],
				["/add.php", "/add.php?a=1"],
			),
		],
	},
	{
		where: "004:403-406",
		says: "a file of more than 32 KB allows everything",
		deviates: "Files of more than 32 KB",
	},
	{
		where: "004:408",
		says: "a file that could not be read, or 404, allows everything",
		answers: [
			{
				outcome: failed("invalid-response"),
				access: "allow-all",
				options: { dialect: "yandex" },
			},
			{
				outcome: status(404),
				access: "allow-all",
				options: { dialect: "yandex" },
			},
		],
		deviates: "Yandex and a site that cannot be reached",
	},
	{
		where: "004:410",
		says: "an analyser checks the file",
		lint: {
			robots: yandex("Dissallow: /a"),
			dialect: "yandex",
			finds: ["misspelled-field"],
		},
	},
];

export const statements: readonly Statement[] = [...google, ...yandexDocument];

/** Lines that say nothing about how robots.txt is read: headings, links, licences, Google's other tools, definitions. */
export const silent: Readonly<Record<string, string>> = {
	"000":
		"1-23 25 29 31 41-45 67 69 91 93 111-113 146 182 212-216 240-242 246 253 305 320-322 326-328 335",
	"001": "1-20 24 32-34 87 94 107 125 161-163 184 214-216 222 240 248 351",
	"002": "1-20 24 32-34 87 94 107 125 162 182 211-213 219 235 243 345",
	"003":
		"1-5 9-13 16 20-32 34 38 42 48 54-62 86-92 98-101 106 111 124 184 202-210 213 295-303 317-327 331-333 339-353 359 363 371 375-381 385 389 393 399 403-405 427 433-451 456 460 462-474 480 490-494 544 579 587 594 598 618 698 764 801-804 830 849 886 926 942 1010 1017-1019",
	"004": "1-26 30 36 66 211 340 412-416",
};
