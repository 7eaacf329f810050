import { createRequire } from "node:module";
import { isbot } from "isbot";
import { findCrawler } from "../../../src/crawlers/crawlers.ts";
import { RobotsTxt } from "../../../src/index.ts";

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
}
const listed = (
	createRequire(import.meta.url)("crawler-user-agents") as Listed[]
).map(({ pattern }) => new RegExp(pattern));

/** Whether a header is of something automatic, by trying every expression. */
export function isAutomatic(header: string): boolean {
	return (
		findCrawler(header) !== undefined ||
		listed.some((pattern) => pattern.test(header)) ||
		(isbot(header.replaceAll("chromeframe", "")) &&
			!(
				/^Mozilla\/4\.0 \(compatible;\)$|\bWAP Browser\b|\bMaui Browser\b/i.test(
					header,
				) && !/bot|crawl|spider/i.test(header)
			))
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
