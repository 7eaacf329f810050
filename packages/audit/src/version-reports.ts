import type { CrawlerCounts } from "./crawler-counts.ts";
import { percent } from "./percent.ts";
import type { VersionReport } from "./report.ts";
import type { RuleBook } from "./rule-book.ts";
import { timestamp } from "./timestamp.ts";
import {
	newVersionCounts,
	sumVersion,
	type VersionCounts,
} from "./version-counts.ts";

/** What crawlers did under each version of the robots.txt files that changed. */
export function versionReports(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
): VersionReport[] {
	const sums = new Map<number, VersionCounts>();
	for (const { versions } of crawlers)
		for (const counts of versions) {
			const sum = sums.get(counts.version) ?? newVersionCounts(counts.version);
			sums.set(counts.version, sum);
			sumVersion(sum, counts);
			sum.allowedAfter += counts.allowedAfter;
			sum.disallowedAfter += counts.disallowedAfter;
		}
	return [...sums.values()]
		.sort((a, b) => a.version - b.version)
		.map((counts) => reportOf(counts, book));
}

function reportOf(counts: VersionCounts, book: RuleBook): VersionReport {
	const { source, since = Number.NaN } = book.versions[counts.version] ?? {};
	const { allowed, disallowed, allowedAfter, disallowedAfter } = counts;
	const delay = (counts.firstFetch - since) / 1000;
	return {
		file: source?.file ?? "",
		host: source?.host ?? null,
		since: timestamp(since),
		requests: counts.requests,
		robotsTxt: counts.robotsTxt,
		allowed,
		disallowed,
		compliance: percent(allowed, allowed + disallowed),
		firstRequest: timestamp(counts.firstSeen),
		firstRobotsTxt: timestamp(counts.firstFetch),
		secondsToRobotsTxt: Number.isFinite(delay) ? delay : null,
		allowedAfterRobotsTxt: allowedAfter,
		disallowedAfterRobotsTxt: disallowedAfter,
		complianceAfterRobotsTxt: percent(
			allowedAfter,
			allowedAfter + disallowedAfter,
		),
	};
}
