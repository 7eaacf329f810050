/**
 * Files that a reader chooses or drops, for all panes: where they may be dropped, how large they may be, and what their bytes are as text.
 * Loaded with the page.
 */

/** Bytes of a robots.txt or a list of URLs that a page takes: more than any crawler reads. */
export const largestFile = 32 * 1024 * 1024;

/** Lets files be dropped on a card or chosen with its button; of several, `onFiles` gets the first and all. */
export function acceptFiles(
	card: HTMLElement,
	input: HTMLInputElement,
	onFiles: (first: File, all: readonly File[]) => void,
): void {
	const take = (list: FileList | null | undefined) => {
		const files = [...(list ?? [])];
		if (files[0]) onFiles(files[0], files);
	};
	input.addEventListener("change", () => {
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
