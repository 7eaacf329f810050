import type { RequestRate, TimeWindow, UseLevel } from "../../src/index.ts";

/** Lines whose values say nothing, and the reason that is given. */
export const invalidValues: readonly (readonly [string, string])[] = [
	["Crawl-delay: 2s", "a number of seconds"],
	["Crawl-delay:", "a number of seconds"],
	["Clean-param: a b c", "more than parameters and a path"],
	["Clean-param: &", "names no parameter"],
	["Clean-param: a /b?c", "letters of ASCII"],
	[`Clean-param: ${"a".repeat(501)}`, "longer than 500 characters"],
	["Request-rate: 1", "documents/seconds"],
	["Request-rate: 1/5 0600", "hhmm-hhmm"],
	["Visit-time: 6-8", "hhmm-hhmm"],
	["Content-Signal:", "names no signal"],
	["Content-Signal: ai-train", "ai-train is yes or no"],
	["Content-Signal: ai-train=maybe", "ai-train is yes or no"],
	[
		"Content-Signal: ai-training=no",
		'"ai-training" is not a signal; perhaps ai-train',
	],
	[
		"Content-Signal: ai=no",
		"the signals are search, ai-input, ai-train and use",
	],
	["Content-Signal: search=yes; ai-train=no", 'separated by ",", not ";"'],
	["Content-Signal: use=yes", "use is immediate, reference or full"],
	["Content-Signals: use=yes", "use is immediate, reference or full"],
	["Content-Usage: train-ai=n,", "a dictionary"],
	["Content-Usage: Train-AI=n", "a dictionary"],
	["Content-Usage: /a", "states no preference"],
	["Content-Usage: train-ai=no", "train-ai is y or n"],
	["License: /license.xml", "a license is an absolute URL"],
];

/** Lines of whose values a part counts, and what is wrong with the rest. */
export const partlyIgnored: readonly (readonly [string, string])[] = [
	["Content-Signal: search=yes, ai-train=conditional", "ai-train is yes or no"],
	["Content-Signal: ai-training=no, search=yes", "perhaps ai-train is meant"],
	["Content-Signal: index=no, use=full", "perhaps search is meant"],
	["Content-Signal: search=yes, use=some", "use is immediate"],
	["Content-Signal: a=1, b=1, c=1, d=1, e=1, search=no", "and 2 more"],
	["Content-Usage: search=y, train-ai=no", "train-ai is y or n"],
	["Content-Usage: train-ai=n; search=y", 'search stands after ";"'],
];

/** Values of Sitemap lines that are no absolute URL. */
export const relativeSitemaps: readonly string[] = [
	"",
	"/s.xml",
	"s.xml",
	"//e.com/s.xml",
	"e.com/s.xml",
	"e.com:80/s.xml",
	"https:s.xml",
	"https:/s.xml",
	"https://",
	"https://e.com:x/s.xml",
	"http//e.com/s.xml",
	"javascript:alert(1)",
];

const many = " ".repeat(200_000);

/** Values that a careless pattern would take minutes to refuse. */
export const longValues: readonly string[] = [
	`a${many}b`,
	`a${many}=${many}b${many}c`,
	`1${many}/${many}x`,
	`0600${many}-${many}x`,
	`/${many}a;${many}=`,
	"1".repeat(200_000),
	"a=".repeat(100_000),
	"a,".repeat(100_000),
	"(".repeat(100_000),
	`a${"&".repeat(100_000)}`,
	`${"a.".repeat(100_000)}:`,
];

const rate = (
	requests: number,
	seconds: number,
	window?: TimeWindow,
): Omit<RequestRate, "line"> => ({ requests, seconds, window });

export const requestRates: readonly (readonly [
	string,
	Omit<RequestRate, "line"> | undefined,
])[] = [
	["1/5", rate(1, 5)],
	["10/60", rate(10, 60)],
	["10/10m", rate(10, 600)],
	["20/1H", rate(20, 3600)],
	["1/30s", rate(1, 30)],
	["1 / 30", rate(1, 30)],
	["1/10m 1300-1659", rate(1, 600, { start: 780, end: 1019 })],
	["1/5 2200-0600", rate(1, 5, { start: 1320, end: 360 })],
	["0/5", undefined],
	["1/0", undefined],
	["1/5d", undefined],
	["1.5/5", undefined],
	["-1/5", undefined],
	["5", undefined],
	["", undefined],
	["1234567890/5", undefined],
	["1/5 2500-0600", undefined],
	["1/5 0600-0700 0800-0900", undefined],
];

export const visitTimes: readonly (readonly [
	string,
	TimeWindow | undefined,
])[] = [
	["0600-0845", { start: 360, end: 525 }],
	["0000-2400", { start: 0, end: 1440 }],
	["2200-0600", { start: 1320, end: 360 }],
	["0100 - 0800", { start: 60, end: 480 }],
	["06:00-08:45", { start: 360, end: 525 }],
	["2400-0100", undefined],
	["0000-2401", undefined],
	["0660-0700", undefined],
	["0600", undefined],
	["600-845", undefined],
	["always", undefined],
];

/** A file, and by agent the Crawl-delay that holds for it. */
export const delayRows: readonly (readonly [
	what: string,
	file: string,
	delays: Readonly<Record<string, number | undefined>>,
])[] = [
	[
		"each crawler has its own",
		"User-agent: bingbot\nCrawl-delay: 1\nUser-agent: msnbot\nCrawl-delay: 2\nUser-agent: *\nDisallow: /\n",
		{ bingbot: 1, msnbot: 2, x: undefined },
	],
	[
		"several crawlers above one",
		"User-agent: a\n\n# b\nUser-agent: b\nCrawl-delay: 1\nUser-agent: c\nDisallow: /\n",
		{ a: 1, b: 1, c: undefined },
	],
	[
		"what is no setting begins nothing anew",
		"User-agent: a\nSitemap: https://e.com/\nHost: e.com\nClean-param: s\nNoindex: /\nUser-agent: b\nCrawl-delay: 1\n",
		{ a: 1, b: 1 },
	],
	[
		"an invalid one begins anew",
		"User-agent: a\nCrawl-delay: soon\nUser-agent: b\nCrawl-delay: 2\n",
		{ a: undefined, b: 2 },
	],
	...["Request-rate: x", "Visit-time: x", "Content-Signal: x", "Content-Usage:"]
		.map((line) => line.toUpperCase())
		.map(
			(line) =>
				[
					`${line} begins anew`,
					`User-agent: a\n${line}\nUser-agent: b\nCrawl-delay: 2\n`,
					{ a: undefined, b: 2 },
				] as const,
		),
	[
		"behind a rule it holds for the lines above the rule alone",
		"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x\nCrawl-delay: 2\nDisallow: /y\nCrawl-delay: 3\n",
		{ a: 1, b: 2 },
	],
	[
		"several sections of one crawler: the first valid one counts",
		"User-agent: a\nCrawl-delay: x\nUser-agent: b\nCrawl-delay: 2\nUser-agent: A\nCrawl-delay: 3\nDisallow: /\nUser-agent: a\nCrawl-delay: 4\n",
		{ a: 3, b: 2 },
	],
	[
		"a crawler of its own does not take that of all",
		"User-agent: a\nDisallow: /\nUser-agent: *\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\n",
		{ a: undefined, b: undefined, x: 1 },
	],
	[
		"in front of all groups it says nothing",
		"Crawl-delay: 9\nUser-agent: a\nDisallow: /\n",
		{ a: undefined },
	],
];

type Brief = readonly [string, Readonly<Record<string, boolean>>];

/** A file, and what it prefers about URLs, by category of use. */
export interface PreferenceRow {
	readonly where: string;
	readonly file: string;
	readonly agent?: string;
	readonly field: "contentSignal" | "contentUsage";
	readonly uses: readonly Brief[];
}

/** draft-ietf-aipref-attach-05, the example of the rule's section. */
const attach = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: train-ai=y
`;

const everybody = (...lines: readonly string[]) =>
	`User-agent: *\n${lines.join("\n")}\n`;

export const preferenceRows: readonly PreferenceRow[] = [
	{
		where: "attach draft, example, all others",
		file: attach,
		field: "contentUsage",
		uses: [
			["/test", { "train-ai": false }],
			["/never/test", {}],
			["/ai-ok/test", { "train-ai": true }],
		],
	},
	{
		where: "attach draft, example, ExampleBot",
		file: attach,
		agent: "ExampleBot",
		field: "contentUsage",
		uses: [
			["/test", { "train-ai": true }],
			["/never/test", { "train-ai": true }],
		],
	},
	{
		where: "attach draft up to 03: the path is given",
		file: everybody("Content-Usage: / train-ai=n"),
		field: "contentUsage",
		uses: [["/a", { "train-ai": false }]],
	},
	{
		where: "the longest path counts as a whole",
		file: everybody(
			"Content-Usage: train-ai=n, search=y",
			"Content-Usage: /a ai-use=n",
			"Content-Usage:\t/a/*.html$ \t train-ai=y",
		),
		field: "contentUsage",
		uses: [
			["/b", { "train-ai": false, search: true }],
			["/a/b", { "ai-use": false }],
			["/a/b.html", { "train-ai": true }],
			["/%61/b.html?c", { "ai-use": false }],
			["https://example.com", { "train-ai": false, search: true }],
		],
	},
	{
		where: "identical paths: the restriction counts",
		file: everybody(
			"Content-Usage: train-ai=n, search=y",
			"Content-Usage: / train-ai=y, search=n, ai-use=y",
		),
		field: "contentUsage",
		uses: [["/", { "train-ai": false, search: false, "ai-use": true }]],
	},
	{
		where: "vocabulary draft: the last value counts, parameters do not",
		file: everybody(
			"Content-Usage: train-ai;allow=n, train-ai=y;x, a=y, a=n",
			'Content-Usage: /q train-ai=y, train-ai, search=n, search="n", b=(y), c=1',
		),
		field: "contentUsage",
		uses: [
			["/", { "train-ai": true, a: false }],
			["/q", {}],
		],
	},
	{
		where: "what does not parse leaves preferences unknown",
		file: everybody(
			"Content-Usage: train-ai=y",
			"Content-Usage: /a Train-AI=n",
			"Content-Usage: /b train-ai=n,",
			"Content-Usage: /c",
		),
		field: "contentUsage",
		uses: [
			["/", { "train-ai": true }],
			["/a", {}],
			["/b", {}],
			["/c", {}],
		],
	},
	{
		where: "outside of all groups it says nothing",
		file: "Content-Usage: train-ai=n\nUser-agent: *\nContent-Usage: search=n\n",
		field: "contentUsage",
		uses: [["/", { search: false }]],
	},
	{
		where: "groups for the same crawler count together",
		file: "User-agent: a\nContent-Usage: train-ai=n\nAllow: /\nUser-agent: b\nDisallow: /\nUser-agent: a\nContent-Usage: /x search=n\n",
		agent: "a",
		field: "contentUsage",
		uses: [
			["/", { "train-ai": false }],
			["/x", { search: false }],
		],
	},
	{
		where: "another crawler's, whose rules are the same",
		file: "User-agent: b\nContent-Usage: train-ai=n\nUser-agent: a\nContent-Usage: /x search=n\nUser-agent: *\nDisallow: /p\n",
		agent: "a",
		field: "contentUsage",
		uses: [
			["/", {}],
			["/x", { search: false }],
		],
	},
	{
		where: "another crawler's, whose rules are the same",
		file: "Content-Signal: search=no\nUser-agent: b\nContent-Signal: ai-train=no\nUser-agent: a\nDisallow: /p\n",
		agent: "a",
		field: "contentSignal",
		uses: [["/", { search: false }]],
	},
	{
		where: "contentsignals.org, example",
		file: everybody(
			"Content-Signal: ai-train=no, search=yes, ai-input=yes",
			"Allow: /",
		),
		field: "contentSignal",
		uses: [["/", { "ai-train": false, search: true, "ai-input": true }]],
	},
	{
		where: "any case and spacing, use aside",
		file: everybody("CONTENT-SIGNAL: Search=YES,AI-Train = No , use=reference"),
		field: "contentSignal",
		uses: [["/", { search: true, "ai-train": false }]],
	},
	{
		where: "the plural, as others read it",
		file: everybody("Content-Signals: search=yes"),
		field: "contentSignal",
		uses: [["/", { search: true }]],
	},
	{
		where: "the plural is a setting, which ends a list of crawlers",
		file: "User-agent: a\nContent-Signals: search=yes\nUser-agent: b\nDisallow: /x\n",
		agent: "b",
		field: "contentSignal",
		uses: [["/", {}]],
	},
	{
		where: "for the site, and per path signal by signal",
		file: everybody(
			"Content-Signal: search=yes, ai-train=no",
			"Content-Signal: /open/ ai-train=yes",
			"Content-Signal: /*.pdf$ search=no",
			"Disallow: /no/",
		),
		field: "contentSignal",
		uses: [
			["/", { search: true, "ai-train": false }],
			["/open/a", { search: true, "ai-train": true }],
			["/open/a.pdf", { search: false, "ai-train": true }],
			["/no/a", {}],
		],
	},
	{
		where: "in front of all groups it holds for all, the restriction first",
		file: "Content-Signal: ai-train=no, search=yes\nUser-agent: a\nContent-Signal: ai-train=yes, ai-input=no\nDisallow: /x\nContent-Signal: search=no\n",
		agent: "a",
		field: "contentSignal",
		uses: [["/", { "ai-train": false, search: false, "ai-input": false }]],
	},
	{
		where: "of another crawler's group",
		file: "User-agent: a\nContent-Signal: ai-train=no\nDisallow: /x\nUser-agent: *\nAllow: /\n",
		agent: "b",
		field: "contentSignal",
		uses: [["/", {}]],
	},
	{
		where: "said twice, or neither yes nor no",
		file: everybody(
			"Content-Signal: ai-train=no, ai-train=yes, search=maybe, ai-input",
		),
		field: "contentSignal",
		uses: [["/", { "ai-train": false }]],
	},
];

/** A file, and by URL how far its pages may be used. */
export const useRows: readonly (readonly [
	where: string,
	file: string,
	levels: Readonly<Record<string, UseLevel | undefined>>,
])[] = [
	[
		"Cloudflare's managed file",
		everybody("Content-Signal: search=yes,ai-train=no,use=reference"),
		{ "/": "reference" },
	],
	["none", everybody("Content-Signal: search=yes"), { "/": undefined }],
	["any case", everybody("Content-Signal: USE = Full"), { "/": "full" }],
	["no such level", everybody("Content-Signal: use=none"), { "/": undefined }],
	[
		"said twice: the restriction counts",
		everybody(
			"Content-Signal: use=full, use=immediate, use=reference",
			"Content-Signal: use=reference",
		),
		{ "/": "immediate" },
	],
	[
		"the longest path counts, and other signals' lines do not",
		everybody(
			"Content-Signal: use=immediate",
			"Content-Signal: /a use=full",
			"Content-Signal: /a/b search=no",
			"Disallow: /p",
		),
		{ "/": "immediate", "/a": "full", "/a/b": "full", "/p": undefined },
	],
	[
		"in front of all groups it holds for all",
		"Content-Signal: use=reference\nUser-agent: *\nContent-Signal: use=full\n",
		{ "/": "reference" },
	],
	[
		"of another crawler's group",
		"User-agent: a\nContent-Signal: use=full\nUser-agent: *\nAllow: /\n",
		{ "/": undefined },
	],
];
