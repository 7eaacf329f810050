import { COUNT_LINES, COUNTERS } from "../../assembly/format/log.ts";
import { UNPARSED_KEPT } from "./record-counter.ts";
import { type SegmentData, Unit, type UnitKey, unitName } from "./tally.ts";

/** A line that could not be parsed, by where it is. */
export interface UnparsedLine {
	readonly file: string;
	/** From 1; in the file as it is when decompressed. */
	readonly line: number;
	/** Its first 200 bytes, decoded. */
	readonly text: string;
}

/** Units with a name of their own; anybody can send headers with ever new names. */
const MAX_UNITS = 5000;
const OTHERS = "(others)";

/** Puts together what came of the segments of logs, in the order of their lines. */
export class Totals {
	readonly counters: number[] = new Array<number>(COUNTERS).fill(0);
	readonly unparsed: UnparsedLine[] = [];
	readonly units = new Map<string, Unit>();
	readonly #linesOf = new Map<string, number>();

	append(file: string, segment: SegmentData): void {
		const before = this.#linesOf.get(file) ?? 0;
		for (const { index, text } of segment.unparsed)
			if (this.unparsed.length < UNPARSED_KEPT)
				this.unparsed.push({ file, line: before + index + 1, text });
		segment.counters.forEach((count, index) => {
			this.counters[index] = (this.counters[index] ?? 0) + count;
		});
		this.#linesOf.set(file, before + (segment.counters[COUNT_LINES] ?? 0));
		for (const data of segment.units) this.#unit(data.key).append(data);
	}

	#unit(key: UnitKey): Unit {
		const known = this.units.get(unitName(key));
		if (known) return known;
		const isFull = this.units.size >= MAX_UNITS && key.name !== OTHERS;
		if (isFull)
			return this.#unit({ ...key, name: OTHERS, category: "unknown" });
		const unit = new Unit(key);
		this.units.set(unitName(key), unit);
		return unit;
	}
}
