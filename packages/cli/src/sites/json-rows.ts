import type { Dialect } from "robotrie";
import { type SiteRecord, siteOfRow } from "./record.ts";

/** Sites of whole lines of JSON; `first` is the number of the first one. */
export function* readJsonLines(
	lines: Uint8Array,
	name: string,
	first: number,
	dialect: Dialect,
): Generator<SiteRecord> {
	let number = first;
	// A mark at the start is gone by now; another one is part of its line.
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(lines);
	for (const line of text.split("\n")) {
		const where = `${name}:${number++}`;
		if (line.trim() === "") continue;
		const row = objectOf(line);
		yield typeof row === "string"
			? { where, fault: row }
			: { where, ...siteOfRow(row, dialect) };
	}
}

/** The object that a line is, or what is wrong with it. */
function objectOf(line: string): Record<string, unknown> | string {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return "no JSON";
	}
	return typeof value === "object" && value !== null
		? (value as Record<string, unknown>)
		: "no JSON object";
}
