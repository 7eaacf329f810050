import { createRequire } from "node:module";
import { list as isbotPatterns } from "isbot";
import { findCrawler } from "../../../src/crawlers/crawlers.ts";
import { RobotsTxt } from "../../../src/index.ts";
import {
	kindOf,
	MARK_OF_POSER,
	peoplesProducts,
	shapesOfHeaders,
	TOOL,
	withoutDevice,
	wordsOfApps,
	wordsOfPeople,
} from "../src/who/people.ts";

/**
 * A slow audit of logs in the combined format, a line at a time with regular expressions, that shares nothing with the
 * scanner but the lists of crawlers and the library's verdicts.
 */
export interface Counted {
	requests: number;
	robotsTxt: number;
	allowed: number;
	disallowed: number;
	invalid: number;
	disallowedAfterRobotsTxt: number;
	firstSeen: string;
	lastSeen: string;
	statuses: Record<string, number>;
	medianGap: number | null;
	rules: Record<number, number>;
}

const LINE =
	/^(\S+) (\S+) (.+?) \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d\d)(\d\d)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\S+) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

interface Listed {
	pattern: string;
	instances: string[];
}
const listed = (
	createRequire(import.meta.url)("crawler-user-agents") as Listed[]
).map(({ pattern, instances }) => ({
	pattern: new RegExp(pattern),
	anywhere: new RegExp(pattern, "g"),
	/** Of its examples, whether the word before the match goes on in it, and whether the one at its end goes on. */
	examples: instances.flatMap((each) => {
		const match = new RegExp(pattern).exec(each);
		return match ? [sides(each, match)] : [];
	}),
}));

/** Whether the word before a match goes on in it, and whether the word at its end goes on. */
function sides(text: string, match: RegExpExecArray): [boolean, boolean] {
	const [word] = match;
	const rest = text.slice(match.index + word.length);
	return [
		/^\w/.test(word) && /[a-z\d]$/i.test(text.slice(0, match.index)),
		/[a-z]$/i.test(word) && /^[a-z\d]/i.test(rest),
	];
}

/** Patterns of the list that are in a header as whole words, or as parts of words where the list's own examples have them so. */
export function listedIn(
	header: string,
): readonly { readonly index: number; readonly match: string }[] {
	const text = withoutDevice(header);
	const isPerhapsPeoples = kindOf(header) !== "other";
	return listed.flatMap(({ pattern, anywhere, examples }, index) => {
		if (isPerhapsPeoples && peoplesProducts.has(pattern.source)) return [];
		if (!pattern.test(text)) return [];
		const mayFollow = examples.some(([before]) => before);
		const mayGoOn = examples.some(([, after]) => after);
		for (let at = 0; ; ) {
			anywhere.lastIndex = at;
			const match = anywhere.exec(text);
			if (!match) return [];
			at = match.index + 1;
			const [before, after] = sides(text, match);
			if ((!before || mayFollow) && (!after || mayGoOn))
				return [{ index, match: match[0] }];
		}
	});
}

const botPatterns = new Map(
	isbotPatterns.map((source) => [source, new RegExp(source, "i")]),
);

const OLD_BROWSER =
	/^Mozilla\/4\.0 \(compatible;\)$|\bWAP Browser\b|\bMaui Browser\b|^(?:amaya|hotjava|netsurf)\/|\boffbyone\b/i;

/** Whether a header is of something automatic, by trying every expression. What words of people are is data that both share. */
export function isAutomatic(header: string): boolean {
	if (findCrawler(header)) return true;
	const kind = kindOf(header);
	const text = withoutDevice(header);
	if (listedIn(header).length > 0) return true;
	if (OLD_BROWSER.test(header) && !/bot|crawl|spider/i.test(header))
		return false;
	const bots = isbotPatterns.filter((source) => !shapesOfHeaders.has(source));
	const marks = bots.filter(
		(source) =>
			kind === "other" ||
			!(
				wordsOfPeople.has(source) ||
				(kind === "app" && wordsOfApps.has(source))
			),
	);
	const has = (sources: readonly string[], where: string) =>
		sources.some((source) => botPatterns.get(source)?.test(where));
	return (
		TOOL.test(text) ||
		has(marks, text) ||
		(kind === "browser" && has(bots, header) && MARK_OF_POSER.test(text))
	);
}

interface Request {
	time: number;
	target: string;
	status: string;
	header: string;
}

export interface Reference {
	lines: number;
	unparsed: number;
	people: number;
	withoutAgent: number;
	byHeader: Map<string, Counted>;
}

function parse(line: string): Request | undefined {
	const match = LINE.exec(line);
	if (!match) return undefined;
	const [, , , , day, month = "", year, h, m, s, zoneHours, zoneMinutes] =
		match;
	const offset =
		Math.sign(Number(`${zoneHours}1`)) *
		(Math.abs(Number(zoneHours)) * 60 + Number(zoneMinutes));
	const time =
		Date.UTC(
			Number(year),
			MONTHS.indexOf(month) / 3,
			Number(day),
			Number(h),
			Number(m),
			Number(s),
		) -
		offset * 60_000;
	const [, target = ""] =
		/^[A-Za-z_-]+ (.*?)(?: HTTP\/\S*)?$/s.exec(match[12] ?? "") ?? [];
	return {
		time,
		target: target.replace(
			/\\(?:x([0-9a-fA-F]{2})|(["\\])|([bnrtv]))/g,
			(_, hex?: string, plain?: string, letter = "") =>
				plain ??
				(hex === undefined
					? String.fromCharCode("btnv_r".indexOf(letter) + 8)
					: String.fromCharCode(Number.parseInt(hex, 16))),
		),
		status: match[13] ?? "",
		header: match[16] ?? "",
	};
}

/** Counts per User-Agent header. */
export function referenceAudit(log: string, robotsText: string): Reference {
	const robots = RobotsTxt.parse(robotsText);
	const lines = log.split("\n");
	if (lines.at(-1) === "") lines.pop();
	const result: Reference = {
		lines: lines.length,
		unparsed: 0,
		people: 0,
		withoutAgent: 0,
		byHeader: new Map(),
	};
	const byHeader = new Map<string, Request[]>();
	for (const line of lines) {
		const request = parse(line);
		if (!request) result.unparsed++;
		else if (request.header === "-" || request.header === "")
			result.withoutAgent++;
		else if (!isAutomatic(request.header)) result.people++;
		else
			byHeader.set(request.header, [
				...(byHeader.get(request.header) ?? []),
				request,
			]);
	}
	for (const [header, requests] of byHeader)
		result.byHeader.set(header, countOf(requests, robots));
	return result;
}

function countOf(requests: Request[], robots: RobotsTxt): Counted {
	const verdicts = requests.map(({ target, header }) => {
		if (/^(\w+:\/\/[^/]*)?\/robots\.txt(\?|$)/.test(target)) return "robots";
		if (!/^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(target)) return "invalid";
		const { allowed, rule } = robots.explain(target, header);
		return allowed ? "allowed" : (rule?.line ?? 0);
	});
	const count = (of: (verdict: string | number) => boolean) =>
		verdicts.filter(of).length;
	const firstRobots = verdicts.indexOf("robots");
	// Servers write lines when answers end, so that some are earlier than the line before.
	const times = requests.map(({ time }) => time).sort((a, b) => a - b);
	const gaps = times
		.slice(1)
		.map((time, index) => time - (times[index] ?? 0))
		.sort((a, b) => a - b);
	const statuses: Record<string, number> = {};
	for (const { status } of requests) {
		const name = `${status[0]}xx`;
		statuses[name] = (statuses[name] ?? 0) + 1;
	}
	const rules: Record<number, number> = {};
	for (const verdict of verdicts)
		if (typeof verdict === "number") rules[verdict] = (rules[verdict] ?? 0) + 1;
	const median = gaps[Math.ceil(gaps.length / 2) - 1];
	return {
		requests: requests.length,
		robotsTxt: count((verdict) => verdict === "robots"),
		allowed: count((verdict) => verdict === "allowed"),
		disallowed: count((verdict) => typeof verdict === "number"),
		invalid: count((verdict) => verdict === "invalid"),
		disallowedAfterRobotsTxt:
			firstRobots < 0
				? 0
				: verdicts
						.slice(firstRobots)
						.filter((verdict) => typeof verdict === "number").length,
		firstSeen: new Date(Math.min(...times)).toISOString(),
		lastSeen: new Date(Math.max(...times)).toISOString(),
		statuses,
		medianGap: median === undefined ? null : median / 1000,
		rules,
	};
}
