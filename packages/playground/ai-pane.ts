/**
 * The view of AI crawlers: who may fetch a page, train with it, use it in answers; and the same as a card to share. main.ts loads it when it
 * is opened. The card is drawn on a canvas, so that it can be saved without a server.
 */
import "./ai.css";
import type { Asker } from "./asker.ts";
import { byId, counted, delayed, fillPane, make } from "./dom.ts";
import type { AiCrawler, AiKind, Said } from "./messages.ts";
import markup from "./pane-ai.html?raw";
import { saveAs } from "./save.ts";
import { Stale } from "./stale.ts";

// Before the class: its fields are elements of it.
fillPane("ai", markup);

const kindNames: Readonly<Record<AiKind, string>> = {
	"ai-training": "Training",
	"ai-search": "AI search",
	"ai-assistant": "Assistants",
};
const kindOfOne: Readonly<Record<AiKind, string>> = {
	"ai-training": "training",
	"ai-search": "AI search",
	"ai-assistant": "assistant",
};

/** What the pane needs of the page. */
interface Page {
	readonly asker: Asker;
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
	readonly #canvas = byId<HTMLCanvasElement>("ai-card");
	readonly #stale = new Stale([byId("ai-table"), byId("ai-says")]);

	constructor(page: Page) {
		this.#page = page;
		const soon = delayed(() => void this.show(), 200);
		this.#path.addEventListener("input", () => {
			soon();
			page.onChange();
		});
		const link = byId<HTMLButtonElement>("ai-link");
		link.addEventListener("click", () => page.copyLink(link));
		byId("ai-picture").addEventListener("click", () =>
			this.#canvas.toBlob((picture) => {
				if (picture) saveAs("robots-txt-and-ai.png", "image/png", picture);
				else page.notify("The browser could not make the picture.");
			}),
		);
	}

	/** "" for the home page. */
	get path(): string {
		const path = this.#path.value.trim();
		return path === "/" ? "" : path;
	}

	set path(path: string) {
		this.#path.value = path || "/";
	}

	async show(): Promise<void> {
		const path = this.path || "/";
		try {
			const rows = await this.#stale.until(
				this.#page.asker.ask("ai", { url: path }),
			);
			if (!rows) return;
			const says = sentenceOf(rows, path);
			byId("ai-says").textContent = says;
			byId("ai-table").replaceChildren(tableOf(rows, this.#page.goToLine));
			draw(this.#canvas, rows, says);
			this.#canvas.setAttribute("aria-label", `A card: ${says}`);
		} catch (error) {
			this.#stale.clear();
			byId("ai-says").textContent =
				error instanceof Error ? error.message : String(error);
		}
	}
}

function sentenceOf(rows: readonly AiCrawler[], path: string): string {
	const fetching = rows.filter(({ allowed }) => allowed);
	const trainers = rows.filter(({ kind }) => kind === "ai-training");
	const training = trainers.filter(
		({ allowed, training: said }) => allowed && said?.allowed !== false,
	);
	// Who may not fetch a page cannot use it either; a site that says nothing of a use permits it.
	return `${ofAll(fetching, rows, "AI crawler")} may fetch ${path === "/" ? "the home page" : path}. ${ofAll(training, trainers, "crawler")} that ${trainers.length === 1 ? "collects" : "collect"} texts for training may use it for that.`;
}

/** "None of the 24 crawlers". */
function ofAll(
	some: readonly AiCrawler[],
	all: readonly AiCrawler[],
	what: string,
): string {
	if (some.length === all.length) return `All ${counted(all.length, what)}`;
	return `${some.length === 0 ? "None" : some.length} of the ${counted(all.length, what)}`;
}

function tableOf(
	rows: readonly AiCrawler[],
	goToLine: (line: number) => void,
): HTMLElement {
	const isUseSaid = rows.some(
		({ training, answering }) => training ?? answering,
	);
	const head = [
		"Crawler",
		"Fetch",
		...(isUseSaid ? ["Training", "Answers"] : []),
	].map((text) => make("th", { scope: "col", textContent: text }));
	return make(
		"table",
		{},
		...(isUseSaid
			? []
			: [
					make("caption", {
						className: "quiet",
						textContent:
							"This robots.txt says nothing about training and answers: it has no Content-Signal or Content-Usage for these crawlers.",
					}),
				]),
		make("thead", {}, make("tr", {}, ...head)),
		make(
			"tbody",
			{},
			...rows.map((row) => {
				const { name, operator, kind, obeysRobotsTxt, allowed, line } = row;
				const { dialect } = row;
				return make(
					"tr",
					{},
					make(
						"th",
						{ scope: "row" },
						`${name}${obeysRobotsTxt ? "" : "*"} `,
						make("span", {
							className: "quiet",
							textContent: `${operator}, ${kindOfOne[kind]}, read as ${dialect}`,
						}),
					),
					make(
						"td",
						{},
						chip(allowed, allowed ? "yes" : "no"),
						...lineButton(line, goToLine),
					),
					...(isUseSaid
						? [row.training, row.answering].map((said) =>
								make("td", {}, ...useOf(row, said, goToLine)),
							)
						: []),
				);
			}),
		),
	);
}

function chip(good: boolean, text: string): HTMLElement {
	return make("span", {
		className: `chip ${good ? "allowed" : "disallowed"}`,
		textContent: `${good ? "✓" : "✕"} ${text}`,
	});
}

function lineButton(
	line: number | null,
	goToLine: (line: number) => void,
): Node[] {
	return line === null
		? []
		: [
				make("button", {
					type: "button",
					className: "line",
					textContent: `line ${line}`,
					onclick: () => goToLine(line),
				}),
			];
}

function useOf(
	{ allowed }: AiCrawler,
	said: Said | null,
	goToLine: (line: number) => void,
): (Node | string)[] {
	if (!allowed || !said)
		return [
			make("span", {
				className: "quiet",
				textContent: allowed ? "not said" : "may not fetch",
			}),
		];
	return [
		chip(said.allowed, said.allowed ? "yes" : "no"),
		...lineButton(said.line, goToLine),
	];
}

/** Rows of a column on the card. */
const MOST_NAMES = 12;

/** Draws the card in the page's colours. All positions are for a canvas of 1200 by 630, the size of link previews (pane-ai.html). */
function draw(
	canvas: HTMLCanvasElement,
	rows: readonly AiCrawler[],
	says: string,
): void {
	const paint = canvas.getContext("2d");
	if (!paint) return;
	// The variables hold light-dark(): what an element makes of them is plain.
	const probe = make("span");
	document.body.append(probe);
	const colour = (name: string) => {
		probe.style.color = `var(--${name})`;
		return getComputedStyle(probe).color;
	};
	const [card, text, quiet, good, bad, accent] = [
		...["card", "text", "quiet", "good", "bad", "accent"].map(colour),
	] as [string, string, string, string, string, string];
	probe.remove();
	const write = (
		words: string,
		x: number,
		y: number,
		{ fill = text, size = 24, weight = 400 } = {},
	) => {
		paint.fillStyle = fill;
		paint.font = `${weight} ${size}px system-ui, "DejaVu Sans", sans-serif`;
		paint.fillText(words, x, y, canvas.width - x - 30);
	};
	paint.fillStyle = card;
	paint.fillRect(0, 0, canvas.width, canvas.height);
	write("robots.txt and AI", 50, 80, { size: 44, weight: 700, fill: accent });
	// A sentence a line: a canvas breaks none.
	says.split(/(?<=\.) /).forEach((sentence, i) => {
		write(sentence, 50, 124 + i * 34, { size: 26 });
	});
	Object.entries(kindNames).forEach(([kind, name], column) => {
		const x = 50 + column * 385;
		write(name, x, 214, { weight: 700, size: 26 });
		const own = rows.filter((row) => row.kind === kind);
		own.slice(0, MOST_NAMES).forEach(({ name: crawler, allowed }, i) => {
			const y = 254 + i * 29;
			write(allowed ? "✓" : "✕", x, y, {
				fill: allowed ? good : bad,
				weight: 700,
				size: 22,
			});
			write(crawler.slice(0, 26), x + 34, y, { size: 22 });
		});
		if (own.length > MOST_NAMES)
			write(`and ${own.length - MOST_NAMES} more`, x, 254 + MOST_NAMES * 29, {
				fill: quiet,
				size: 20,
			});
	});
	write("made with robotrie", 980, 74, { fill: quiet, size: 18 });
}
