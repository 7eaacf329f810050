/**
 * Files as the worker reads them for the page: decompressed as on the command line, and with what they are if no text of lines. It is the
 * worker's work as the page would otherwise be loaded with what the worker has already.
 */
import { otherFile } from "robotrie/internal";
import { largestFile } from "../files/files.ts";
import { bytesOf } from "../files/log-file.ts";
import { counted } from "../page/dom.ts";
import type { Foreign } from "../page/messages.ts";

/** Bytes of a file, decompressed. @throws {Error} With a sentence, where it cannot be read or is too large. */
export async function wholeFile(file: File): Promise<Uint8Array> {
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	let size = 0;
	for await (const chunk of bytesOf(file)) {
		size += chunk.length;
		if (size > largestFile)
			throw new Error(
				`${file.name} has more than ${counted(largestFile, "byte")}, which is what a page takes.`,
			);
		chunks.push(new Uint8Array(chunk));
	}
	return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** What bytes are, if no robots.txt and no text of lines either: "a PDF document"; null for a text. */
export function foreignOf(bytes: Uint8Array): Foreign | null {
	const found = otherFile(bytes);
	if (!found) return null;
	const { code, message } = found;
	const what = /robots\.txt but ([^:(]*\w)/.exec(message)?.[1];
	return { code, message, what: what ?? "a file of another kind" };
}
