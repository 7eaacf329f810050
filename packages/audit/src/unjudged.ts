import type { AuditReport } from "./report.ts";

/** How many lines were not judged, and why: "321 of people". */
export function unjudged(report: AuditReport): readonly string[] {
	const reasons = [
		[report.people, "of people"],
		[report.withoutAgent, "without a User-Agent header"],
		[report.leftOut, "of other crawlers"],
		[report.withoutRobots, "without a robots.txt"],
		[report.outside, "at other times"],
		[report.unparsed, "not parsed"],
		[report.blank, "blank or directives"],
	] as const;
	return reasons
		.filter(([count]) => count > 0)
		.map(([count, reason]) => `${count.toLocaleString("en-US")} ${reason}`);
}
