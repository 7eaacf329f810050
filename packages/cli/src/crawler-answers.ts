import type { Crawler } from "robotrie";
import { type CrawlerAnswer, compareCrawlers } from "robotrie/compare";
import type { RequestOptions } from "./fetch/client-options.ts";
import { robotsOf } from "./fetch/named-robots.ts";
import { missing } from "./options/options.ts";
import { jsonText } from "./output/json-list.ts";
import { paint, printable } from "./output/output.ts";

/** Options of `robotrie crawlers` that name a robots.txt and a URL. */
export interface CrawlerAnswersOptions extends RequestOptions {
	readonly robots?: string;
	readonly url?: string;
	readonly json?: boolean;
}

/** Which of some crawlers may fetch a URL, as text or JSON. */
export async function crawlerAnswers(
	crawlers: readonly Crawler[],
	options: CrawlerAnswersOptions,
): Promise<string> {
	const url = options.url ?? missing("--url <url>");
	const robots = await robotsOf(options, false);
	const asked = new Set(crawlers.map(({ name }) => name));
	const answers = compareCrawlers(robots, url).filter(({ crawler }) =>
		asked.has(crawler.name),
	);
	if (!options.json) return answersText(answers);
	const list = answers.map(({ crawler, ...answer }) => ({
		...crawler,
		...answer,
	}));
	return `${jsonText(list, 2)}\n`;
}

/** Crawlers by what they fetch for: those that may fetch a URL, and those that may not with the line that decides. */
function answersText(answers: readonly CrawlerAnswer[]): string {
	const byKind = new Map<string, CrawlerAnswer[]>();
	for (const answer of answers) {
		const { kind } = answer.crawler;
		const same = byKind.get(kind);
		if (same) same.push(answer);
		else byKind.set(kind, [answer]);
	}
	return [...byKind]
		.map(([kind, some]) => {
			const lines = [paint("bold", kind)];
			const byReason = new Map<string, string[]>();
			for (const { allowed, rule, crawler } of some) {
				const why = rule
					? ` (line ${rule.line}: ${rule.type === "allow" ? "Allow" : "Disallow"}: ${printable(rule.pattern)})`
					: "";
				const answer = allowed
					? paint("green", "allowed")
					: paint("red", "disallowed");
				const names = byReason.get(answer + why);
				if (names) names.push(crawler.name);
				else byReason.set(answer + why, [crawler.name]);
			}
			for (const [answer, names] of byReason)
				lines.push(`  ${answer}`, `    ${names.join(", ")}`);
			return `${lines.join("\n")}\n`;
		})
		.join("\n");
}
