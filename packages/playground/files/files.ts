/**
 * Files that a reader chooses or drops, for all panes: where they may be dropped, how large they may be, and what their bytes are as text.
 * Loaded with the page.
 */

import { counted, grouped } from "../page/dom.ts";

/** Bytes of a robots.txt or a list of URLs that a page takes: more than any crawler reads. */
export const largestFile = 32 * 1024 * 1024;

/**
 * Counts what is opened at one place. A file that is packed goes through a worker, and one that was opened after it may arrive before it: of
 * both, the place keeps the one that was opened last.
 */
export class Turns {
	#last = 0;

	/** What was opened before is not wanted any more. Tells whether what is opened now still is. */
	next(): () => boolean {
		const turn = ++this.#last;
		return () => turn === this.#last;
	}
}

/** Lets files be dropped on a card, or chosen with its button if it has one; of several, `onFiles` gets the first and all. */
export function acceptFiles(
	card: HTMLElement,
	input: HTMLInputElement | undefined,
	onFiles: (first: File, all: readonly File[]) => void,
): void {
	const take = (list: FileList | null | undefined) => {
		const files = [...(list ?? [])];
		if (files[0]) onFiles(files[0], files);
	};
	input?.addEventListener("change", () => {
		take(input.files);
		// Choosing the same file again, after it was edited, fires no event unless the field is empty.
		input.value = "";
	});
	const carriesFile = (event: DragEvent) =>
		event.dataTransfer?.types.includes("Files") ?? false;
	// While capturing: the editor would insert the file's text where it is dropped.
	const listen = (
		type: "dragover" | "dragleave" | "drop",
		run: (event: DragEvent) => void,
	) =>
		card.addEventListener(
			type,
			(event) => {
				// Text that is dragged within the editor is the editor's.
				if (!carriesFile(event)) return;
				event.preventDefault();
				event.stopPropagation();
				card.classList.toggle("dropping", type === "dragover");
				run(event);
			},
			true,
		);
	listen("dragover", () => {});
	listen("dragleave", () => {});
	listen("drop", ({ dataTransfer }) => take(dataTransfer?.files));
}

/** Files dropped beside the cards would be opened in the place of the page. */
export function keepPageOnDrop(onDrop: () => void): void {
	for (const type of ["dragover", "drop"] as const)
		addEventListener(type, (event) => {
			if (!event.dataTransfer?.types.includes("Files")) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = "none";
			if (type === "drop") onDrop();
		});
}

/**
 * The bytes of a robots.txt as the command line reads it. What begins like gzip (1f) or zstd (28) goes to `decode`, the worker's "read"; no
 * robots.txt of text begins with 1f, and one that begins with "(" only takes the longer way.
 * @throws {Error} With a sentence, where it cannot be read or is too large.
 */
export async function bytesOfRobots(
	file: File,
	decode: (file: File) => Promise<{ readonly bytes: Uint8Array } | undefined>,
): Promise<Uint8Array | undefined> {
	if (file.size > largestFile)
		throw new Error(
			`${file.name} has ${counted(file.size, "byte")}; a page takes up to ${grouped(largestFile)}.`,
		);
	const bytes = new Uint8Array(
		await file.arrayBuffer().catch(() => {
			throw new Error(unreadable(file));
		}),
	);
	const [first] = bytes;
	if (first !== 0x1f && first !== 0x28) return bytes;
	return (await decode(file))?.bytes;
}

/** What to say of a file whose bytes the browser does not give. */
export function unreadable({ name }: File): string {
	return `${name} cannot be read: it is a folder, or has changed since it was chosen.`;
}

/** What to say where one file is taken and several were given; "" otherwise. */
export function othersText([first, ...others]: readonly File[]): string {
	return first && others.length > 0
		? `Only ${first.name} was opened: this takes one file. Not opened: ${others.map(({ name }) => name).join(", ")}.`
		: "";
}

/**
 * Text of bytes where they are UTF-8, else the bytes. A byte order mark stays in the text, so that the text encodes to the same bytes: sizes
 * and limits count them.
 */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
			bytes,
		);
	} catch {
		return bytes;
	}
}
