/** Lets files be dropped on a card or chosen with its button. */
export function acceptFiles(
	card: HTMLElement,
	input: HTMLInputElement,
	onFile: (file: File) => void,
): void {
	input.addEventListener("change", () => {
		const [file] = input.files ?? [];
		if (file) onFile(file);
		// The same file may be chosen again.
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
	listen("drop", ({ dataTransfer }) => {
		const [file] = dataTransfer?.files ?? [];
		if (file) onFile(file);
	});
}

/** Text of octets where they are UTF-8, else the octets. */
export function textOrOctets(octets: Uint8Array): string | Uint8Array {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
			octets,
		);
	} catch {
		return octets;
	}
}
