/** The card under Test and One URL that asks about all known crawlers at once. Both load it when it is unfolded; folded up, it asks nothing. */
import type { Asker } from "../page/asker.ts";
import { delayed, make } from "../page/dom.ts";
import { Stale } from "../page/stale.ts";
import { crawlerTable } from "./who.ts";
import "./who.css";

/** What the card needs of its pane. */
interface Pane {
	readonly card: HTMLDetailsElement;
	readonly place: HTMLElement;
	/** Whether one may also ask about all URLs. */
	readonly choosesList: boolean;
	readonly judge: Asker;
	/** The URL to ask about; "" where there is none. */
	readonly url: () => string;
	readonly goToLine: (line: number) => void;
}

/** All known crawlers at once, about the URL at the cursor or all lines. */
export class WhoCard {
	readonly #pane: Pane;
	readonly #choice = make(
		"select",
		{ id: "who-about" },
		make("option", { value: "url", textContent: "the URL at the cursor" }),
		make("option", { value: "all", textContent: "all URLs" }),
	);
	readonly #url = make("code");
	readonly #place = make("div", { className: "who-answer" });
	readonly #stale = new Stale([this.#place]);
	/** After a while: who types is shown the verdicts first. */
	readonly #askSoon = delayed(() => void this.#ask(), 300);

	constructor(pane: Pane) {
		this.#pane = pane;
		this.#choice.addEventListener("change", () => void this.#ask());
		pane.place.replaceChildren(
			...(pane.choosesList
				? [
						make(
							"p",
							{ className: "who-question" },
							make("label", {}, "Who may fetch ", this.#choice),
							this.#url,
						),
					]
				: []),
			this.#place,
		);
		void this.#ask();
	}

	/** Something has changed. */
	update(): void {
		if (this.#pane.card.open) this.#askSoon();
	}

	async #ask(): Promise<void> {
		const isOneUrl = this.#choice.value === "url";
		const url = this.#pane.url();
		this.#url.textContent = isOneUrl ? url : "";
		if (isOneUrl && url === "") {
			this.#stale.clear();
			this.#say(
				this.#pane.choosesList ? "Put the cursor on a URL." : "Write a URL.",
			);
			return;
		}
		try {
			const verdicts = await this.#stale.until(
				this.#pane.judge.ask("who", isOneUrl ? { url } : {}),
			);
			if (verdicts === undefined) return;
			if (verdicts === null) this.#say("This is not a URL.");
			else
				this.#place.replaceChildren(
					...crawlerTable(verdicts, isOneUrl, this.#pane.goToLine),
				);
		} catch (error) {
			this.#stale.clear();
			this.#say(error instanceof Error ? error.message : String(error));
		}
	}

	#say(text: string): void {
		this.#place.replaceChildren(make("p", { textContent: text }));
	}
}
