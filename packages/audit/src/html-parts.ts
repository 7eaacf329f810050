import { cutMiddle } from "./cut-middle.ts";
import { escapeHtml } from "./escape-html.ts";
import type { CrawlerReport } from "./report.ts";

/** Parts that several pieces of the page have in common. */
export const LEGEND = `<p class="legend"><span class="disallowed">disallowed</span><span class="allowed">allowed</span><span class="other">robots.txt and no URLs</span></p>`;

export function number(value: number): string {
	return value.toLocaleString("en-US");
}

export function time(timestamp: string | null): string {
	return timestamp ? timestamp.slice(0, 16).replace("T", " ") : "-";
}

function textOf({ name, verification }: CrawlerReport): string {
	return verification ? `${name} (${verification})` : name;
}

export function label(crawler: CrawlerReport): string {
	return escapeHtml(textOf(crawler));
}

/** Characters of a short label. */
const SHORT = 24;

export function shortLabel(crawler: CrawlerReport): string {
	return escapeHtml(cutMiddle(textOf(crawler), SHORT));
}
