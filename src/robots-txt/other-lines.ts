/**
 * Values of lines that are no rules: sitemaps, Clean-param, Host, and how fast a crawler may come. `RobotsTxt` calls it. In steps where a
 * file may have very many such lines.
 */
import type { Steps } from "../common/steps.ts";
import {
	type CleanParam,
	type Parsed,
	parseCleanParam,
	parseCrawlDelay,
	parseHost,
	parseRequestRate,
	parseVisitTime,
	type RequestRate,
	sitemapUrls,
	type TimeWindow,
	type VisitTime,
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

/** Each URL once, in the order of the lines, in steps; `base` is the file's own URL. */
export function* sitemapSteps(
	lines: readonly Pick<OtherLine, "field" | "value">[],
	base: string | undefined,
): Steps<string[]> {
	const sitemaps = new Set<string>();
	for (let from = 0; from < lines.length; from += STEP) {
		if (from > 0) yield;
		for (const { field, value } of lines.slice(from, from + STEP))
			if (field === "sitemap")
				for (const url of sitemapUrls(value, base)) sitemaps.add(url);
	}
	return [...sitemaps];
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

export function visitTimesOf(lines: readonly OtherLine[]): VisitTime[] {
	return validOf(lines, "visit-time", parseVisitTime).map(
		({ value, line }) => ({ ...value, line }),
	);
}

export function visitTimeOf(
	lines: readonly OtherLine[],
): TimeWindow | undefined {
	return firstOf(lines, "visit-time", parseVisitTime);
}
