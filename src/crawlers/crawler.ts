/** What a crawler fetches for. */
export type CrawlerKind =
	/** A search engine's index, images, news and shopping included. */
	| "search"
	/** Checking and placing advertisements. */
	| "ads"
	/** Training models. */
	| "ai-training"
	/** The index behind a search that answers in sentences. */
	| "ai-search"
	/** A person who asks an assistant. */
	| "ai-assistant"
	/** Keeping what the web was. */
	| "archive"
	/** Reports on links and sites for those who optimise them. */
	| "seo"
	/** The card or picture shown where somebody posts a link. */
	| "preview"
	/** Whether and how a site works, for its owner. */
	| "monitoring"
	/** Feeds that somebody subscribed to. */
	| "feed"
	/** Finding abuse and weak spots. */
	| "security"
	/** Studies of texts or markets. */
	| "research"
	| "other";

/** A well-known crawler, as its operator documents it. */
export interface Crawler {
	/** Its own product token, the first of `tokens`. */
	readonly name: string;
	/**
	 * Product tokens that it obeys groups of, the most specific first: the first one that the file names decides
	 * (`["Googlebot-News", "Googlebot"]`).
	 */
	readonly tokens: readonly string[];
	/** Without a group of its own it obeys the groups for `*`. */
	readonly obeysGlobal: boolean;
	/** False where its operator says that it may ignore robots.txt, as what fetches for a person often does. */
	readonly obeysRobotsTxt: boolean;
	readonly operator: string;
	readonly kind: CrawlerKind;
	/** Address of a page that tells about it; of its operator where there is none. */
	readonly documentation: string;
}
