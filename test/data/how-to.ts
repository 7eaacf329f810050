import type { Situation } from "./documents.ts";

/** "Create a robots.txt file", "Useful robots.txt rules", the FAQ and "File format" of the 2021 edition. */
export const howTo: readonly Situation[] = [
	...(
		[
			["Googlebot", ["/nogooglebot/", "/nogooglebot/a"], ["/", "/x"]],
			["Otherbot", [], ["/nogooglebot/", "/"]],
		] as const
	).map(([agent, disallowed, allowed]) => ({
		where: `Getting started: ${agent}`,
		robots:
			"# Group 1\nUser-agent: Googlebot\nDisallow: /nogooglebot/\n\n# Group 2\nUser-agent: *\nAllow: /\n\nSitemap: http://www.example.com/sitemap.xml\n",
		agent,
		disallowed,
		allowed,
	})),
	{
		where: "Syntax: rules are case-sensitive",
		robots: "User-agent: *\nDisallow: /file.asp",
		disallowed: ["http://www.example.com/file.asp"],
		allowed: ["http://www.example.com/FILE.asp"],
	},
	...(
		[
			["Googlebot", ["/"], []],
			["AdsBot-Google", [], ["/"]],
		] as const
	).map(([agent, disallowed, allowed]) => ({
		where: `Syntax, example 1: ${agent}`,
		robots: "User-agent: Googlebot\nDisallow: /",
		agent,
		disallowed,
		allowed,
	})),
	...["Googlebot", "AdsBot-Google"].map((agent) => ({
		where: `Syntax, example 2: ${agent}`,
		robots: "User-agent: Googlebot\nUser-agent: AdsBot-Google\nDisallow: /",
		agent,
		disallowed: ["/", "/x"],
	})),
	{
		where: "Syntax, example 3",
		robots: "User-agent: *\nDisallow: /",
		disallowed: ["/", "/x"],
	},
	...(
		[
			[
				"googlebot",
				["/directory1/", "/directory1/x", "/directory2/", "/directory2/x"],
				["/", "/directory1", "/directory2/subdirectory1/x", "/directory3/"],
			],
			["anothercrawler", ["/", "/directory2/subdirectory1/"], []],
			["thirdcrawler", [], ["/", "/directory1/"]],
		] as const
	).map(([agent, disallowed, allowed]) => ({
		where: `Another example file: ${agent}`,
		robots:
			"# Block googlebot from example.com/directory1/...\nUser-agent: googlebot\nDisallow: /directory1/\nDisallow: /directory2/\nAllow: /directory2/subdirectory1/\n\n# Block the entire site from anothercrawler.\nUser-agent: anothercrawler\nDisallow: /\n",
		agent,
		disallowed,
		allowed,
	})),
	{
		where: "Useful rules: a directory and its contents",
		robots: "User-agent: *\nDisallow: /calendar/\nDisallow: /junk/",
		disallowed: ["/calendar/", "/calendar/2021", "/junk/x"],
		allowed: ["/calendar", "/junk.html", "/"],
	},
	...(
		[
			["Googlebot-news", [], ["/", "/x"]],
			["Otherbot", ["/", "/x"], []],
		] as const
	).map(([agent, disallowed, allowed]) => ({
		where: `Useful rules, access to a single crawler: ${agent}`,
		robots:
			"User-agent: Googlebot-news\nAllow: /\n\nUser-agent: *\nDisallow: /",
		agent,
		disallowed,
		allowed,
	})),
	...(
		[
			["Unnecessarybot", ["/", "/x"], []],
			["Otherbot", [], ["/", "/x"]],
		] as const
	).map(([agent, disallowed, allowed]) => ({
		where: `Useful rules, access to all but one: ${agent}`,
		robots:
			"User-agent: Unnecessarybot\nDisallow: /\n\nUser-agent: *\nAllow: /",
		agent,
		disallowed,
		allowed,
	})),
	{
		where: "Useful rules: a single page",
		robots: "User-agent: *\nDisallow: /private_file.html",
		disallowed: ["/private_file.html", "/private_file.html?x"],
		allowed: ["/private_file.htm", "/a/private_file.html"],
	},
	{
		where: "Useful rules: a specific image",
		robots: "User-agent: Googlebot-Image\nDisallow: /images/dogs.jpg",
		agent: "Googlebot-Image",
		disallowed: ["/images/dogs.jpg"],
		allowed: ["/images/cats.jpg"],
	},
	{
		where: "Useful rules: all images",
		robots: "User-agent: Googlebot-Image\nDisallow: /",
		agent: "Googlebot-Image",
		disallowed: ["/images/dogs.jpg", "/"],
	},
	{
		where: "Useful rules: files of a type",
		robots: "User-agent: Googlebot\nDisallow: /*.gif$",
		agent: "Googlebot",
		disallowed: ["/a.gif", "/a/b.gif"],
		allowed: ["/a.gif?x", "/a.giff", "/a.GIF"],
	},
	...(
		[
			["Mediapartners-Google", [], ["/", "/x"]],
			["Otherbot", ["/", "/x"], []],
		] as const
	).map(([agent, disallowed, allowed]) => ({
		where: `Useful rules, AdSense only: ${agent}`,
		robots:
			"User-agent: *\nDisallow: /\nUser-agent: Mediapartners-Google\nAllow: /",
		agent,
		disallowed,
		allowed,
	})),
	{
		where: "Useful rules: URLs that end with a string",
		robots: "User-agent: Googlebot\nDisallow: /*.xls$",
		agent: "Googlebot",
		disallowed: ["/table.xls", "/?f=table.xls"],
		allowed: ["/table.xlsx", "/table.xls?x"],
	},
	{
		where: "FAQ: rules are only valid for relative paths",
		robots: "User-agent: *\nDisallow: http://example.com/a",
		allowed: ["http://example.com/a", "/a"],
	},
	{
		where: "FAQ: mistakes and unsupported directives are ignored",
		robots:
			"Usr-agent: *\nUser-agent: *\nNoindex: /\n???\nDisallow: /b\nDisallow/c",
		disallowed: ["/b"],
		allowed: ["/", "/c"],
	},
	{
		where: "FAQ: /MyP in place of all spellings of /MyPrivateFolder",
		robots: "User-agent: *\nDisallow: /MyP",
		disallowed: ["/MyPrivateFolder", "/MyPRIVATE"],
		allowed: ["/myPrivateFolder", "/My"],
	},
	...(
		[
			["CR", "User-agent: *\rDisallow: /a\rAllow: /a/b"],
			["CR/LF", "User-agent: *\r\nDisallow: /a\r\nAllow: /a/b"],
			["LF", "User-agent: *\nDisallow: /a\nAllow: /a/b"],
			["BOM", "\uFEFFUser-agent: *\nDisallow: /a\nAllow: /a/b"],
			["no spaces", "User-agent:*\nDisallow:/a\nAllow:/a/b"],
			["white space", "  User-agent : *\t\n\tDisallow\t:\t/a \n Allow: /a/b  "],
			["comments", "User-agent: *#x\nDisallow: /a # x\n# x\nAllow: /a/b#:c"],
			["case of fields", "USER-AGENT: *\ndIsAlLoW: /a\naLLOW: /a/b"],
			[
				"HTML page",
				"<html>\n<p>Hello: world</p>\nUser-agent: *\nDisallow: /a\n<br>\nAllow: /a/b\n</html>",
			],
		] as const
	).map(([what, robots]) => ({
		where: `File format: ${what}`,
		robots,
		disallowed: ["/a", "/a/c"],
		allowed: ["/a/b", "/A", "/"],
	})),
	...["googlebot/1.2", "googlebot*", "googlebot", "GoogleBot"].map((value) => ({
		where: `Precedence for user agents: ${value} is googlebot`,
		robots: `User-agent: *\nDisallow: /\nUser-agent: ${value}\nDisallow: /a`,
		agent: "Googlebot",
		disallowed: ["/a"],
		allowed: ["/"],
	})),
	...["disallow:", "allow:"].map((line) => ({
		where: `Group-member rules, without a path ignored: ${line}`,
		robots: `User-agent: *\n${line}\nDisallow: /a`,
		disallowed: ["/a"],
		allowed: ["/", "/b"],
	})),
];

/** "Handling of <field> elements with simple errors or typos is not supported": so the standard, but not Google's library. */
export const typos: readonly Situation[] = [
	{
		where: "File format: useragent is no field",
		robots: "useragent: *\nDisallow: /a",
		allowed: ["/a"],
	},
	{
		where: "File format: dissallow is no field",
		robots: "User-agent: *\nDissallow: /a\nDisallow: /b",
		allowed: ["/a"],
		disallowed: ["/b"],
	},
];

/** "Non-7-bit ASCII characters may be included as UTF-8 or percent-escaped": in a URL Google's library wants them escaped. */
export const escaping: readonly (Situation & { urlEscaped: boolean })[] = (
	[
		["/%E3%82%A2", "/ア", false],
		["/ア", "/%E3%82%A2", true],
		["/ア", "/%e3%82%a2", false],
		["/%e3%82%a2", "/%E3%82%A2", true],
	] as const
).map(([pattern, url, urlEscaped]) => ({
	where: `URL matching: ${pattern} and ${url}`,
	robots: `User-agent: *\nDisallow: ${pattern}`,
	disallowed: [url],
	allowed: ["/%E3%82%A3"],
	urlEscaped,
}));
