/** "1 line", "2 lines", "3,000 lines". */
export function count(number: number, noun: string): string {
	// Not toLocaleString: its first call loads the tables of all languages, which takes 15 ms.
	const digits = String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
	return `${digits} ${noun}${number === 1 ? "" : "s"}`;
}
