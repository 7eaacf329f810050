import { expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import { dialects } from "../differential.ts";

/** Cut anywhere. What is cut off must not count, though digits that would make an escape may still lie behind in memory. */
const pattern = "/a%e3%81%82%41%2a%c3%a9b*%e3%24%%38%30%8$";

/** Paths that beginnings of the pattern match, or would if they went on. */
const paths = Array.from(pattern, (_, length) => pattern.slice(0, length + 1))
	.flatMap((path) => [
		path,
		`${path}3`,
		`${path}3a`,
		path.replace(/%\w\w/g, (hex) => hex.toUpperCase()),
	])
	.concat("/aあA*é", "/aあA*ébc%E3$%80", "/aあA*éb%E3$\x80");

const fileOf = (rule: string) => `User-agent: *\nAllow: /a\nDisallow: ${rule}`;

/** The verdicts, by how much of the pattern there is, where a file of other bytes has been read before. */
function verdictsAfter(
	filling: string,
	dialect: (typeof dialects)[number],
	file: (length: number) => string,
): string[] {
	return Array.from(pattern, (_, index) => {
		const text = file(index + 1);
		RobotsTxt.parse(filling.repeat(text.length + 100), { dialect });
		const matcher = RobotsTxt.parse(text, { dialect }).for("x");
		return matcher.matchMany(paths).join("");
	});
}

test.each(dialects)("In %s, a file that ends within a rule", (dialect) => {
	const cut = (length: number) => fileOf(pattern.slice(0, length));
	const verdicts = verdictsAfter(" ", dialect, cut);
	expect(new Set(verdicts).size).toBeGreaterThan(12);
	for (const filling of ["3", "a", "A"])
		expect(verdictsAfter(filling, dialect, cut)).toEqual(verdicts);
});

test.each(["\n", "\r", "\r\n"])(
	"Of a file that is too large, whole lines count, ended by %j",
	(end) => {
		const lines = ["User-agent: *", "Disallow: /ab", "Allow: /abc", "#"];
		const file = lines.join(end);
		for (let maxBytes = 0; maxBytes < file.length; maxBytes++) {
			const count = lines.findLastIndex(
				(_, last) => lines.slice(0, last + 1).join(end).length <= maxBytes,
			);
			const { groups } = RobotsTxt.parse(file, { maxBytes });
			const whole = RobotsTxt.parse(lines.slice(0, count + 1).join(end));
			expect({ maxBytes, groups }).toEqual({ maxBytes, groups: whole.groups });
		}
	},
);

test("Lines longer than the google dialect reads", () => {
	const longest = 16_663;
	const long = (length: number) =>
		// Blanks in front of a value count for the line.
		fileOf(
			pattern.padStart(longest - "Disallow: ".length - length + pattern.length),
		);
	const short = (length: number) => fileOf(pattern.slice(0, length));
	expect(verdictsAfter(" ", "google", long)).toEqual(
		verdictsAfter(" ", "google", short),
	);
});

test.each([
	["User-agent: b", "b", 3],
	["USER-agent:b ", "b", 3],
	["User-Agent: b # c", "b", 3],
	["\nUser-agent: b", "b", 4],
	["\r\n\r\nUser-agent: b", "b", 5],
	["\rUser-agent: b", "b", 4],
	["\r\r\n\nUser-agent: b", "b", 6],
	["\n \nuser-agent:", "", 5],
	["User-agents: b", "a", 1],
	["User\ragent: b", "a", 1],
	["User\nagent: b", "a", 1],
])("Behind rules, %j", (lines, agent, line) => {
	const rules = "Disallow: /a\nAllow: /a-path-of-more-than-sixteen-bytes\n";
	const file = `User-agent: a\nDisallow: /\n${lines}\n${rules}`;
	const last = RobotsTxt.parse(file).groups.at(-1);
	expect(last?.agents).toEqual([agent]);
	expect(last?.line).toBe(line);
	expect(last?.rules.at(-1)?.type).toBe("allow");
});
