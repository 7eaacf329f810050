import { COUNT_LINES, COUNTERS } from "../../assembly/format/log.ts";
import { UNPARSED_KEPT } from "./record-counter.ts";
import {
	type SegmentData,
	Unit,
	type UnitData,
	type UnitKey,
	unitName,
} from "./tally.ts";

/** A line that could not be parsed, by where it is. */
export interface UnparsedLine {
	readonly file: string;
	/** From 1; in the file as it is when decompressed. */
	readonly line: number;
	/** Its first 200 bytes, decoded. */
	readonly text: string;
}

/** Units that are counted by themselves; anybody can send headers with ever new names. */
const MAX_UNITS = 5000;
/** The name of all others. Of these no pauses, order or examples are known, see `Unit.addOther`. */
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
		for (const data of segment.units) this.#count(data);
	}

	#count(data: UnitData): void {
		const known = this.units.get(unitName(data.key));
		if (known) known.append(data);
		else if (this.units.size < MAX_UNITS) this.#unit(data.key).append(data);
		else
			this.#unit({ ...data.key, name: OTHERS, category: "unknown" }).addOther(
				data,
			);
	}

	/** The unit with a key, a new one if there is none yet. */
	#unit(key: UnitKey): Unit {
		const name = unitName(key);
		const unit = this.units.get(name) ?? new Unit(key);
		this.units.set(name, unit);
		return unit;
	}
}
