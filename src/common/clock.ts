/** Clocks of machines that share what is stored. */

/**
 * Milliseconds by which clocks of machines that share a store may differ, and a clock may be set
 * back without notice. A minute is more than clocks of one data centre differ, and less than any
 * lifetime.
 */
const TOLERANCE = 60_000;

/**
 * Whether an answer's time is in the future: then the clock was set back since, and the answer, whose times are by the old clock, does
 * not count. So an answer of 24 hours never lives for longer than 24 hours and a minute.
 */
export function isFromFuture(askedAt: number, now: number): boolean {
	return askedAt > now + TOLERANCE;
}
