/** A JSON array, an element a line, written as it grows. */
export class JsonList {
	#open = false;

	/** The text that adds an element. */
	item(value: unknown): string {
		const lead = this.#open ? ",\n" : "[\n";
		this.#open = true;
		return `${lead}  ${JSON.stringify(value)}`;
	}

	/** The text that ends the array. */
	end(): string {
		return this.#open ? "\n]\n" : "[]\n";
	}
}
