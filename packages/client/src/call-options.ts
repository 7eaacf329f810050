import type { Agent, RobotsTxt } from "robotrie";
import type { RobotsAccess } from "robotrie/access";
import type { OptionTable } from "robotrie/internal";
import { agentKind, flagKind } from "robotrie/internal";

/** Options of calls that may wait for robots.txt files. */
export interface WaitOptions {
	/** Aborting it detaches the caller, with the signal's reason; a request is cancelled when no caller is left. */
	readonly signal?: AbortSignal | undefined;
}

/** Options of `nextVisit`. */
export interface VisitOptions extends WaitOptions {
	/** Whether the time is taken, so that the next call gets a later one. Default true. */
	readonly reserve?: boolean;
}

/** Options of `sitemaps`. */
export interface SitemapOptions extends WaitOptions {
	/** The crawler that is to follow them: its product token, or several, the most specific first. */
	readonly agent?: Agent;
}

/** What is known of an origin's robots.txt. */
export interface RobotsAnswer extends RobotsAccess {
	/** The file whose rules apply; null if no file decides. */
	readonly robots: RobotsTxt | null;
}

export const waitOptions: OptionTable<WaitOptions> = {
	signal: {
		text: "an AbortSignal",
		accepts: (value) => value instanceof AbortSignal,
		hint: (value) =>
			value instanceof AbortController ? "pass controller.signal" : undefined,
	},
};

export const sitemapOptions: OptionTable<SitemapOptions> = {
	...waitOptions,
	agent: agentKind,
};

export const visitOptions: OptionTable<VisitOptions> = {
	...waitOptions,
	reserve: flagKind,
};
