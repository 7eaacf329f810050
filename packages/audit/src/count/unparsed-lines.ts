/**
 * The lines of a segment that could not be parsed: those that the module left entries for, and those too long for its buffer, which it has not
 * seen. Numbers of lines come from here, as each line that the module has not seen moves the ones after it.
 */

import {
	COUNT_LINES,
	ENTRY_INDEX,
	ENTRY_LINE,
	ENTRY_LINE_END,
} from "../../assembly/format.ts";
import type { ScannerModule } from "../common/scanner-module.ts";
import { beginningOf, type EntryTexts } from "./entry-texts.ts";
import type { RowWriter } from "./row-writer.ts";
import { UNPARSED_KEPT, type UnparsedText } from "./totals.ts";

export class UnparsedLines {
	readonly #module: ScannerModule;
	readonly #texts: EntryTexts;
	readonly #rows: RowWriter | undefined;
	#kept: UnparsedText[] = [];
	#overlong = 0;

	constructor(
		module: ScannerModule,
		texts: EntryTexts,
		rows: RowWriter | undefined,
	) {
		this.#module = module;
		this.#texts = texts;
		this.#rows = rows;
	}

	/** Begins a segment. */
	start(): void {
		this.#kept = [];
		this.#overlong = 0;
	}

	/** Lines too long for the buffer. */
	get overlong(): number {
		return this.#overlong;
	}

	/** The beginnings of the first ones, sorted, as lines too long for the module were noticed out of order. */
	take(): readonly UnparsedText[] {
		return this.#kept.sort((a, b) => a.index - b.index).slice(0, UNPARSED_KEPT);
	}

	/** The line of an entry in the segment, from 0. */
	lineOf(at: number): number {
		return this.#module.view.getUint32(at + ENTRY_INDEX, true) + this.#overlong;
	}

	/** Counts a line that the module does not see; `start` is its beginning. */
	addOverlong(start: Uint8Array): void {
		const index = this.#module.counter(COUNT_LINES) + this.#overlong;
		this.#keep(index, start);
		if (this.#rows?.settings.all) this.#rows.addUnparsed(index);
		this.#overlong++;
	}

	/** Keeps the beginning of the line of an entry. The module has counted it. */
	add(at: number): void {
		const index = this.lineOf(at);
		if (this.#rows?.settings.all) {
			this.#rows.addUnparsed(index);
			// With rows for all lines, every unparsed line has an entry, not only the first ones.
			if (this.#kept.length >= UNPARSED_KEPT + this.#overlong) return;
		}
		this.#keep(
			index,
			this.#module.bytesBetween(at + ENTRY_LINE, at + ENTRY_LINE_END),
		);
	}

	/** Nobody knows what such a line consists of, so it may have an address in any part. */
	#keep(index: number, line: Uint8Array): void {
		if (!this.#texts.isAnonymous)
			this.#kept.push({ index, text: beginningOf(line) });
	}
}
