/** Rounded down, so that 100 means all; null of nothing. */
export function percent(part: number, whole: number): number | null {
	return whole === 0 ? null : Math.floor((part / whole) * 10_000) / 100;
}
