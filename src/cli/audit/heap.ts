import { setFlagsFromString } from "node:v8";

/**
 * Has V8 collect garbage, in all threads, once the heap is half as large again as what lives in it; V8 would wait until it is four times as
 * large. Logs with very many different crawlers leave much garbage that survives the young generation. Collections of a small heap are
 * quick, so other logs take no longer. V8 reads the flag whenever it sets its next limit.
 */
export function keepHeapSmall(): void {
	setFlagsFromString("--heap-growing-percent=50");
}
