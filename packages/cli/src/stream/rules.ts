/**
 * The rules that `robotrie stream` judges by: an index for each crawler, from options, snapshots and robots.txt records, or a folder of
 * shards. frames.ts calls it. All crawlers have the same dialect, and replies have their order.
 */

import { closeSync } from "node:fs";
import {
	filesOf,
	fits,
	type openFolder,
	readInto,
	ShardSet,
} from "@robotrie/sites/internal-shards";
import {
	type Agent,
	type ColumnOffsets,
	type ColumnOptions,
	type Dialect,
	dialectNames,
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
} from "robotrie";
import { accessFor, rulesOf as rulesOfAccess } from "robotrie/access";
import { OriginTable } from "robotrie/internal";
import { agentList } from "#robotrie/common/agents";
import { Column } from "#robotrie/common/column";
import { Failure } from "../output/output.ts";

type OpenFolder = Awaited<ReturnType<typeof openFolder>>;

/** Bytes that pointers of 32 bits reach. */
const LARGEST_MEMORY = 2 ** 32;

/**
 * Whether all shards of a folder can surely be loaded into one linear memory. One linear memory
 * must hold all of them, and no more than its limit.
 */
export function canBeJoined(open: OpenFolder): boolean {
	return fits({ ...open, memory: Math.min(open.memory, LARGEST_MEMORY) }, 1);
}

/**
 * All shards of a folder as one index. URLs need not be sorted by shard, and shards with equal
 * rules have them once: in a Spark job a folder that fits then costs as much as an index in one
 * file. Rules that several shards have are stored once, as in one index file.
 */
export class JoinedShards {
	#table: OriginTable | undefined;

	private constructor(table: OriginTable) {
		this.#table = table;
	}

	/** Loads the shards and closes their files. @throws {Failure} When one cannot be read, or is not what the folder says. */
	static async load(
		open: OpenFolder & { readonly dialect: Dialect },
	): Promise<JoinedShards> {
		const { dialect } = open;
		// The table is one, so shards are loaded into it one after the other.
		const table = OriginTable.inOwnMemory(dialect);
		for (const { path, opened, origins } of filesOf(open)) {
			const before = table.size;
			await readInto(
				(head) => {
					if (head.dialect === dialect) return table;
					throw new Failure(
						`cannot read the index ${path}: it is in the ${head.dialect} dialect, not in ${dialect}`,
					);
				},
				path,
				opened,
			);
			closeSync(opened);
			const found = table.size - before;
			if (found !== origins)
				throw new Failure(
					`cannot read the index ${path}: it has ${found} origins, not ${origins}`,
				);
		}
		return new JoinedShards(table);
	}

	/** As `RobotsIndex.matchColumn` gives it. @throws {RobotrieError} invalid-argument; limit-exceeded. */
	matchColumn(
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		options?: ColumnOptions,
	): Uint8Array {
		const column = new Column("matchColumn", offsets, bytes, options);
		return this.#origins().matchColumn(column);
	}

	/** As `RobotsIndex.matchLines` gives it. */
	matchLines(lines: Uint8Array): Uint8Array {
		return this.#origins().matchLines(lines);
	}

	/**
	 * Frees all memory. It cannot be used afterwards. The table is released with the instance; what
	 * is left throws.
	 */
	[Symbol.dispose](): void {
		this.#table = undefined;
	}

	#origins(): OriginTable {
		if (!this.#table) throw new Error("the shards were disposed of");
		return this.#table;
	}
}

/**
 * A robots.txt as a crawl has recorded it. As a crawl has it: status and body, and no more.
 */
export interface RobotsRecord {
	readonly origin: string;
	/** The HTTP status of the answer, 0 if there was none. */
	readonly status: number;
	readonly body: Uint8Array;
}

/** What judges the URLs of a crawler. */
type Judge = RobotsIndex | ShardSet | JoinedShards;

/** The rules of many sites for a crawler. */
type Rules = Pick<RobotsIndex, "agent" | "dialect"> & {
	readonly judge: Judge;
};

/**
 * The rules of many sites for each of some crawlers. One row per crawler, in the order in which
 * options or snapshots named them.
 */
export class StreamRules {
	/** Undefined as long as neither an option nor a snapshot names it. */
	#dialect: Dialect | undefined;
	/** Those of each crawler, in the order of replies. */
	#rules: Rules[] = [];
	readonly #maxBytes: number | undefined;
	/** The crawlers, if options name them. */
	readonly #agents: readonly Agent[];

	constructor(agents: readonly Agent[], dialect?: Dialect, maxBytes?: number) {
		this.#agents = agents;
		this.#maxBytes = maxBytes;
		this.#dialect = dialect;
	}

	/** What judges for each crawler, in the order of replies. @throws {Failure} When no crawler is named. */
	get judges(): readonly Judge[] {
		if (this.#rules.length === 0) this.#begin();
		return this.#rules.map(({ judge }) => judge);
	}

	/** The crawlers, in the order of replies. @throws {Failure} When none is named. */
	get agents(): readonly Agent[] {
		if (this.#rules.length === 0) this.#begin();
		return this.#rules.map(({ agent }) => agent);
	}

	/** The dialect and the names of each crawler, in the order of replies; null and none as long as nothing names them. */
	get head(): {
		readonly dialect: Dialect | null;
		readonly agents: readonly (readonly string[])[];
	} {
		const known =
			this.#rules.length > 0
				? this.#rules.map(({ agent }) => agent)
				: this.#agents;
		const isDecided = this.#dialect !== undefined || known.length > 0;
		return {
			dialect: isDecided ? this.dialect : null,
			agents: known.map((agent) => [...agentList(agent)]),
		};
	}

	/** Bytes of a robots.txt that are read; undefined for the dialect's own limit. */
	get maxBytes(): number | undefined {
		return this.#maxBytes;
	}

	/** How robots.txt is read. */
	get dialect(): Dialect {
		return this.#dialect ?? dialectNames[0];
	}

	/** The index of each crawler, in the order of replies. @throws {Failure} When no crawler is named, or one has a folder. */
	get indexes(): readonly RobotsIndex[] {
		if (this.#rules.length === 0) this.#begin();
		return this.#rules.map(({ judge }) => {
			if (judge instanceof RobotsIndex) return judge;
			throw new Failure("an index in a folder can only judge URLs");
		});
	}

	/**
	 * Puts the index of a snapshot in place of its crawler's. A snapshot replaces its crawler's
	 * rules; it never adds to them.
	 * @param mayAdd Whether it may be for one more crawler, where options name none.
	 * @throws {Failure} When it is of another crawler or dialect.
	 */
	take(index: RobotsIndex, mayAdd = false): void {
		this.#take(rulesOf(index), mayAdd);
	}

	/** Takes an index in a folder. @throws {Failure} When it is of another crawler or dialect, or cannot be read. */
	async takeFolder(
		open: OpenFolder & Pick<RobotsIndex, "agent" | "dialect">,
		mayAdd = false,
	): Promise<void> {
		const { agent, dialect } = open;
		const judge = canBeJoined(open)
			? await JoinedShards.load(open)
			: new ShardSet(open);
		this.#take({ agent, dialect, judge }, mayAdd);
	}

	/** What is not taken is released, as the stream goes on. */
	#take(index: Rules, mayAdd: boolean): void {
		try {
			this.#put(index, mayAdd);
		} catch (error) {
			index.judge[Symbol.dispose]();
			throw error;
		}
	}

	#put(index: Rules, mayAdd: boolean): void {
		// One dialect for all, as the records that follow are read in it.
		if (this.#dialect !== undefined && this.#dialect !== index.dialect)
			throw new Failure(
				`the snapshot is in the ${index.dialect} dialect, not in ${this.#dialect}`,
			);
		if (this.#agents.length > 0) this.#begin();
		const names = this.#rules.map(({ agent }) => namesOf(agent));
		const name = namesOf(index.agent);
		// Without --agent or --index, the first snapshot decides which crawlers there are.
		const at = names.indexOf(name);
		if (at < 0 && names.length > 0 && !(mayAdd && this.#agents.length === 0))
			throw new Failure(
				`the snapshot is for ${name}, not for ${names.join(" or ")}`,
			);
		this.#dialect = index.dialect;
		if (at < 0) this.#rules.push(index);
		else this.#replace(at, index);
	}

	/** Sets the rules of an origin. @returns false for text that is not an origin. @throws {Failure} When no crawler is named, or memory is full. */
	set({ origin, status, body }: RobotsRecord): boolean {
		const { indexes } = this;
		const dialect = this.#dialect ?? dialectNames[0];
		const outcome =
			status === 0
				? { failure: { code: "connection" as const, message: "no answer" } }
				: { status, body, headers: {} };
		// As a live client would decide it, so that a stream and a crawl agree.
		const access = accessFor(outcome, null, { dialect });
		const maxBytes = this.#maxBytes;
		// `using` frees the file's memory, as streams set millions of records.
		using file = RobotsTxt.parse(access.copy?.body ?? "", {
			dialect,
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		// Where a redirect leads is not in the record: it says nothing.
		const isMoved = access.code === "redirect-nowhere";
		const rules = isMoved ? "later" : rulesOfAccess(access);
		const robots = typeof rules === "string" ? rules : file;
		try {
			for (const index of indexes) index.set(origin, robots);
			return true;
		} catch (error) {
			if (error instanceof RobotrieError && error.code === "invalid-url")
				return false;
			throw error;
		}
	}

	/** Forgets all rules, but not the crawlers and the dialect. */
	clear(): void {
		this.#rules.forEach(({ agent, dialect }, at) => {
			this.#replace(at, rulesOf(new RobotsIndex({ agent, dialect })));
		});
	}

	#begin(): void {
		if (this.#agents.length === 0)
			throw new Failure(
				"no crawler is named: pass --agent or --index, or send a snapshot first",
			);
		if (this.#rules.length > 0) return;
		this.#dialect ??= dialectNames[0];
		const dialect = this.#dialect;
		for (const agent of this.#agents)
			this.#rules.push(rulesOf(new RobotsIndex({ agent, dialect })));
	}

	#replace(at: number, rules: Rules): void {
		this.#rules[at]?.judge[Symbol.dispose]();
		this.#rules[at] = rules;
	}
}

function rulesOf(index: RobotsIndex): Rules {
	return { agent: index.agent, dialect: index.dialect, judge: index };
}

function namesOf(agent: Agent): string {
	return agentList(agent).join(", ");
}
