/**
 * Draws the jump tables of a program under Byte-code: the slots in a column, what lies at each of them beside it. byte-code-pane.ts draws
 * them with each listing and only changes classes and sentences afterwards: drawing them anew would lose the focus.
 */
import "./jump-table.css";
import { counted, make } from "../../page/dom.ts";
import type { Listing, Trace } from "../../page/messages.ts";
import {
	type Entry,
	entriesOf,
	type JumpTable,
	shownKey,
	wayOf,
} from "./jump-table.ts";
import type { Pointed } from "./pointing.ts";
import { ruleButton } from "./tree-view.ts";

/** Entries of which a table is drawn, and keys and rules of an entry: more are a wall. */
const MOST_ENTRIES = 300;
const MOST_KEYS = 8;
const MOST_RULES = 12;

const titles = { prefixes: "Prefixes", unanchored: "Unanchored patterns" };

const lookedUp = {
	prefixes: "looked up once, with the three bytes after the path's “/”",
	unanchored:
		"looked up wherever in the path a pattern's rarest bytes may begin",
};

/** What is pointed at in a drawing. */
interface Events {
	readonly onCode: (entry: Entry, words: string) => void;
	readonly onRule: (line: number) => void;
}

/** The drawn jump tables of one listing. */
export class JumpTableView {
	readonly #place: HTMLElement;
	readonly #events: Events;
	#drawn: readonly {
		readonly table: JumpTable;
		readonly entries: readonly Entry[];
		readonly way: HTMLElement;
		readonly rows: ReadonlyMap<Entry, HTMLElement>;
	}[] = [];

	constructor(place: HTMLElement, events: Events) {
		this.#place = place;
		this.#events = events;
	}

	draw(listing: Listing): void {
		this.#place.replaceChildren();
		this.#drawn = listing.tables.map((table) => {
			const isDrawn = table.slots.length <= MOST_ENTRIES;
			const entries = isDrawn ? entriesOf(table, listing) : [];
			const rows = new Map(
				entries.map((entry) => [entry, this.#row(entry)] as const),
			);
			const way = make("p", { className: "way" });
			const title = titles[table.part];
			this.#place.append(
				make("h3", { textContent: title }),
				make("p", {
					className: "quiet",
					textContent: `${counted(table.size, "slot")}, ${table.slots.length.toLocaleString("en")} with code; ${lookedUp[table.part]}.`,
				}),
				...(isDrawn
					? [
							way,
							make(
								"ol",
								{ className: "slots", ariaLabel: `${title}: slots` },
								...rowsOf(table, rows),
							),
						]
					: [
							make("p", {
								textContent: `Drawn for up to ${MOST_ENTRIES} slots with code.`,
							}),
						]),
			);
			return { table, entries, way, rows };
		});
	}

	/** Says where a path is led, and marks it. */
	showWay(trace: Trace): void {
		for (const { table, entries, way, rows } of this.#drawn) {
			const { offsets, words } = wayOf(table, entries, trace);
			way.textContent = words;
			for (const [{ from }, row] of rows)
				row.classList.toggle("led", offsets.has(from));
		}
	}

	/** Marks the entries to whose code what is pointed at belongs, and that of the present step. */
	mark({ offsets }: Pointed, step: number | undefined): void {
		for (const { rows } of this.#drawn)
			for (const [{ from, to }, row] of rows) {
				const isIn = (offset: number) => offset >= from && offset < to;
				row.classList.toggle("pointed", [...offsets].some(isIn));
				row.classList.toggle("at-step", step !== undefined && isIn(step));
			}
	}

	#row(entry: Entry): HTMLElement {
		const { slot, keys, from, rules, isForRobotsTxt } = entry;
		const shown = keys.map(shownKey);
		const words =
			slot === null
				? `Patterns shorter than a key have their code at ${from}.`
				: `Slot ${slot} leads to the code at ${from}, for ${shown.slice(0, MOST_KEYS).join(", ")}.`;
		const button = make("button", {
			type: "button",
			className: "slot",
			textContent: slot === null ? "short" : String(slot),
			ariaLabel: words,
		});
		for (const event of ["pointerenter", "focus", "click"])
			button.addEventListener(event, () => this.#events.onCode(entry, words));
		return make(
			"li",
			{},
			button,
			make(
				"div",
				{ className: "code" },
				make("span", { className: "offset", textContent: String(from) }),
				...shown
					.slice(0, MOST_KEYS)
					.map((key) => make("code", { textContent: key.slice(1, -1) })),
				...(keys.length > MOST_KEYS
					? [`and ${keys.length - MOST_KEYS} more`]
					: []),
				...rules
					.slice(0, MOST_RULES)
					.map((rule) => ruleButton(rule, this.#events.onRule)),
				...(rules.length > MOST_RULES
					? [`and ${counted(rules.length - MOST_RULES, "more rule")}`]
					: []),
				...(isForRobotsTxt
					? [
							make("span", {
								className: "chip allowed",
								textContent: "✓ /robots.txt itself",
							}),
						]
					: []),
			),
		);
	}
}

/** The rows in the order of the slots, with one for each run of slots that have no code. */
function rowsOf(
	{ size, from }: JumpTable,
	rows: ReadonlyMap<Entry, HTMLElement>,
): readonly HTMLElement[] {
	const all: HTMLElement[] = [];
	let next = 0;
	const skipTo = (slot: number) => {
		if (slot > next)
			all.push(
				make(
					"li",
					{ className: "empty" },
					make("span", {
						className: "slot",
						textContent: slot - next === 1 ? `${next}` : `${next}–${slot - 1}`,
					}),
					make("span", {
						className: "quiet",
						textContent: `stop at ${from}`,
					}),
				),
			);
	};
	for (const [{ slot }, row] of rows) {
		if (slot !== null) {
			skipTo(slot);
			next = slot + 1;
		}
		all.push(row);
	}
	skipTo(size);
	return all;
}
