import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RobotsTxt } from "../../../../src/index.ts";
import { dialectNames } from "../../../../src/robots-txt/dialect.ts";
import { kindOf } from "../../views/byte-code/instruction.ts";
import { treeOf } from "../../views/byte-code/rule-tree.ts";
import { spansOf } from "../../views/byte-code/spans.ts";
import { listingOf } from "../../worker/listing.ts";
import { traceOf } from "../../worker/trace.ts";

const sample = (name: string) =>
	readFileSync(new URL(`../../../../sample/${name}`, import.meta.url), "utf8");
const urls = sample("urls.txt").trimEnd().split("\n");

function spansIn(robots: RobotsTxt, agent: string, url: string) {
	const matcher = robots.for(agent);
	const { instructions } = listingOf(matcher);
	const byOffset = new Map(instructions.map((one) => [one.offset, one]));
	const trace = traceOf(matcher.program, url);
	const at = (offset: number) => byOffset.get(offset);
	return { trace, at, spans: spansOf(trace, at) };
}

test.each(dialectNames)(
	"in %s, what a step looks at reaches to where the next one stands",
	(dialect) => {
		const robots = RobotsTxt.parse(sample("robots.txt"), { dialect });
		let compared = 0;
		for (const url of urls) {
			const { trace, at, spans } = spansIn(robots, "Nobody", url);
			const { length } = new TextEncoder().encode(trace.path);
			for (const { step, instruction, from, to } of spans) {
				expect(from).toBe(trace.steps[step]?.at);
				expect(to).toBeGreaterThan(from);
				expect(to).toBeLessThanOrEqual(length);
				const next = trace.steps[step + 1];
				// A jump table, marked ">", goes on elsewhere in the path.
				if (!next || at(next.offset)?.text.startsWith(">")) continue;
				if (kindOf(instruction) === "search") continue;
				expect(next.at).toBeLessThanOrEqual(to);
				compared++;
			}
		}
		expect(compared).toBeGreaterThan(20);
	},
);

test("a byte that no instruction looks at does not count", () => {
	const robots = RobotsTxt.parse(
		"User-agent: *\nDisallow: /account/\nAllow: /account/login\nDisallow: /forum/user\nDisallow: /forum/*/print$\nDisallow: /te\n",
	);
	let tried = 0;
	for (const path of [
		"/account/settings/mail",
		"/account/login/again",
		"/accounting/for/tea",
		"/forum/usage/of/tea",
		"/tea/green/leaves",
		"/search/for/tea",
	]) {
		const { trace, spans } = spansIn(robots, "a", path);
		// The jump table looks at the first bytes.
		for (let byte = 4; byte < path.length; byte++) {
			if (spans.some(({ from, to }) => byte >= from && byte < to)) continue;
			for (const other of "zl/") {
				const changed = path.slice(0, byte) + other + path.slice(byte + 1);
				expect(spansIn(robots, "a", changed).trace.rank).toBe(trace.rank);
				tried++;
			}
		}
	}
	expect(tried).toBeGreaterThan(100);
});

type Rule = Parameters<typeof treeOf>[0][number];

test.each([
	["none", [], []],
	["one", ["/a"], ["/a"]],
	[
		"what begins alike",
		["/account/", "/account/login$", "/cart", "/checkout"],
		["/", " account/", "  login$", " c", "  art", "  heckout"],
	],
	["the same pattern twice", ["/a", "/a"], ["/a#2"]],
	["no half characters", ["/😀", "/😁"], ["/", " 😀", " 😁"]],
	["no common begin", ["*.gif", "/a"], ["*.gif", "/a"]],
	["an empty pattern matches nothing", ["", "/a"], ["/a"]],
] as const)("the tree of rules: %s", (_, patterns, drawn) => {
	const rules = patterns.map(
		(pattern, i): Rule => ({
			type: "disallow",
			pattern,
			line: i + 1,
			rank: i + 1,
		}),
	);
	const lines = (nodes: ReturnType<typeof treeOf>, depth = 0): string[] =>
		nodes.flatMap(({ text, rules: own, children }) => [
			" ".repeat(depth) + text + (own.length > 1 ? `#${own.length}` : ""),
			...lines(children, depth + 1),
		]);
	expect(lines(treeOf(rules))).toEqual(drawn);
});
