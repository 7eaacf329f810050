/**
 * The program of a pool's worker threads: judges lines or rows by the index in shared memory. It answers NO_INDEX or TOO_LONG in place of
 * throwing, and the pool's own thread then judges them.
 */
import Tinypool, { workerId } from "tinypool";
import {
	judgeText,
	NO_INDEX,
	type PieceMessage,
	SharedTable,
	TOO_LONG,
} from "./shared-index.ts";

/** Indexes by their numbers: while one takes another's place, both are in use. */
const tables = new Map<number, SharedTable>();

/** A PieceAnswer, its memory moved. */
export default function judge(piece: PieceMessage): unknown {
	const { number, oldest, shared } = piece;
	for (const other of tables.keys()) if (other < oldest) tables.delete(other);
	if (shared && !tables.has(number))
		tables.set(
			number,
			new SharedTable(shared, shared.workspaces[workerId] ?? 0),
		);
	const table = tables.get(number);
	if (!table || table.hasFailed) {
		tables.delete(number);
		return NO_INDEX;
	}
	const answer = table.read((index) => judgeText(index, piece));
	return answer === TOO_LONG ? TOO_LONG : Tinypool.move(answer);
}
