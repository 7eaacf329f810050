/**
 * The time that a Retry-After field names, in milliseconds since 1970: a number of seconds from `now`, or an HTTP-date
 * (RFC 9110 §10.2.3). Undefined for anything else.
 */
export function retryAfterTime(
	value: string | undefined,
	now: number,
): number | undefined {
	const text = value?.trim() ?? "";
	if (/^\d+$/.test(text)) return now + Number(text) * 1000;
	// The three forms of RFC 9110 §5.6.7 begin with a day's name; Date.parse alone also takes "-1" for a date.
	if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
	// The asctime form names no zone and means UTC.
	const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
