import { expect, test } from "vitest";
import { publicMembers } from "./public-members.ts";

const members = publicMembers();

test("every public name and member has a docstring", () => {
	const without = members.filter(({ docstring }) => docstring === "");
	expect(members.length).toBeGreaterThan(200);
	expect(without.map(({ name }) => name)).toEqual([]);
});

/** What a reader begins with: classes, functions, and methods whose call is not plain from their parameters. */
const exemplary = [
	...members.filter(({ type }) => /^(Class|(TSDeclare)?Function)/.test(type)),
	...members.filter(({ name }) =>
		/: (crawlers|RobotsTxt\.(parse|for|isAllowed|explain)|Matcher\.(matchMany|matchLines|matchColumn|fromBytes)|RobotsIndex\.(set|isAllowed|explain|snapshot|load)|RobotsPool\.(load|replace)|RobotsClient\.(filter|explain|nextVisit))$/.test(
			name,
		),
	),
];

test("there are many of them", () =>
	expect(exemplary.length).toBeGreaterThan(50));

test.each(exemplary)("$name has an example", ({ docstring }) =>
	expect(docstring).toContain("@example"),
);
