import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex, RobotsTxt, Verdict } from "../../src/index.ts";
import { dialectNames } from "../../src/robots-txt/dialect.ts";
import { casesOf } from "../cases.ts";

const origin = "https://example.com";
const robots = [
	"User-agent: *",
	"Disallow: /a",
	"Allow: /ab",
	"Disallow: /*.pdf",
	"Disallow: /*z$",
	"Allow: /p/*q*r",
	"Disallow: /p",
	"Disallow: /\u00e9",
	"Disallow: /*;s",
].join("\n");
const encode = (text: string) => new TextEncoder().encode(text);

describe.each(dialectNames)("Lines of one origin, %s", (dialect) => {
	const matcher = RobotsTxt.parse(robots, { dialect }).for("x");
	const index = new RobotsIndex({ agent: "x", dialect });
	index.set(origin, robots);
	index.set("https://open.example", "allow-all");
	const same = (text: string) => {
		const lines = encode(text);
		expect([...index.matchLinesOf(origin, lines)]).toEqual([
			...matcher.matchLines(lines),
		]);
	};

	test.each([
		["nothing", ""],
		["paths", "/a\n/ab\n/c\n/x.pdf\n/xz\n/p/1q2r\n/p/rq"],
		["URLs of the origin", `${origin}/a\n${origin}/ab\n${origin}/c.pdf\n`],
		["hosts are not looked at", "http://other/a\nhttps://b.example:8/ab\n"],
		["CRLF and blanks", "/xz\r\n/xz \n /a\n\r\n\t/ab\t\r\n"],
		["no URLs", "a\n\n:\nexample.com/a\n#/a\n?z\n"],
		["escapes and fragments", "/%61\n/%C3%A9\n/c#.pdf\n/\u00e9\n/a%62#z\n"],
		["NUL and semicolons", "/\0z\n/x;s\nhttp://h;s/a\n"],
		["more lines than a stretch has otherwise", "/\n".repeat(20_000)],
		["as many with candidates", "/a\n/z\n".repeat(9000)],
		["empty lines", "\n".repeat(20_000)],
		["many needles in a line", `/${".pdf".repeat(5000)}\n/c\n`],
		["special bytes far into a line", `/${"c".repeat(9000)}%61#z\n/xz\n`],
		["more than a chunk", `${origin}/some/path.pdf\n/c\n`.repeat(9000)],
	])("%s", (_, text) => same(text));

	test("across stretches", () => {
		const text = ["/a", "/x.pdf", "/xz", "/p/q", "/%61", "x"].join("\n");
		for (let shift = 8192 - 64; shift < 8192 + 8; shift++)
			same(`/c${"d".repeat(shift)}\n${text}\n`);
	});

	test("any lines", () => {
		const piece = fc.constantFrom(
			..."/ a b p q r z .pdf ;s % %61 # ? \r \u00e9 http://h https://example.com".split(
				" ",
			),
			"\n",
			"\n/",
			" ",
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 80 }), (pieces) =>
				same(pieces.join("")),
			),
			{ numRuns: casesOf(2000) },
		);
	});

	test("as matchLines says of origins", () => {
		const lines = encode("/a\n/ab\n");
		const { Allowed, Unknown, Later } = Verdict;
		index.set("https://later.example", "later");
		const of = (site: string) => [...index.matchLinesOf(site, lines)];
		expect(of("https://open.example")).toEqual([Allowed, Allowed]);
		expect(of("https://nobody.example")).toEqual([Unknown, Unknown]);
		expect(of("https://later.example")).toEqual([Later, Later]);
		expect(of("HTTPS://OPEN.example:443/b")).toEqual([Allowed, Allowed]);
		const into = new Uint8Array(9);
		const part = index.matchLinesOf(origin, lines, into);
		expect([part.buffer, part.length]).toEqual([into.buffer, 2]);
		expect(() => index.matchLinesOf("x", lines)).toThrow(/origin|absolute/);
		expect(() => index.matchLinesOf(origin, lines, new Uint8Array(1))).toThrow(
			"2 verdicts do not fit into 1 bytes",
		);
	});
});
