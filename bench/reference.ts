import { readFile } from "../test/fuzz/line-reader.ts";
import { naive } from "../test/fuzz/naive.ts";
import { type Asked, type Diagnostics, pathOf, type Site } from "./site.ts";

/** Verdicts by the tests' naive reader and matcher, which share no code with robotrie. */
export function naiveVerdicts(site: Site, asked: Asked): Uint8Array {
	const { dialect, agent = "googlebot", paths } = asked;
	const robots = Buffer.from(site.robots).toString("latin1");
	const says = naive(robots, agent, dialect);
	return Uint8Array.from(site.urls, (url) =>
		Number(says(paths ? pathOf(url) : url).allowed),
	);
}

const settings = /^(content-usage|crawl-delay|request-rate|visit-time)$/;
/** Diagnostics that the naive reader does not know: those of values. */
const ofValues = /^(invalid-value|invalid-host|repeated-host)$/;

/** Diagnostics by the naive reader. */
export function naiveDiagnostics({ robots }: Site): Diagnostics {
	const file = readFile(Buffer.from(robots).toString("latin1"), "google");
	const lines = new Set(
		file.others
			.filter(({ field }) => settings.test(field))
			.map(({ line }) => `${line} rule-outside-group`),
	);
	return {
		right: file.remarks.sort(),
		comparable: (remark) =>
			!lines.has(remark) && !ofValues.test(remark.split(" ")[1] ?? ""),
	};
}
