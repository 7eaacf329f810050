import { type Dialect, RobotrieError, RobotsTxt } from "robotrie";
import { decodeMatcher, type RuleTable } from "robotrie/internal";
import { type LogFormat, tells } from "./log-format.ts";

/** A robots.txt and the requests that it governs. Plain data, so that it can be sent to other threads. */
export interface RobotsSource {
	/** Its name in reports. */
	readonly file: string;
	/** Its content. */
	readonly bytes: Uint8Array;
	/** Its host, optionally with a port; undefined: all hosts without a robots.txt of their own. */
	readonly host?: string | undefined;
	/** It governs requests from this time on (milliseconds since 1970), until the host's next robots.txt does. */
	readonly since?: number | undefined;
}

/** How the files of an audit are parsed. */
export interface ReadingOptions {
	/** Default "rfc9309". */
	readonly dialect?: Dialect | undefined;
	/** Bytes of each file that count; see `ParseOptions`. */
	readonly maxBytes?: number | undefined;
}

/** A character for each byte, of 8 bits each. */
const characters = new TextDecoder("latin1");

/** The rules of one robots.txt for a crawler, compiled. */
export interface CompiledRules {
	/** Equal programs are one object. */
	readonly program: Uint8Array;
	readonly rules: RuleTable;
	/** Line of each rank, from rank 0. */
	readonly lines: Int32Array;
	/** Milliseconds, undefined without. */
	readonly crawlDelay: number | undefined;
	/** Groups of the file are for the crawler. */
	readonly hasGroups: boolean;
}

/** A version of a site's robots.txt: the one that governs requests from a time on. */
export interface RobotsVersion {
	readonly source: RobotsSource;
	/** Index in `RuleBook.sites`. */
	readonly site: number;
	readonly since: number;
}

export interface Site {
	/** Undefined for hosts that have no robots.txt of their own. */
	readonly host: string | undefined;
	/** Index in `RuleBook.versions`. */
	readonly firstVersion: number;
	/** Number of versions. */
	readonly versions: number;
}

/** The robots.txt files of an audit, by host and time. */
export class RuleBook {
	readonly sites: readonly Site[];
	/** Sorted by site, then by time. */
	readonly versions: readonly RobotsVersion[];
	readonly #options: ReadingOptions;
	readonly #files: (ParsedRobots | undefined)[] = [];
	readonly #byHost = new Map<string | undefined, number>();
	/** Programs by their bytes, one character per byte. */
	readonly #programs = new Map<string, Uint8Array>();

	constructor(sources: readonly RobotsSource[], options: ReadingOptions) {
		this.#options = options;
		const byHost = new Map<string | undefined, RobotsSource[]>();
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

	get dialect(): Dialect {
		return this.#options.dialect ?? "rfc9309";
	}

	/** The site of a host as a log has it, undefined when no robots.txt is given for it. */
	siteOf(host: string): number | undefined {
		const whole = canonicalHost(host);
		return (
			this.#byHost.get(whole) ??
			this.#byHost.get(whole.replace(/:\d+$/, "")) ??
			this.#byHost.get(undefined)
		);
	}

	/** One robots.txt governs all hosts, so that lines need none. */
	get hostless(): boolean {
		return this.sites.length === 1 && this.sites[0]?.host === undefined;
	}

	/**
	 * The rules for a crawler. Crawlers with the same groups and the same Crawl-delay share one object: a log can have very many
	 * crawlers that a file does not name.
	 * @param agent As `AutomaticAgent` has it.
	 */
	compiledRules(version: number, agent: string): CompiledRules {
		const { robots, delays, byChoice, compiled } = this.#parsed(version);
		const choice = delays ? robots.sectionsOf(agent) : robots.groupsOf(agent);
		const known = byChoice.get(choice);
		if (known) return known;
		const seconds = delays ? robots.crawlDelay(agent) : undefined;
		const key = `${robots.groupsOf(agent).join()} ${seconds}`;
		const compiledRules =
			compiled.get(key) ?? this.#compile(robots, agent, seconds);
		compiled.set(key, compiledRules);
		byChoice.set(choice, compiledRules);
		return compiledRules;
	}

	#compile(
		robots: RobotsTxt,
		agent: string,
		crawlDelay: number | undefined,
	): CompiledRules {
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

	/** Replaces a program by the equal one that is known already, if any. */
	#shared(program: Uint8Array): Uint8Array {
		const key = characters.decode(program);
		const known = this.#programs.get(key);
		if (known) return known;
		this.#programs.set(key, program);
		return program;
	}

	#parsed(version: number): ParsedRobots {
		const known = this.#files[version];
		if (known) return known;
		const { dialect, maxBytes } = this.#options;
		const robots = RobotsTxt.parse(this.versions[version]?.source.bytes ?? "", {
			...(dialect === undefined ? {} : { dialect }),
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		const parsed = {
			robots,
			delays: robots.otherLines.some(({ field }) => field === "crawl-delay"),
			byChoice: new Map<readonly number[], CompiledRules>(),
			compiled: new Map<string, CompiledRules>(),
		};
		this.#files[version] = parsed;
		return parsed;
	}
}

interface ParsedRobots {
	readonly robots: RobotsTxt;
	/** It has Crawl-delay lines. */
	readonly delays: boolean;
	/** By the array that tells a crawler's groups and sections. */
	readonly byChoice: Map<readonly number[], CompiledRules>;
	/** By groups and Crawl-delay. */
	readonly compiled: Map<string, CompiledRules>;
}

/** In lower case, without a final dot and without a default port. */
function canonicalHost(host: string): string {
	return host
		.toLowerCase()
		.replace(/:(80|443)$/, "")
		.replace(/\.$/, "");
}

/** Names, IPv4 addresses and IPv6 addresses in brackets, perhaps with a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a robots.txt may be named for it. */
export function isHost(text: string): boolean {
	return HOST.test(text);
}

/**
 * Lines that do not tell the host cannot choose between robots.txt files.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkHosts(
	logs: readonly { readonly name: string; readonly format: LogFormat }[],
	robots: readonly RobotsSource[],
): void {
	const hosts = new Set(robots.map(({ host }) => host));
	if (hosts.size < 2 || hosts.has(undefined)) return;
	const silent = logs.find(({ format }) => !tells(format, "host"));
	if (silent)
		throw new RobotrieError(
			"invalid-argument",
			`lines of ${silent.name} (${silent.format.name}) do not tell the host; name one robots.txt without a host`,
		);
}
