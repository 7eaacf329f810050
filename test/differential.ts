import { type Dialect, Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";
import { dialectNames } from "../src/robots-txt/dialect.ts";
import { latin1 } from "./latin1.ts";
import type { OracleRule } from "./oracle.ts";

/** How many times as many cases as usual: for looking further than a test run can. */
const scale = Number(process.env.ROBOTRIE_FUZZ ?? 1);

/** The debug build only repeats the tests of the published one. */
export const isRepeated = process.env.ROBOTRIE_BUILD === "debug";

/** Options of fast-check: the same cases in every usual run, half of them over the build that repeats. */
export const runs = (count: number) => ({
	numRuns: isRepeated && scale === 1 ? Math.ceil(count / 2) : count * scale,
	...(scale === 1 ? { seed: 9309 } : {}),
});

/**
 * What tests of the engine go through. The modules do the same for Yandex as for RFC 9309, which `src/` alone tells apart: the build that
 * only repeats the tests of the published one leaves it out.
 */
export const dialects: readonly Dialect[] = isRepeated
	? ["rfc9309", "google"]
	: dialectNames;

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

const site = "https://x.test";
const indexes = new Map(
	dialectNames.map((dialect) => [
		dialect,
		new RobotsIndex({ agent: "x", dialect }),
	]),
);

let turns = 0;

/**
 * What an index says that was given a matcher, and at times one loaded from its snapshot, about URLs of those paths that begin
 * with "/". Each is an error unless it is what the matcher says.
 */
export function indexErrors(
	matcher: Matcher,
	paths: readonly string[],
): string[] {
	const index = indexes.get(matcher.dialect) as RobotsIndex;
	index.set(site, matcher);
	const urls = paths
		.filter((path) => path.startsWith("/"))
		.map((path) => site + path);
	const expected = matcher.matchMany(urls);
	const answers = [index.matchMany(urls)];
	// A new instance takes as long as a hundred answers.
	if (turns++ % 32 === 0)
		answers.push(RobotsIndex.fromBytes(index.toBytes()).matchMany(urls));
	return urls.filter((_, i) =>
		answers.some((verdicts) => verdicts[i] !== expected[i]),
	);
}

/** Whether an index keeps the same bytes, given a file or a matcher for it. */
function isKeptAlike(text: string, matcher: Matcher): boolean {
	const index = indexes.get(matcher.dialect) as RobotsIndex;
	const [fromText, fromMatcher] = [text, matcher].map((rules) => {
		index.set(site, rules);
		return Buffer.from(index.toBytes());
	});
	return fromText?.equals(fromMatcher ?? Buffer.of()) === true;
}

/** What every way to ask says about paths: they must agree, through bytes and back as well. */
export function answers(
	rules: readonly RuleText[],
	paths: readonly string[],
	dialect: Dialect,
): { allowed: boolean; line: number }[] {
	const text = robotsOf(rules);
	using matcher = RobotsTxt.parse(text, { dialect }).for("x");
	using loaded = Matcher.fromBytes(matcher.toBytes());
	if (!isKeptAlike(text, loaded))
		throw new Error(`an index differs for ${JSON.stringify(text)}`);
	const lines = matcher.matchLines(new TextEncoder().encode(paths.join("\n")));
	const endings = matcher.matchLines(
		new TextEncoder().encode(paths.map((path) => `${path}\r\n`).join("")),
	);
	const many = matcher.matchMany(paths);
	const [wrong] = indexErrors(matcher, paths);
	if (wrong !== undefined)
		throw new Error(`an index differs for ${JSON.stringify(wrong)}`);
	return paths.map((path, i) => {
		const allowed = matcher.isAllowed(path);
		const line = loaded.match(path)?.line ?? 0;
		for (const verdicts of [lines, endings, many])
			if (verdicts[i] !== Number(allowed))
				throw new Error(`bulk matching differs for ${JSON.stringify(path)}`);
		return { allowed, line };
	});
}
