/** Clean-param lines and what comes of URLs. */
export interface CleanParamRow {
	readonly where: string;
	readonly lines: readonly string[];
	/** URL and canonical URL. */
	readonly urls: readonly (readonly [string, string])[];
}

/** The examples of the Yandex document, "Директива Clean-param". */
const documented: readonly CleanParamRow[] = [
	{
		where: "document: ref of get_book.pl",
		lines: ["ref /some_dir/get_book.pl"],
		urls: ["site_1", "site_2", "site_3"].map((ref) => [
			`http://www.site.ru/some_dir/get_book.pl?ref=${ref}&book_id=123`,
			"http://www.site.ru/some_dir/get_book.pl?book_id=123",
		]),
	},
	{
		where: "document: s of everything below /forum/showthread.php",
		lines: ["s /forum/showthread.php"],
		urls: [
			["/forum/showthread.php?s=1", "/forum/showthread.php"],
			["/forum/showthread.phpx/y?s=1", "/forum/showthread.phpx/y"],
			["/forum/showthread?s=1", "/forum/showthread?s=1"],
			["/Forum/showthread.php?s=1", "/Forum/showthread.php?s=1"],
			["/forum/showthread.php?S=1", "/forum/showthread.php?S=1"],
		],
	},
	{
		where: "document: three lines, a wildcard, no path",
		lines: [
			"abc /forum/showthread.php",
			"sid&sort /forumt/*.php",
			"someTrash&otherTrash",
		],
		urls: [
			["/forum/showthread.php?abc=1&sid=2", "/forum/showthread.php?sid=2"],
			["/forumt/a/b.php?sid=2&x=3&sort=4&abc=5", "/forumt/a/b.php?x=3&abc=5"],
			["/forumt/a/b.pl?sid=2", "/forumt/a/b.pl?sid=2"],
			["/any?someTrash=1&a=b&otherTrash", "/any?a=b"],
			["/?sometrash=1", "/?sometrash=1"],
		],
	},
	{
		where: "document: additional example 1",
		lines: ["s /forum/showthread.php"],
		urls: ["681498b9648949605", "1e71c4427317a117a"].map((s) => [
			`http://www.site1.ru/forum/showthread.php?s=${s}&t=8243`,
			"http://www.site1.ru/forum/showthread.php?t=8243",
		]),
	},
	{
		where: "document: additional example 2",
		lines: ["sid /index.php"],
		urls: ["2564126ebdec301c607e5df", "974017dcd170d6c4a5d76ae"].map((sid) => [
			`http://www.site2.ru/index.php?page=1&sort=3a&sid=${sid}`,
			"http://www.site2.ru/index.php?page=1&sort=3a",
		]),
	},
	{
		where: "document: additional example 3, several parameters",
		lines: ["s&ref /forum*/showthread.php"],
		urls: [
			[
				"http://www.site1.ru/forum_old/showthread.php?s=681498605&t=8243&ref=1311",
				"http://www.site1.ru/forum_old/showthread.php?t=8243",
			],
			[
				"http://www.site1.ru/forum_new/showthread.php?s=1e71c417a&t=8243&ref=9896",
				"http://www.site1.ru/forum_new/showthread.php?t=8243",
			],
		],
	},
	{
		where: "document: additional example 4, several scripts",
		lines: ["s /forum/index.php", "s /forum/showthread.php"],
		urls: [
			[
				"http://www.site1.ru/forum/showthread.php?s=681498b9648949605&t=8243",
				"http://www.site1.ru/forum/showthread.php?t=8243",
			],
			[
				"http://www.site1.ru/forum/index.php?s=1e71c4427317a117a&t=8243",
				"http://www.site1.ru/forum/index.php?t=8243",
			],
		],
	},
];

const unchanged = (url: string) => [url, url] as const;

export const cleanParamRows: readonly CleanParamRow[] = [
	...documented,
	{
		where: "anywhere in the query",
		lines: ["s"],
		urls: [
			["/?s", "/"],
			["/?s=", "/"],
			["/?s=1&s=2&s", "/"],
			["/?a&s=1", "/?a"],
			["/?s=1&a", "/?a"],
			["/?a&s=1&b", "/?a&b"],
			["/?a&s=1&s=2&b&s", "/?a&b"],
			["/?s=1&a&s=2&b&s=3", "/?a&b"],
			["/?s=a=b?c&d", "/?d"],
			unchanged("/?ss=1&as=2&=s&S=3"),
			unchanged("/?a=s&b=s=1"),
			unchanged("/s=1"),
		],
	},
	{
		where: "empty parameters",
		lines: ["s"],
		urls: [
			unchanged("/?"),
			unchanged("/?&"),
			unchanged("/??s=1"),
			["/?s&", "/"],
			["/?&s", "/"],
			["/?a&&s=1", "/?a&"],
			["/?s=1&&a", "/?&a"],
			["/?&s=1&a", "/?&a"],
		],
	},
	{
		where: "fragments stay, and what is in them",
		lines: ["s"],
		urls: [
			["/?s=1#f", "/#f"],
			["/?a&s=1#?s=1", "/?a#?s=1"],
			unchanged("/#?s=1"),
			unchanged("/a#b?s&c#?s"),
			["/?s#", "/#"],
		],
	},
	{
		where: "names as bytes, percent-escapes undone",
		lines: ["ref&утка&a%62", "%C3%A9"],
		urls: [
			["/?%72ef=1&x", "/?x"],
			["/?%72%65%66=1", "/"],
			["/?%D1%83%D1%82%D0%BA%D0%B0=1", "/"],
			["/?утка=1", "/"],
			["/?ab=1&x=%", "/?x=%"],
			["/?é&%c3%a9&e", "/?e"],
			unchanged("/?%7=ref&re%66x&%52ef&%"),
		],
	},
	{
		where: "paths match as rules do",
		lines: ["s /a*b/", "t */x", "u c", "v /~d", "w /e/$"],
		urls: [
			["/ab/?s=1", "/ab/"],
			["/a/q/b/c?s=1", "/a/q/b/c"],
			unchanged("/a/b?s=1"),
			["/%61%62/?s=1", "/%61%62/"],
			["/y/xz?t=1", "/y/xz"],
			["/x?t=1", "/x"],
			["/c?u=1", "/c"],
			unchanged("/a/c?u=1"),
			["http://e?t=1&s=2", "http://e?t=1&s=2"],
		],
	},
	{
		where: "the query is no part of the path",
		lines: ["s /*b"],
		urls: [["/b?s=1", "/b"], unchanged("/a?b&s=1"), unchanged("/a?s=/b")],
	},
	{
		where: "the root",
		lines: ["s /", "t *", "u /*", "v /index"],
		urls: [
			["http://example.com?s=1", "http://example.com"],
			["https://example.com?t&u", "https://example.com"],
			["HTTP://example.com/?u&t", "HTTP://example.com/"],
			unchanged("http://example.com?v"),
			["//example.com/a?s", "//example.com/a"],
		],
	},
	{
		where: "a path begins where the URL standard has it begin",
		lines: ["s /a", "t"],
		urls: [
			["http:\\\\e\\a?s=1", "http:\\\\e\\a"],
			["http:e/a?s=1&t", "http:e/a"],
			["http:///e/a?s=1&t", "http:///e/a"],
			[" http://e/a?s=1&t&u", " http://e/a?u"],
			["http:/a?s=1&t", "http:/a?s=1"],
			["http://-e/a?s=1&t", "http://-e/a"],
		],
	},
	{
		where: "many lines for a name count together",
		lines: ["s /a", "t /b", "s /c", "s&t /d"],
		urls: [
			["/a?s&t", "/a?t"],
			["/b?s&t", "/b?s"],
			["/c?s&t", "/c?t"],
			["/d?s&t", "/d"],
		],
	},
	{
		where: "lines that do not count",
		lines: ["s /a b", "t /é", "u /?x", "v /a%20", "&", "", "w /a$"],
		urls: [unchanged("/a?s&t&u&v&w&=")],
	},
	{
		where: "a rule of 500 characters counts, of 501 not",
		lines: [`s /${"a".repeat(497)}`, `t /${"a".repeat(498)}`],
		urls: [[`/${"a".repeat(498)}?s&t`, `/${"a".repeat(498)}?t`]],
	},
	{
		where: "without lines",
		lines: [],
		urls: [unchanged("/?s=1"), unchanged("http://e/?#")],
	},
];

/** Lines that are no URLs: `canonicalUrl` refuses them, `canonicalLines` leaves them as they are. */
export const noUrls: readonly string[] = [
	"gopher:///a?s=1",
	"mailto:a@www.site.ru?s=1",
	"",
	"?s=1",
	"a?s=1",
	"www.site.ru/a?s=1",
	"http://?s=1",
	"http:///?s=1",
	"http:?s=1",
	"gopher:/a?s=1",
	"https//a?s=1",
	"httpx?s",
];
