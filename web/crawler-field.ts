import type { Crawler } from "../src/crawlers/crawler.ts";
import { byId, make } from "./dom.ts";

/** The field for the crawler: any text counts, the table's crawlers are suggested while typing. */
export class CrawlerField {
	readonly #input = byId<HTMLInputElement>("agent");
	#crawlers: readonly Crawler[] = [];

	constructor(onChange: () => void) {
		this.#input.addEventListener("input", () => {
			this.#describe();
			onChange();
		});
	}

	/** What the file is asked about; groups for `*` where the field is empty. */
	get agent(): string {
		return this.#input.value.trim() || "*";
	}

	set agent(text: string) {
		this.#input.value = text === "*" ? "" : text;
		this.#describe();
	}

	suggest(crawlers: readonly Crawler[]): void {
		this.#crawlers = crawlers;
		byId("crawlers").replaceChildren(
			...crawlers.map(({ name, operator, kind }) =>
				make("option", { value: name, label: `${operator}, ${kind}` }),
			),
		);
		this.#describe();
	}

	#describe(): void {
		const name = this.#input.value.trim().toLowerCase();
		const about = byId("about-crawler");
		const crawler = this.#crawlers.find(
			(candidate) => candidate.name.toLowerCase() === name,
		);
		if (!crawler) {
			about.textContent =
				name === "" ? "No name: a crawler that the file does not name." : "";
			return;
		}
		const {
			operator,
			kind,
			tokens,
			obeysGlobal,
			obeysRobotsTxt,
			sendsRequests,
		} = crawler;
		const facts = [
			`${operator}, ${kind}.`,
			...(tokens.length > 1 ? [`Groups: ${tokens.join(", else ")}.`] : []),
			...(obeysGlobal ? [] : ["Groups for * do not hold for it."]),
			...(obeysRobotsTxt ? [] : ["It may ignore robots.txt."]),
			...(sendsRequests ? [] : ["It sends no requests of its own."]),
		];
		about.replaceChildren(
			`${facts.join(" ")} `,
			...(crawler.documentation === undefined
				? []
				: [
						make("a", {
							href: crawler.documentation,
							rel: "noreferrer",
							target: "_blank",
							textContent: "Documentation",
						}),
					]),
		);
	}
}
