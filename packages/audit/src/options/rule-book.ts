/**
 * The robots.txt files of an audit, by host and time, and the compiled rules of crawlers in them. The scanner asks for the site of a host
 * and for the rules of a crawler under a version of a site's robots.txt; both are asked once per new host or crawler, and files are parsed
 * when they are first needed, as an audit may name thousands.
 */

import {
	type Dialect,
	dialectFor,
	dialectNames,
	RobotrieError,
	RobotsTxt,
} from "robotrie";
import { decodeMatcher, doubtAbout, readingFor } from "robotrie/internal";
import { type LogFormat, tells } from "../formats/log-format.ts";

/** A robots.txt and the requests that it governs. Plain data that can be sent to other threads. */
export interface RobotsSource {
	/** Its name in reports. */
	readonly file: string;
	/** Its content. */
	readonly bytes: Uint8Array;
	/** Its host, optionally with a port. Undefined: it governs all hosts without a robots.txt of their own. */
	readonly host?: string | undefined;
	/** When it begins to apply, in milliseconds since 1970; it applies until the host's next robots.txt does. Undefined: always. */
	readonly since?: number | undefined;
}

/** How robots.txt files are parsed. */
export interface ReadingOptions {
	/** Default "auto": for each crawler the dialect of its operator (`dialectFor`). */
	readonly dialect?: Dialect | "auto" | undefined;
	/** Bytes that are read of each file; see `ParseOptions`. */
	readonly maxBytes?: number | undefined;
}

/** Decodes each byte to one character, to make a Map key of a program. */
const characters = new TextDecoder("latin1");

/** The rules of one robots.txt for a crawler, compiled. */
export interface CompiledRules {
	/** The compiled rules. Equal programs are the same object. */
	readonly program: Uint8Array;
	readonly rules: ReturnType<typeof decodeMatcher>["rules"];
	/** The line of the rule of each rank; 0 for rank 0, which is "no rule". */
	readonly lines: Int32Array;
	/** In milliseconds; undefined without one. */
	readonly crawlDelay: number | undefined;
	/** The file has groups for the crawler. */
	readonly hasGroups: boolean;
}

/** A version of a site's robots.txt, which governs requests from a time on. */
interface RobotsVersion {
	readonly source: RobotsSource;
	/** Index in `RuleBook.sites`. */
	readonly site: number;
	/** Milliseconds since 1970; -Infinity if always. */
	readonly since: number;
}

/** The robots.txt versions of one host. */
interface Site {
	/** Undefined for all hosts that have no robots.txt of their own. */
	readonly host: string | undefined;
	/** Index in `RuleBook.versions`. */
	readonly firstVersion: number;
	/** Number of versions. */
	readonly versions: number;
}

/**
 * See above. Indices of sites and versions are stored in states, so their order must depend on the
 * sources alone. Sites are numbered in the order of first appearance; a site with several
 * robots.txt files has versions, which are ordered by time.
 */
export class RuleBook {
	readonly sites: readonly Site[];
	/** Sorted by site, then by time. */
	readonly versions: readonly RobotsVersion[];
	readonly #options: ReadingOptions;
	/** By version, and by how it is read. */
	readonly #files: Map<string, ParsedRobots>[] = [];
	readonly #byHost = new Map<string | undefined, number>();
	/** Programs by their bytes, as `characters` decodes them. */
	readonly #programs = new Map<string, Uint8Array>();

	constructor(sources: readonly RobotsSource[], options: ReadingOptions) {
		this.#options = options;
		const byHost = new Map<string | undefined, RobotsSource[]>();
		// A version that begins later governs later requests; -Infinity means "always".
		for (const source of sources) {
			const host = source.host && canonicalHost(source.host);
			byHost.set(host, [...(byHost.get(host) ?? []), source]);
		}
		const sites: Site[] = [];
		const versions: RobotsVersion[] = [];
		for (const [host, list] of byHost) {
			this.#byHost.set(host, sites.length);
			sites.push({
				host,
				firstVersion: versions.length,
				versions: list.length,
			});
			versions.push(
				...list
					.map((source) => ({
						source,
						site: sites.length - 1,
						since: source.since ?? Number.NEGATIVE_INFINITY,
					}))
					.sort((a, b) => (a.since < b.since ? -1 : 1)),
			);
		}
		this.sites = sites;
		this.versions = versions;
	}

	/** In which files are read: "auto", or one for all crawlers. */
	get dialect(): Dialect | "auto" {
		return this.#options.dialect ?? "auto";
	}

	/** In which a crawler, or User-Agent header, is judged; null where it is not said which, and there are several. */
	dialectOf(agent: string | undefined): Dialect | null {
		if (this.dialect !== "auto") return this.dialect;
		return agent === undefined ? null : dialectFor(agent);
	}

	/** The index of the site of a host, as a log writes it; undefined if no robots.txt is given for it. */
	siteOf(host: string): number | undefined {
		// Hosts of a log are canonicalised here, as in a robots.txt's `host`.
		const whole = canonicalHost(host);
		return (
			this.#byHost.get(whole) ??
			this.#byHost.get(whole.replace(/:\d+$/, "")) ??
			this.#byHost.get(undefined)
		);
	}

	/** Whether a robots.txt without a host is the only one, so that the hosts of lines do not matter. */
	get hostless(): boolean {
		return this.sites.length === 1 && this.sites[0]?.host === undefined;
	}

	/**
	 * The rules for a crawler under a version. Crawlers with the same groups and Crawl-delay share
	 * one object, as a log can have very many crawlers that no group names. The choice is the array
	 * of groups: `RobotsTxt` returns the same object for the same groups, so that this is a look-up
	 * and no comparison of names.
	 * @param agent As `AutomaticAgent` has it.
	 */
	compiledRules(version: number, agent: string): CompiledRules {
		const { robots, delays, byChoice, compiled } = this.#parsed(
			version,
			readingFor(this.dialect, agent),
		);
		const choice = delays ? robots.sectionsOf(agent) : robots.groupsOf(agent);
		const known = byChoice.get(choice);
		if (known) return known;
		const seconds = delays ? robots.crawlDelay(agent) : undefined;
		// Groups alone do not decide: two crawlers of one group may have different Crawl-delays
		// (`sectionsOf`).
		const key = `${robots.groupsOf(agent).join()} ${seconds}`;
		const compiledRules =
			compiled.get(key) ?? this.#compile(robots, agent, seconds);
		compiled.set(key, compiledRules);
		byChoice.set(choice, compiledRules);
		return compiledRules;
	}

	/**
	 * Whether a version can be read as a robots.txt: an image, or a page without a rule, allows everything, but nobody obeyed it. An empty file
	 * can be read.
	 */
	isReadable(version: number): boolean {
		const { source } = this.versions[version] as RobotsVersion;
		return (
			doubtAbout(source.bytes) === undefined ||
			// Google's crawlers may find rules where others find none.
			(this.dialect === "auto" ? dialectNames : [this.dialect]).some(
				(dialect) =>
					this.#parsed(version, { dialect }).robots.groups.some(
						({ rules }) => rules.length > 0,
					),
			)
		);
	}

	/** Compiles the rules of a crawler with the library's compiler, and takes the program out of the matcher. */
	#compile(
		robots: RobotsTxt,
		agent: string,
		crawlDelay: number | undefined,
	): CompiledRules {
		// `using` frees the matcher's copy of the program after it was decoded.
		using matcher = robots.for(agent);
		const { program, rules } = decodeMatcher(matcher.toBytes());
		return {
			program: this.#shared(program),
			rules,
			hasGroups: robots.groupsOf(agent).length > 0,
			crawlDelay: crawlDelay === undefined ? undefined : crawlDelay * 1000,
			lines: Int32Array.from({ length: rules.size + 1 }, (_, rank) =>
				rank === 0 ? 0 : rules.raw(rank).line,
			),
		};
	}

	/**
	 * The program itself, or an equal one that is known already. Programs are compared by their
	 * bytes, as text, because a Map has no keys of bytes.
	 */
	#shared(program: Uint8Array): Uint8Array {
		const key = characters.decode(program);
		const known = this.#programs.get(key);
		if (known) return known;
		this.#programs.set(key, program);
		// Parsed once per version and audit; a compiled crawler is found by its choice afterwards.
		return program;
	}

	/** A file as a crawler reads it, with what was compiled of it. Parsed on first use, once for each way of reading. */
	#parsed(version: number, reading: Reading): ParsedRobots {
		const { maxBytes } = this.#options;
		const { dialect, knowsCrawlers } = reading;
		const key = `${dialect} ${knowsCrawlers}`;
		this.#files[version] ??= new Map();
		const known = this.#files[version].get(key);
		if (known) return known;
		const robots = RobotsTxt.parse(this.versions[version]?.source.bytes ?? "", {
			...reading,
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		const parsed = {
			robots,
			delays: robots.otherLines.some(({ field }) => field === "crawl-delay"),
			byChoice: new Map<readonly number[], CompiledRules>(),
			compiled: new Map<string, CompiledRules>(),
		};
		this.#files[version].set(key, parsed);
		return parsed;
	}
}

type Reading = ReturnType<typeof readingFor>;

/** A parsed robots.txt and the rules that were compiled of it. */
interface ParsedRobots {
	readonly robots: RobotsTxt;
	/** It has Crawl-delay lines. */
	readonly delays: boolean;
	/** By the array of a crawler's groups (or sections), which RobotsTxt returns as the same object for the same choice. */
	readonly byChoice: Map<readonly number[], CompiledRules>;
	/** By the text of groups and Crawl-delay. */
	readonly compiled: Map<string, CompiledRules>;
}

/** A host in lower case, without a final dot and a default port. */
function canonicalHost(host: string): string {
	return host
		.toLowerCase()
		.replace(/:(80|443)$/, "")
		.replace(/\.$/, "");
}

/**
 * Checks that every log can be judged: if its lines lack the host, they cannot choose between the robots.txt files of several hosts.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkHosts(
	logs: readonly { readonly name: string; readonly format: LogFormat }[],
	robots: readonly RobotsSource[],
): void {
	const hosts = new Set(robots.map(({ host }) => host && canonicalHost(host)));
	// A log without hosts is judged by the one robots.txt there is, or by the one that names no host.
	if (hosts.size < 2 || hosts.has(undefined)) return;
	const silent = logs.find(({ format }) => !tells(format, "host"));
	if (silent)
		throw new RobotrieError(
			"invalid-argument",
			`lines of ${silent.name} (${silent.format.name}) have no host; give one robots.txt without a host`,
		);
}
