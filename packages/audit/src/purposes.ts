/**
 * What crawlers fetch for, as a report groups them: AI training, search engines, SEO and so on, made of the categories that classify.ts
 * gives. make-report.ts adds a row per purpose, and everything that shows a report takes names and order from here. What has no purpose
 * in the table of crawlers nor in the lists is "other", so that it never counts as one of the AI crawlers or search engines.
 */

import {
	type CrawlerReport,
	isBound,
	percent,
	violationsOf,
} from "./report.ts";

/** What a crawler fetches for. */
export type Purpose =
	| "ai-training"
	| "ai-search"
	| "ai"
	| "search"
	| "seo"
	| "archive"
	| "monitoring"
	| "scanner"
	| "library"
	| "ads"
	| "preview"
	| "research"
	| "other";

/** How a purpose is shown: as a heading, and as a noun for one crawler and for several. */
interface PurposeName {
	readonly title: string;
	readonly one: string;
	readonly many: string;
}

const crawlerOf = (what: string): Omit<PurposeName, "title"> => ({
	one: `${what} crawler`,
	many: `${what} crawlers`,
});

/** In the order in which reports list them. */
export const purposeNames: Readonly<Record<Purpose, PurposeName>> = {
	"ai-training": { title: "AI training", ...crawlerOf("AI training") },
	"ai-search": {
		title: "AI search and assistants",
		...crawlerOf("AI search"),
	},
	ai: { title: "AI, use unknown", ...crawlerOf("other AI") },
	search: {
		title: "Search engines",
		one: "search engine",
		many: "search engines",
	},
	seo: { title: "SEO", ...crawlerOf("SEO") },
	archive: { title: "Archives", one: "archive", many: "archives" },
	monitoring: { title: "Monitors", one: "monitor", many: "monitors" },
	scanner: { title: "Scanners", one: "scanner", many: "scanners" },
	library: { title: "Libraries", one: "library", many: "libraries" },
	ads: { title: "Advertising", ...crawlerOf("advertising") },
	preview: {
		title: "Link previews and feeds",
		one: "link preview or feed reader",
		many: "link previews and feed readers",
	},
	research: { title: "Research", ...crawlerOf("research") },
	other: {
		title: "Other software",
		one: "other client",
		many: "other clients",
	},
};

const order = Object.keys(purposeNames) as Purpose[];

/** Categories whose purpose has another name. */
const byCategory: Readonly<Record<string, Purpose>> = {
	"ai-assistant": "ai-search",
	security: "scanner",
	automation: "library",
	feed: "preview",
};

/** The purpose of a category; a category that nobody knows is "other". */
export function purposeOf(category: string): Purpose {
	const own = Object.hasOwn(byCategory, category)
		? byCategory[category]
		: undefined;
	return own ?? order.find((purpose) => purpose === category) ?? "other";
}

/** Whether crawlers of a purpose count as AI crawlers. */
export function isAi(purpose: Purpose): boolean {
	return purpose === "ai" || purpose.startsWith("ai-");
}

/** What the crawlers of one purpose did: one entry of `AuditReport.purposes`. */
export interface PurposeReport {
	/** What they fetch for. */
	readonly purpose: Purpose;
	/** Entries of `AuditReport.crawlers` with this purpose. */
	readonly crawlers: number;
	/** Those of them that robots.txt binds. */
	readonly bound: number;
	/** Those of `bound` that made a disallowed request. */
	readonly disregarding: number;
	/** All their requests. */
	readonly requests: number;
	/** Requests that robots.txt allows. */
	readonly allowed: number;
	/** Requests that robots.txt disallows. */
	readonly disallowed: number;
	/** Those of `disallowed` that robots.txt does not bind. */
	readonly exemptDisallowed: number;
	/** As in `CrawlerReport`, of all of them together. */
	readonly compliance: number | null;
	/** Bytes of all responses, if the log has them. */
	readonly bytes: number;
}

/** A row for each purpose that came, in the order of `purposeNames`. */
export function purposeReports(
	crawlers: readonly CrawlerReport[],
): PurposeReport[] {
	return order.flatMap((purpose) => {
		const own = crawlers.filter((crawler) => crawler.purpose === purpose);
		if (own.length === 0) return [];
		const total = (of: (crawler: CrawlerReport) => number) =>
			own.reduce((sum, crawler) => sum + of(crawler), 0);
		const allowed = total((crawler) => crawler.allowed);
		const disallowed = total((crawler) => crawler.disallowed);
		const exemptDisallowed = total((crawler) => crawler.exemptDisallowed);
		const judged = allowed + disallowed - total(({ exempt }) => exempt);
		const violations = disallowed - exemptDisallowed;
		return {
			purpose,
			crawlers: own.length,
			bound: own.filter(isBound).length,
			disregarding: own.filter((crawler) => violationsOf(crawler) > 0).length,
			requests: total(({ requests }) => requests),
			allowed,
			disallowed,
			exemptDisallowed,
			compliance: percent(judged - violations, judged),
			bytes: total(
				({ bytes }) => bytes.allowed + bytes.disallowed + bytes.other,
			),
		};
	});
}
