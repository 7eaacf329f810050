import fc from "fast-check";
import { parseDictionary as parseWhole, Token } from "structured-headers";
import { expect, test } from "vitest";
import { parseDictionary } from "../src/robots-txt/dictionary.ts";

/** What a library for structured fields makes of a text. */
function oracle(text: string): (string | undefined)[][] | null {
	try {
		return [...parseWhole(text)].map(([name, [value]]) => [
			name,
			value instanceof Token ? value.toString() : undefined,
		]);
	} catch {
		return null;
	}
}

function found(text: string): (string | undefined)[][] | null {
	const values = parseDictionary(text);
	return values && [...values].map((entry) => [...entry]);
}

const samples: readonly string[] = [
	"",
	"a=y",
	"a=y,b=n",
	"a=y ,\t b=n",
	"a, b;c, d=?1;e=(",
	"a=y,",
	"a=y,,b=n",
	",a",
	"A=y",
	"a = y",
	"a=Y",
	"*=*",
	"a.b-c_d*1=y/z:w",
	'a="y"',
	'a="\\"\\\\, b=n"',
	'a="\\x"',
	'a="',
	'a=(y n;q=1 "s");p, b=n',
	"a=(y  )",
	"a=( y)",
	"a=(y\tn)",
	"a=(y)n",
	"a=()",
	"a=1.5, b=-2, c=123456789012345, d=1.",
	"a=1234567890123456",
	"a=1.2345",
	"a=123456789012.123",
	"a=1234567890123.1",
	"a=@1659578233",
	"a=@1.5",
	"a=:YWJj:, b=:YW==:, c=::",
	"a=:Y:",
	"a=?1, b=?0",
	"a=?2",
	'a=%"f%c3%bc"',
	'a=%"f%C3"',
	"a;b=1;c, d",
	"a; b",
	"a;B",
	"a=\u00e9",
	"a=y;p=(1)",
	"a=y, a",
];
test.each(samples)("%j", (text) => expect(found(text)).toEqual(oracle(text)));

test("any text, as the library reads it", () => {
	const piece = fc.constantFrom(
		...'ab=,;() \t"\\1.-?*:@Y',
		"a=y",
		", ",
		"=(",
		'"s"',
		";p=1",
		"?1",
		":YQ==:",
		"@1",
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 12, size: "max" }), (pieces) => {
			// A field's value comes without white space around it.
			const text = pieces.join("").trim();
			expect(found(text)).toEqual(oracle(text));
		}),
		{ numRuns: 20_000, seed: 9651 },
	);
});

test("a text of any length is answered", () => {
	for (const part of ["a=(", "a;", "a,", '"', "(", "a=y,", " "])
		expect(parseDictionary(part.repeat(1_000_000))).toBe(null);
});
