/** A text of at most so many characters, cut in the middle: headers begin alike. */
export function cutMiddle(text: string, length: number): string {
	const characters = [...text];
	if (characters.length <= length) return text;
	const end = Math.floor(length / 2);
	const start = length - 1 - end;
	return `${characters.slice(0, start).join("")}…${end > 0 ? characters.slice(-end).join("") : ""}`;
}
