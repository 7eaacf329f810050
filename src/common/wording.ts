/** Numbers and texts as messages show them to people: explanations, lint, the command line and the playground use the same words. */
/** "1 line", "2 lines", "3,000 lines". */
export function count(number: number, noun: string): string {
	// Not toLocaleString: its first call loads the tables of all languages, which takes 15 ms.
	const digits = String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
	return `${digits} ${noun}${number === 1 ? "" : "s"}`;
}

const LONGEST_TEXT = 60;

/** A text from a file as messages show it; not cut within a character. */
export function shorten(text: string): string {
	return text.length > LONGEST_TEXT
		? `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}…`
		: text;
}

const MB = 1e6;

/** How far an audit is. */
export interface AuditProgress {
	/** Bytes that are done with, as they are stored, of `total`, which is 0 where that is not known. */
	readonly bytes: number;
	readonly total: number;
	readonly lines: number;
	/** Since the beginning. */
	readonly seconds: number;
}

/** "42% of 120 MB, 1,000,000 lines, 2,000,000 lines/s, 3 s left" */
export function progressText(progress: AuditProgress): string {
	const { bytes, total, lines, seconds } = progress;
	const number = (value: number) => value.toLocaleString("en-US");
	const parts = [
		total > 0
			? `${percent(bytes / total)} of ${number(Math.ceil(total / MB))} MB`
			: "",
		`${number(lines)} line${lines === 1 ? "" : "s"}`,
		`${number(Math.round(lines / seconds))} lines/s`,
		bytes > 0 && total > 0
			? `${duration((seconds * (total - bytes)) / bytes)} left`
			: "",
	];
	return parts.filter(Boolean).join(", ");
}

function percent(part: number): string {
	return `${Math.min(100, Math.floor(part * 100))}%`;
}

/** "3 s", "2 min 5 s" */
export function duration(seconds: number): string {
	const whole = Math.ceil(seconds);
	return whole < 60
		? `${whole} s`
		: `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
