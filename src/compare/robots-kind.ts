import type { Kind } from "../common/arguments.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";

export const robotsKind: Kind = {
	text: "a RobotsTxt",
	accepts: (value) => value instanceof RobotsTxt,
	hint: (value) =>
		typeof value === "string" || value instanceof Uint8Array
			? "pass RobotsTxt.parse(…)"
			: undefined,
};
