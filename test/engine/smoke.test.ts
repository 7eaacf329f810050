import { expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";

test("smoke", () => {
	expect(
		RobotsTxt.parse("User-agent: *\nDisallow: /a").isAllowed("/a", "x"),
	).toBe(false);
});
