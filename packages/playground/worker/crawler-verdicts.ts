/**
 * What the worker answers to "who may fetch this?": all known crawlers' verdicts about one URL, or counts of all lines. judge-worker.ts
 * loads it for the card under Test and the Ask pane.
 */
import { crawlers, RobotrieError } from "robotrie";
import { compareCrawlers } from "robotrie/compare";
import type { OwnDialects } from "robotrie/internal";
import {
	type CrawlerVerdict,
	type Setting,
	verdictName,
} from "../page/messages.ts";
import type { Judge } from "./judge.ts";

type Counts = CrawlerVerdict["counts"];

const LF = 10;

/** Which known crawlers may fetch a URL, as `robotrie crawlers --url` says it; without one, how many of all lines. */
export function crawlerVerdicts(
	judge: Judge,
	setting: Pick<Setting, "dialect">,
	url: string | undefined,
): readonly CrawlerVerdict[] | null {
	using files = judge.robotsOfAll(setting);
	if (url === undefined) return ofAllLines(files, judge.urls);
	try {
		const answers = compareCrawlers((name) => files.of(name), url);
		return answers.map(({ crawler, dialect, allowed, rule }) => ({
			...rowOf(crawler),
			dialect,
			counts: {
				allowed: Number(allowed),
				disallowed: Number(!allowed),
				invalid: 0,
			},
			rule,
		}));
	} catch (error) {
		if (error instanceof RobotrieError && error.code === "invalid-url")
			return null;
		throw error;
	}
}

const rowOf = ({
	name,
	kind,
	obeysRobotsTxt,
}: (typeof crawlers)[number]): Pick<
	CrawlerVerdict,
	"name" | "kind" | "obeysRobotsTxt"
> => ({ name, kind, obeysRobotsTxt });

/**
 * Crawlers of the same groups are judged once: a file mostly has a handful of groups for all the known crawlers, and each pass goes over all
 * URLs.
 */
function ofAllLines(
	files: OwnDialects,
	urls: Uint8Array,
): readonly CrawlerVerdict[] {
	const known = new Map<string, Counts>();
	return crawlers.map((crawler) => {
		const robots = files.of(crawler.name);
		const { dialect } = robots;
		const key = `${dialect} ${robots.groupsOf(crawler.name).join()}`;
		let counts = known.get(key);
		if (!counts) {
			using matcher = robots.for(crawler.name);
			counts = countsOf(matcher.matchLines(urls), urls);
			known.set(key, counts);
		}
		return { ...rowOf(crawler), dialect, counts, rule: null };
	});
}

function countsOf(verdicts: Uint8Array, urls: Uint8Array): Counts {
	const counts = { allowed: 0, disallowed: 0, invalid: 0 };
	let from = 0;
	for (const verdict of verdicts) {
		const found = urls.indexOf(LF, from);
		const end = found < 0 ? urls.length : found;
		// Empty lines have a verdict, too, so that verdicts and lines stay in step; nobody counts them.
		if (end > from) counts[verdictName(verdict)]++;
		from = end + 1;
	}
	return counts;
}
