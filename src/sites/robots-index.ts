import {
	checkOptions,
	checkUrls,
	type OptionTable,
	type Url,
} from "../common/arguments.ts";
import { checkLines } from "../common/chunks.ts";
import { invalidArgument, RobotrieError } from "../common/errors.ts";
import { showAs } from "../common/inspect.ts";
import { number } from "../common/kinds.ts";
import { type Agent, agentKind, agentList } from "../matching/agents.ts";
import { Matcher } from "../matching/matcher.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";
import {
	type Dialect,
	dialectKind,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { encodeIndex, loadIndex, readHead } from "./index-snapshot.ts";
import { MOST_BYTES, OriginTable } from "./origin-table.ts";
import { originOf, urlWithHost } from "./scope.ts";

/** What an index is about. */
export interface IndexOptions {
	/** The crawler whose rules the index keeps: a product token, or several, most specific first. */
	readonly agent: Agent;
	/** How robots.txt files are read. Default "rfc9309". */
	readonly dialect?: Dialect;
	/** Bytes of linear memory that the index may take, up to 4 GiB, which is the default. */
	readonly maxBytes?: number;
}

const indexOptions: OptionTable<IndexOptions> = {
	agent: agentKind,
	dialect: dialectKind,
	maxBytes: number(0, MOST_BYTES, "of bytes"),
};

/** What holds for an origin without rules of its own, as an HTTP status may say (RFC 9309 §2.3.1). */
export type Access = "allow-all" | "disallow-all";

/** What an index holds, in bytes where not said otherwise. */
export interface IndexStats {
	/** Number of origins. */
	readonly origins: number;
	/** Number of different programs: origins with equal rules share one. */
	readonly programs: number;
	readonly programBytes: number;
	/** What programs would take if none were shared. */
	readonly unsharedProgramBytes: number;
	/** All linear memory in use: programs, origins, tables, and what the allocator adds. */
	readonly byteLength: number;
}

/**
 * Rules of many sites for one crawler, in a linear memory of its own, for URLs of any origins in any order.
 *
 * An origin is a scheme, a host and a port, as the URL standard reads them (RFC 9309 §2.3 binds a robots.txt to those): host
 * names in lower case and punycode, default ports left out, user information ignored. Paths are read as `Matcher` reads them.
 */
export class RobotsIndex {
	readonly agent: Agent;
	readonly dialect: Dialect;
	#table: OriginTable | null;
	/** What an access state is compiled to. */
	readonly #states: Readonly<Record<Access, Matcher>>;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: IndexOptions) {
		checkOptions("RobotsIndex", options, indexOptions, ["agent"]);
		const { agent, dialect = "rfc9309", maxBytes = MOST_BYTES } = options;
		const { googleMatching } = dialectRules(dialect);
		this.agent = agent;
		this.dialect = dialect;
		this.#states = {
			"allow-all": RobotsTxt.parse("", { dialect }).for(agent),
			"disallow-all": RobotsTxt.parse("User-agent: *\nDisallow: /", {
				dialect,
			}).for("*"),
		};
		this.#table = OriginTable.inOwnMemory(Math.floor(maxBytes), googleMatching);
		showAs(this, (index) => {
			const { agent, dialect } = index;
			return index.#table
				? { agent, dialect, origins: index.size, byteLength: index.byteLength }
				: { agent, dialect, disposed: true };
		});
	}

	/** Origins in the index. */
	get size(): number {
		return this.#origins().size;
	}

	/** Bytes of linear memory in use, at most `maxBytes`. */
	get byteLength(): number {
		return this.#origins().stats.byteLength;
	}

	/** What the index holds, and what it saves by sharing programs. */
	stats(): IndexStats {
		const { size, stats } = this.#origins();
		return { origins: size, ...stats };
	}

	/**
	 * Puts an origin's robots.txt in place of what was there. `origin` is any absolute URL of it; the rest of the URL does not
	 * matter. With a robots.txt (bytes, or a string) the rules for the index's agent are compiled; a Matcher brings
	 * compiled ones, of the same dialect; "allow-all" and "disallow-all" stand for a file that has none, or that could not be
	 * fetched (RFC 9309 §2.3.1.3, §2.3.1.4).
	 * @throws {RobotrieError} invalid-url; invalid-argument; limit-exceeded, when there is no room: the index then is as it was.
	 */
	set(origin: Url, robots: Uint8Array | string | Matcher | Access): void {
		const table = this.#origins();
		const key = originOf(urlWithHost(origin, "origin"));
		table.set(key, this.#matcher(robots).program);
	}

	/** Forgets an origin, named as in `set`; false when it was not there. @throws {RobotrieError} invalid-url. */
	delete(origin: Url): boolean {
		return this.#origins().delete(originOf(urlWithHost(origin, "origin")));
	}

	/** Whether an origin, named as in `set`, is in the index. @throws {RobotrieError} invalid-url. */
	has(origin: Url): boolean {
		return this.#origins().has(originOf(urlWithHost(origin, "origin")));
	}

	/** All origins, as the URL standard writes them, in no order. */
	origins(): string[] {
		const decoder = new TextDecoder();
		const table = this.#origins();
		return Array.from(table.entries(), ({ address }) =>
			decoder.decode(table.origin(address)),
		);
	}

	/**
	 * A `Verdict` for every line of `bytes`: absolute URLs in UTF-8, each ended by LF or CRLF, the last one perhaps by neither.
	 * Unknown for a URL whose origin is not in the index, Invalid for what the URL standard takes for none. With `into`, verdicts
	 * go to its front, and what comes back is a view of that.
	 * @throws {RobotrieError} invalid-argument, for anything but Uint8Arrays, or when `into` has fewer bytes than there are
	 * lines.
	 */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		checkLines(bytes, into);
		return this.#origins().matchLines(bytes, into);
	}

	/**
	 * A `Verdict` for every URL, as `matchLines` gives it.
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects.
	 */
	matchMany(urls: readonly Url[]): Uint8Array {
		checkUrls(urls);
		return this.#origins().matchMany(urls);
	}

	/**
	 * The index as bytes, for `fromBytes` in any process: programs, origins, the agent and the dialect, a version and a
	 * checksum. They hold no addresses and no platform's byte order.
	 */
	toBytes(): Uint8Array {
		return encodeIndex(this.#origins(), this);
	}

	/**
	 * An index from what `toBytes` gave, without parsing a robots.txt again. Safe with any bytes: they load, or an error says
	 * why not. `options` may state the agent and the dialect, which then have to be the snapshot's.
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument.
	 */
	static fromBytes(
		bytes: Uint8Array,
		options: Partial<IndexOptions> = {},
	): RobotsIndex {
		checkOptions("RobotsIndex.fromBytes", options, indexOptions);
		const { agent, dialect } = readHead(bytes);
		if (options.dialect !== undefined && options.dialect !== dialect)
			throw invalidArgument(
				`the snapshot is in the ${dialect} dialect`,
				options.dialect,
			);
		const names = agentList(agent).join(", ");
		const wanted = agentList(options.agent ?? agent).join(", ");
		if (wanted !== names)
			throw invalidArgument(`the snapshot is for ${names}`, wanted);
		const index = new RobotsIndex({ ...options, agent, dialect });
		loadIndex(bytes, index.#origins());
		return index;
	}

	/** Gives back all memory at once; otherwise that happens when the index is collected. It cannot be used afterwards. */
	[Symbol.dispose](): void {
		this.#table = null;
	}

	#matcher(robots: Uint8Array | string | Matcher | Access): Matcher {
		if (robots === "allow-all" || robots === "disallow-all")
			return this.#states[robots];
		if (!(robots instanceof Matcher))
			return RobotsTxt.parse(robots, { dialect: this.dialect }).for(this.agent);
		if (robots.dialect !== this.dialect)
			throw invalidArgument(
				`a matcher for an index in the ${this.dialect} dialect is of that dialect`,
				robots.dialect,
			);
		return robots;
	}

	#origins(): OriginTable {
		if (!this.#table)
			throw new RobotrieError("disposed", "the index was disposed of");
		return this.#table;
	}
}
