import { setFlagsFromString } from "node:v8";
import type { Totals } from "@robotrie/audit/internal";

/** No log of a site that only real crawlers visit has so many. */
const MANY_CRAWLERS = 1000;
let isSmall = false;

/**
 * Where there are very many crawlers, has V8 collect garbage, in all threads, once the heap is half as large again as what lives in it;
 * V8 would wait until it is four times as large. Such logs leave much garbage that survives the young generation. V8 reads the flag
 * whenever it sets its next limit.
 */
export function keepHeapSmall({ crawlers }: Totals): void {
	if (isSmall || crawlers.size < MANY_CRAWLERS) return;
	isSmall = true;
	setFlagsFromString("--heap-growing-percent=50");
}
