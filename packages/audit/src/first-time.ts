import { TIME_EPOCH } from "../assembly/format.ts";
import type { LogFormat } from "./formats.ts";
import { recordFeed } from "./records.ts";
import { transcoderOf } from "./transcoder.ts";

const CLF =
	/\b(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d(?:\.\d+)?)(?: ([+-]\d{4}))?/;
const EPOCH = /(?<![\d.])(\d{10}(?:\.\d+)?)(?![\d.])/;
const ISO =
	/\b(\d{4}-\d\d-\d\d)[T\s](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?/;

/**
 * The time that the first line with one bears, in milliseconds since 1970, by which logs are put in order; Infinity
 * when there is none.
 */
export function timeOfFirstLine(head: Uint8Array, format: LogFormat): number {
	const { json, records, template } = format;
	const bytes = records ? recordFeed(records).feed(head) : head;
	const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
	const transcoder = transcoderOf(format);
	const read = (line: string): number => {
		const text = transcoder ? transcoder.transcode(line) : line;
		if (json) return json.time ? Number(text.split("\t")[2]) : Number.NaN;
		return template.time === TIME_EPOCH
			? 1000 * Number(EPOCH.exec(text)?.[1])
			: timeOfText(text);
	};
	// For lines that have a clock time only.
	let day = Number.NaN;
	for (const line of lines) {
		if (/^#Date/i.test(line)) day = timeOfText(line);
		if (line.startsWith("#")) continue;
		const time = read(line);
		if (Number.isFinite(time)) return time;
	}
	return Number.isNaN(day) ? Number.POSITIVE_INFINITY : day;
}

/** For a rotated set, in whatever order its files are named; those without a time keep their place at the end. */
export function byTime(
	a: { readonly time: number },
	b: { readonly time: number },
): number {
	return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

function timeOfText(line: string): number {
	const clf = CLF.exec(line);
	if (clf)
		return Date.parse(
			`${clf[1]} ${clf[2]} ${clf[3]} ${clf[4]} ${clf[5] ?? "UTC"}`,
		);
	const iso = ISO.exec(line);
	return iso ? Date.parse(`${iso[1]}T${iso[2]}${iso[3] ?? "Z"}`) : Number.NaN;
}
