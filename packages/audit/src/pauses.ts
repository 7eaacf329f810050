import { type CountData, CountTable, NO_COUNTS } from "./count-table.ts";

/**
 * Pauses under ten seconds count to the millisecond, under some minutes to 10 ms, beyond to the second: there are not
 * many different ones, as long pauses are few.
 */
function rounded(milliseconds: number): number {
	if (milliseconds < 10_000) return Math.round(milliseconds);
	return milliseconds < 300_000
		? Math.round(milliseconds / 10) * 10
		: Math.round(milliseconds / 1000) * 1000;
}

/** Pauses between requests, and how many there were of each. */
export class Pauses {
	/** Undefined without any: most crawlers come once. */
	#counts: CountTable | undefined;

	add(milliseconds: number): void {
		this.#counts ??= new CountTable(1);
		this.#counts.add(rounded(milliseconds), 0, 1);
	}

	merge(other: CountData): void {
		if (other.size === 0) return;
		this.#counts ??= new CountTable(1);
		this.#counts.merge(other);
	}

	clear(): void {
		this.#counts?.clear();
	}

	/** Milliseconds; the lower of the two in the middle, so that it is a pause that was. Null without any. */
	median(): number | null {
		return this.quantile(0.5);
	}

	/** The longest, in milliseconds; null without any. */
	longest(): number | null {
		return this.quantile(1);
	}

	/** The shortest pause that so large a part of all pauses is no longer than, in milliseconds; null without any. */
	quantile(part: number): number | null {
		const { size, cells } = this.toData();
		const places = Array.from({ length: size }, (_, place) => place);
		const countAt = (place: number) => cells[2 * place + 1] as number;
		const total = places.reduce((sum, place) => sum + countAt(place), 0);
		let rest = Math.ceil(total * part);
		const pauseAt = (place: number) => cells[2 * place] as number;
		for (const place of places.sort((a, b) => pauseAt(a) - pauseAt(b))) {
			rest -= countAt(place);
			if (rest <= 0) return pauseAt(place);
		}
		return null;
	}

	/** Good until more are added. */
	toData(): CountData {
		return this.#counts?.toData() ?? NO_COUNTS;
	}
}
