import { append, Buffer, clear } from "../bytes/buffer";

/**
 * A capture is a list of all items of origins at one time (src/sites/capture.ts). As long as there is one, items stay as they are: an
 * origin that gets another program gets another item, and items that leave the table are kept until the last capture has ended.
 */
let captures: u32 = 0;
/** u32 addresses of the items that are kept. */
const retired = changetype<Buffer>(memory.data(12, 4));

export function isCaptured(): bool {
	return captures != 0;
}

/** From now on no origin at an address changes, until `endCapture`. */
export function beginCapture(): void {
	captures++;
}

export function endCapture(): void {
	captures--;
}

/** Makes room for one more item that is kept; false if there is none. */
export function reserveRetired(): bool {
	if (!append(retired, 4)) return false;
	retired.end -= 4;
	return true;
}

/** Keeps an item. Without memory for the note it is never freed. */
export function retire(item: usize): void {
	const at = append(retired, 4);
	if (at) store<u32>(at, <u32>item);
}

/** An item that nothing needs any more, or 0. */
export function nextRetired(): usize {
	if (captures || retired.end == retired.start) {
		if (!captures) clear(retired);
		return 0;
	}
	retired.end -= 4;
	return load<u32>(retired.end);
}
