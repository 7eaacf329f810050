/**
 * The two editors of the Compare pane beside each other: a gap where only the other one has lines, and both scroll together. In @codemirror/
 * merge only a view that owns both editors does so. A line that is wrapped on one side alone still moves what is below it.
 */
import { type Range, StateEffect, StateField } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	EditorView,
	WidgetType,
} from "@codemirror/view";
import { make } from "../../page/dom.ts";

/** Lines that the other file has after a line of this one, from 1, or before the first, 0. */
export interface Gap {
	readonly after: number;
	readonly lines: number;
}

class GapWidget extends WidgetType {
	readonly #lines: number;

	constructor(lines: number) {
		super();
		this.#lines = lines;
	}

	override eq(other: GapWidget): boolean {
		return this.#lines === other.#lines;
	}

	override toDOM(): HTMLElement {
		const gap = make("div", { className: "gap" });
		gap.style.height = `${this.#lines}lh`;
		return gap;
	}
}

const setGaps = StateEffect.define<DecorationSet>();

const gapField = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update: (shown, { changes, effects }) =>
		effects.find((effect) => effect.is(setGaps))?.value ?? shown.map(changes),
	provide: (field) => EditorView.decorations.from(field),
});

export function showGaps(view: EditorView, gaps: readonly Gap[]): void {
	const { doc } = view.state;
	const ranges = gaps.map(({ after, lines }): Range<Decoration> => {
		const widget = new GapWidget(lines);
		const side = after === 0 ? -1 : 1;
		const at = after === 0 ? 0 : doc.line(after).to;
		return Decoration.widget({ widget, block: true, side }).range(at);
	});
	if (!view.state.field(gapField, false))
		view.dispatch({ effects: StateEffect.appendConfig.of(gapField) });
	view.dispatch({ effects: setGaps.of(Decoration.set(ranges)) });
}

/** Scrolls each of two boxes with the other, while they stand beside each other. */
export function scrollTogether(a: HTMLElement, b: HTMLElement): void {
	/** What was scrolled here last: its event is not answered, or the shorter one would hold back the longer. */
	let follower: HTMLElement | undefined;
	for (const [one, other] of [
		[a, b],
		[b, a],
	] as const)
		one.addEventListener("scroll", () => {
			const isFollower = follower === one;
			follower = undefined;
			const { top } = one.getBoundingClientRect();
			if (isFollower || other.getBoundingClientRect().top !== top) return;
			const before = other.scrollTop;
			other.scrollTop = one.scrollTop;
			if (other.scrollTop !== before) follower = other;
		});
}
