/**
 * The traced build (asconfig.json) calls this before each instruction: addresses of the program, the instruction, the path's start,
 * the current byte and the path's end, and the best encoded rank so far.
 */
export declare function step(
	program: usize,
	pc: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): void;

/** The same for searches: the bytes that a search for a literal went over, or the steps that it took. */
export declare function searched(bytes: usize): void;
