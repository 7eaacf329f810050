import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import { runs } from "../differential.ts";
import { SYMBOLS } from "../symbols.ts";

const symbols = SYMBOLS.trimEnd().split(" ");
const ESCAPE = 255;
/** The longest symbol that the text begins with, then the rest; a byte without one stands for itself. */
function encoded(text: string): number[] {
	const codes: number[] = [];
	for (let at = 0; at < text.length; ) {
		const longest = symbols
			.filter((symbol) => text.startsWith(symbol, at))
			.reduce((a, b) => (b.length > a.length ? b : a), "");
		if (longest) codes.push(symbols.indexOf(longest));
		else codes.push(ESCAPE, text.charCodeAt(at));
		at += longest.length || 1;
	}
	return codes;
}

function expectEncoded(text: string, patterns: readonly string[]): void {
	const lines = patterns.map((pattern) => `Disallow: /${pattern}`);
	const robots = RobotsTxt.parse(["User-agent: *", ...lines].join("\n"), {
		dialect: "google",
	});
	const program = Buffer.from(robots.compactFor("x"));
	const codes = Buffer.from(encoded(text));
	expect(program.includes(codes), [...codes].join()).toBe(true);
}

describe("a text in an index is written in the longest symbols", () => {
	test.each([
		["a symbol of every size", "search/robots.ts.htmladmin/ageat"],
		["a longer symbol that the text's end cuts off", "robots.sear"],
		["one that a byte cuts off", "robots.Tsearch.pdF"],
		["a byte without a symbol in front of one", "~search"],
		["the last byte, of which a symbol has the next one, too", "xyzt"],
		["eight bytes", "abcdefgh"],
		["nine bytes", "abcdefghi"],
		["sixteen bytes", "search/robots.te"],
		["two hundred bytes", "search/~tion".repeat(16)],
		...symbols.map((symbol) => [`${symbol}~`, `${symbol}~${symbol}`]),
	])("%s", (_, text) => expectEncoded(`${text}~~~~`, [`${text}~~~~`]));

	// The shared text is taken from the first pattern, in which it goes on.
	test.each([
		["in a pair that is a symbol", "~~~~s", "t", "uvwxyz"],
		["in front of a pair", "~~~~es", "t", "uvwxyz"],
		["in a longer symbol", "~~~~sea", "rch/", "stuvwxyz"],
		["in the last byte of a longer symbol", "~~~~robots.", "t", "uvwxyz"],
		["behind eight bytes", "~~~~~~~s", "earch", "stuvwxyz"],
	])("a text that patterns share ends %s", (_, shared, rest, others) =>
		expectEncoded(
			shared,
			[rest, ...others].flatMap((next) =>
				["a", "b", "c"].map((end) => `${shared}${next}${end.repeat(9)}`),
			),
		),
	);

	test("any texts", () => {
		const piece = fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom(...symbols) },
			fc.constantFrom(..."~!()+,;:@&H"),
			fc.constantFrom(...symbols.map((symbol) => symbol.slice(0, -1) || "~")),
		);
		const text = fc
			.array(piece, { minLength: 3, maxLength: 40, size: "max" })
			.map((pieces) => pieces.join(""))
			.filter((text) => text.length > 4);
		fc.assert(
			fc.property(text, (text) => expectEncoded(text, [text])),
			runs(300),
		);
	});
});
