import { decodeMatcher } from "../matching/byte-code.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";
import type { RuleTable } from "../matching/rules.ts";
import type { Dialect } from "../robots-txt/dialect.ts";

/** A robots.txt, and for which requests it counts. Plain data, so that it can go to other threads. */
export interface RobotsSource {
	/** What reports call it. */
	readonly file: string;
	readonly bytes: Uint8Array;
	/** The host it is of, perhaps with a port; undefined for all hosts that have none of their own. */
	readonly host?: string | undefined;
	/** It holds for requests from then on (milliseconds since 1970), until the next one of the host does. */
	readonly since?: number | undefined;
}

/** How all of them are read. */
export interface ReadingOptions {
	readonly dialect?: Dialect | undefined;
	readonly maxBytes?: number | undefined;
}

/** A character for each byte, of 8 bits each. */
const characters = new TextDecoder("latin1");

/** What a crawler has to keep by one robots.txt. */
export interface Ruling {
	/** Of equal programs there is one. */
	readonly program: Uint8Array;
	readonly rules: RuleTable;
	/** Line of each rank, from rank 0. */
	readonly lines: Int32Array;
	/** Milliseconds, undefined without. */
	readonly crawlDelay: number | undefined;
}

/** A robots.txt of a site, for a time. */
export interface Row {
	readonly source: RobotsSource;
	/** Index in `RuleBook.sites`. */
	readonly site: number;
	readonly since: number;
}

export interface Site {
	/** Undefined for hosts that have no robots.txt of their own. */
	readonly host: string | undefined;
	readonly firstRow: number;
	readonly rows: number;
}

/** The robots.txt files of an audit, by host and time. */
export class RuleBook {
	readonly sites: readonly Site[];
	/** Those of a site side by side, in the order of time. */
	readonly rows: readonly Row[];
	readonly #options: ReadingOptions;
	readonly #files: (ParsedRobots | undefined)[] = [];
	readonly #byHost = new Map<string | undefined, number>();
	/** By their bytes, a character each. */
	readonly #programs = new Map<string, Uint8Array>();

	constructor(sources: readonly RobotsSource[], options: ReadingOptions) {
		this.#options = options;
		const byHost = new Map<string | undefined, RobotsSource[]>();
		for (const source of sources) {
			const host = source.host && canonicalHost(source.host);
			byHost.set(host, [...(byHost.get(host) ?? []), source]);
		}
		const sites: Site[] = [];
		const rows: Row[] = [];
		for (const [host, list] of byHost) {
			this.#byHost.set(host, sites.length);
			sites.push({ host, firstRow: rows.length, rows: list.length });
			rows.push(
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
		this.rows = rows;
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

	/** Whether lines need no host: one robots.txt is for all. */
	get hostless(): boolean {
		return this.sites.length === 1 && this.sites[0]?.host === undefined;
	}

	/**
	 * What a crawler has to keep. Crawlers of the same groups and the same Crawl-delay share one ruling: there may be very
	 * many that a file does not name.
	 * @param agent As `AutomaticAgent` has it.
	 */
	ruling(row: number, agent: string): Ruling {
		const { robots, delays, rulings } = this.#parsed(row);
		const seconds = delays ? robots.crawlDelay(agent) : undefined;
		const key = `${robots.groupsOf(agent).join()} ${seconds}`;
		let ruling = rulings.get(key);
		if (!ruling) {
			ruling = this.#rulingOf(robots, agent, seconds);
			rulings.set(key, ruling);
		}
		return ruling;
	}

	#rulingOf(
		robots: RobotsTxt,
		agent: string,
		crawlDelay: number | undefined,
	): Ruling {
		using matcher = robots.for(agent);
		const { program, rules } = decodeMatcher(matcher.toBytes());
		return {
			program: this.#only(program),
			rules,
			crawlDelay: crawlDelay === undefined ? undefined : crawlDelay * 1000,
			lines: Int32Array.from({ length: rules.size + 1 }, (_, rank) =>
				rank === 0 ? 0 : rules.raw(rank).line,
			),
		};
	}

	/** The one of all equal programs that counts. */
	#only(program: Uint8Array): Uint8Array {
		const key = characters.decode(program);
		const known = this.#programs.get(key);
		if (known) return known;
		this.#programs.set(key, program);
		return program;
	}

	#parsed(row: number): ParsedRobots {
		const known = this.#files[row];
		if (known) return known;
		const { dialect, maxBytes } = this.#options;
		const robots = RobotsTxt.parse(this.rows[row]?.source.bytes ?? "", {
			...(dialect === undefined ? {} : { dialect }),
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		const parsed = {
			robots,
			delays: robots.otherLines.some(({ field }) => field === "crawl-delay"),
			rulings: new Map<string, Ruling>(),
		};
		this.#files[row] = parsed;
		return parsed;
	}
}

interface ParsedRobots {
	readonly robots: RobotsTxt;
	/** It has Crawl-delay lines. */
	readonly delays: boolean;
	/** By groups and Crawl-delay. */
	readonly rulings: Map<string, Ruling>;
}

/** Lower case, without the dot of the root and without a default port. */
function canonicalHost(host: string): string {
	return host
		.toLowerCase()
		.replace(/:(80|443)$/, "")
		.replace(/\.$/, "");
}
