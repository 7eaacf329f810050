/**
 * Values of lines that are no rules: sitemaps, Clean-param, Host, and how fast a crawler may come. `RobotsTxt` calls it. In steps where a
 * file may have very many such lines.
 */
import type { Steps } from "../common/steps.ts";
import {
	type CleanParam,
	isAbsoluteUrl,
	type Parsed,
	parseCleanParam,
	parseCrawlDelay,
	parseHost,
	parseRequestRate,
	parseVisitTime,
	type RequestRate,
	type TimeWindow,
} from "./other-fields.ts";
import type { OtherLine } from "./parse.ts";

/** Lines whose values are read in a step. */
const STEP = 1000;

/** The values that count of the lines of one field, with their line numbers. */
function validOf<Value>(
	lines: readonly OtherLine[],
	name: string,
	parse: (value: string) => Parsed<Value>,
): { value: Value; line: number }[] {
	return lines.flatMap(({ field, value, line }) => {
		const parsed = field === name ? parse(value) : undefined;
		return parsed && parsed.fault === undefined
			? [{ value: parsed.value, line }]
			: [];
	});
}

export function sitemapsOf(lines: readonly OtherLine[]): string[] {
	return lines
		.filter(({ field, value }) => field === "sitemap" && isAbsoluteUrl(value))
		.map(({ value }) => value);
}

/** `sitemapsOf` in steps. */
export function* sitemapSteps(lines: readonly OtherLine[]): Steps<string[]> {
	const sitemaps: string[] = [];
	for (let from = 0; from < lines.length; from += STEP) {
		yield;
		for (const value of sitemapsOf(lines.slice(from, from + STEP)))
			sitemaps.push(value);
	}
	return sitemaps;
}

export function hostOf(lines: readonly OtherLine[]): string | undefined {
	return validOf(lines, "host", parseHost)[0]?.value;
}

export function cleanParamsOf(lines: readonly OtherLine[]): CleanParam[] {
	return validOf(lines, "clean-param", parseCleanParam).map(
		({ value, line }) => ({ ...value, line }),
	);
}

export function crawlDelayOf(lines: readonly OtherLine[]): number | undefined {
	return firstOf(lines, "crawl-delay", parseCrawlDelay);
}

/** The value of the first line of a field that counts. */
function firstOf<Value>(
	lines: readonly OtherLine[],
	name: string,
	parse: (value: string) => Parsed<Value>,
): Value | undefined {
	for (const { field, value } of lines) {
		const parsed = field === name ? parse(value) : undefined;
		if (parsed && parsed.fault === undefined) return parsed.value;
	}
	return undefined;
}

/** How fast a crawler may come. */
export interface PaceLines {
	/** Seconds between two visits. */
	readonly delay: number | undefined;
	readonly rates: readonly RequestRate[];
	readonly window: TimeWindow | undefined;
}

/** What Crawl-delay, Request-rate and Visit-time say. */
export function* paceSteps(lines: readonly OtherLine[]): Steps<PaceLines> {
	let delay: number | undefined;
	let window: TimeWindow | undefined;
	const rates: RequestRate[] = [];
	for (let from = 0; from < lines.length; from += STEP) {
		yield;
		const some = lines.slice(from, from + STEP);
		delay ??= crawlDelayOf(some);
		window ??= visitTimeOf(some);
		rates.push(...requestRatesOf(some));
	}
	return { delay, rates, window };
}

export function requestRatesOf(lines: readonly OtherLine[]): RequestRate[] {
	return validOf(lines, "request-rate", parseRequestRate).map(
		({ value, line }) => ({ ...value, line }),
	);
}

export function visitTimeOf(
	lines: readonly OtherLine[],
): TimeWindow | undefined {
	return firstOf(lines, "visit-time", parseVisitTime);
}
