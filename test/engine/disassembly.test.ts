import { expect, test } from "vitest";
import * as format from "../../assembly/format.ts";
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
	const text = matcher.disassemble();
	expect(Matcher.fromBytes(matcher.toBytes()).disassemble()).toBe(text);
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
		    50  wild      "/" … "d" … "e" end #1 disallow ; line 2: disallow /abc*d*e$
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
		    55  wild      "/" … "?d" #3 disallow ; line 2: disallow /abc*?d
		    67  wild      "/" … "?e" #2 disallow ; line 3: disallow /abc*?e
		    79  wild      "/" … "f" #1 disallow ; line 4: disallow /abc*f
		    90  stop
		"
	`);
});

test("a wildcard in front: float1", () => {
	expect(listing(["Disallow: /*.php$", "Allow: *q"])).toMatchInlineSnapshot(`
		"; 178 octets, 2 rules
		; every path: no rule
		; prefix code
		>  140  stop
		; literal code
		   141  branch    "p" 151, "q" 167
		   151  literal   "hp"
		   155  float1    "/" … "." + 3 end #2 disallow ; line 2: disallow /*.php$
		   166  stop
		   167  float1    … "" + 1 #1 allow ; line 3: allow *q
		   177  stop
		"
	`);
});

test("several wildcards in front: once, float", () => {
	expect(
		listing(["Disallow: /*ab*c", "Disallow: /*ab*d$"]),
	).toMatchInlineSnapshot(`
		"; 181 octets, 2 rules
		; every path: no rule
		; prefix code
		>  140  stop
		; literal code
		   141  literal   "ab"
		   145  once      mark 0, then past 180
		   152  float     "/" … "ab" … "d" end #2 disallow ; line 3: disallow /*ab*d$
		   166  float     "/" … "ab" … "c" #1 disallow ; line 2: disallow /*ab*c
		   180  stop
		"
	`);
});

test("rfc9309: /robots.txt itself, two forms of a literal", () => {
	expect(
		listing(["Disallow: /*a%3Ab", "Disallow: /\u00e9"], "rfc9309"),
	).toMatchInlineSnapshot(`
		"; 273 octets, 3 rules
		; every path: no rule
		; prefix code
		>  172  stop
		>  173  literal   "\\xc3\\xa9"
		   177  rule_stop #1 disallow ; line 3: disallow /é
		>  181  literal   "robots.txt"
		   193  rule_end  #3 allow ; /robots.txt itself
		   197  stop
		; literal code
		   198  literal   "a"
		   201  branch    "%" 211, ":" 243
		   211  literal   "3Ab"
		   216  once      mark 0, then past 242
		   223  float     "/" … "a%3Ab" or "a:b" #2 disallow ; line 2: disallow /*a%3Ab
		   242  stop
		   243  literal   "b"
		   246  once      mark 1, then past 272
		   253  float     "/" … "a%3Ab" or "a:b" #2 disallow ; line 2: disallow /*a%3Ab
		   272  stop
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
