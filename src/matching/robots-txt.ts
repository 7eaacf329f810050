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
	 * Bytes of the file that count, from 0; what follows is ignored, and for yandex everything is then allowed. Default 512,000
	 * (500 KiB, the least that RFC 9309 §2.5 lets a crawler read), in the google dialect no limit.
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
	readonly rules: readonly Rule[];
}

/** Agents whose matcher `isAllowed` finds without choosing a group. */
const MAX_REMEMBERED_AGENTS = 1000;

/** A robots.txt, read in one dialect. */
export class RobotsTxt {
	readonly dialect: Dialect;
	readonly #dialectRules: DialectRules;
	readonly #maxBytes: number | undefined;
	readonly #extent: Extent;
	readonly #matchers = new Map<string, Matcher>();
	readonly #byAgent = new Map<string, Matcher>();
	readonly #readings = new Map<Dialect, RobotsTxt>();
	readonly #preferences = new Map<string, PreferenceIndex>();
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
	 * Reads a robots.txt: UTF-8 bytes, which are not copied and must not change afterwards, or a string. Any content is
	 * accepted; what does not count is told by `diagnostics`.
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

	/** All groups, in file order; groups for the same crawler are not merged here. */
	get groups(): readonly Group[] {
		this.#groups ??= this.#file.groups.map((group) => ({
			...headingOf(group),
			rules: Array.from({ length: group.lastRule - group.firstRule }, (_, i) =>
				ruleOf(this.#file, group.firstRule + i),
			),
		}));
		return this.#groups;
	}

	/** Values of the sitemap lines, in file order; they hold for all crawlers. */
	get sitemaps(): readonly string[] {
		return this.#file.others
			.filter(({ field }) => field === "sitemap")
			.map(({ value }) => value);
	}

	/** Lines that are neither user-agent lines nor rules, field names in lower case, with their line numbers. */
	get otherLines(): readonly Pick<OtherLine, "field" | "value" | "line">[] {
		return this.#file.others.map(({ field, value, line }) => ({
			field,
			value,
			line,
		}));
	}

	/**
	 * The main mirror of the site: a host name in lower case, perhaps with ":" and a port, from the first Host line that the
	 * Yandex document lets count ("Директива Host"), wherever it stands. Undefined without one.
	 */
	get host(): string | undefined {
		return hostOf(this.#file.others);
	}

	/**
	 * Clean-param lines, in file order; they hold for all crawlers that know them, wherever they stand (the Yandex document,
	 * "Директива Clean-param"). Lines that are not as the document has them are left out, with a diagnostic.
	 */
	get cleanParams(): readonly CleanParam[] {
		return cleanParamsOf(this.#file.others);
	}

	/**
	 * The one URL that URLs come down to which differ in nothing but the parameters that Clean-param lines name for their
	 * path: the URL without those parameters, otherwise as it is, and without a question mark that nothing follows any more.
	 * Names are compared byte for byte, percent-escapes undone; the path is matched as a rule's pattern is, in front of the
	 * query only.
	 * @throws {RobotrieError} invalid-url, when the text is neither an absolute URL nor a path; invalid-argument.
	 */
	canonicalUrl(url: Url): string {
		const canonical = this.#canonical().url(urlText(url));
		if (canonical === undefined) throw invalidUrl(url);
		return canonical;
	}

	/**
	 * `canonicalUrl` for every line of `bytes`: URLs or paths in UTF-8, each ended by LF or CRLF, the last one perhaps by
	 * neither. Lines that are no URLs, and line ends, stay as they are. A million URLs take some tenths of a second.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array.
	 */
	canonicalLines(bytes: Uint8Array): Uint8Array {
		check("bytes", bytes, bytesKind);
		return this.#canonical().lines(bytes);
	}

	/** What is odd about the file, by line. */
	get diagnostics(): readonly Diagnostic[] {
		this.#diagnostics ??= findDiagnostics(this.#file).map((raw) =>
			diagnosticOf(raw, this.dialect),
		);
		return this.#diagnostics;
	}

	/**
	 * Seconds between two requests that the site asks of the crawler: the first Crawl-delay that is a number from 0 on,
	 * perhaps with a fraction, of those that stand below its user-agent lines. One in front of a further user-agent line holds
	 * for the lines above it only. Undefined without one.
	 */
	crawlDelay(agent: Agent): number | undefined {
		return crawlDelayOf(this.#linesFor(agent));
	}

	/**
	 * Request-rate lines below the crawler's user-agent lines (as for `crawlDelay`), in file order: documents within seconds,
	 * perhaps only at certain hours (An Extended Standard for Robot Exclusion, 1996, "Request-rate"). Lines that are not of
	 * that form are left out, with a diagnostic.
	 */
	requestRates(agent: Agent): readonly RequestRate[] {
		return requestRatesOf(this.#linesFor(agent));
	}

	/**
	 * The hours of every day in which the crawler may come, UTC: the first Visit-time of the form `hhmm-hhmm` below its
	 * user-agent lines, as for `crawlDelay` (An Extended Standard for Robot Exclusion, 1996, "Visit-time"). Undefined
	 * without one.
	 */
	visitTime(agent: Agent): TimeWindow | undefined {
		return visitTimeOf(this.#linesFor(agent));
	}

	/**
	 * What the site wants done with a page once a crawler has it, by its Content-Signal lines (contentsignals.org) and
	 * Content-Usage lines (draft-ietf-aipref-attach-05): of those below the crawler's user-agent lines (as for `crawlDelay`),
	 * the one with the longest path that matches counts. A Content-Signal in front of all groups holds for every crawler. Nothing holds for pages that
	 * the crawler may not fetch.
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	preferences(url: Url, agent: Agent): Preferences {
		const text = urlText(url);
		if (!this.isAllowed(text, agent))
			return { allowed: false, contentSignal: {}, contentUsage: {} };
		const sections = this.#chooseSections(agent);
		const key = sections.join();
		let index = this.#preferences.get(key);
		if (!index) {
			index = new PreferenceIndex(this.#file, new Set(sections));
			this.#preferences.set(key, index);
		}
		return {
			allowed: true,
			contentSignal: index.contentSignal(text),
			contentUsage: index.contentUsage(text),
		};
	}

	/**
	 * The rules that a crawler obeys, as byte-code of the caller's own.
	 * @throws {RobotrieError} invalid-argument, limit-exceeded.
	 */
	for(agent: Agent): Matcher {
		return this.#matcherOf(this.#ranges(agent));
	}

	/**
	 * Whether a crawler may fetch a URL (absolute, or a path that begins with "/"). For many URLs `for(agent)` is faster.
	 * @throws {RobotrieError} invalid-url, invalid-argument.
	 */
	isAllowed(url: Url, agent: Agent): boolean {
		return this.#matcher(agent).isAllowed(url);
	}

	/**
	 * Whether a crawler may fetch a URL, and why.
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
	 * What `explain` says in each dialect, side by side. A reason speaks of its own dialect alone.
	 * @throws {RobotrieError} invalid-url, for what is no URL in the object's own dialect; invalid-argument.
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

	/** Gives back the memory that answers about URLs took; it is also given back when the object is collected. */
	[Symbol.dispose](): void {
		for (const matcher of this.#matchers.values()) matcher[Symbol.dispose]();
		this.#matchers.clear();
		this.#byAgent.clear();
		this.#canonicalUrls?.release();
		for (const index of this.#preferences.values()) index.release();
		for (const reading of this.#readings.values()) reading[Symbol.dispose]();
		this.#readings.clear();
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
			const known = this.#byAgent.get(agent);
			if (known) return known;
		}
		const ranges = this.#ranges(agent);
		const key = ranges.join();
		let matcher = this.#matchers.get(key);
		if (!matcher) {
			matcher = this.#matcherOf(ranges);
			this.#matchers.set(key, matcher);
		}
		if (typeof agent === "string") {
			// Callers may pass whatever header comes along.
			if (this.#byAgent.size >= MAX_REMEMBERED_AGENTS) this.#byAgent.clear();
			this.#byAgent.set(agent, matcher);
		}
		return matcher;
	}

	/** The same file in another dialect. */
	#reading(dialect: Dialect): RobotsTxt {
		let reading = this.#readings.get(dialect);
		if (!reading) {
			reading = new RobotsTxt(
				this.#extent.bytes,
				dialectRules(dialect),
				this.#maxBytes,
			);
			this.#readings.set(dialect, reading);
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
