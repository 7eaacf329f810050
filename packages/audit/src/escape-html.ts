const entities: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/** Text as HTML, also within quotes; control characters, which anyone can write to a log, show as U+FFFD. */
export function escapeHtml(text: string): string {
	return text
		.replace(/[&<>"']/g, (character) => entities[character] ?? "")
		.replace(/\p{Cc}/gu, "\ufffd");
}
