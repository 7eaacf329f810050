import fc from "fast-check";
import type { Dialect } from "../../src/index.ts";

/** Texts that fuzz targets are made of. Bytes are characters of Latin-1 strings, so that inputs can be written as JSON. */

export const dialect: fc.Arbitrary<Dialect> = fc.constantFrom(
	"rfc9309",
	"google",
	"yandex",
);

export const joined = (pieces: readonly string[], maxLength: number) =>
	fc
		.array(fc.constantFrom(...pieces), { maxLength, size: "max" })
		.map((chosen) => chosen.join(""));

const utf8 = (text: string) => Buffer.from(text).toString("latin1");

/** Nobody's name in the table of crawlers, short ones first. */
export const agents = ["foo", "Foo-Bar", "a", "bot_1", "B", "foo1"] as const;
const agentValues = [
	...agents,
	"*",
	"*",
	"* x",
	"*#c",
	"*x",
	"",
	"foo/1.0",
	"FOO bar",
	"Foo",
	"%",
	"#",
	"Mozilla (compatible; foo)",
	utf8("føø"),
	"a-",
	"1",
	"_",
];
const patterns = [
	"",
	"/",
	"/a",
	"/a$",
	"/*a",
	"/a*b$",
	"*b",
	"/a/b",
	"/?a",
	"/*?*=",
	"a",
	"/%61",
	"/%2F",
	utf8("/é"),
	"/%C3%A9",
	"/%c3",
	"/*%3A",
	"/a**b",
	"/$",
	"/a/index.html",
	"/index.htm",
	"/a*",
	"/ab",
	"/b/*/c",
	"/%",
	"/%2",
	"$",
	"/a;b",
	"//",
	"/a\\b",
	"/\xff",
	`/${"ab".repeat(130)}`,
	"/a#b",
	"/a b",
];
const fields = [
	"User-agent:",
	"user-agent :",
	"Allow:",
	"Disallow:",
	"Disallow :",
	"DISALLOW:",
	"Sitemap:",
	"Crawl-delay:",
	"Host:",
	"Disallow",
	"Dissalow:",
	"useragent:",
	"user agent:",
	"disallowed:",
	"site-map:",
	"Noindex:",
	":",
	"Clean-param:",
	"x",
	"allow\t:",
	"Allow ",
	"User-Agent ",
	"\xef\xbb\xbf",
];
const ends = [
	"\n",
	"\n",
	"\n",
	"\r\n",
	"\r",
	"\n\n",
	"#c\n",
	" \n",
	"",
	"\0\n",
];
const debris = [
	..." \t\v\f\r\n\0:#*$/%a\x80\xff\xa0\x85",
	"\xef\xbb\xbf",
	"\xef\xbb",
	"\xe2\x80\xa8",
	"x".repeat(15),
	"#".repeat(17),
	"y".repeat(250),
	"z".repeat(16_640),
	"\n".repeat(16),
	// Offsets behind it need more than 16 bits.
	`#${"x".repeat(66_000)}\n`,
];

const line = fc
	.oneof(
		fc.tuple(
			fc.constantFrom("User-agent: "),
			fc.constantFrom(...agentValues),
			fc.constantFrom("\n"),
		),
		fc.tuple(
			fc.constantFrom("Disallow: ", "Allow: "),
			fc.constantFrom(...patterns),
			fc.constantFrom("\n"),
		),
		fc.tuple(
			fc.constantFrom(...fields),
			fc.constantFrom(...patterns, ...agentValues),
			fc.constantFrom(...ends),
		),
	)
	.map((parts) => parts.join(""));

/** A change of a text: where, as a part of its length, what is put there, and how much is taken out. */
const edit = fc.record({
	at: fc.nat(999),
	put: fc.oneof(fc.constantFrom(...debris), line),
	cut: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(30)),
});

/** Takes parts out of a text, and puts others in. */
export function spliced(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
	return fc
		.tuple(text, fc.array(edit, { maxLength: 6 }))
		.map(([whole, edits]) =>
			edits.reduce((text, { at, put, cut }) => {
				const from = Math.floor((at * (text.length + 1)) / 1000);
				return text.slice(0, from) + put + text.slice(from + cut);
			}, whole),
		);
}

/** A robots.txt, cut and spliced anywhere. */
export const robotsTxt: fc.Arbitrary<string> = spliced(
	fc.array(line, { maxLength: 24, size: "max" }).map((lines) => lines.join("")),
);

const pathPieces = [
	..."ab/ab/?*$%=:;#\\ .",
	"%61",
	"%2F",
	"%2f",
	"é",
	"%C3%A9",
	"%c3%a9",
	"%3A",
	"%2A",
	"%24",
	"\xff",
	"index.html",
	"robots.txt",
	"/a/b",
	"/b/x/c",
	"//",
	"/../",
	"ab".repeat(130),
];

/** Path and query, "/" in front. */
export const path = joined(pathPieces, 6).map(
	(text) => `/${text.replace(/^\/+/, "")}`,
);

const starts = [
	"https://h.example",
	"http://h.example",
	"HTTPS://H.example:443",
	"https://h.example:8080",
	"http://u:p@h.example",
	"https:\\\\h.example",
	"https:h.example",
	"https://[::1]",
	"https://127.1",
	"https://münchen.de",
	"ftp://h.example",
	" https://h.example",
	"https://xn--mnchen-3ya.de",
	"https://h.example.",
	"HTTP:///h.example",
	"ht\ttps://h.example",
];
const noUrls = [
	"",
	"a",
	"h.example/a",
	"https:",
	"https://",
	"?a",
	" /a",
	"foo:a",
];

/** URLs with a host, paths, and now and then what is neither. */
export const url: fc.Arbitrary<string> = fc.oneof(
	{ weight: 4, arbitrary: path },
	{
		weight: 6,
		arbitrary: fc
			.tuple(fc.constantFrom(...starts), fc.oneof(path, joined(pathPieces, 3)))
			.map((parts) => parts.join("")),
	},
	{ weight: 1, arbitrary: fc.constantFrom(...noUrls) },
);

export const someUrls = fc.array(url, {
	minLength: 1,
	maxLength: 12,
	size: "max",
});
