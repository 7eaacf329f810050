import { type EachFormat, type EachRows, load } from "@robotrie/audit/internal";
import type { Counted } from "./content.ts";

/** The most digits of a line's number. */
const DIGITS = 16;

/** What `--each` writes: rows with the numbers of their lines in front, and with the names of logs if there are several. */
export async function eachContent(format: EachFormat, isOneLog: boolean) {
	const { COLUMNS } = await load.rows();
	const { csvRow } = await load.rowsAsCsv();
	const columns = [...(isOneLog ? [] : ["file"]), "line", ...COLUMNS];
	const before = (name: string) =>
		isOneLog
			? { ndjson: '{"line":', csv: "" }[format]
			: {
					ndjson: `{"file":${JSON.stringify(name)},"line":`,
					csv: `${csvRow([name])},`,
				}[format];
	return {
		begin: () => Buffer.from(format === "csv" ? `${csvRow(columns)}\n` : ""),
		of: ({ name, linesBefore, rows }: Counted) =>
			rows && numbered(rows, Buffer.from(before(name)), linesBefore),
	};
}

/** Rows with a text and the number of their line, from 1, in front of each. */
function numbered(
	{ text, lines, ends }: EachRows,
	before: Uint8Array,
	linesBefore: number,
): Uint8Array {
	const out = Buffer.allocUnsafe(
		text.length + lines.length * (before.length + DIGITS),
	);
	const source = Buffer.from(text.buffer, text.byteOffset, text.length);
	let to = 0;
	let from = 0;
	for (let row = 0; row < lines.length; row++) {
		out.set(before, to);
		to += before.length;
		const digits = String(linesBefore + (lines[row] as number) + 1);
		for (let at = 0; at < digits.length; at++)
			out[to++] = digits.charCodeAt(at);
		const end = ends[row] as number;
		source.copy(out, to, from, end);
		to += end - from;
		from = end;
	}
	return out.subarray(0, to);
}
