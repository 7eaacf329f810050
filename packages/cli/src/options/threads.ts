import Tinypool from "tinypool";

/**
 * Threads that do what they are sent, all in the same way.
 * @param module What they run: the name of one of the program's files.
 */
export function startThreads(module: string, count: number): Tinypool {
	return new Tinypool({
		filename: new URL(`./${module}`, import.meta.url).href,
		minThreads: count,
		maxThreads: count,
		isolateWorkers: false,
		execArgv: [],
	});
}

/** What a thread answers, whose buffers are sent rather than copied. */
export function moved(
	answer: object,
	buffers: readonly ArrayBufferLike[],
): unknown {
	// Tinypool tells such an object by the two symbols, which its types have under other names.
	const movable: object = {
		[Tinypool.transferableSymbol]: buffers,
		[Tinypool.valueSymbol]: answer,
	};
	return Tinypool.move(movable as Parameters<typeof Tinypool.move>[0]);
}

/** The buffer of bytes that are all of it, to be sent with them rather than copied. */
export function ownBuffer({ buffer, length }: Uint8Array): ArrayBuffer[] {
	return buffer instanceof ArrayBuffer && buffer.byteLength === length
		? [buffer]
		: [];
}
