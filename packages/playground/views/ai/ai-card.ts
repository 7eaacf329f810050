/**
 * The card of the view of AI crawlers, on a canvas, so that it can be saved without a server. All positions are for 1200 by 630, the size of
 * link previews (pane-ai.html).
 */

import { make } from "../../page/dom.ts";
import type { Access, AiCrawler } from "../../page/messages.ts";
import { answerOf, kindNames, marks, nameOf, wordOf } from "./ai-words.ts";

/** Kinds that there is room for: sentences alone tell of the others. */
const COLUMNS = 3;

/** Rows of a column. */
const MOST_NAMES = 10;

const FAMILY = 'system-ui, "DejaVu Sans", sans-serif';

/** Draws the card in the page's colours. A canvas breaks no lines, so what is too long ends in "…". */
export function drawCard(
	canvas: HTMLCanvasElement,
	crawlers: readonly AiCrawler[],
	sentences: readonly string[],
	{ page, site }: { readonly page: string; readonly site: string },
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
	const [card, text, quiet, good, bad, warn, accent] = [
		"card",
		"text",
		"quiet",
		"good",
		"bad",
		"warn",
		"accent",
	].map(colour) as [string, string, string, string, string, string, string];
	probe.remove();
	const fills = { all: good, parts: warn, nothing: bad };
	const write = (
		words: string,
		x: number,
		y: number,
		{
			fill = text,
			size = 24,
			weight = 400,
			width = canvas.width - x - 40,
		} = {},
	) => {
		paint.fillStyle = fill;
		paint.font = `${weight} ${size}px ${FAMILY}`;
		let shown = words;
		while (shown.length > 1 && paint.measureText(shown).width > width)
			shown = `${shown.slice(0, shown.endsWith("…") ? -2 : -1)}…`;
		paint.fillText(shown, x, y);
	};
	paint.fillStyle = card;
	paint.fillRect(0, 0, canvas.width, canvas.height);
	write(`AI and ${site || "this site"}, by its robots.txt`, 50, 74, {
		...{ size: 40, weight: 700, fill: accent },
	});
	sentences.forEach((sentence, i) => {
		write(sentence, 50, 110 + i * 27, { size: 20 });
	});
	const columns = Object.entries(kindNames).slice(0, COLUMNS);
	columns.forEach(([kind, name], column) => {
		const x = 50 + column * 385;
		write(name, x, 262, { weight: 700, size: 24, width: 365 });
		const own = crawlers.filter((row) => row.kind === kind);
		own.slice(0, MOST_NAMES).forEach((crawler, i) => {
			const y = 296 + i * 28;
			const answer = answerOf(crawler);
			write(marks[answer].symbol, x, y, {
				...{ fill: fills[answer], weight: 700, size: 22 },
			});
			write(nameOf(crawler), x + 34, y, { size: 21, width: 330 });
		});
		if (own.length > MOST_NAMES)
			write(`and ${own.length - MOST_NAMES} more`, x, 296 + MOST_NAMES * 28, {
				...{ fill: quiet, size: 19 },
			});
	});
	const legend = Object.entries(marks)
		.filter(([answer]) => page === "" || answer !== "parts")
		.map(
			([answer, { symbol }]) => `${symbol} ${wordOf(answer as Access, page)}`,
		);
	const notes = [
		...legend,
		"* may ignore robots.txt",
		"† sends no requests",
	].join("   ");
	write(notes, 50, 612, { fill: quiet, size: 17, width: 850 });
	write("made with robotrie", 985, 612, { fill: quiet, size: 17 });
}
