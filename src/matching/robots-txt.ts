import { MAX_LINE_BYTES } from "../../assembly/format/records.ts";
import { Canonical } from "../canonical/canonical.ts";
import {
	check,
	checkOptions,
	isUrl,
	type OptionTable,
	type Url,
	urlText,
} from "../common/arguments.ts";
import { quote, RobotrieError } from "../common/errors.ts";
import { showAs } from "../common/inspect.ts";
import { bytesKind } from "../common/kinds.ts";
import { compileRanges, type RuleRanges } from "../engine/compiler.ts";
import { tokenise } from "../engine/tokeniser.ts";
import type { CleanParam } from "../robots-txt/clean-param.ts";
import type { RequestRate, TimeWindow } from "../robots-txt/crawl-rate.ts";
import { type Diagnostic, diagnosticOf } from "../robots-txt/diagnostics.ts";
import {
	type Dialect,
	type DialectRules,
	dialectKind,
	dialectNames,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { type Extent, extentOf } from "../robots-txt/extent.ts";
import { findDiagnostics } from "../robots-txt/find-diagnostics.ts";
import {
	cleanParamsOf,
	crawlDelayOf,
	hostOf,
	requestRatesOf,
	visitTimeOf,
} from "../robots-txt/other-lines.ts";
import { parse } from "../robots-txt/parse.ts";
import type {
	OtherLine,
	ParsedFile,
	ParsedGroup,
	ParsedSection,
} from "../robots-txt/parsed-file.ts";
import { maxBytesKind, sourceBytes } from "../robots-txt/source.ts";
import { type Agent, GroupIndex, identify } from "./agents.ts";
import { chooseRanges } from "./choose.ts";
import {
	type DialectExplanations,
	differenceOf,
	type Explanation,
	explanationOf,
	headingOf,
} from "./explanation.ts";
import { invalidUrl, Matcher } from "./matcher.ts";
import { PreferenceIndex, type Preferences } from "./preferences.ts";
import {
	compileFlags,
	type Rule,
	RuleTable,
	rangesOf,
	ruleOf,
} from "./rules.ts";

/** How to read a robots.txt. */
export interface ParseOptions {
	/** Default "rfc9309". */
	readonly dialect?: Dialect;
	/**
	 * Bytes of the file that are read; the rest is ignored. In the yandex dialect a larger file allows everything. Default 512,000
	 * (500 KiB, the minimum that RFC 9309 §2.5 requires); no limit in the google dialect.
	 */
	readonly maxBytes?: number;
}

const parseOptions: OptionTable<ParseOptions> = {
	dialect: dialectKind,
	maxBytes: maxBytesKind,
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

/** Agents whose matcher `isAllowed` finds without choosing a group. */
const MAX_REMEMBERED_AGENTS = 1000;

interface Answers {
	/** By the ranges of their rules. */
	readonly matchers: Map<string, Matcher>;
	readonly byAgent: Map<string, Matcher>;
	readonly readings: Map<Dialect, RobotsTxt>;
	/** By sections. */
	readonly preferences: Map<string, PreferenceIndex>;
}

/**
 * A robots.txt, read in one dialect.
 * @example
 * const robots = RobotsTxt.parse("User-agent: *\nDisallow: /private/");
 * robots.isAllowed("https://example.com/private/a.html", "ExampleBot"); // false
 */
export class RobotsTxt {
	/** The dialect the file is read in. */
	readonly dialect: Dialect;
	readonly #dialectRules: DialectRules;
	readonly #maxBytes: number | undefined;
	readonly #extent: Extent;
	/** What answers to single questions is kept; made when one is asked, as most files are only compiled. */
	#answers: Answers | undefined;
	#parsed: ParsedFile | undefined;
	#groupIndex: GroupIndex<ParsedGroup> | undefined;
	/** What was compiled last, for the next crawler with the same groups. */
	#compiled: { ranges: RuleRanges; program: Uint8Array } | undefined;
	#groups: readonly Group[] | undefined;
	#sectionIndex: GroupIndex<ParsedSection> | undefined;
	#canonicalUrls: Canonical | undefined;
	#diagnostics: readonly Diagnostic[] | undefined;

	private constructor(
		bytes: Uint8Array,
		dialect: DialectRules,
		maxBytes: number | undefined,
	) {
		if (!(bytes instanceof Uint8Array && dialect?.name))
			throw new RobotrieError(
				"invalid-argument",
				"robots.txt files are read by RobotsTxt.parse(source, options)",
			);
		this.dialect = dialect.name;
		this.#dialectRules = dialect;
		this.#maxBytes = maxBytes;
		this.#extent = extentOf(
			bytes,
			dialect,
			Math.floor(maxBytes ?? dialect.maxBytes),
		);
		// Reading waits until something is asked for; what can be too large is found at once.
		if (this.#extent.end > MAX_LINE_BYTES) tokenise(this.#extent);
		showAs(this, (robots) => ({
			dialect: robots.dialect,
			groups: robots.#file.groups.length,
		}));
	}

	/**
	 * Parses a robots.txt: a string, or UTF-8 bytes, which are not copied and must not change afterwards. Any content is
	 * accepted; `diagnostics` lists what is ignored.
	 * @example
	 * const robots = RobotsTxt.parse(await readFile("robots.txt"), { dialect: "google" });
	 * @throws {RobotrieError} invalid-argument, for anything but bytes or a string, an unknown dialect, a `maxBytes` that is no
	 * number from 0 on, or an option of another name.
	 * @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB or a file of 2 GiB, where `maxBytes` lets them in.
	 */
	static parse(
		source: Uint8Array | string,
		options: ParseOptions = {},
	): RobotsTxt {
		if (typeof options === "string") refuseUrlFirst(source, options);
		checkOptions("RobotsTxt.parse", options, parseOptions);
		const { dialect = "rfc9309", maxBytes } = options;
		const bytes = sourceBytes(source);
		return new RobotsTxt(bytes, dialectRules(dialect), maxBytes);
	}

	/** All groups, in file order; groups for the same crawler are not merged. */
	get groups(): readonly Group[] {
		this.#groups ??= this.#file.groups.map((group) => ({
			...headingOf(group),
			rules: Array.from({ length: group.lastRule - group.firstRule }, (_, i) =>
				ruleOf(this.#file, group.firstRule + i),
			),
		}));
		return this.#groups;
	}

	/** Values of the Sitemap lines, in file order. They apply to all crawlers. */
	get sitemaps(): readonly string[] {
		return this.#file.others
			.filter(({ field }) => field === "sitemap")
			.map(({ value }) => value);
	}

	/** Lines that are neither user-agent lines nor rules: field name in lower case, value and line number. */
	get otherLines(): readonly Pick<OtherLine, "field" | "value" | "line">[] {
		return this.#file.others.map(({ field, value, line }) => ({
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
		return hostOf(this.#file.others);
	}

	/**
	 * Clean-param lines anywhere in the file, in file order; they apply to all crawlers that know them (the Yandex document,
	 * "Директива Clean-param"). Malformed lines are left out and have a diagnostic.
	 */
	get cleanParams(): readonly CleanParam[] {
		return cleanParamsOf(this.#file.others);
	}

	/**
	 * The URL without the query parameters that Clean-param lines declare irrelevant for its path, and without a "?" that would be
	 * left at the end. Parameter names are percent-decoded and compared byte for byte; the path without the query is matched like
	 * a rule's pattern.
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
		check("bytes", bytes, bytesKind);
		return this.#canonical().lines(bytes);
	}

	/** Parser diagnostics, sorted by line. */
	get diagnostics(): readonly Diagnostic[] {
		this.#diagnostics ??= findDiagnostics(this.#file).map((raw) =>
			diagnosticOf(raw, this.dialect),
		);
		return this.#diagnostics;
	}

	/**
	 * Seconds between two requests that the site asks of the crawler: its first valid Crawl-delay (a number from 0, fractions
	 * allowed) below its user-agent lines. A Crawl-delay followed by another user-agent line applies only to the user-agent lines
	 * above it. Undefined without one.
	 */
	crawlDelay(agent: Agent): number | undefined {
		return crawlDelayOf(this.#linesFor(agent));
	}

	/**
	 * Request-rate lines below the crawler's user-agent lines (as for `crawlDelay`), in file order: documents per number of
	 * seconds, optionally limited to certain hours (An Extended Standard for Robot Exclusion, 1996, "Request-rate"). Malformed
	 * lines are left out and have a diagnostic.
	 */
	requestRates(agent: Agent): readonly RequestRate[] {
		return requestRatesOf(this.#linesFor(agent));
	}

	/**
	 * The daily UTC window in which the group allows visits: the first Visit-time of the form `hhmm-hhmm` below the crawler's
	 * user-agent lines, as for `crawlDelay` (An Extended Standard for Robot Exclusion, 1996, "Visit-time"). Undefined without one.
	 */
	visitTime(agent: Agent): TimeWindow | undefined {
		return visitTimeOf(this.#linesFor(agent));
	}

	/**
	 * How the site wants a page to be used once it is fetched, from Content-Signal lines (contentsignals.org) and Content-Usage
	 * lines (draft-ietf-aipref-attach-05). Of the lines below the crawler's user-agent lines (as for `crawlDelay`) the one with the
	 * longest matching path counts. A Content-Signal before all groups applies to every crawler. There are no preferences for
	 * pages that the crawler may not fetch.
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	preferences(url: Url, agent: Agent): Preferences {
		const text = urlText(url);
		if (!this.isAllowed(text, agent))
			return { allowed: false, contentSignal: {}, contentUsage: {} };
		const sections = this.#chooseSections(agent);
		const key = sections.join();
		const { preferences } = this.#kept;
		let index = preferences.get(key);
		if (!index) {
			index = new PreferenceIndex(this.#file, new Set(sections));
			preferences.set(key, index);
		}
		return {
			allowed: true,
			contentSignal: index.contentSignal(text),
			contentUsage: index.contentUsage(text),
		};
	}

	/**
	 * The rules for a crawler, compiled. Use it to match many URLs, or to save and share the rules.
	 * @example
	 * const matcher = robots.for("ExampleBot");
	 * const verdicts = matcher.matchMany(urls);
	 * @throws {RobotrieError} invalid-argument, limit-exceeded.
	 */
	for(agent: Agent): Matcher {
		return this.#matcherOf(this.#ranges(agent));
	}

	/**
	 * Whether a crawler may fetch a URL (absolute, or a path that begins with "/"). For many URLs `for(agent)` is faster.
	 * @example
	 * robots.isAllowed("https://example.com/a.html", "ExampleBot");
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	isAllowed(url: Url, agent: Agent): boolean {
		return this.#matcher(agent).isAllowed(url);
	}

	/**
	 * Whether a crawler may fetch a URL, and why: names the deciding line.
	 * @example
	 * const { allowed, rule, reason } = robots.explain("/private/a.html", "ExampleBot");
	 * // false, { type: "disallow", pattern: "/private/", line: 2 }, "Disallow: /private/ (line 2) is …"
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	explain(url: Url, agent: Agent): Explanation {
		const own = this.#decide(url, agent);
		const others = dialectNames
			.filter((dialect) => dialect !== this.dialect)
			.map((dialect) =>
				differenceOf(dialect, this.#decideIn(dialect, url, agent), own),
			);
		return { ...own, reason: [own.reason, ...others].join("") };
	}

	/**
	 * `explain` in each dialect. Each reason is about its own dialect only.
	 * @throws {RobotrieError} invalid-url, if the text is not a URL in the object's own dialect; invalid-argument.
	 */
	explainByDialect(url: Url, agent: Agent): DialectExplanations {
		// First, so that it throws.
		const own = this.#decide(url, agent);
		return Object.fromEntries(
			dialectNames.map((dialect) => [
				dialect,
				dialect === this.dialect ? own : this.#decideIn(dialect, url, agent),
			]),
		) as Record<Dialect, Explanation | null>;
	}

	/** Frees the memory that answering took. It is also freed when the object is garbage-collected. */
	[Symbol.dispose](): void {
		this.#canonicalUrls?.release();
		if (!this.#answers) return;
		const { matchers, readings, preferences } = this.#answers;
		for (const matcher of matchers.values()) matcher[Symbol.dispose]();
		for (const index of preferences.values()) index.release();
		for (const reading of readings.values()) reading[Symbol.dispose]();
		this.#answers = undefined;
	}

	#canonical(): Canonical {
		this.#canonicalUrls ??= new Canonical(this.cleanParams);
		return this.#canonicalUrls;
	}

	/** Lines that are no rules, of the crawler's sections. */
	#linesFor(agent: Agent): readonly OtherLine[] {
		const chosen = new Set(this.#chooseSections(agent));
		return this.#file.others.filter(({ section }) => chosen.has(section));
	}

	/** The sections of the crawler's groups that name it, as indices in file order. */
	#chooseSections(agent: Agent): readonly number[] {
		this.#sectionIndex ??= new GroupIndex(
			this.#file.sections,
			this.#dialectRules,
		);
		return this.#sectionIndex.select(this.#sectionIndex.identify(agent));
	}

	/**
	 * Indices of the groups whose rules a crawler obeys: those with equal ones are judged alike.
	 * @internal
	 */
	groupsOf(agent: Agent): readonly number[] {
		return this.#index.select(identify(agent, this.#dialectRules));
	}

	get #kept(): Answers {
		this.#answers ??= {
			matchers: new Map(),
			byAgent: new Map(),
			readings: new Map(),
			preferences: new Map(),
		};
		return this.#answers;
	}

	get #file(): ParsedFile {
		this.#parsed ??= parse(this.#extent, this.#dialectRules);
		return this.#parsed;
	}

	get #index(): GroupIndex<ParsedGroup> {
		this.#groupIndex ??= new GroupIndex(this.#file.groups, this.#dialectRules);
		return this.#groupIndex;
	}

	/** Where the rules stand that a crawler obeys. */
	#ranges(agent: Agent): RuleRanges {
		const identity = identify(agent, this.#dialectRules);
		return (
			chooseRanges(this.#extent, identity, this.#dialectRules) ??
			rangesOf(this.#index.groups(this.#index.select(identity)))
		);
	}

	#matcherOf(ranges: RuleRanges): Matcher {
		const extent = this.#extent;
		const flags = compileFlags(this.#dialectRules);
		if (!this.#compiled || !isSame(this.#compiled.ranges, ranges)) {
			const program = compileRanges(extent, ranges, flags);
			this.#compiled = { ranges, program };
		}
		return Matcher.of(
			this.#compiled.program,
			() => RuleTable.of(extent, ranges, flags),
			this.dialect,
		);
	}

	/** A matcher of the object's own, made once for each choice of groups. */
	#matcher(agent: Agent): Matcher {
		if (typeof agent === "string") {
			const known = this.#answers?.byAgent.get(agent);
			if (known) return known;
		}
		const ranges = this.#ranges(agent);
		const key = ranges.join();
		const { matchers, byAgent } = this.#kept;
		let matcher = matchers.get(key);
		if (!matcher) {
			matcher = this.#matcherOf(ranges);
			matchers.set(key, matcher);
		}
		if (typeof agent === "string") {
			// Callers may pass whatever header comes along.
			if (byAgent.size >= MAX_REMEMBERED_AGENTS) byAgent.clear();
			byAgent.set(agent, matcher);
		}
		return matcher;
	}

	/** The same file in another dialect. */
	#reading(dialect: Dialect): RobotsTxt {
		const { readings } = this.#kept;
		let reading = readings.get(dialect);
		if (!reading) {
			reading = new RobotsTxt(
				this.#extent.bytes,
				dialectRules(dialect),
				this.#maxBytes,
			);
			readings.set(dialect, reading);
		}
		return reading;
	}

	#decide(url: Url, agent: Agent): Explanation {
		const identity = identify(agent, this.#dialectRules);
		return explanationOf(this.#matcher(agent).decide(url), {
			file: this.#file,
			groups: this.#index.groups(this.#index.select(identity)),
			tokens: identity.tokens,
			hasGlobal: this.#index.hasGlobal,
		});
	}

	/** The decision in another dialect, or null for what is no URL there. */
	#decideIn(dialect: Dialect, url: Url, agent: Agent): Explanation | null {
		try {
			return this.#reading(dialect).#decide(url, agent);
		} catch (error) {
			if (error instanceof RobotrieError && error.code === "invalid-url")
				return null;
			throw error;
		}
	}
}

function isSame(a: RuleRanges, b: RuleRanges): boolean {
	return a.length === b.length && a.every((index, i) => index === b[i]);
}

/** robots-parser takes the URL of the file and then its text. @throws {RobotrieError} invalid-argument, for that order. */
function refuseUrlFirst(source: unknown, text: string): void {
	const first = isUrl(source) ? source.href : source;
	if (typeof first === "string" && /^\s*\w+:\/\/\S*\s*$/.test(first))
		throw new RobotrieError(
			"invalid-argument",
			`the URL comes first: RobotsTxt.parse takes only the file's text, not ${quote(first)} and ${quote(text)}`,
		);
}
