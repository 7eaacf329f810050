import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import { type Row, rows, urlRows } from "../data/rfc9309.ts";
import { groupRows } from "../data/rfc9309-groups.ts";

function check({ rules, url, line, agent = "anybot" }: Row): void {
	const robots = RobotsTxt.parse(
		agent === "anybot" ? `User-agent: *\n${rules}` : rules,
	);
	const { allowed, rule } = robots.explain(url, agent);
	const winner = rule && { type: rule.type, line: rule.line };
	const text =
		line === 0
			? null
			: robots.groups
					.flatMap((group) => group.rules)
					.find((candidate) => candidate.line === line);
	expect(winner).toEqual(text && { type: text.type, line });
	expect(allowed).toBe(!text || text.type === "allow");
}

describe("RFC 9309 §2.2.2 and §2.2.3, one rule or a few", () => {
	test.each(rows)("$where: $rules with $url", check);
});

describe("RFC 9309 §2.2.1, groups", () => {
	test.each(groupRows)("$where: $agent and $url", check);
});

describe("The part of a URL that is compared", () => {
	test.each(urlRows)("$where: $rules with $url", check);
});
