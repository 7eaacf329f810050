/** A value as JSON. Control characters that JSON would leave as they are (DEL, C1) are escaped, too: they could drive a terminal. */
export function jsonText(value: unknown, indent?: number): string {
	return JSON.stringify(value, null, indent).replace(
		/[\x7f-\x9f]/g,
		(character) => `\\u00${character.charCodeAt(0).toString(16)}`,
	);
}

/** A JSON array, an element a line, written as it grows. */
export class JsonList {
	#open = false;

	/** The text that adds an element. */
	item(value: unknown): string {
		const lead = this.#open ? ",\n" : "[\n";
		this.#open = true;
		return `${lead}  ${jsonText(value)}`;
	}

	/** The text that ends the array. */
	end(): string {
		return this.#open ? "\n]\n" : "[]\n";
	}
}
