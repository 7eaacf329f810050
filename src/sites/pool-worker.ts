import Tinypool, { workerId } from "tinypool";
import type { OriginTable } from "./origin-table.ts";
import { judgeText, NO_INDEX, type Piece, TOO_LONG } from "./piece.ts";
import { tableOf } from "./shared-index.ts";

/** Indexes by their numbers: while one takes another's place, both are in use. */
const tables = new Map<number, OriginTable>();

/** A PieceAnswer, its memory moved. */
export default function judge(piece: Piece): unknown {
	const { number, oldest, shared } = piece;
	for (const other of tables.keys()) if (other < oldest) tables.delete(other);
	if (shared && !tables.has(number))
		tables.set(number, tableOf(shared, shared.workspaces[workerId] ?? 0));
	const table = tables.get(number);
	if (!table) return NO_INDEX;
	const answer = judgeText(table, piece);
	return answer === TOO_LONG ? TOO_LONG : Tinypool.move(answer);
}
