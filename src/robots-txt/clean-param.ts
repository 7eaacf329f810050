import type { Parsed } from "./parsed.ts";

/** A Clean-param line: query parameters that do not change the content of pages below a path. */
export interface CleanParam {
	/** Names of parameters, as written, case-sensitive. */
	readonly parameters: readonly string[];
	/** Pattern for the beginning of the pages' path, `*` for any bytes; "/" if the line has none. */
	readonly path: string;
	/** Line number, from 1. */
	readonly line: number;
}

/** The Yandex document, "Директива Clean-param": of the whole rule, parameters and path. */
const LONGEST_RULE = 500;

/**
 * The value of a Clean-param line, `p0[&p1&p2&..&pn] [path]` ("Директива Clean-param"). The path may hold
 * `A-Za-z0-9.-/*_` only; one that begins with neither "/" nor "*" is read as if "/" stood before it, like a rule's.
 */
export function parseCleanParam(
	value: string,
): Parsed<Omit<CleanParam, "line">> {
	// A character is at most two units of a string; the rest of a huge line need not be looked at.
	if ([...value.slice(0, 2 * LONGEST_RULE + 1)].length > LONGEST_RULE)
		return { fault: `it is longer than ${LONGEST_RULE} characters` };
	const [list = "", path = "/", ...others] = value.split(/[ \t]+/);
	if (others.length > 0)
		return { fault: "it is more than parameters and a path" };
	const parameters = list.split("&").filter((name) => name !== "");
	if (parameters.length === 0) return { fault: "it names no parameter" };
	if (!/^[\w.\-/*]+$/.test(path))
		return { fault: 'a path has only letters of ASCII, digits and ".-/*_"' };
	return {
		value: { parameters, path: /^[/*]/.test(path) ? path : `/${path}` },
	};
}
