import Tinypool, { workerId } from "tinypool";
import { CHUNK, chunksOf } from "../common/chunks.ts";
import type { OriginTable } from "./origin-table.ts";
import { NO_INDEX, type Piece, TOO_LONG } from "./piece.ts";
import { tableOf } from "./shared-index.ts";

/** Indexes by their numbers: while one takes another's place, both are in use. */
const tables = new Map<number, OriginTable>();

/** A PieceAnswer, its memory moved. */
export default function judge(piece: Piece): unknown {
	const { lines, number, oldest, shared } = piece;
	for (const other of tables.keys()) if (other < oldest) tables.delete(other);
	if (shared && !tables.has(number))
		tables.set(number, tableOf(shared, shared.workspaces[workerId] ?? 0));
	const table = tables.get(number);
	if (!table) return NO_INDEX;
	for (const chunk of chunksOf(lines, CHUNK))
		if (chunk.length > CHUNK) return TOO_LONG;
	return Tinypool.move(table.matchLines(lines));
}
