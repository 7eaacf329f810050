const COMMA = 0x2c;
const SPACE = 0x20;

/**
 * The bytes of a field that holds addresses, at `from` to `end` of a line. Where a blank ends the field and the log has a list there
 * ("a, b"), the format cuts it behind the first comma; the rest of the list belongs to it.
 */
export function addressBytes(
	bytes: Uint8Array,
	from: number,
	end: number,
	lineEnd: number,
): Uint8Array {
	let to = end;
	while (to > from && bytes[to - 1] === COMMA && bytes[to] === SPACE)
		do to++;
		while (to < lineEnd && bytes[to] !== SPACE);
	return bytes.subarray(from, to);
}
