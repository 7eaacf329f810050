import { type Dialect, Matcher, RobotsTxt } from "../src/index.ts";
import type { OracleRule } from "./oracle.ts";

export const dialects = ["rfc9309", "google", "yandex"] as const;

/** Octets as a Latin-1 string, and back. */
export const latin1 = (text: string) => Buffer.from(text).toString("latin1");
export const octets = (text: string) => Buffer.from(text, "latin1");

export type RuleText = readonly [allow: boolean, pattern: string];

/** A group for all crawlers; patterns as UTF-8. The first rule is on line 2. */
export function robotsOf(rules: readonly RuleText[]): string {
	const lines = rules.map(
		([allow, pattern]) => `${allow ? "Allow" : "Disallow"}: ${pattern}\n`,
	);
	return `User-agent: *\n${lines.join("")}`;
}

export function oracleRules(rules: readonly RuleText[]): OracleRule[] {
	return rules.map(([allow, pattern], i) => ({
		allow,
		pattern: latin1(pattern),
		line: i + 2,
	}));
}

/** What every way to ask says about paths: they must agree, through octets and back as well. */
export function answers(
	rules: readonly RuleText[],
	paths: readonly string[],
	dialect: Dialect,
): { allowed: boolean; line: number }[] {
	using matcher = RobotsTxt.parse(robotsOf(rules), { dialect }).for("x");
	using loaded = Matcher.fromBytes(matcher.toBytes());
	const lines = matcher.matchLines(new TextEncoder().encode(paths.join("\n")));
	const endings = matcher.matchLines(
		new TextEncoder().encode(paths.map((path) => `${path}\r\n`).join("")),
	);
	const many = matcher.matchMany(paths);
	return paths.map((path, i) => {
		const allowed = matcher.isAllowed(path);
		const line = loaded.match(path)?.line ?? 0;
		for (const verdicts of [lines, endings, many])
			if (verdicts[i] !== Number(allowed))
				throw new Error(`bulk matching differs for ${JSON.stringify(path)}`);
		return { allowed, line };
	});
}
