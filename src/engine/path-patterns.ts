import { MATCH_INVALID, RULE_ALLOW } from "../../assembly/format/program.ts";
import { compilePatterns, rankedSources } from "./compiler.ts";
import { matchOne, matchPlaced } from "./engine.ts";
import { emptySlot, unload } from "./program-cache.ts";

const encoder = new TextEncoder();

/** Returned in place of a pattern's index: the text is not a URL. */
export const NO_URL = -2;
const NO_MATCH = -1;

/**
 * Path patterns of lines other than rules, matched like the pattern of a rule (RFC 9309 §2.2.2, §2.2.3). In every dialect with the
 * standard's escaping: no document has another one for such lines.
 */
export class PathPatterns {
	readonly #patterns: readonly string[];
	#program: Uint8Array | undefined;
	/** Index of the pattern behind each rank from 1 on. */
	#ranked: Int32Array = new Int32Array();
	readonly #slot = emptySlot();

	constructor(patterns: readonly string[]) {
		this.#patterns = patterns;
	}

	/** Index of the longest pattern that matches a URL, NO_MATCH for none, NO_URL if the text is not a URL. */
	longest(url: string): number {
		return this.#indexOf(matchOne(this.#compiled(), this.#slot, url));
	}

	/** As `longest`, for placed bytes (engine.ts). */
	longestPlaced(from: number, length: number): number {
		return this.#indexOf(
			matchPlaced(this.#compiled(), this.#slot, from, length),
		);
	}

	/** Frees linear memory; the next call takes it again. */
	release(): void {
		unload(this.#slot);
	}

	#indexOf(best: number): number {
		if (best === MATCH_INVALID) return NO_URL;
		return best === 0 ? NO_MATCH : (this.#ranked[(best >> 1) - 1] ?? NO_MATCH);
	}

	#compiled(): Uint8Array {
		if (this.#program) return this.#program;
		const patterns = this.#patterns.map((pattern) => encoder.encode(pattern));
		this.#program = compilePatterns(patterns, RULE_ALLOW);
		this.#ranked = rankedSources(this.#program);
		return this.#program;
	}
}
