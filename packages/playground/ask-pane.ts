/**
 * The view with three fields, site's robots.txt, URL and crawler, and one answer. main.ts loads it when it is opened; robots.txt and crawler
 * are those of the page, so that other views go on from there.
 */
import "./ask.css";
import "./who.css";
import type { Asker } from "./asker.ts";
import { byId, delayed, fillPane, make } from "./dom.ts";
import { explanationOf } from "./explanation.ts";
import type { Setting } from "./messages.ts";
import markup from "./pane-ask.html?raw";
import { proposalFor } from "./proposal.ts";
import { Stale } from "./stale.ts";
import { crawlerTable } from "./who.ts";

// Before the class: its fields are elements of it.
fillPane("ask", markup);

/** What the pane needs of the page. */
interface Page {
	/** A worker of its own: the Test pane asks the same kinds of questions. */
	readonly asker: Asker;
	readonly setting: () => Setting;
	readonly setAgent: (agent: string) => void;
	readonly robots: () => string | Uint8Array;
	readonly setRobots: (robots: string) => void;
	/** What a link carries has changed. */
	readonly onChange: () => void;
}

/** One URL, one crawler. */
export class AskPane {
	readonly #page: Page;
	readonly #url = byId<HTMLInputElement>("ask-url");
	readonly #agent = byId<HTMLInputElement>("ask-agent");
	readonly #robots = byId<HTMLTextAreaElement>("ask-robots");
	readonly #stale = new Stale([byId("ask-answer"), byId("ask-who")]);

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
	}

	get url(): string {
		return this.#url.value;
	}

	set url(url: string) {
		this.#url.value = url;
	}

	/** Shows the page's robots.txt and crawler, and a URL where none is there yet. */
	show(url: string): void {
		if (this.#url.value === "") this.#url.value = url;
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

	async #ask(): Promise<void> {
		const url = this.#url.value.trim();
		if (url === "") {
			this.#stale.clear();
			byId("ask-who").replaceChildren();
			this.#say("Write a URL, or a path.");
			return;
		}
		const setting = this.#page.setting();
		const { asker } = this.#page;
		try {
			const answers = await this.#stale.until(
				Promise.all([
					asker.ask("explain", { url }),
					asker.ask("who", { url }),
				]).then(([details, who]) =>
					// A newer question replaced one of the two: the other half alone would be about an older URL.
					details === undefined || who === undefined
						? undefined
						: { details, who },
				),
			);
			if (!answers || this.#url.value.trim() !== url) return;
			const goToLine = (line: number) => this.#goToLine(line);
			byId("ask-answer").replaceChildren(
				...explanationOf(answers.details, setting, goToLine, () => {
					// Setting a value fires no input event, so the question is asked here.
					this.#url.value = proposalFor(url) ?? url;
					void this.#ask();
				}),
			);
			byId("ask-who").replaceChildren(
				...(answers.who === null
					? [make("p", { textContent: "This is not a URL." })]
					: crawlerTable(answers.who, true, goToLine)),
			);
		} catch (error) {
			this.#stale.clear();
			this.#say(error instanceof Error ? error.message : String(error));
		}
	}

	#say(text: string): void {
		byId("ask-answer").replaceChildren(
			make("p", { className: "quiet", textContent: text }),
		);
	}

	#goToLine(line: number): void {
		const lines = this.#robots.value.split("\n");
		const from =
			lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
		this.#robots.focus();
		this.#robots.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
	}
}
