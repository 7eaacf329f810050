/**
 * The interface of the package robots-parser over `RobotsTxt`. docs/migrating.md lists the answers that differ; migrating.test.ts compares
 * both packages.
 */
import { MAX_LINE_BYTES } from "../../assembly/format/records.ts";
import {
	checkOptions,
	type OptionTable,
	parseUrl,
} from "../common/arguments.ts";
import { flagKind } from "../common/kinds.ts";
import { originOf } from "../common/urls.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";

/**
 * What `robotsParser` returns: robots-parser's interface, with the verdicts of RFC 9309. Signatures
 * and results are robots-parser's, so that replacing an import is all a migration takes.
 */
export interface Robot {
	/**
	 * Whether a crawler may fetch a URL. Undefined if the robots.txt does not govern the URL: another scheme, host or port, or no URL.
	 * Without `ua` the groups for `*` count.
	 * @throws {RobotrieError} invalid-argument, for a `ua` that is not a string.
	 */
	isAllowed(url: string, ua?: string): boolean | undefined;
	/**
	 * Whether `isAllowed` does not return true. As in robots-parser, that includes URLs that the robots.txt does not govern.
	 * @throws {RobotrieError} invalid-argument, for a `ua` that is not a string.
	 */
	isDisallowed(url: string, ua?: string): boolean | undefined;
	/**
	 * Whether a group that names the crawler disallows the URL; groups for `*` do not count. Undefined if the robots.txt does not
	 * govern the URL.
	 * @throws {RobotrieError} invalid-argument, for a `ua` that is not a string.
	 */
	isExplicitlyDisallowed(url: string, ua: string): boolean | undefined;
	/**
	 * Line number, from 1, of the rule that decides; -1 if none does.
	 * @throws {RobotrieError} invalid-argument, for a `ua` that is not a string.
	 */
	getMatchingLineNumber(url: string, ua?: string): number;
	/**
	 * Seconds between two requests that the site asks of the crawler, see `RobotsTxt.crawlDelay`. Undefined if it asks for none.
	 * @throws {RobotrieError} invalid-argument, for a `ua` that is not a string.
	 */
	getCrawlDelay(ua?: string): number | undefined;
	/**
	 * Whether groups for `*` are those that the crawler obeys, as none names it; with `ignoreWildcard`, those that are left out.
	 * @throws {RobotrieError} invalid-argument, for a `ua` that is not a string.
	 */
	isMatchedByWildcard(ua?: string): boolean;
	/** Values of the Sitemap lines as written, also those that are not URLs. */
	getSitemaps(): string[];
	/** The value of the last Host line in lower case, whether it is a host or not; null without one. */
	getPreferredHost(): string | null;
}

/** What robots-parser has no options for. */
export interface RobotOptions {
	/** Groups for `*` hold for no crawler: what they say counts as if it were not there. Default false. */
	readonly ignoreWildcard?: boolean;
}

const robotOptions: OptionTable<RobotOptions> = { ignoreWildcard: flagKind };

/** Relative URLs are of this host. It cannot exist (RFC 6761 §6.4). */
const RELATIVE = "http://relative.invalid/";

/**
 * Text whose path the URL standard changes beyond escaping: dot segments, and white space that it
 * removes. Only such URLs are given back to the URL parser; all others keep their escapes as they
 * are.
 */
const NEEDS_RESOLVING = /[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)|[\t\n\r]/i;

/** Text that needs no base: with a scheme and a host, or a path. */
const ABSOLUTE = /^\s*(?:[a-z][\w+.-]*:\/\/|\/(?![/\\]))/i;

/**
 * Reads a robots.txt; takes the place of the package robots-parser.
 * @param url Where the robots.txt lies. If it is relative ("/robots.txt"), it governs relative URLs.
 * @param robotstxt The text. Its first 16 MiB are read.
 * @example
 * const robots = robotsParser("https://example.com/robots.txt", "User-agent: *\nDisallow: /private/");
 * robots.isAllowed("https://example.com/private/a.html", "ExampleBot"); // false
 * robots.isAllowed("https://example.org/", "ExampleBot"); // undefined, as the file holds for another site
 * @throws {RobotrieError} invalid-argument, for a text that is not a string, or an option of another name or type.
 */
export function robotsParser(
	url: string,
	robotstxt: string,
	options: RobotOptions = {},
): Robot {
	checkOptions("robotsParser", options, robotOptions);
	const { ignoreWildcard = false } = options;
	const site = siteOf(url);
	// Its whole text is read, as robots-parser has no limit.
	const robots = RobotsTxt.parse(robotstxt || "", {
		maxBytes: MAX_LINE_BYTES,
	});
	const valuesOf = (name: string) =>
		robots.otherLines.flatMap(({ field, value }) =>
			field === name && value !== "" ? [value] : [],
		);
	/** The URL as `robots` takes it, undefined if the file does not govern it. */
	const governed = (given: string) => {
		const parsed = urlOf(given);
		if (!parsed?.host || originOf(parsed) !== site) return undefined;
		// Else the text itself: rules and URLs are compared with their characters escaped or not, as they are written.
		const text = `${given}`;
		if (ABSOLUTE.test(text) && !NEEDS_RESOLVING.test(text)) return text;
		// With a bare "?", which `search` lacks.
		const [resolved = ""] = parsed.href.split("#");
		return resolved;
	};
	/** Nothing is said to the crawler by name, and what is said to all does not count. */
	const isIgnored = (ua?: string) =>
		ignoreWildcard && robots.isMatchedByWildcard(ua || "*");
	const isAllowed = (given: string, ua?: string) => {
		const target = governed(given);
		if (target === undefined) return undefined;
		return isIgnored(ua) || robots.isAllowed(target, ua || "*");
	};
	return {
		isAllowed,
		isDisallowed: (given, ua) => !isAllowed(given, ua),
		isExplicitlyDisallowed(given, ua) {
			const allowed = isAllowed(given, ua);
			if (allowed !== false) return allowed === undefined ? undefined : false;
			return !robots.isMatchedByWildcard(ua || "*");
		},
		isMatchedByWildcard: (ua) => robots.isMatchedByWildcard(ua || "*"),
		getMatchingLineNumber(given, ua) {
			const target = governed(given);
			return target === undefined || isIgnored(ua)
				? -1
				: (robots.explain(target, ua || "*").rule?.line ?? -1);
		},
		getCrawlDelay: (ua) =>
			isIgnored(ua) ? undefined : robots.crawlDelay(ua || "*"),
		getSitemaps: () => valuesOf("sitemap"),
		getPreferredHost: () => valuesOf("host").at(-1)?.toLowerCase() ?? null,
	};
}

function urlOf(text: string): URL | null {
	return parseUrl(`${text}`, RELATIVE);
}

/** The origin that a robots.txt governs, undefined if its URL is none. */
function siteOf(url: string): string | undefined {
	const parsed = urlOf(url);
	return parsed?.host ? originOf(parsed) : undefined;
}
