/**
 * Known crawlers and what they may fetch, as a table: for the card under Test (who-card.ts) and the Ask pane. Crawlers with the same answer
 * share a row, as most files have two or three answers for all of them.
 */
import type { CrawlerKind } from "robotrie";
import { verdictSymbols } from "../editor/urls-editor.ts";
import { counted, make } from "../page/dom.ts";
import type { CrawlerVerdict } from "../page/messages.ts";

/** In the order in which they are shown. */
const kindNames: Readonly<Record<CrawlerKind, string>> = {
	search: "Search engines",
	"ai-training": "AI: training",
	"ai-search": "AI: search",
	"ai-assistant": "AI: assistants",
	"ai-agent": "AI: agents",
	ai: "AI: use unknown",
	ads: "Advertising",
	archive: "Archives",
	seo: "SEO",
	preview: "Link previews",
	monitoring: "Monitoring",
	feed: "Feeds",
	security: "Security",
	research: "Research",
	other: "Other",
};

/** Crawlers of a kind that have the same answer. */
interface Alike {
	readonly first: CrawlerVerdict;
	readonly names: string[];
}

/** Known crawlers by what they fetch for, those with the same answer together. */
export function crawlerTable(
	verdicts: readonly CrawlerVerdict[],
	isOneUrl: boolean,
	goToLine: (line: number) => void,
): Node[] {
	const kinds = new Map<CrawlerKind, Map<string, Alike>>();
	for (const verdict of verdicts) {
		const { name, kind, obeysRobotsTxt, dialect, counts, rule } = verdict;
		const same = kinds.get(kind) ?? new Map<string, Alike>();
		kinds.set(kind, same);
		// The line counts, too: crawlers that are refused by different groups are told apart.
		const key = `${Object.values(counts)} ${rule?.line} ${dialect}`;
		const shown = obeysRobotsTxt ? name : `${name}*`;
		const alike = same.get(key);
		if (alike) alike.names.push(shown);
		else same.set(key, { first: verdict, names: [shown] });
	}
	const bodies = Object.entries(kindNames).map(([kind, kindName]) => {
		const rows = [...(kinds.get(kind as CrawlerKind)?.values() ?? [])];
		return make(
			"tbody",
			{},
			...rows.map(({ first, names }, at) =>
				make(
					"tr",
					{},
					...(at > 0
						? []
						: [
								make("th", {
									scope: "rowgroup",
									rowSpan: rows.length,
									textContent: kindName,
								}),
							]),
					make("td", {}, ...answerOf(first, isOneUrl)),
					make(
						"td",
						{},
						make("span", { textContent: names.join(", ") }),
						" ",
						make("span", {
							className: "quiet",
							textContent: `read as ${first.dialect}`,
						}),
						...ruleOf(first, goToLine),
					),
				),
			),
		);
	});
	return [
		make("p", { textContent: summaryOf(verdicts, isOneUrl) }),
		make("table", { className: "who" }, ...bodies),
		make("p", {
			className: "quiet",
			textContent:
				"* Its operator says that it may ignore robots.txt, as fetchers that act for a person often do.",
		}),
	];
}

function summaryOf(
	verdicts: readonly CrawlerVerdict[],
	isOneUrl: boolean,
): string {
	const refused = verdicts.filter(({ counts }) => counts.disallowed > 0).length;
	const all = `of ${counted(verdicts.length, "known crawler")}`;
	return isOneUrl
		? `${refused} ${all} may not fetch this URL.`
		: `${refused} ${all} may not fetch some of these URLs.`;
}

function answerOf(
	{ counts }: CrawlerVerdict,
	isOneUrl: boolean,
): (Node | string)[] {
	const chips = (["allowed", "disallowed", "invalid"] as const)
		.filter((name) => counts[name] > 0)
		.map((name) =>
			make("span", {
				className: `chip ${name}`,
				textContent: `${verdictSymbols[name]} ${isOneUrl ? name : `${counts[name].toLocaleString("en")} ${name}`}`,
			}),
		);
	return chips.length > 0 ? chips : ["no URLs"];
}

function ruleOf(
	{ rule }: CrawlerVerdict,
	goToLine: (line: number) => void,
): Node[] {
	if (!rule) return [];
	const { type, pattern, line } = rule;
	return [
		make(
			"span",
			{ className: "by-rule" },
			make("button", {
				type: "button",
				className: "line",
				textContent: `line ${line}`,
				onclick: () => goToLine(line),
			}),
			" ",
			make("code", { textContent: `${type}: ${pattern}` }),
		),
	];
}
