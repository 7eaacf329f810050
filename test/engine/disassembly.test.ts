import { expect, test } from "vitest";
import { type Dialect, Matcher, RobotsTxt } from "../../src/index.ts";
import { disassemble } from "../../src/matching/disassemble.ts";
import { opcodes } from "../../src/matching/opcodes.ts";

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
		"; 45 bytes, 0 rules
		; every path: no rule
		; prefix code
		>   44  stop
		"
	`);
});

test("a prefix: text", () => {
	expect(listing(["Disallow: /ab"])).toMatchInlineSnapshot(`
		"; 84 bytes, 1 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  text      "ab", stop #1 disallow ; line 2: disallow /ab
		"
	`);
});

test("prefixes of each other: text, one behind the other", () => {
	expect(
		listing(["Disallow: /a", "Allow: /ab$", "Disallow: /abc"]),
	).toMatchInlineSnapshot(`
		"; 98 bytes, 3 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  text      "a" #1 disallow ; line 2: disallow /a
		    83  text      "ab" end, stop #3 allow ; line 3: allow /ab$
		>   90  text      "abc", stop #2 disallow ; line 4: disallow /abc
		"
	`);
});

test("a few prefixes: all are compared", () => {
	expect(
		listing(["Disallow: /xa", "Disallow: /xb", "Allow: /x\u00e9"]),
	).toMatchInlineSnapshot(`
		"; 103 bytes, 3 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  text      "xa" #2 disallow ; line 2: disallow /xa
		    84  text      "xb", stop #1 disallow ; line 3: disallow /xb
		>   91  text      "x%C3%A9", stop #3 allow ; line 4: allow /xé
		"
	`);
});

test("a wildcard behind a prefix: text_wild", () => {
	expect(listing(["Disallow: /abc*d*e$"])).toMatchInlineSnapshot(`
		"; 60 bytes, 1 rules
		; every path: no rule
		; prefix code
		>   44  stop
		>   45  text_wild "abc" … "d" … "e" end, stop #1 disallow ; line 2: disallow /abc*d*e$
		"
	`);
});

test("wildcards behind the same prefix: need, wild", () => {
	expect(
		listing(["Disallow: /abc*?d", "Disallow: /abc*?e", "Disallow: /abc*f"]),
	).toMatchInlineSnapshot(`
		"; 91 bytes, 3 rules
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

test("a long prefix: literal, branch, rule_stop", () => {
	const long = "0123456789".repeat(4);
	expect(
		listing([`Disallow: /${long}a`, `Allow: /${long}b`]),
	).toMatchInlineSnapshot(`
		"; 105 bytes, 2 rules
		; every path: no rule
		; prefix code
		>   44  stop
		>   45  literal   "0123456789012345678901234567890123456789"
		    87  branch    "a" 97, "b" 101
		    97  rule_stop #1 disallow ; line 2: disallow /0123456789012345678901234567890123456789a
		   101  rule_stop #2 allow ; line 3: allow /0123456789012345678901234567890123456789b
		"
	`);
});

test("a crowd of prefixes: literal, branch, rule, rule_end, rule_stop", () => {
	const rules = Array.from({ length: 9 }, (_, i) => `Disallow: /abcd${i}e`);
	expect(
		listing([
			...rules,
			"Disallow: /abcd",
			"Allow: /abcd$",
			"Disallow: /abcdx",
			"Allow: /abcdy*z",
		]),
	).toMatchInlineSnapshot(`
		"; 175 bytes, 13 rules
		; every path: no rule
		; prefix code
		>   44  stop
		>   45  literal   "abcd"
		    51  rule_end  #3 allow ; line 12: allow /abcd$
		    55  rule      #1 disallow ; line 11: disallow /abcd
		    59  branch    "0" 105, "1" 111, "2" 117, "3" 123, "4" 129, "5" 135, "6" 141, "7" 147, "8" 153, "x" 159, "y" 163
		   105  text      "e", stop #12 disallow ; line 2: disallow /abcd0e
		   111  text      "e", stop #11 disallow ; line 3: disallow /abcd1e
		   117  text      "e", stop #10 disallow ; line 4: disallow /abcd2e
		   123  text      "e", stop #9 disallow ; line 5: disallow /abcd3e
		   129  text      "e", stop #8 disallow ; line 6: disallow /abcd4e
		   135  text      "e", stop #7 disallow ; line 7: disallow /abcd5e
		   141  text      "e", stop #6 disallow ; line 8: disallow /abcd6e
		   147  text      "e", stop #5 disallow ; line 9: disallow /abcd7e
		   153  text      "e", stop #4 disallow ; line 10: disallow /abcd8e
		   159  rule_stop #2 disallow ; line 13: disallow /abcdx
		   163  wild      … "z" #13 allow ; line 14: allow /abcdy*z
		   174  stop
		"
	`);
});

test("a wildcard in front: float1, from its rarest three bytes on, but not from an extension", () => {
	expect(
		listing([
			"Disallow: /*.php$",
			"Allow: *q",
			"Disallow: /*aaabe",
			"Disallow: *print.cfm",
			"Disallow: *ae@~",
		]),
	).toMatchInlineSnapshot(`
		"; 278 bytes, 5 rules
		; every path: no rule
		; prefix code
		>   44  stop
		; unanchored patterns
		>  181  stop
		>  182  literal   "q"
		   185  float1    … "" + 1 #1 allow ; line 3: allow *q
		   195  stop
		>  196  branch    "." 206, "e" 222
		   206  literal   "php"
		   211  float1    "/" … "" + 4 end #4 disallow ; line 2: disallow /*.php$
		   221  stop
		   222  literal   "@~"
		   226  float1    … "a" + 3 #2 disallow ; line 6: disallow *ae@~
		   237  stop
		>  238  literal   "aabe"
		   244  float1    "/" … "a" + 4 #3 disallow ; line 4: disallow /*aaabe
		   255  stop
		>  256  literal   "t.cfm"
		   263  float1    … "prin" + 5 #5 disallow ; line 5: disallow *print.cfm
		   277  stop
		"
	`);
});

test("wildcards behind the same prefix: the rarest byte is needed", () => {
	expect(
		listing(["Disallow: /c/*attr_x=", "Disallow: /c/*a_b="]),
	).toMatchInlineSnapshot(`
		"; 118 bytes, 2 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  literal   "c/"
		    81  need      "_", else past 117
		    86  wild      … "attr_x=" #2 disallow ; line 2: disallow /c/*attr_x=
		   103  wild      … "a_b=" #1 disallow ; line 3: disallow /c/*a_b=
		   117  stop
		"
	`);
});

test("several wildcards in front: once, float", () => {
	expect(
		listing(["Disallow: /*ab*c", "Disallow: /*ab*d$"]),
	).toMatchInlineSnapshot(`
		"; 198 bytes, 2 rules
		; every path: no rule
		; prefix code
		>   44  stop
		; unanchored patterns
		>  157  stop
		>  158  literal   "ab"
		   162  once      bit 0, then past 197
		   169  float     "/" … "ab" … "c" #1 disallow ; line 2: disallow /*ab*c
		   183  float     "/" … "ab" … "d" end #2 disallow ; line 3: disallow /*ab*d$
		   197  stop
		"
	`);
});

test("rfc9309: /robots.txt itself, two forms of a literal", () => {
	expect(
		listing(["Disallow: /*a%3Ab", "Disallow: /\u00e9"], "rfc9309"),
	).toMatchInlineSnapshot(`
		"; 263 bytes, 3 rules
		; every path: no rule
		; prefix code
		>   76  stop
		>   77  text      "\\xc3\\xa9", stop #2 disallow ; line 3: disallow /é
		>   84  text      "robots.txt" end, stop #3 allow ; /robots.txt itself
		; unanchored patterns
		>  187  stop
		>  188  literal   "a"
		   191  branch    "%" 201, ":" 233
		   201  literal   "3Ab"
		   206  once      bit 0, then past 232
		   213  float     "/" … "a%3Ab" or "a:b" #1 disallow ; line 2: disallow /*a%3Ab
		   232  stop
		   233  literal   "b"
		   236  once      bit 1, then past 262
		   243  float     "/" … "a%3Ab" or "a:b" #1 disallow ; line 2: disallow /*a%3Ab
		   262  stop
		"
	`);
});

test("yandex: empty rules", () => {
	expect(listing(["Allow:", "Disallow:"], "yandex")).toMatchInlineSnapshot(`
		"; 60 bytes, 3 rules
		; every path: #2 allow ; line 3: disallow 
		; prefix code
		>   44  stop
		>   45  text      "robots.txt" end, stop #3 allow ; /robots.txt itself
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

test("a directory of many rules: hash", () => {
	const names = Array.from({ length: 20 }, (_, i) => `${(i * 37) % 101}-page`);
	expect(
		listing(names.map((name) => `Disallow: /shop/${name}`))
			.split("\n")
			.slice(0, 12)
			.join("\n"),
	).toMatchInlineSnapshot(`
		"; 485 bytes, 20 rules
		; every path: no rule
		; prefix code
		>   44  stop
		>   45  literal   "shop/"
		    52  hash      6 bytes, 64 slots: 353, 305, 461, 413, 473, 365, 425, 317, 377, 258, 329, 247, 270, 437, 389, 449, 341, 401, 282
		   247  text      "0-page", stop #2 disallow ; line 2: disallow /shop/0-page
		   258  text      "10-page", stop #18 disallow ; line 5: disallow /shop/10-page
		   270  text      "13-page", stop #8 disallow ; line 16: disallow /shop/13-page
		   282  text      "20-page" #15 disallow ; line 8: disallow /shop/20-page
		   294  text      "3-page", stop #1 disallow ; line 13: disallow /shop/3-page
		   305  text      "23-page", stop #5 disallow ; line 19: disallow /shop/23-page"
	`);
});

test("bytes that are not printable", () => {
	expect(listing(['Disallow: /"\\\u0001\u007f'])).toContain(
		'"\\x22\\x5c\\x01\\x7f"',
	);
});

test("every opcode was seen", () => {
	const names = opcodes.map(({ name }): string => name);
	const seen = new Set(
		listings.flatMap((text) =>
			[...text.matchAll(/^>?\s+\d+ {2}(\w+)/gm)].map(([, name]) => name),
		),
	);
	expect(names.filter((name) => !seen.has(name))).toEqual([]);
});
