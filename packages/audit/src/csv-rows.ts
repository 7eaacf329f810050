import type { JsonLines, Transcoder } from "./json-lines.ts";

/** The fields of a row (RFC 4180): quoted ones may hold separators, and quotes twice. */
export function fieldsOf(row: string, separator: string): readonly string[] {
	const fields: string[] = [];
	for (let at = 0; ; ) {
		let field = "";
		if (row[at] === '"') {
			let from = at + 1;
			let quote = row.indexOf('"', from);
			while (quote >= 0 && row[quote + 1] === '"') {
				field += row.slice(from, quote + 1);
				from = quote + 2;
				quote = row.indexOf('"', from);
			}
			const end = quote < 0 ? row.length : quote;
			field += row.slice(from, end);
			at = end + 1;
		}
		// What stands behind the quote belongs to the field, too.
		const next = row.indexOf(separator, at);
		const end = next < 0 ? row.length : next;
		fields.push(field + row.slice(at, end));
		if (next < 0) return fields;
		at = next + 1;
	}
}

/** Separators, the likeliest first. */
const separators = [",", ";", "\t"] as const;

/** The columns that a header line names, and what separates them; undefined if it is no header. */
export function headerOf(
	line: string,
):
	| { readonly columns: readonly string[]; readonly separator: string }
	| undefined {
	for (const separator of separators) {
		const columns = fieldsOf(line, separator).map((name) => name.trim());
		if (columns.length < 3) continue;
		if (columns.every((name) => /^[a-z_@(][\w.()@ /:-]*$/i.test(name)))
			return { columns, separator };
	}
	return undefined;
}

/** Rows of CSV below a line that names their columns. */
export class CsvRows implements Transcoder {
	readonly #json: JsonLines;
	readonly #separator: string;
	#header: string | undefined;
	#columns: readonly string[] = [];

	constructor(json: JsonLines, separator: string) {
		this.#json = json;
		this.#separator = separator;
	}

	transcode(line: string): string {
		const row = line.replace(/\r$/, "");
		// The header comes again where files were put together.
		if (row.trim() === "" || row === this.#header) return "";
		const fields = fieldsOf(row, this.#separator);
		if (this.#header === undefined) {
			this.#header = row;
			this.#columns = fields.map((name) => name.trim());
			return "";
		}
		return this.#json.lineOf(
			Object.fromEntries(
				this.#columns.map((name, index) => [name, fields[index] || null]),
			),
		);
	}
}
