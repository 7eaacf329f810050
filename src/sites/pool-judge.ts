import { MAX_LINE } from "../../assembly/format/program.ts";
import { mostTogether } from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import {
	partOfColumn,
	partOfLines,
	partsOfColumn,
	partsOfLines,
} from "./parts.ts";
import type { NumberedIndex, PoolWorkers } from "./pool-workers.ts";
import type { SharedTable } from "./shared-index.ts";

/** Has lines, texts and columns judged by an index, in workers unless they are small. */

/** Fewer bytes of lines are judged at once: sending them to a worker would take this thread as long. */
const SMALL = 64 * 1024;
/** Rows of a column likewise. */
const SMALL_ROWS = SMALL / 16;
/** Characters of URLs that are joined to lines at once. */
const GROUP = 64 * 1024 * 1024;

/** Texts are joined to lines, not all at once, as strings have a longest length. */
export async function judgeTextsIn(
	workers: PoolWorkers,
	index: NumberedIndex,
	texts: readonly string[],
	verdicts: Uint8Array,
): Promise<void> {
	for (let first = 0; first < texts.length; ) {
		let last = first;
		let length = 0;
		for (; last < texts.length && length < GROUP; last++) {
			length += (texts[last]?.length ?? 0) + 1;
			if (last > first && length > 2 * GROUP) break;
		}
		const some = texts.slice(first, last);
		const judged =
			length <= SMALL
				? tableFor(index, SMALL).read((table) => table.matchMany(some))
				: await inLines(workers, index, some);
		verdicts.set(judged, first);
		first = last;
	}
}

async function inLines(
	workers: PoolWorkers,
	index: NumberedIndex,
	texts: readonly string[],
): Promise<Uint8Array> {
	const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
	if (longest < GROUP) {
		const text = `${texts.join("\n")}\n`;
		const bytes = new TextEncoder().encode(text);
		const verdicts = await judgeLinesIn(workers, index, bytes);
		if (verdicts.length === texts.length && !text.includes("\r"))
			return verdicts;
	}
	// Line ends inside a URL make several lines of it, or are cut off its end.
	return tableFor(index, longest).read((table) => table.matchMany(texts));
}

export async function judgeLinesIn(
	workers: PoolWorkers,
	index: NumberedIndex,
	bytes: Uint8Array,
): Promise<Uint8Array> {
	return bytes.length <= SMALL
		? partOfLines(bytes).judge(index.table)
		: workers.judge(index, partsOfLines(bytes));
}

export async function judgeColumnIn(
	workers: PoolWorkers,
	index: NumberedIndex,
	column: Column,
): Promise<Uint8Array> {
	const { length } = column;
	const size = column.offset(length) - column.offset(0);
	return size <= SMALL && length <= SMALL_ROWS
		? partOfColumn(column, 0, length).judge(index.table)
		: workers.judge(index, partsOfColumn(column));
}

/** The pool's own table, for texts with so many characters at most. */
function tableFor({ table }: NumberedIndex, longest: number): SharedTable {
	return table.withRoom(Math.min(mostTogether(longest), MAX_LINE));
}
