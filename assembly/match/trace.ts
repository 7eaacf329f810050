/**
 * In the traced build (asconfig.json) the host is told of each instruction before it runs: addresses of the program, of the
 * instruction, of the path's begin, of the byte it is at, and of the path's end, and the best encoded rank so far.
 */
export declare function step(
	program: usize,
	pc: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): void;

/** Likewise, of bytes that a search for a literal of a wildcard went over, or steps that it took. */
export declare function searched(bytes: usize): void;
