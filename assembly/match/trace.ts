/**
 * What the traced build (asconfig.json) calls in the host: packages/playground/worker/trace.ts gives both functions to the module, for the byte-code
 * pane. Other builds leave the calls out. This file's name is that of the imported module, which is why they are not in run.ts.
 */

/**
 * Called before each instruction: addresses of the program, the instruction, the path's start, the current byte and the path's end, and the
 * best encoded rank so far.
 */
export declare function step(
	program: usize,
	pc: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): void;

/** Called for searches: the bytes that a search for a literal went over, or the steps that it took. */
export declare function searched(bytes: usize): void;
