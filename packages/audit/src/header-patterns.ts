import { RobotrieError } from "robotrie";
import { quote } from "robotrie/internal";

/** Parts of a header in lower case, one behind the other with anything between them. */
type Pattern = readonly string[];

/**
 * Patterns for User-Agent headers, one a line: a header has to contain it, in any case; "*" stands for anything. Blank lines, and lines
 * that begin with "#", are left out.
 */
export function headerPatterns(text: string): readonly string[] {
	return text
		.replace(/^\ufeff/, "")
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("#"));
}

/** Finds headers that contain one of some patterns. */
export class HeaderPatterns {
	readonly #patterns: readonly Pattern[];

	/** @throws {RobotrieError} invalid-argument, for a pattern that every header contains. */
	constructor(patterns: readonly string[]) {
		this.#patterns = patterns.map((pattern) => {
			const parts = pattern.toLowerCase().split("*").filter(Boolean);
			if (parts.length > 0) return parts;
			throw new RobotrieError(
				"invalid-argument",
				`the pattern ${quote(pattern)} holds for every User-Agent header`,
			);
		});
	}

	has(header: string): boolean {
		if (this.#patterns.length === 0) return false;
		const lower = header.toLowerCase();
		return this.#patterns.some((parts) => {
			let at = 0;
			return parts.every((part) => {
				const found = lower.indexOf(part, at);
				at = found + part.length;
				return found >= 0;
			});
		});
	}
}
