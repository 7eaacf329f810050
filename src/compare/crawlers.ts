import { check, type Url } from "../common/arguments.ts";
import type { Crawler } from "../crawlers/crawler.ts";
import { crawlerIn, crawlers } from "../crawlers/crawlers.ts";
import type { Explanation } from "../matching/explanation.ts";
import type { RobotsTxt } from "../matching/robots-txt.ts";
import { robotsKind } from "./robots-kind.ts";

/** Whether a known crawler may fetch a URL, and why. */
export interface CrawlerAnswer extends Explanation {
	/** The crawler, as in `crawlers`; `tokens` and `obeysGlobal` are those of the file's dialect. */
	readonly crawler: Crawler;
}

/**
 * Which of the known crawlers may fetch a URL: one answer for each row of `crawlers`, in its order.
 * @example
 * const answers = compareCrawlers(RobotsTxt.parse(text), "/blog/");
 * const refused = answers.filter(({ allowed }) => !allowed).map(({ crawler }) => crawler.name);
 * @throws {RobotrieError} invalid-url, invalid-argument.
 */
export function compareCrawlers(
	robots: RobotsTxt,
	url: Url,
): readonly CrawlerAnswer[] {
	check("robots", robots, robotsKind);
	return crawlers.map((crawler) => ({
		crawler: crawlerIn(robots.dialect, crawler),
		...robots.explain(url, crawler.name),
	}));
}
