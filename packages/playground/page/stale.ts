/**
 * Answers that are on the screen while a newer one is under way: they stay, marked as out of date, as a page that blinks at every letter
 * cannot be read. Every pane that asks a worker uses it.
 */
import { delayed } from "./dom.ts";

/** Parts of the page are marked as out of date while the answer that replaces them is under way. */
export class Stale {
	readonly #parts: readonly HTMLElement[];
	readonly #onChange: (isStale: boolean) => void;
	#turn = 0;

	constructor(
		parts: readonly HTMLElement[],
		onChange: (isStale: boolean) => void = () => {},
	) {
		this.#parts = parts;
		this.#onChange = onChange;
	}

	/** The answer. Without one, the parts stay marked until a later call gets one. */
	async until<Result>(
		answer: Promise<Result | undefined>,
	): Promise<Result | undefined> {
		const turn = ++this.#turn;
		this.#mark(true);
		const result = await answer;
		// An answer to an older question does not make what is shown current; and undefined means that a newer one follows.
		if (result !== undefined && turn === this.#turn) this.#mark(false);
		return result;
	}

	/** Nothing is out of date any more, whatever is still under way. */
	clear(): void {
		this.#turn++;
		this.#mark(false);
	}

	#mark(isStale: boolean): void {
		for (const part of this.#parts) {
			part.classList.toggle("stale", isStale);
			part.ariaBusy = String(isStale);
		}
		this.#onChange(isStale);
	}
}

/** Shows a text while something takes more than a moment. */
export function sayWhenLong(
	place: HTMLElement,
	text: string,
): (isStale: boolean) => void {
	let isUnderWay = false;
	const say = delayed(() => {
		place.textContent = text;
	}, 200);
	return (isStale) => {
		// Not anew with each question: who types on would never see it.
		if (isStale && !isUnderWay) say();
		if (!isStale) {
			say.cancel();
			place.textContent = "";
		}
		isUnderWay = isStale;
	};
}
