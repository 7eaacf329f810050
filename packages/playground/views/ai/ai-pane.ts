/**
 * The view of AI crawlers: who may train with a site, use it in answers, and fetch it for people; first the whole site, then one page; and
 * the same as a card to share. main.ts loads it when it is opened. Marks answer what their heading asks, in the table and on the card.
 */
import "./ai.css";
import { saveAs } from "../../files/save.ts";
import type { Asker } from "../../page/asker.ts";
import { byId, delayed, fillPane, make } from "../../page/dom.ts";
import type { AiAnswer } from "../../page/messages.ts";
import { Stale } from "../../page/stale.ts";
import type { Whose } from "../../page/whose.ts";
import { drawCard } from "./ai-card.ts";
import {
	answerOf,
	type Group,
	groupsOf,
	kindNames,
	marks,
	sentencesOf,
	wordOf,
} from "./ai-words.ts";
import markup from "./pane-ai.html?raw";

// Before the class: its fields are elements of it.
fillPane("ai", markup);

/** What the pane needs of the page. */
interface Page {
	readonly asker: Asker;
	readonly whose: Whose;
	readonly goToLine: (line: number) => void;
	readonly copyLink: (button: HTMLButtonElement) => void;
	/** What a link carries has changed. */
	readonly onChange: () => void;
	readonly notify: (text: string) => void;
}

/** AI crawlers at a glance. */
export class AiPane {
	readonly #page: Page;
	readonly #path = byId<HTMLInputElement>("ai-path");
	readonly #site = byId<HTMLInputElement>("ai-site");
	readonly #canvas = byId<HTMLCanvasElement>("ai-card");
	readonly #stale = new Stale([
		byId("ai-table"),
		byId("ai-says"),
		byId("ai-card-place"),
	]);
	#answer: AiAnswer | undefined;

	constructor(page: Page) {
		this.#page = page;
		const soon = delayed(() => void this.show(), 200);
		this.#path.addEventListener("input", () => {
			soon();
			page.onChange();
		});
		this.#site.addEventListener("input", () => this.#draw());
		// The card is drawn in the page's colours.
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
			this.#drawCard(),
		);
		const link = byId<HTMLButtonElement>("ai-link");
		link.addEventListener("click", () => page.copyLink(link));
		byId("ai-picture").addEventListener("click", () =>
			this.#canvas.toBlob((picture) => {
				if (picture) saveAs("robots-txt-and-ai.png", "image/png", picture);
				else page.notify("The browser could not make the picture.");
			}),
		);
	}

	/** "" for the whole site. */
	get path(): string {
		return this.#path.value.trim();
	}

	set path(path: string) {
		this.#path.value = path;
	}

	async show(): Promise<void> {
		const { path } = this;
		const question = this.#page.whose.question(path);
		if (question) {
			this.#stale.clear();
			this.#say(question);
			return;
		}
		try {
			const answer = await this.#stale.until(
				this.#page.asker.ask("ai", { url: path }),
			);
			if (!answer || this.path !== path) return;
			this.#answer = answer;
			this.#draw();
		} catch (error) {
			this.#stale.clear();
			this.#say(error instanceof Error ? error.message : String(error));
		}
	}

	/** In the place of an answer: an older one would be taken for that of what is asked now. */
	#say(words: Node | string): void {
		this.#answer = undefined;
		byId("ai-says").replaceChildren(words);
		for (const id of ["ai-table", "ai-notes"]) byId(id).replaceChildren();
		byId("ai-card-place").hidden = true;
	}

	#draw(): void {
		if (!this.#answer) return;
		const { crawlers, site } = this.#answer;
		const { whose } = this.#page;
		this.#site.placeholder = whose.host || site || "its name, for the card";
		// The sample's answers are of no other site.
		this.#site.disabled = whose.only !== undefined;
		byId("ai-says").replaceChildren(
			...sentencesOf(crawlers, this.#subject).map((textContent) =>
				make("p", { textContent }),
			),
		);
		byId("ai-table").replaceChildren(
			tableOf(groupsOf(crawlers), this.path, this.#page.goToLine),
		);
		byId("ai-notes").textContent = [
			crawlers.some(({ training, answering }) => training ?? answering)
				? ""
				: "The file has no Content-Signal or Content-Usage for these crawlers: nothing but its rules says what they may do.",
			"* may ignore robots.txt, by its operator.",
			"† sends no requests: rules for it are about what others of its operator fetch.",
		]
			.filter(Boolean)
			.join(" ");
		byId("ai-card-place").hidden = false;
		this.#drawCard();
	}

	#drawCard(): void {
		if (!this.#answer) return;
		const { crawlers } = this.#answer;
		const sentences = sentencesOf(crawlers, this.#subject);
		drawCard(this.#canvas, crawlers, sentences, this.#subject);
		this.#canvas.ariaLabel = `A card: ${sentences.join(" ")}`;
	}

	/** What was typed, or what the file says by its sitemaps. */
	get #siteName(): string {
		const { only, host } = this.#page.whose;
		return (
			only ?? (this.#site.value.trim() || host || this.#answer?.site || "")
		);
	}

	/** What the sentences are about. */
	get #subject(): { readonly page: string; readonly site: string } {
		return { page: this.path, site: this.#siteName };
	}
}

function tableOf(
	groups: readonly Group[],
	page: string,
	goToLine: (line: number) => void,
): HTMLElement {
	const bodies = Object.entries(kindNames).map(([kind, name]) => {
		const rows = groups.filter((group) => group.kind === kind);
		return make(
			"tbody",
			{},
			...rows.map(({ first, names, reason, line }, at) =>
				make(
					"tr",
					{},
					...(at > 0
						? []
						: [
								make("th", {
									scope: "rowgroup",
									rowSpan: rows.length,
									textContent: name,
								}),
							]),
					make("td", {}, chipOf(first, page)),
					make(
						"td",
						{},
						`${names.join(", ")} `,
						make("span", {
							className: "quiet",
							textContent: `${reason}${reason === "" ? "" : ", "}read as ${first.dialect} `,
						}),
						...(line === null
							? []
							: [
									make("button", {
										type: "button",
										className: "line",
										textContent: `line ${line}`,
										onclick: () => goToLine(line),
									}),
								]),
					),
				),
			),
		);
	});
	return make("table", {}, ...bodies);
}

function chipOf(crawler: Group["first"], page: string): HTMLElement {
	const answer = answerOf(crawler);
	const { symbol, className } = marks[answer];
	return make("span", {
		className: `chip ${className}`,
		textContent: `${symbol} ${wordOf(answer, page)}`,
	});
}
