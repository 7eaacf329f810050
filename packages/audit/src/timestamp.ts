/** RFC 3339, UTC, of milliseconds since 1970; null if they are not finite. */
export function timestamp(time: number): string | null {
	return Number.isFinite(time) ? new Date(time).toISOString() : null;
}
