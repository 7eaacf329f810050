import type { Parsed } from "./parsed.ts";

/** A daily window, in minutes after midnight, UTC. An end before the start is on the next day. */
export interface TimeWindow {
	/** First minute, from 0. */
	readonly start: number;
	/** The minute after the last one, up to 1,440. */
	readonly end: number;
}

/** How many documents a crawler may request within a number of seconds. */
export interface RequestRate {
	/** Number of documents, from 1; at most nine digits. */
	readonly requests: number;
	/** Number of seconds, from 1. */
	readonly seconds: number;
	/** When the rate applies; undefined: always. */
	readonly window: TimeWindow | undefined;
	/** Line number, from 1. */
	readonly line: number;
}

/** Seconds, perhaps with a fraction: the Yandex document, "Директива Crawl-delay". */
export function parseCrawlDelay(value: string): Parsed<number> {
	return /^(\d{1,9}(\.\d*)?|\.\d+)$/.test(value)
		? { value: Number(value) }
		: { fault: "a delay is a number of seconds, such as 4.5" };
}

const secondsOf: Readonly<Record<string, number>> = {
	"": 1,
	s: 1,
	m: 60,
	h: 3600,
};

/**
 * `documents/time`, the time in seconds or with "s", "m" or "h", and perhaps the hours that it holds for: "1/10m 1300-1659"
 * (An Extended Standard for Robot Exclusion, 1996, "Request-rate").
 */
export function parseRequestRate(
	value: string,
): Parsed<Omit<RequestRate, "line">> {
	const [, requests = "0", time = "0", unit = "", hours] =
		/^(\d{1,9})\s*\/\s*(\d{1,9})([smh]?)(?:\s+(\S.*))?$/i.exec(value) ?? [];
	const seconds = Number(time) * (secondsOf[unit.toLowerCase()] ?? 0);
	if (!(Number(requests) > 0 && seconds > 0))
		return { fault: "a rate is documents/seconds, such as 1/5 or 10/1h" };
	const rate = { requests: Number(requests), seconds };
	if (hours === undefined) return { value: { ...rate, window: undefined } };
	const window = parseVisitTime(hours);
	return window.fault === undefined
		? { value: { ...rate, window: window.value } }
		: window;
}

/** `hhmm-hhmm`, UTC (An Extended Standard for Robot Exclusion, 1996, "Visit-time"). */
export function parseVisitTime(value: string): Parsed<TimeWindow> {
	const [, ...parts] =
		/^(\d\d):?(\d\d)\s*-\s*(\d\d):?(\d\d)$/.exec(value) ?? [];
	const [startHour = 99, startMinute = 99, endHour = 99, endMinute = 99] =
		parts.map(Number);
	const start = startHour * 60 + startMinute;
	const end = endHour * 60 + endMinute;
	const valid =
		start < 1440 && end <= 1440 && startMinute < 60 && endMinute < 60;
	return valid
		? { value: { start, end } }
		: { fault: "hours are hhmm-hhmm, such as 0600-0845" };
}
