/**
 * The path under Byte-code, drawn as one element a character, so that bytes can be pointed at. byte-code-pane.ts shows each step in it.
 * Positions are bytes of UTF-8, as the engine counts, not characters. For assistive technology it is a slider: one value with words, moved
 * by arrow keys.
 */
import { make } from "../../page/dom.ts";

/** Characters that are drawn; of a longer path those around the present step. */
const MOST_DRAWN = 240;

interface PathState {
	/** Bytes that lie behind; the next one follows them. */
	readonly at: number;
	/** Whether an instruction looks at a byte. */
	readonly isSeen: (byte: number) => boolean;
	/** Whether a byte belongs to what is pointed at. */
	readonly isPointed: (byte: number) => boolean;
	/** What is said of a byte. */
	readonly words: (byte: number) => string;
}

interface Character {
	readonly text: string;
	/** Its first byte. */
	readonly byte: number;
}

/** A path whose bytes can be pointed at, with the mouse and with arrow keys. */
export class PathView {
	readonly #place: HTMLElement;
	readonly #onPoint: (byte: number) => void;
	#path = "";
	#characters: readonly Character[] = [];
	/** The index of the character that is pointed at. */
	#pointed = 0;
	#state: PathState | undefined;

	constructor(place: HTMLElement, onPoint: (byte: number) => void) {
		this.#place = place;
		this.#onPoint = onPoint;
		place.addEventListener("pointerover", ({ target }) => {
			const index = (target as HTMLElement).dataset.index;
			if (index !== undefined) this.#point(Number(index));
		});
		place.addEventListener("keydown", (event) => {
			// Browsers' own, such as Back.
			if (event.altKey || event.ctrlKey || event.metaKey) return;
			const last = this.#characters.length - 1;
			const target = {
				ArrowRight: this.#pointed + 1,
				ArrowUp: this.#pointed + 1,
				ArrowLeft: this.#pointed - 1,
				ArrowDown: this.#pointed - 1,
				Home: 0,
				End: last,
			}[event.key];
			if (target === undefined) return;
			event.preventDefault();
			this.#point(Math.max(0, Math.min(target, last)));
		});
	}

	show(path: string, state: PathState): void {
		this.#state = state;
		if (path !== this.#path) {
			this.#path = path;
			this.#characters = charactersOf(path);
			this.#pointed = 0;
		}
		const from = this.#first(state.at);
		const drawn = this.#characters.slice(from, from + MOST_DRAWN);
		const isCut = from + drawn.length < this.#characters.length;
		this.#place.replaceChildren(
			...(from > 0 ? ["… "] : []),
			...drawn.map((character, i) => this.#draw(character, from + i, state)),
			...(isCut ? [" …"] : []),
		);
		this.#describe();
	}

	/** Where what is drawn begins. */
	#first(at: number): number {
		const { length } = this.#characters;
		if (length <= MOST_DRAWN) return 0;
		const next = this.#characters.findIndex(({ byte }) => byte >= at);
		const middle = next < 0 ? length : next;
		// The step in the middle: what was passed counts as much as what follows.
		return Math.max(0, Math.min(middle, length) - MOST_DRAWN / 2);
	}

	#draw(
		{ text, byte }: Character,
		index: number,
		{ at, isSeen, isPointed }: PathState,
	): HTMLElement {
		const classes = [
			byte < at ? "behind" : byte === at ? "next" : "",
			isSeen(byte) ? "" : "unseen",
			isPointed(byte) ? "pointed" : "",
		];
		const element = make("span", {
			className: classes.filter((name) => name !== "").join(" "),
			textContent: text,
		});
		element.dataset.index = String(index);
		return element;
	}

	#point(index: number): void {
		const character = this.#characters[index];
		if (!character || index === this.#pointed) return;
		this.#pointed = index;
		this.#onPoint(character.byte);
	}

	#describe(): void {
		const byte = this.#characters[this.#pointed]?.byte ?? 0;
		const place = this.#place;
		place.ariaValueMin = "0";
		place.ariaValueMax = String(Math.max(0, this.#characters.length - 1));
		place.ariaValueNow = String(this.#pointed);
		place.ariaValueText = this.#state?.words(byte) ?? "";
	}
}

function charactersOf(path: string): Character[] {
	const encoder = new TextEncoder();
	let byte = 0;
	return Array.from(path, (text) => {
		const character = { text, byte };
		byte += encoder.encode(text).length;
		return character;
	});
}
