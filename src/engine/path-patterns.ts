import { MATCH_INVALID, RULE_ALLOW } from "../../assembly/format/program.ts";
import { dialectRules } from "../robots-txt/dialect.ts";
import { compile, matchOne, matchPlaced } from "./engine.ts";
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
	#ranked: Uint32Array = new Uint32Array();
	readonly #residence = noResidence();

	constructor(patterns: readonly string[]) {
		this.#patterns = patterns;
	}

	/** Index of the longest pattern that matches a URL, -1 for none, NO_URL when the text is none. */
	longest(url: string): number {
		return this.#indexOf(matchOne(this.#compiled(), this.#residence, url));
	}

	/** As `longest`, about placed bytes (engine.ts). Call `prepare` before they are. */
	longestPlaced(from: number, length: number): number {
		return this.#indexOf(
			matchPlaced(this.#compiled(), this.#residence, from, length),
		);
	}

	/** Compiles the patterns unless they are; true when it did, and so took the room of what was placed. */
	prepare(): boolean {
		if (this.#program) return false;
		this.#compiled();
		return true;
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
		const bytes = this.#patterns.map((pattern) => encoder.encode(pattern));
		const records = new Uint32Array(bytes.length * 3);
		let at = 0;
		bytes.forEach(({ length }, index) => {
			records.set([at, length, RULE_ALLOW], index * 3);
			at += length;
		});
		const compiled = compile(bytes, records, dialectRules("rfc9309"));
		this.#program = compiled.program;
		this.#ranked = compiled.records;
		return compiled.program;
	}
}
