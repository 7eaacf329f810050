import type { Dialect } from "../../src/index.ts";
import { libraryPath, standardPath, withoutMargin } from "../data/url-paths.ts";
import { latin1 } from "../latin1.ts";
import { type OracleRule, oracle } from "../oracle.ts";
import { type ReadFile, readFile } from "./line-reader.ts";

/** Verdict and deciding line, 0 for none. */
export interface Naive {
	readonly allowed: boolean;
	readonly line: number;
}

/** A name without the version behind it: "NaverBot-1.0", "larbin_2.6.2", "trendictionbot0.5.0". */
export function withoutVersion(run: string, rest: string): string {
	const parted = /(?<=.)[_-]\d+$/;
	let name = run;
	if (/^\.\d/.test(rest) && !parted.test(name))
		name = name.replace(/(?<=[a-z])\d+$/i, "");
	while (parted.test(name)) name = name.replace(parted, "");
	return name;
}

/** The rules for an agent of one token that no table of crawlers knows. */
export function rulesFor(
	{ groups }: ReadFile,
	agent: string,
	dialect: Dialect,
): OracleRule[] {
	const isGlobal = (text: string) => /^\*($|[ \t-\r])/.test(text);
	const tokensOf = (text: string) => {
		if (isGlobal(text)) return [];
		if (dialect === "google") return /^[a-z_-]*/i.exec(text) ?? [];
		const runs = [...text.matchAll(/[a-z0-9_-]+/gi)].map(({ 0: run, index }) =>
			withoutVersion(run, text.slice(index + run.length)),
		);
		if (dialect === "yandex") return runs;
		return /^[\t-\r !-,.:-@[-^`{-~]*[a-z0-9_-]/i.test(text)
			? runs.slice(0, 1)
			: [""];
	};
	const wanted = (
		dialect === "google" ? agent : withoutVersion(agent, "")
	).toLowerCase();
	const named = groups.filter(({ agents }) =>
		agents.flatMap(tokensOf).some((token) => token.toLowerCase() === wanted),
	);
	const chosen =
		named.length > 0
			? named
			: groups.filter(({ agents }) => agents.some(isGlobal));
	return chosen.flatMap(({ rules }) => rules);
}

/** What the oracle is asked: rules as the dialect adds to them. */
function meaning(rule: OracleRule, dialect: Dialect): OracleRule[] {
	const { allow, pattern, line } = rule;
	if (pattern === "")
		// The Yandex document: "Disallow:" is the same as "Allow: /", and the other way round.
		return dialect === "yandex" ? [{ allow: !allow, pattern: "/", line }] : [];
	const folder = pattern.slice(0, pattern.lastIndexOf("/") + 1);
	const isIndex =
		dialect === "google" &&
		allow &&
		pattern.startsWith("index.htm", folder.length) &&
		folder !== "";
	return isIndex ? [rule, { allow, pattern: `${folder}$`, line }] : [rule];
}

/** The slow way from a file's bytes to verdicts on URLs with a host, or paths. */
export function naive(robots: string, agent: string, dialect: Dialect) {
	const file = readFile(robots, dialect);
	const rules = rulesFor(file, agent, dialect);
	const says = oracle(
		rules.flatMap((rule) => meaning(rule, dialect)),
		dialect,
	);
	return (url: string): Naive => {
		if (dialect === "google") return says(latin1(libraryPath(url)));
		const path = url.startsWith("/")
			? withoutMargin(url).replace(/#.*|[\t\n\r]/gs, "")
			: standardPath(url);
		return says(latin1(path));
	};
}
