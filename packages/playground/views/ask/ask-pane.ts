/**
 * The view with one question, in three fields, URL, crawler and the site's robots.txt, and one answer: what the page begins with. robots.txt
 * and crawler are those of the page, so that other views go on from there. Its elements are in index.html.
 */

import { explanationOf } from "../../answer/explanation.ts";
import type { WhoCard } from "../../answer/who-card.ts";
import type { Asker } from "../../page/asker.ts";
import { byId, delayed, make } from "../../page/dom.ts";
import type { Setting } from "../../page/messages.ts";
import { part } from "../../page/part.ts";
import { Stale } from "../../page/stale.ts";
import { hostOf, proposalFor } from "../../page/url-text.ts";
import { type Whose, whereToFind } from "../../page/whose.ts";

/** What the pane needs of the page. */
interface Page {
	readonly asker: Asker;
	readonly whose: Whose;
	readonly setting: () => Setting;
	readonly setAgent: (agent: string) => void;
	readonly robots: () => string | Uint8Array;
	readonly setRobots: (robots: string) => void;
	/** What a link carries has changed. */
	readonly onChange: () => void;
	readonly notify: (text: string) => void;
}

/** Asked about the shop, the first sample: a page that its rules keep crawlers from. */
const EXAMPLE = "https://example.com/search?q=tea";

/** One URL, one crawler. */
export class AskPane {
	readonly #page: Page;
	readonly #url = byId<HTMLInputElement>("ask-url");
	readonly #agent = byId<HTMLInputElement>("ask-agent");
	readonly #robots = byId<HTMLTextAreaElement>("ask-robots");
	readonly #stale = new Stale([byId("ask-answer")]);
	#who: WhoCard | undefined;

	constructor(page: Page) {
		this.#page = page;
		const askSoon = delayed(() => void this.#ask(), 150);
		byId("ask-form").addEventListener("submit", (event) =>
			event.preventDefault(),
		);
		this.#url.addEventListener("input", () => {
			askSoon();
			page.onChange();
		});
		this.#agent.addEventListener("input", () => {
			page.setAgent(this.#agent.value);
			askSoon();
		});
		this.#robots.addEventListener("input", () => {
			page.setRobots(this.#robots.value);
			askSoon();
		});
		// What is typed or pasted next takes the sample's place.
		for (const field of [this.#url, this.#robots])
			field.addEventListener("focus", () => {
				if (page.whose.host !== undefined) field.select();
			});
		const all = byId<HTMLDetailsElement>("ask-all");
		const load = part(async () => {
			const { WhoCard } = await import("../../answer/who-card.ts");
			this.#who = new WhoCard({
				...{ card: all, place: byId("ask-who"), choosesList: false },
				judge: page.asker,
				url: () => this.#judged,
				goToLine: (line) => this.#goToLine(line),
			});
		});
		all.addEventListener("toggle", () => {
			this.#who?.update();
			if (all.open)
				load().catch(() => {
					all.open = false;
					page.notify("This could not be loaded. Are you offline?");
				});
		});
	}

	/** What was typed before there was a script to hear of it. */
	takeTyped(): void {
		if (this.#agent.value !== "") this.#page.setAgent(this.#agent.value);
		if (this.#robots.value !== "") this.#page.setRobots(this.#robots.value);
		if (this.#url.value !== "") this.#page.onChange();
	}

	get url(): string {
		return this.#url.value;
	}

	set url(url: string) {
		this.#url.value = url;
	}

	/** Shows the page's robots.txt and crawler, and a URL where none is there yet. */
	show(url: string): void {
		const { host } = this.#page.whose;
		const isShop = host === hostOf(EXAMPLE);
		const isOfOther = host !== undefined && !isShop;
		const asked = this.#url.value;
		if (asked === "" || (asked === EXAMPLE && isOfOther))
			this.#url.value = isShop ? EXAMPLE : url;
		const { agent } = this.#page.setting();
		this.#agent.value = agent === "*" ? "" : agent;
		this.#takeRobots();
		void this.#ask();
	}

	/** Asks anew where the page's robots.txt is no longer the one that is shown. */
	follow(): void {
		if (this.#takeRobots()) void this.#ask();
	}

	/** Whether the page's robots.txt was another one. */
	#takeRobots(): boolean {
		const robots = this.#page.robots();
		const text =
			typeof robots === "string" ? robots : new TextDecoder().decode(robots);
		// A textarea has LF alone; to set it anew would move the cursor.
		const isOther = this.#robots.value !== text.replace(/\r\n?/g, "\n");
		if (isOther) this.#robots.value = text;
		return isOther;
	}

	/** The URL, where it is judged. */
	get #judged(): string {
		const url = this.#url.value.trim();
		return this.#page.whose.question(url) ? "" : url;
	}

	/** Whose robots.txt it is, and where that of the URL is. */
	#tellWhose(): void {
		const { words } = this.#page.whose;
		const url = this.#url.value.trim();
		byId("ask-whose").replaceChildren(
			...(words !== undefined
				? [`This is ${words}: paste yours over it.`]
				: hostOf(url) === undefined
					? []
					: ["Is it that of the URL? ", ...whereToFind(url)]),
		);
	}

	async #ask(): Promise<void> {
		this.#tellWhose();
		this.#who?.update();
		const url = this.#url.value.trim();
		if (url === "") {
			this.#say(make("p", { textContent: "Write a URL, or a path." }));
			return;
		}
		const question = this.#page.whose.question(url);
		if (question) {
			this.#say(question);
			return;
		}
		const setting = this.#page.setting();
		try {
			const details = await this.#stale.until(
				this.#page.asker.ask("ask", { url }),
			);
			if (!details || this.#url.value.trim() !== url) return;
			byId("ask-answer").replaceChildren(
				...explanationOf(details, setting, (line) => this.#goToLine(line), {
					line: () => {
						// Setting a value fires no input event, so the question is asked here.
						this.#url.value = proposalFor(url) ?? url;
						this.#page.onChange();
						void this.#ask();
					},
				}),
			);
		} catch (error) {
			const says = error instanceof Error ? error.message : String(error);
			this.#say(make("p", { textContent: says }));
		}
	}

	/** In the place of an answer: an older one would be taken for that of what is asked now. */
	#say(words: HTMLElement): void {
		this.#stale.clear();
		byId("ask-answer").replaceChildren(words);
	}

	#goToLine(line: number): void {
		const lines = this.#robots.value.split("\n");
		const from =
			lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
		this.#robots.focus();
		this.#robots.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
	}
}
