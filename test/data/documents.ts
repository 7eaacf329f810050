/** A file, and what one crawler may and may not fetch under it. */
export interface Situation {
	/** Where the document says so. */
	readonly where: string;
	readonly robots: string;
	/** Default "anybot". */
	readonly agent?: string | readonly string[];
	readonly allowed?: readonly string[];
	readonly disallowed?: readonly string[];
	readonly maxBytes?: number;
}

/** A pattern with the paths that it matches and those that it does not. */
export interface PathMatches {
	readonly where: string;
	readonly pattern: string;
	readonly matches: readonly string[];
	readonly misses: readonly string[];
}

const fish = {
	matches: [
		"/fish",
		"/fish.html",
		"/fish/salmon.html",
		"/fishheads",
		"/fishheads/yummy.html",
		"/fish.php?id=anything",
	],
	misses: ["/Fish.asp", "/catfish", "/?id=fish"],
};

const everything = ["/", "/index.html", "/a/b/c?d=e"];

/** "Example path matches", the same in the editions of 2019 (Indonesian, Thai) and 2021 (English). */
export const pathMatches: readonly PathMatches[] = [
	{ where: "2021, /", pattern: "/", matches: everything, misses: [] },
	{ where: "2021, /*", pattern: "/*", matches: everything, misses: [] },
	{ where: "2021, /fish", pattern: "/fish", ...fish },
	{ where: "2021, /fish*", pattern: "/fish*", ...fish },
	{
		where: "2021, /fish/",
		pattern: "/fish/",
		matches: ["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
		misses: ["/fish", "/fish.html", "/Fish/Salmon.asp"],
	},
	{
		where: "2021, /*.php",
		pattern: "/*.php",
		matches: [
			"/filename.php",
			"/folder/filename.php",
			"/folder/filename.php?parameters",
			"/folder/any.php.file.html",
			"/filename.php/",
		],
		misses: ["/", "/windows.PHP"],
	},
	{
		where: "2021, /*.php$",
		pattern: "/*.php$",
		matches: ["/filename.php", "/folder/filename.php"],
		misses: [
			"/filename.php?parameters",
			"/filename.php/",
			"/filename.php5",
			"/windows.PHP",
		],
	},
	{
		where: "2021, /fish*.php",
		pattern: "/fish*.php",
		matches: ["/fish.php", "/fishheads/catfish.php?parameters"],
		misses: ["/Fish.PHP"],
	},
	{
		where: "before 2019 (Polish), /*.php",
		pattern: "/*.php",
		matches: [
			"/nazwapliku.php",
			"/folder/nazwapliku.php",
			"/folder/nazwapliku.php?parametry",
			"/folder/dowolny.plik.php.html",
			"/nazwapliku.php/",
		],
		misses: ["/", "/windows.PHP"],
	},
	{
		where: "before 2019 (Polish), /fish*.php",
		pattern: "/fish*.php",
		matches: ["/fish.php", "/fishheads/catfish.php?parametry"],
		misses: ["/Fish.PHP"],
	},
];

/** "fish/: equivalent to /fish/", which only the edition before 2019 says; not so in Google's library. */
export const withoutSlash: PathMatches = {
	where: "before 2019 (Polish), fish/",
	pattern: "fish/",
	matches: ["/fish/", "/fish/?id=dowolny", "/fish/salmon.htm"],
	misses: ["/fish", "/fish.html", "/Fish/Salmon.asp", "/a/fish/"],
};

const host = "http://example.com";

/** "Order of precedence for group-member lines", sample situations of all editions. */
export const precedence: readonly Situation[] = [
	{
		where: "2021, /p against /",
		robots: "User-agent: *\nAllow: /p\nDisallow: /",
		allowed: [`${host}/page`],
	},
	{
		where: "2021, /folder against /folder",
		robots: "User-agent: *\nAllow: /folder\nDisallow: /folder",
		allowed: [`${host}/folder/page`],
	},
	{
		where: "before 2019 (Polish), /folder/ against /folder",
		robots: "User-agent: *\nAllow: /folder/\nDisallow: /folder",
		allowed: [`${host}/folder/page`],
		disallowed: [`${host}/folder`, `${host}/folders`],
	},
	{
		where: "2021, /page against /*.htm: undefined, so the longer one",
		robots: "User-agent: *\nAllow: /page\nDisallow: /*.htm",
		disallowed: [`${host}/page.htm`],
		allowed: [`${host}/page.php`],
	},
	{
		where: "2021, /$ against / for the root",
		robots: "User-agent: *\nAllow: /$\nDisallow: /",
		allowed: [`${host}/`],
	},
	{
		where: "2021, /$ against / below the root",
		robots: "User-agent: *\nAllow: /$\nDisallow: /",
		disallowed: [`${host}/page.htm`],
	},
];

const grouping = `user-agent: a
disallow: /c

user-agent: b
disallow: /d

user-agent: e
user-agent: f
disallow: /g

user-agent: h
`;

const merging = `user-agent: googlebot-news
disallow: /fish

user-agent: *
disallow: /carrots

user-agent: googlebot-news
disallow: /shrimp
`;

/** "Grouping of lines and rules" and example 2 of "Order of precedence for user agents". */
export const groups: readonly Situation[] = [
	{
		where: "2021, group a",
		robots: grouping,
		agent: "a",
		disallowed: ["/c"],
		allowed: ["/d", "/g"],
	},
	{
		where: "2021, group b",
		robots: grouping,
		agent: "b",
		disallowed: ["/d"],
		allowed: ["/c", "/g"],
	},
	...["e", "f"].map((agent) => ({
		where: `2021, group e and f: ${agent}`,
		robots: grouping,
		agent,
		disallowed: ["/g"],
		allowed: ["/c", "/d"],
	})),
	{
		where: "2021, group h is empty and allows everything",
		robots: grouping,
		agent: "h",
		allowed: ["/c", "/d", "/g"],
	},
	{
		where: "2021, example 2: groups for googlebot-news are merged",
		robots: merging,
		agent: "googlebot-news",
		disallowed: ["/fish", "/shrimp"],
		allowed: ["/carrots"],
	},
	{
		where: "2021, example 2: all others",
		robots: merging,
		agent: "otherbot",
		disallowed: ["/carrots"],
		allowed: ["/fish", "/shrimp"],
	},
];

/** Example 1 of "Order of precedence for user agents": the line of the group that each crawler follows. */
export const groupChoice = {
	robots: `user-agent: googlebot-news
disallow: /1

user-agent: *
disallow: /2

user-agent: googlebot
disallow: /3
`,
	crawlers: [
		["Googlebot News", ["Googlebot-News", "Googlebot"], 1],
		["Googlebot (web)", ["Googlebot"], 7],
		["Googlebot Images", ["Googlebot-Images", "Googlebot"], 7],
		["Googlebot News (images)", ["Googlebot-News", "Googlebot"], 1],
		["Otherbot (web)", ["Otherbot"], 4],
		["Otherbot (News)", ["Otherbot-News", "Otherbot"], 4],
	] as const,
};
