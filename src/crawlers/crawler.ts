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
	/** Anything else. */
	| "other";

/** A well-known crawler, as its operator documents it. */
export interface Crawler {
	/** Its own product token, the first of `tokens`. */
	readonly name: string;
	/**
	 * Product tokens whose groups it obeys, the most specific first: the first one that the file names decides
	 * (`["Googlebot-News", "Googlebot"]`).
	 */
	readonly tokens: readonly string[];
	/**
	 * It obeys the groups for `*` if no group names it: in `crawlers` as its operator says today, which the rfc9309 dialect follows;
	 * `findCrawler(agent, { dialect })` says what another dialect does.
	 */
	readonly obeysGlobal: boolean;
	/** Where `obeysGlobal` comes from: the URL of the operator's page, or the document or library that the dialect follows. */
	readonly obeysGlobalSource: string;
	/** False if its operator says that it may ignore robots.txt, as fetchers that act for a person often do. */
	readonly obeysRobotsTxt: boolean;
	/** The company or organisation that runs it. */
	readonly operator: string;
	/** What it fetches for. */
	readonly kind: CrawlerKind;
	/**
	 * Who causes its requests: the operator, by its own schedule, or a user, who asks an assistant, posts a link, subscribes to a feed
	 * or has a site watched.
	 */
	readonly trigger: "operator" | "user";
	/** False for tokens that no User-Agent header names: what other crawlers of the operator fetch is used as their groups say. */
	readonly sendsRequests: boolean;
	/** URL of the operator's page about the crawler; undefined where none is known. */
	readonly documentation?: string;
	/** URLs of files or pages with the addresses it comes from; empty where none is known. */
	readonly addressRanges: readonly string[];
	/** Day on which this row was compared with that page, "2026-11-22"; undefined for older rows. */
	readonly checked?: string;
}
