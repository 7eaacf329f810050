import { type Identity, identityOf } from "../crawlers/crawlers.ts";
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

	/** What a crawler has to keep; those that a file does not name share one ruling, as there may be very many. */
	ruling(row: number, agent: string | readonly string[]): Ruling {
		const { robots, named, unnamed } = this.#parsed(row);
		const { tokens, obeysGlobal } = identityOfAgent(agent);
		const isNamed = tokens.some(
			(token) =>
				// Yandex' robots obey groups for "Yandex" as well.
				named.has(token.toLowerCase()) || /^yandex/i.test(token),
		);
		if (isNamed) return this.#rulingOf(robots, agent);
		let ruling = unnamed.get(obeysGlobal);
		if (!ruling) {
			ruling = this.#rulingOf(robots, agent);
			unnamed.set(obeysGlobal, ruling);
		}
		return ruling;
	}

	#rulingOf(robots: RobotsTxt, agent: string | readonly string[]): Ruling {
		using matcher = robots.for(agent);
		const { program, rules } = decodeMatcher(matcher.toBytes());
		const seconds = robots.crawlDelay(agent);
		return {
			program: this.#only(program),
			rules,
			crawlDelay: seconds === undefined ? undefined : seconds * 1000,
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
		const agents = robots.groups.flatMap((group) => group.agents);
		const words = agents.flatMap(
			(name) => name.toLowerCase().match(/[a-z0-9_-]+|[a-z_-]+/g) ?? [],
		);
		const parsed = {
			robots,
			// What begins with letters ends, to Google, in front of a digit.
			named: new Set(
				words.flatMap((word) => [word, word.replace(/\d.*$/, "")]),
			),
			unnamed: new Map<boolean, Ruling>(),
		};
		this.#files[row] = parsed;
		return parsed;
	}
}

interface ParsedRobots {
	readonly robots: RobotsTxt;
	/** Tokens that its user-agent lines may name in any dialect, in lower case. */
	readonly named: ReadonlySet<string>;
	/** The ruling of crawlers that it does not name, by whether they obey `*`. */
	readonly unnamed: Map<boolean, Ruling>;
}

function identityOfAgent(agent: string | readonly string[]): Identity {
	if (typeof agent === "string") return identityOf(agent);
	const { obeysGlobal } = identityOf(agent[0] ?? "");
	return { tokens: agent, obeysGlobal };
}

/** Lower case, without the dot of the root and without a default port. */
function canonicalHost(host: string): string {
	return host
		.toLowerCase()
		.replace(/:(80|443)$/, "")
		.replace(/\.$/, "");
}
