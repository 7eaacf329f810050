/**
 * The page's tabs. main.ts makes them; ids are "tab-NAME" and "pane-NAME", and the names are also those in links and in the history. Only
 * one tab is in the order of the Tab key, as screen readers' users expect.
 */
import { byId } from "./dom.ts";

/** Tabs as the ARIA authoring practices have them: arrow keys go from one to the next. */
export class Tabs {
	readonly #tabs = Array.from(
		byId("tabs").querySelectorAll<HTMLButtonElement>("[role=tab]"),
	);
	readonly #onShow: (name: string) => void;

	constructor(onShow: (name: string) => void) {
		this.#onShow = onShow;
		this.#tabs.forEach((tab, index) => {
			tab.addEventListener("click", () => this.show(nameOf(tab)));
			tab.addEventListener("keydown", (event) => {
				// Alt and the left arrow are the browser's Back, on a Mac the command key and it.
				if (event.altKey || event.ctrlKey || event.metaKey) return;
				const last = this.#tabs.length - 1;
				const target = {
					ArrowRight: index === last ? 0 : index + 1,
					ArrowLeft: index === 0 ? last : index - 1,
					Home: 0,
					End: last,
				}[event.key];
				const next = this.#tabs[target ?? -1];
				if (!next) return;
				next.focus();
				this.show(nameOf(next));
			});
		});
	}

	get current(): string {
		const tab = this.#tabs.find(({ ariaSelected }) => ariaSelected === "true");
		return tab ? nameOf(tab) : "ask";
	}

	/** Shows a pane; an unknown name, as in a link of another version, shows the first one. */
	show(name: string): void {
		const [first] = this.#tabs;
		const chosen = this.#tabs.find((tab) => nameOf(tab) === name) ?? first;
		const list = byId("tabs");
		for (const tab of this.#tabs) {
			const selected = tab === chosen;
			tab.ariaSelected = String(selected);
			tab.tabIndex = selected ? 0 : -1;
			byId(`pane-${nameOf(tab)}`).hidden = !selected;
			// On a phone the list scrolls, and the page does not.
			if (selected)
				list.scrollLeft =
					tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
		}
		if (chosen) this.#onShow(nameOf(chosen));
	}
}

function nameOf(tab: HTMLElement): string {
	return tab.id.replace("tab-", "");
}
