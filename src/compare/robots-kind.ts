import type { Kind } from "../common/arguments.ts";
import { isBytes } from "../common/bytes.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";

export const robotsKind: Kind = {
	text: "a RobotsTxt",
	accepts: (value) => value instanceof RobotsTxt,
	hint: (value) =>
		typeof value === "string" || isBytes(value)
			? "pass RobotsTxt.parse(…)"
			: undefined,
};
