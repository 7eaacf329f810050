/**
 * The class `RobotsTxt`: a file read in one dialect, and all that can be asked of it. It checks arguments; dialect-file.ts and answers.ts do the work.
 */
import { Canonical } from "../canonical/canonical.ts";
import type { Agent } from "../common/agents.ts";
import {
	checkOptions,
	hrefOf,
	type OptionTable,
	type Url,
	urlKind,
	urlText,
} from "../common/arguments.ts";
import { bytesArgument, keptBytes } from "../common/bytes.ts";
import { RobotrieError } from "../common/errors.ts";
import { flagKind, maxBytesKind } from "../common/kinds.ts";
import { showAs } from "../common/public-objects.ts";
import { invalidArgument, quote } from "../common/quote.ts";
import { inOneGo, type Steps } from "../common/steps.ts";
import { isAbsoluteUrl } from "../common/urls.ts";
import { type Diagnostic, diagnosticOf } from "../robots-txt/diagnostics.ts";
import {
	DEFAULT_DIALECT,
	type Dialect,
	type DialectRules,
	dialectKind,
	dialectRules,
	sourceBytes,
} from "../robots-txt/dialect.ts";
import { findDiagnostics } from "../robots-txt/find-diagnostics.ts";
import type {
	CleanParam,
	RequestRate,
	TimeWindow,
	VisitTime,
} from "../robots-txt/other-fields.ts";
import {
	cleanParamsOf,
	crawlDelayOf,
	hostOf,
	type PaceLines,
	paceSteps,
	requestRatesOf,
	sitemapSteps,
	visitTimeOf,
	visitTimesOf,
} from "../robots-txt/other-lines.ts";
import { type OtherLine, tokenAsWritten } from "../robots-txt/parse.ts";
import { identify } from "./agents.ts";
import {
	Answers,
	type DialectExplanations,
	type Explanation,
	headingOf,
} from "./answers.ts";
import { DialectFile } from "./dialect-file.ts";
import { invalidUrl, type Matcher } from "./matcher.ts";
import type { Preferences } from "./preferences.ts";
import { type Rule, ruleOf, type SortedRule, sortedRules } from "./rules.ts";

/** How to read a robots.txt. */
export interface ParseOptions {
	/** Default "rfc9309". */
	readonly dialect?: Dialect;
	/**
	 * Bytes of the file that are read; the rest is ignored. In the yandex dialect a larger file allows everything. Default 512,000
	 * (500 KiB, the minimum that RFC 9309 §2.5 requires); no limit in the google dialect.
	 */
	readonly maxBytes?: number;
	/**
	 * True: a known crawler chooses its group as its operator says today (`findCrawler`): by the first of its tokens that has one, and `*` only
	 * if it obeys it. False: by the given name, or `*`. Default: as the dialect's document has it; Google's library knows no crawlers. To
	 * read as a crawler does, pass `dialectFor(agent)` and true.
	 */
	readonly knowsCrawlers?: boolean;
	/**
	 * Where the file was found, after redirects: an absolute http, https or ftp URL. Sitemap lines with a path (`Sitemap: /sitemap.xml`) are
	 * resolved by it; without it they are left out. It does not decide for which URLs the rules hold.
	 */
	readonly url?: Url;
}

const parseOptions: OptionTable<ParseOptions> = {
	dialect: dialectKind,
	maxBytes: maxBytesKind,
	knowsCrawlers: flagKind,
	url: urlKind,
};

/** Rules and the crawlers that they are for (RFC 9309 §2.1). */
export interface Group {
	/** Values of the user-agent lines, as written. */
	readonly agents: readonly string[];
	/** Line number of the first user-agent line, from 1. */
	readonly line: number;
	/** Its rules, in file order. */
	readonly rules: readonly Rule[];
}

/** Asking the class for each object took a twentieth of a small file's time. */
let isShown = false;

/**
 * A robots.txt, read in one dialect. A clone of it, as one that is posted to a thread, has no methods:
 * post the text. It keeps the bytes and makes everything else on demand: groups, indexes, programs,
 * answers.
 * @example
 * const robots = RobotsTxt.parse("User-agent: *\nDisallow: /private/");
 * robots.isAllowed("https://example.com/private/a.html", "ExampleBot"); // false
 */
export class RobotsTxt {
	/** The dialect the file is read in. */
	readonly dialect: Dialect;
	readonly #file: DialectFile;
	/** Where it was found. */
	readonly #url: string | undefined;
	/** Made when a single question is asked, as most files are only compiled. */
	#answers: Answers | undefined;
	#groups: readonly Group[] | undefined;
	#canonicalUrls: Canonical | undefined;
	#diagnostics: readonly Diagnostic[] | undefined;

	private constructor(file: DialectFile, url: string | undefined) {
		if (!(file instanceof DialectFile))
			throw new RobotrieError(
				"invalid-argument",
				"robots.txt files are read by RobotsTxt.parse(source, options)",
			);
		this.dialect = file.rules.name;
		this.#file = file;
		this.#url = url;
		if (!isShown)
			isShown = showAs(this, (robots) => ({
				dialect: robots.dialect,
				groups: robots.#file.parsed.groups.length,
			}));
	}

	/**
	 * Parses a robots.txt: a string, or UTF-8 bytes, which must not change afterwards: they are copied only if their
	 * memory is shared or resizable. Any content is
	 * accepted; `diagnostics` lists what is ignored.
	 * @example
	 * const robots = RobotsTxt.parse(await readFile("robots.txt"), { dialect: "google" });
	 * @throws {RobotrieError} invalid-argument, for anything but bytes or a string, an unknown dialect, a `maxBytes` that is not a
	 * number from 0 on, a `url` that is no absolute http, https or ftp URL, or an option of another name.
	 * @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB or a file of 2 GiB, where `maxBytes` lets them in.
	 */
	static parse(source: Uint8Array | string, options?: ParseOptions): RobotsTxt {
		// Callers that come from robots-parser give the URL first; the message says which is which.
		if (typeof options === "string") refuseUrlFirst(source, options);
		if (options !== undefined)
			checkOptions("RobotsTxt.parse", options, parseOptions);
		const {
			dialect = DEFAULT_DIALECT,
			maxBytes,
			knowsCrawlers,
			url,
		} = options ?? {};
		const bytes = sourceBytes(source);
		return new RobotsTxt(
			new DialectFile(bytes, dialectRules(dialect, knowsCrawlers), maxBytes),
			url === undefined ? undefined : fileUrl(url),
		);
	}

	/** All groups, in file order; groups for the same crawler are not merged. */
	get groups(): readonly Group[] {
		// Groups are objects with strings, made for callers who ask for them; verdicts need none.
		const { parsed } = this.#file;
		this.#groups ??= parsed.groups.map((group) => ({
			...headingOf(group),
			rules: Array.from({ length: group.lastRule - group.firstRule }, (_, i) =>
				ruleOf(parsed, group.firstRule + i),
			),
		}));
		return this.#groups;
	}

	/**
	 * URLs of the Sitemap lines, as written, in file order, each once. They apply to all crawlers. All are absolute http, https or ftp URLs:
	 * a path is resolved if `parse` was given the file's `url`, several URLs on a line are told apart, and both have a diagnostic; other
	 * lines are left out and have one, too. `otherLines` lists all as they are.
	 * @example
	 * const robots = RobotsTxt.parse("Sitemap: /sitemap.xml", { url: "https://example.com/robots.txt" });
	 * robots.sitemaps; // ["https://example.com/sitemap.xml"]
	 */
	get sitemaps(): readonly string[] {
		return inOneGo(this.sitemapSteps());
	}

	/** Lines that are neither user-agent lines nor rules: field name in lower case, value and line number. */
	get otherLines(): readonly Pick<OtherLine, "field" | "value" | "line">[] {
		return this.#file.parsed.others.map(({ field, value, line }) => ({
			field,
			value,
			line,
		}));
	}

	/**
	 * The main mirror of the site, from the first valid Host line anywhere in the file (the Yandex document, "Директива Host"): a
	 * host name in lower case, with ":" and a port if the line has one. Undefined without such a line.
	 */
	get host(): string | undefined {
		return hostOf(this.#file.parsed.others);
	}

	/**
	 * Clean-param lines anywhere in the file, in file order; they apply to all crawlers that know them (the Yandex document,
	 * "Директива Clean-param"). Malformed lines are left out and have a diagnostic.
	 */
	get cleanParams(): readonly CleanParam[] {
		return cleanParamsOf(this.#file.parsed.others);
	}

	/**
	 * The URL without the query parameters that Clean-param lines declare irrelevant for its path, and without a "?" that would be
	 * left at the end. Parameter names are percent-decoded and compared byte for byte; the path without the query is matched like
	 * a rule's pattern.
	 * @example
	 * const robots = RobotsTxt.parse("Clean-param: ref /books/");
	 * robots.canonicalUrl("/books/1?ref=home&page=2"); // "/books/1?page=2"
	 * @throws {RobotrieError} invalid-url, when the text is neither an absolute URL nor a path; invalid-argument.
	 */
	canonicalUrl(url: Url): string {
		const canonical = this.#canonical().url(urlText(url));
		if (canonical === undefined) throw invalidUrl(url);
		return canonical;
	}

	/**
	 * `canonicalUrl` for every line of `bytes`: URLs or paths in UTF-8, ended by LF or CRLF; the last line may lack it. Line ends
	 * and lines that are not URLs stay as they are. A million URLs take a few tenths of a second.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array.
	 */
	canonicalLines(bytes: Uint8Array): Uint8Array {
		return this.#canonical().lines(keptBytes(bytesArgument("bytes", bytes)));
	}

	/** Parser diagnostics, sorted by line. */
	get diagnostics(): readonly Diagnostic[] {
		// Diagnostics are found by a pass of their own, as a file that is only matched needs none.
		this.#diagnostics ??= findDiagnostics(this.#file.parsed, this.#url).map(
			(raw) => diagnosticOf(raw, this.#file.rules),
		);
		return this.#diagnostics;
	}

	/**
	 * Seconds between two requests that the site asks of the crawler: its first valid Crawl-delay (a number from 0, fractions
	 * allowed) below its user-agent lines. A Crawl-delay followed by another user-agent line applies only to the user-agent lines
	 * above it. Undefined without one.
	 */
	crawlDelay(agent: Agent): number | undefined {
		return crawlDelayOf(this.#file.otherLinesOf(agent));
	}

	/**
	 * Request-rate lines below the crawler's user-agent lines (as for `crawlDelay`), in file order: documents per number of
	 * seconds, optionally limited to certain hours (An Extended Standard for Robot Exclusion, 1996, "Request-rate"). Malformed
	 * lines are left out and have a diagnostic.
	 */
	requestRates(agent: Agent): readonly RequestRate[] {
		return requestRatesOf(this.#file.otherLinesOf(agent));
	}

	/**
	 * The daily UTC window in which the group allows visits: the first Visit-time of the form `hhmm-hhmm` below the crawler's
	 * user-agent lines, as for `crawlDelay` (An Extended Standard for Robot Exclusion, 1996, "Visit-time"). Undefined without one.
	 */
	visitTime(agent: Agent): TimeWindow | undefined {
		return visitTimeOf(this.#file.otherLinesOf(agent));
	}

	/**
	 * All windows in which the group allows visits, in file order: the standard of 1996 has one line, some files have one for each season or
	 * time zone. Malformed lines are left out and have a diagnostic.
	 * @example
	 * const robots = RobotsTxt.parse("User-agent: *\nVisit-time: 0000-0500\nVisit-time: 2200-2359\nAllow: /");
	 * robots.visitTimes("ExampleBot").map(({ start, end }) => [start, end]); // [[0, 300], [1320, 1439]]
	 */
	visitTimes(agent: Agent): readonly VisitTime[] {
		return visitTimesOf(this.#file.otherLinesOf(agent));
	}

	/**
	 * Whether groups for `*` are those that a crawler obeys: none names it, and there are some (RFC 9309 §2.2.1). Who wants only what is said to
	 * a crawler by name ignores verdicts where this is true.
	 * @example
	 * const robots = RobotsTxt.parse("User-agent: *\nDisallow: /");
	 * robots.isMatchedByWildcard("ExampleBot"); // true
	 * robots.isMatchedByWildcard("ExampleBot") || robots.isAllowed("/a", "ExampleBot"); // true: nothing is said to it by name
	 * @throws {RobotrieError} invalid-argument.
	 */
	isMatchedByWildcard(agent: Agent): boolean {
		const chosen = this.groupsOf(agent);
		// Crawlers without a group of their own get the very array of the groups for `*`.
		return chosen.length > 0 && chosen === this.groupsOf("*");
	}

	/**
	 * How the site wants a page to be used once it is fetched, from Content-Signal lines (contentsignals.org) and Content-Usage
	 * lines (draft-ietf-aipref-attach-05). Of the lines below the crawler's user-agent lines (as for `crawlDelay`) the one with the
	 * longest matching path counts. A Content-Signal before all groups applies to every crawler. There are no preferences for
	 * pages that the crawler may not fetch.
	 * @example
	 * const robots = RobotsTxt.parse("Content-Signal: ai-train=no\nUser-agent: *\nAllow: /");
	 * robots.preferences("/a.html", "ExampleBot").contentSignal["ai-train"]?.allowed; // false
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	preferences(url: Url, agent: Agent): Preferences {
		return this.#answering.preferences(urlText(url), agent);
	}

	/**
	 * The rules for a crawler, compiled. Use it to match many URLs, or to save and share the rules.
	 * Each call compiles anew unless the groups are the same as last time: keep the matcher, not the
	 * file.
	 * @example
	 * const matcher = robots.for("ExampleBot");
	 * const verdicts = matcher.matchMany(urls);
	 * @throws {RobotrieError} invalid-argument, limit-exceeded.
	 */
	for(agent: Agent): Matcher {
		return this.#file.compile(this.#file.rangesOf(agent));
	}

	/**
	 * The rules that a crawler obeys, in the order in which they decide: the first one that matches a URL is the rule of `explain`. Longer
	 * rules come first, and Allow before Disallow of the same length (RFC 9309 §2.2.2); of rules that are equal, the one that is
	 * named as deciding. Rules that match nothing, such as empty ones, are left out where the dialect ignores them.
	 * @example
	 * const robots = RobotsTxt.parse("User-agent: *\nAllow: /catalog\nDisallow: /");
	 * robots.sortedRules("ExampleBot").map(({ pattern }) => pattern); // ["/catalog", "/"]
	 * @throws {RobotrieError} invalid-argument, limit-exceeded.
	 */
	sortedRules(agent: Agent): readonly SortedRule[] {
		// Not `using`: what compilers make of it for older engines would be 0.4 KiB of a bundle, for this one place.
		const matcher = this.for(agent);
		try {
			return sortedRules(matcher.rules, this.dialect);
		} finally {
			matcher[Symbol.dispose]();
		}
	}

	/**
	 * Whether a crawler may fetch a URL (absolute, or a path that begins with "/"). For many URLs `for(agent)` is faster.
	 * @example
	 * robots.isAllowed("https://example.com/a.html", "ExampleBot");
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	isAllowed(url: Url, agent: Agent): boolean {
		return this.#answering.matcher(agent).isAllowed(url);
	}

	/**
	 * Whether a crawler may fetch a URL, and why: names the deciding line.
	 * @example
	 * const { allowed, rule, reason } = robots.explain("/private/a.html", "ExampleBot");
	 * // false, { type: "disallow", pattern: "/private/", line: 2 }, "Disallow: /private/ (line 2) is …"
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	explain(url: Url, agent: Agent): Explanation {
		return this.#answering.explain(url, agent);
	}

	/**
	 * Whether there is so much of it that what follows in steps is worth them.
	 * @internal
	 */
	get isLarge(): boolean {
		return this.#file.isLarge;
	}

	/**
	 * What `compactFor` takes time for, in steps.
	 * @internal
	 */
	*compactSteps(agent: Agent): Steps<void> {
		yield* this.#file.compactSteps(yield* this.#file.rangesSteps(agent));
	}

	/**
	 * The matcher of `isAllowed` in steps.
	 * @internal
	 */
	matcherSteps(agent: Agent): Steps<Matcher> {
		return this.#answering.matcherSteps(agent);
	}

	/**
	 * `explain` in steps.
	 * @internal
	 */
	explainSteps(url: Url, agent: Agent): Steps<Explanation> {
		return this.#answering.explainSteps(url, agent);
	}

	/**
	 * `sitemaps` in steps.
	 * @internal
	 */
	*sitemapSteps(): Steps<readonly string[]> {
		yield* this.#file.parseSteps();
		yield;
		return yield* sitemapSteps(this.#file.parsed.others, this.#url);
	}

	/**
	 * `crawlDelay`, `requestRates` and `visitTime` in steps.
	 * @internal
	 */
	*paceSteps(agent: Agent): Steps<PaceLines> {
		yield* this.#file.indexSteps();
		yield;
		return yield* paceSteps(this.#file.otherLinesOf(agent));
	}

	/**
	 * `explain` in each dialect. Each reason is about its own dialect only.
	 * @throws {RobotrieError} invalid-url, if the text is not a URL in the object's own dialect; invalid-argument.
	 */
	explainByDialect(url: Url, agent: Agent): DialectExplanations {
		return this.#answering.explainByDialect(url, agent);
	}

	/**
	 * Frees the memory that answering took. It is also freed when the object is garbage-collected.
	 * What frees itself later frees memory of WebAssembly late, as the collector does not see it.
	 */
	[Symbol.dispose](): void {
		this.#canonicalUrls?.release();
		this.#answers?.release();
		this.#answers = undefined;
	}

	#canonical(): Canonical {
		this.#canonicalUrls ??= new Canonical(this.cleanParams);
		return this.#canonicalUrls;
	}

	/**
	 * The sections of the crawler's groups that name it, as indices in file order: crawlers with equal ones have equal groups, too.
	 * Crawlers of one token that choose alike get the same array.
	 * @internal
	 */
	sectionsOf(agent: Agent): readonly number[] {
		return this.#file.sectionsOf(agent);
	}

	/**
	 * How it is read: the dialect's flags, perhaps with another `knowsCrawlers`.
	 * @internal
	 */
	get rules(): DialectRules {
		return this.#file.rules;
	}

	/**
	 * Indices of the groups whose rules a crawler obeys: those with equal ones are judged alike. Crawlers of one token that choose
	 * alike get the same array.
	 * @internal
	 */
	groupsOf(agent: Agent): readonly number[] {
		const { groupIndex, rules } = this.#file;
		return groupIndex.select(identify(agent, rules));
	}

	/**
	 * The crawlers that user-agent lines name, in file order and as the file spells them, each without what else stands in its line.
	 * @internal
	 */
	get namedCrawlers(): readonly string[] {
		return this.#file.parsed.groups.flatMap(({ agents }) =>
			agents.filter(({ global }) => !global).map(tokenAsWritten),
		);
	}

	/**
	 * The rules for a crawler as an index keeps them: bytes in linear memory, valid until anything is compiled.
	 * @internal
	 */
	compactFor(agent: Agent): Uint8Array {
		return this.#file.compileCompact(this.#file.rangesOf(agent));
	}

	get #answering(): Answers {
		this.#answers ??= new Answers(this.#file);
		return this.#answers;
	}
}

/** @throws {RobotrieError} invalid-argument. */
function fileUrl(url: Url): string {
	const text = urlText(url);
	if (!isAbsoluteUrl(text.trim()))
		throw invalidArgument("url is an absolute http, https or ftp URL", text);
	return text;
}

/** robots-parser takes the URL of the file and then its text. @throws {RobotrieError} invalid-argument, for that order. */
function refuseUrlFirst(source: unknown, text: string): void {
	const first = hrefOf(source) ?? source;
	if (typeof first === "string" && /^\s*\w+:\/\/\S*\s*$/.test(first))
		throw new RobotrieError(
			"invalid-argument",
			`the URL comes first: RobotsTxt.parse takes only the file's text, not ${quote(first)} and ${quote(text)}`,
		);
}
