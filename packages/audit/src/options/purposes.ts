/**
 * What crawlers fetch for, as a report groups them: AI training, search engines, SEO and so on, made of the categories that classify.ts
 * gives. make-report.ts adds a row per purpose, and everything that shows a report takes names and order from here. What has no purpose
 * in the table of crawlers nor in the lists is "other", so that it never counts as one of the AI crawlers or search engines.
 */

/** What a crawler fetches for. */
export type Purpose =
	| "ai-training"
	| "ai-search"
	| "ai-agent"
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
	"ai-agent": { title: "AI agents", one: "AI agent", many: "AI agents" },
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

/** All purposes, in that order. */
export const purposes = Object.keys(purposeNames) as Purpose[];

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
	return own ?? purposes.find((purpose) => purpose === category) ?? "other";
}

/** Whether crawlers of a purpose count as AI crawlers. */
export function isAi(purpose: Purpose): boolean {
	return purpose === "ai" || purpose.startsWith("ai-");
}
