/**
 * The field for the crawler, and the sentence under it. The page asks with what it holds, as a name or a whole User-Agent header; who that
 * is, is found out twice: at once by name, from the table that main.ts hands in, and by the worker, which also knows headers, with the next
 * verdicts.
 */
import type { Crawler } from "robotrie";
import { byId, make } from "./dom.ts";
import type { Recognised } from "./messages.ts";

/** The field for the crawler: any text counts, the table's crawlers are suggested while typing. */
export class CrawlerField {
	readonly #input = byId<HTMLInputElement>("agent");
	#crawlers: readonly Crawler[] = [];
	#recognised: Recognised | undefined;

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

	get #crawler(): Crawler | undefined {
		const name = this.agent.toLowerCase();
		return (
			this.#crawlers.find(
				(candidate) => candidate.name.toLowerCase() === name,
			) ?? this.#known?.crawler
		);
	}

	/** What was recognised, if it was in what the field holds now. */
	get #known(): Recognised | undefined {
		return this.#recognised?.agent === this.agent
			? this.#recognised
			: undefined;
	}

	set recognised(recognised: Recognised) {
		// It may come after further typing: `#known` looks whether it is about what the field holds.
		this.#recognised = recognised;
		this.#describe();
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
		const about = byId("about-crawler");
		const crawler = this.#crawler;
		// Other characters than a product token has: somebody pasted a header.
		const isHeader = /[^\w-]/.test(this.agent) && this.agent !== "*";
		if (!crawler) {
			about.textContent =
				this.agent === "*"
					? "No name: judged as a crawler without a group of its own."
					: isHeader && this.#known
						? `No known crawler. Product token: ${this.#known.token || "none"}.`
						: "";
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
		const isOther = this.agent.toLowerCase() !== crawler.name.toLowerCase();
		const facts = [
			...(isOther ? [`Recognised: ${crawler.name}.`] : []),
			`${operator}, ${kind}.`,
			...(isOther || tokens.length > 1
				? [`Groups: ${tokens.join(", else ")}.`]
				: []),
			...(obeysGlobal ? [] : ["It does not obey groups for *."]),
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
