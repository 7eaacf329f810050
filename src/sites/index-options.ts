import type { OptionTable } from "../common/arguments.ts";
import { number } from "../common/kinds.ts";
import type { Verdict } from "../engine/verdict.ts";
import { type Agent, agentKind } from "../matching/agents.ts";
import { type Dialect, dialectKind } from "../robots-txt/dialect.ts";
import { maxBytesKind } from "../robots-txt/source.ts";
import { MOST_BYTES, MOST_EXPECTED } from "./origin-table.ts";

/** Options of a RobotsIndex. */
export interface IndexOptions {
	/** The crawler whose rules the index holds: a product token, or several, most specific first. */
	readonly agent: Agent;
	/** The dialect that robots.txt files are read in. Default "rfc9309". */
	readonly dialect?: Dialect;
	/** Bytes of linear memory that the index may take; at most 4 GiB, the default. */
	readonly maxBytes?: number;
	/**
	 * Bytes of a robots.txt that `set` reads, as `maxBytes` of `RobotsTxt.parse`: by default 512,000, and all in the google dialect. A
	 * RobotsTxt that is given has been read already.
	 */
	readonly maxRobotsBytes?: number;
	/**
	 * Number of origins that room is made for at once, up to 2 ** 26. Without it tables grow as origins come, a little with each
	 * of them. Default 0.
	 */
	readonly expectedOrigins?: number;
}

export const indexOptions: OptionTable<IndexOptions> = {
	agent: agentKind,
	dialect: dialectKind,
	maxBytes: number(0, MOST_BYTES, "of bytes"),
	maxRobotsBytes: maxBytesKind,
	expectedOrigins: number(0, MOST_EXPECTED, "of origins"),
};

/** The content of an index and its memory, in bytes. */
export interface IndexStats {
	/** Number of origins. */
	readonly origins: number;
	/** Number of programs; origins with equal rules share one. */
	readonly programs: number;
	/** Bytes of all programs. */
	readonly programBytes: number;
	/** Bytes that programs would take if none were shared. */
	readonly unsharedProgramBytes: number;
	/** All linear memory in use: programs, origins, tables and the allocator's overhead. */
	readonly byteLength: number;
}

/** What an index says about one URL. */
export interface IndexExplanation {
	/** As `matchMany` gives it. */
	readonly verdict: Verdict;
	/** Scheme, host and port as the URL standard writes them; null for what is not a URL. */
	readonly origin: string | null;
}
