import {
	VERDICT_ALLOWED,
	VERDICT_DISALLOWED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
} from "../../assembly/format/program.ts";

/** What bulk matching says about a line, one byte each. */
export const Verdict = Object.freeze({
	Disallowed: VERDICT_DISALLOWED,
	Allowed: VERDICT_ALLOWED,
	/** Its origin is not in the index. */
	Unknown: VERDICT_UNKNOWN,
	/** Not a URL. */
	Invalid: VERDICT_INVALID,
});

/** One of its numbers. */
export type Verdict = (typeof Verdict)[keyof typeof Verdict];
