import { ENTRY_LINE_END } from "../assembly/format.ts";
import type { ScannerModule } from "./scanner-module.ts";

const COMMA = 0x2c;
const SPACE = 0x20;

/**
 * The bytes of a field that holds addresses, of the entry at `at`; `field` and `fieldEnd` are ENTRY_. Where a blank ends the field and
 * the log has a list there ("a, b"), the format cuts it behind the first comma; the rest of the list belongs to it.
 */
export function addressBytes(
	{ bytes, view }: ScannerModule,
	at: number,
	field: number,
	fieldEnd: number,
): Uint8Array {
	const from = view.getUint32(at + field, true);
	const lineEnd = view.getUint32(at + ENTRY_LINE_END, true);
	let to = view.getUint32(at + fieldEnd, true);
	while (to > from && bytes[to - 1] === COMMA && bytes[to] === SPACE)
		do to++;
		while (to < lineEnd && bytes[to] !== SPACE);
	return bytes.subarray(from, to);
}
