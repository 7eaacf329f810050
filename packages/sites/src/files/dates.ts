/** Times as people and records write them: of options (`--since`, `--as-of`), and of recorded answers. */

const TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** What reads times without an offset, given as if they were UTC: a time zone of an audit. */
interface LocalTimes {
	timeOf(local: number): number;
}

/** Milliseconds since 1970 of an option's time; NaN if it is not a time. Without an offset it is UTC, or that of `zone`. */
export function timeOf(text: string, zone?: LocalTimes): number {
	const match = TIME.exec(text);
	if (!match) return Number.NaN;
	// A space is allowed for the "T", as people write it.
	const [, day = "", clock = "00:00", offset] = match;
	if (!isDay(day)) return Number.NaN;
	const time = Date.parse(`${day}T${clock}${offset?.toUpperCase() ?? "Z"}`);
	return Number.isNaN(time) || offset !== undefined || !zone
		? time
		: zone.timeOf(time);
}

/** As `timeOf`; a day is its last millisecond, in UTC. */
export function endOfTime(text: string): number {
	const time = timeOf(text);
	return text.includes(":") ? time : time + DAY - 1;
}

const DAY = 24 * 3_600_000;

/** JavaScript takes February 30 for March 2. */
function isDay(text: string): boolean {
	const time = Date.parse(`${text}T00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A timestamp of web archives' indexes (CDX): year to second, or to day. */
const CDX = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/;

/** Milliseconds since 1970 of a record's date: text as `timeOf` takes it, a CDX timestamp, or a Date; NaN for anything else. */
export function recordedAt(date: unknown): number {
	if (date instanceof Date) return date.getTime();
	if (typeof date !== "string") return Number.NaN;
	const cdx = CDX.exec(date);
	if (!cdx) return timeOf(date);
	const [, year, month, day, hour = "00", minute = "00", second = "00"] = cdx;
	return timeOf(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
}
