import { closeSync } from "node:fs";
import type { ColumnOffsets, ColumnOptions, Dialect } from "robotrie";
import {
	Column,
	dialectRules,
	MOST_BYTES,
	OriginTable,
} from "robotrie/internal";
import { readInto } from "../index-files/index-file.ts";
import { filesOf, fits, type OpenFolder } from "../index-files/shard-set.ts";
import { Failure } from "../output/failure.ts";

/** Whether all shards of a folder can surely be loaded into one linear memory. */
export function canBeJoined(open: OpenFolder): boolean {
	return fits({ ...open, memory: Math.min(open.memory, MOST_BYTES) }, 1);
}

/** All shards of a folder as one index. URLs need not be sorted by shard, and shards with equal rules have them once. */
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
		const { googleMatching } = dialectRules(dialect);
		const table = OriginTable.inOwnMemory(MOST_BYTES, googleMatching);
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

	/** Frees all memory. It cannot be used afterwards. */
	[Symbol.dispose](): void {
		this.#table = undefined;
	}

	#origins(): OriginTable {
		if (!this.#table) throw new Error("the shards were disposed of");
		return this.#table;
	}
}
