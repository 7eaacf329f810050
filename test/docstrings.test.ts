import { expect, test } from "vitest";
import { publicMembers } from "./public-members.ts";

const members = publicMembers();

test("every public name and member has a docstring", () => {
	const without = members.filter(({ docstring }) => docstring === "");
	expect(members.length).toBeGreaterThan(200);
	expect(without.map(({ name }) => name)).toEqual([]);
});

test.each([
	"RobotsTxt",
	"RobotsTxt.parse",
	"RobotsTxt.for",
	"RobotsTxt.isAllowed",
	"RobotsTxt.explain",
	"Matcher.matchMany",
	"Matcher.matchLines",
	"Matcher.matchColumn",
	"RobotsIndex",
	"RobotsIndex.origins",
	"RobotsIndex.isAllowed",
	"RobotsIndex.explain",
	"RobotsIndex.snapshot",
	"RobotsIndex.load",
	"RobotsPool",
	"RobotsPool.load",
	"RobotsPool.replace",
	"RobotsClient",
	"accessFor",
	"lint",
	"LogAudit",
	"auditRows",
])("%s has an example", (name) => {
	const member = members.find((member) => member.name.endsWith(`: ${name}`));
	expect(member?.docstring.includes("@example")).toBe(true);
});
