import { MATCH_INVALID, RULE_ALLOW } from "../../assembly/format/program.ts";
import { compilePatterns, rankedSources } from "./compiler.ts";
import { matchOne, matchPlaced } from "./engine.ts";
import { dismiss, noResidence } from "./program-cache.ts";

const encoder = new TextEncoder();

/** Of what a pattern's match can be: the text is no URL. */
export const NO_URL = -2;
const NO_MATCH = -1;

/**
 * Paths of lines that are no rules, matched as a rule's pattern is (RFC 9309 §2.2.2 and §2.2.3). The standard's escaping
 * holds in every dialect: no document has another for such lines.
 */
export class PathPatterns {
	readonly #patterns: readonly string[];
	#program: Uint8Array | undefined;
	/** Index of the pattern behind each rank from 1 on. */
	#ranked: Int32Array = new Int32Array();
	readonly #residence = noResidence();

	constructor(patterns: readonly string[]) {
		this.#patterns = patterns;
	}

	/** Index of the longest pattern that matches a URL, -1 for none, NO_URL when the text is none. */
	longest(url: string): number {
		return this.#indexOf(matchOne(this.#compiled(), this.#residence, url));
	}

	/** As `longest`, about placed bytes (engine.ts). */
	longestPlaced(from: number, length: number): number {
		return this.#indexOf(
			matchPlaced(this.#compiled(), this.#residence, from, length),
		);
	}

	/** Gives back linear memory; what asks again takes it anew. */
	release(): void {
		dismiss(this.#residence);
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
