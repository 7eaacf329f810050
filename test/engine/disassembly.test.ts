import { expect, test } from "vitest";
import * as format from "../../assembly/format.ts";
import { disassemble } from "../../src/disassemble.ts";
import { type Dialect, Matcher, RobotsTxt } from "../../src/index.ts";

const listings: string[] = [];

/** The code as people see it; loading it back must show the same. */
function listing(
	rules: readonly string[],
	dialect: Dialect = "google",
): string {
	const robots = RobotsTxt.parse(["User-agent: *", ...rules].join("\n"), {
		dialect,
	});
	const matcher = robots.for("x");
	const text = disassemble(matcher);
	expect(disassemble(Matcher.fromBytes(matcher.toBytes()))).toBe(text);
	listings.push(text);
	return text;
}

test("no rules: stop", () => {
	expect(listing([])).toMatchInlineSnapshot(`
		"; 45 octets, 0 rules
		; every path: no rule
		; prefix code
		>   44  stop
		"
	`);
});

test("a prefix: literal, rule_stop", () => {
	expect(listing(["Disallow: /ab"])).toMatchInlineSnapshot(`
		"; 85 octets, 1 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  literal   "ab"
		    81  rule_stop #1 disallow ; line 2: disallow /ab
		"
	`);
});

test("prefixes of each other: rule, rule_end", () => {
	expect(
		listing(["Disallow: /a", "Allow: /ab$", "Disallow: /abc"]),
	).toMatchInlineSnapshot(`
		"; 101 octets, 3 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  literal   "a"
		    80  rule      #1 disallow ; line 2: disallow /a
		    84  literal   "b"
		    87  rule_end  #3 allow ; line 3: allow /ab$
		    91  stop
		>   92  literal   "abc"
		    97  rule_stop #2 disallow ; line 4: disallow /abc
		"
	`);
});

test("prefixes that part: branch", () => {
	expect(
		listing(["Disallow: /xa", "Disallow: /xb", "Allow: /x\u00e9"]),
	).toMatchInlineSnapshot(`
		"; 111 octets, 3 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  literal   "x"
		    80  branch    "a" 90, "b" 94
		    90  rule_stop #2 disallow ; line 2: disallow /xa
		    94  rule_stop #1 disallow ; line 3: disallow /xb
		>   98  literal   "x%C3%A9"
		   107  rule_stop #3 allow ; line 4: allow /xé
		"
	`);
});

test("a wildcard behind a prefix: wild", () => {
	expect(listing(["Disallow: /abc*d*e$"])).toMatchInlineSnapshot(`
		"; 64 octets, 1 rules
		; every path: no rule
		; prefix code
		>   44  stop
		>   45  literal   "abc"
		    50  wild      … "d" … "e" end #1 disallow ; line 2: disallow /abc*d*e$
		    63  stop
		"
	`);
});

test("wildcards behind the same prefix: need", () => {
	expect(
		listing(["Disallow: /abc*?d", "Disallow: /abc*?e", "Disallow: /abc*f"]),
	).toMatchInlineSnapshot(`
		"; 91 octets, 3 rules
		; every path: no rule
		; prefix code
		>   44  stop
		>   45  literal   "abc"
		    50  need      "?", else past 79
		    55  wild      … "?d" #3 disallow ; line 2: disallow /abc*?d
		    67  wild      … "?e" #2 disallow ; line 3: disallow /abc*?e
		    79  wild      … "f" #1 disallow ; line 4: disallow /abc*f
		    90  stop
		"
	`);
});

test("a wildcard in front: float1", () => {
	expect(listing(["Disallow: /*.php$", "Allow: *q"])).toMatchInlineSnapshot(`
		"; 221 octets, 2 rules
		; every path: no rule
		; prefix code
		>   44  stop
		; literal code
		>  189  stop
		>  190  literal   "q"
		   193  float1    … "" + 1 #1 allow ; line 3: allow *q
		   203  stop
		>  204  literal   "php"
		   209  float1    "/" … "." + 3 end #2 disallow ; line 2: disallow /*.php$
		   220  stop
		"
	`);
});

test("several wildcards in front: once, float", () => {
	expect(
		listing(["Disallow: /*ab*c", "Disallow: /*ab*d$"]),
	).toMatchInlineSnapshot(`
		"; 230 octets, 2 rules
		; every path: no rule
		; prefix code
		>   44  stop
		; literal code
		>  189  stop
		>  190  literal   "ab"
		   194  once      mark 0, then past 229
		   201  float     "/" … "ab" … "d" end #2 disallow ; line 3: disallow /*ab*d$
		   215  float     "/" … "ab" … "c" #1 disallow ; line 2: disallow /*ab*c
		   229  stop
		"
	`);
});

test("rfc9309: /robots.txt itself, two forms of a literal", () => {
	expect(
		listing(["Disallow: /*a%3Ab", "Disallow: /\u00e9"], "rfc9309"),
	).toMatchInlineSnapshot(`
		"; 298 octets, 3 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  literal   "\\xc3\\xa9"
		    81  rule_stop #1 disallow ; line 3: disallow /é
		>   85  literal   "robots.txt"
		    97  rule_end  #3 allow ; /robots.txt itself
		   101  stop
		; literal code
		>  222  stop
		>  223  literal   "a"
		   226  branch    "%" 236, ":" 268
		   236  literal   "3Ab"
		   241  once      mark 0, then past 267
		   248  float     "/" … "a%3Ab" or "a:b" #2 disallow ; line 2: disallow /*a%3Ab
		   267  stop
		   268  literal   "b"
		   271  once      mark 1, then past 297
		   278  float     "/" … "a%3Ab" or "a:b" #2 disallow ; line 2: disallow /*a%3Ab
		   297  stop
		"
	`);
});

test("yandex: empty rules", () => {
	expect(listing(["Allow:", "Disallow:"], "yandex")).toMatchInlineSnapshot(`
		"; 62 octets, 3 rules
		; every path: #2 allow ; line 3: disallow 
		; prefix code
		>   44  stop
		>   45  literal   "robots.txt"
		    57  rule_end  #3 allow ; /robots.txt itself
		    61  stop
		"
	`);
});

test("a crowd of wildcards behind a prefix: prefixed", () => {
	const rules = Array.from({ length: 65 }, (_, i) => `Disallow: /ab*z${i}z`);
	const lines = listing(rules).split("\n");
	expect(lines.filter((line) => line.includes("wild"))).toEqual([]);
	const prefixed = lines.filter((line) => line.includes("prefixed"));
	expect(prefixed).toHaveLength(65);
	expect(prefixed[0]?.replace(/^\s*\d+/, "")).toMatchInlineSnapshot(
		`"  prefixed  "/ab" … "z22z" #53 disallow ; line 24: disallow /ab*z22z"`,
	);
});

test("octets that are not printable", () => {
	expect(listing(['Disallow: /"\\\u0001\u007f'])).toContain(
		'"\\x22\\x5c\\x01\\x7f"',
	);
});

test("every opcode was seen", () => {
	const names = Object.keys(format)
		.filter((name) => name.startsWith("OP_"))
		.map((name) => name.slice(3).toLowerCase());
	const seen = new Set(
		listings.flatMap((text) =>
			[...text.matchAll(/^>?\s+\d+ {2}(\w+)/gm)].map(([, name]) => name),
		),
	);
	expect(names.filter((name) => !seen.has(name))).toEqual([]);
});
