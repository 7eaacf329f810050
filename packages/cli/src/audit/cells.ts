import type { CrawlerReport } from "@robotrie/audit";
import { printable } from "../output/output.ts";

/** A crawler, and whether its addresses are its operator's. */
export function nameOf({ name, verification }: CrawlerReport): string {
	return printable(verification ? `${name} (${verification})` : name);
}

export function number(value: number): string {
	return value.toLocaleString("en-US");
}

/** A percentage, rounded down: 100% means all. */
export function share(compliance: number | null): string {
	return compliance === null
		? "-"
		: `${(Math.floor(compliance * 10) / 10).toFixed(1)}%`;
}

/** A time, without seconds and zone. */
export function minute(timestamp: string): string {
	return timestamp.slice(0, 16).replace("T", " ");
}

/** A text, cut to a width; a piece too short to read is left out. */
export function cut(text: string, width: number): string {
	if (width < 12) return "";
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
