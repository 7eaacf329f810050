const LF = 10;

/** Cuts what a file gives behind line ends. */
export async function* wholeLines(chunks) {
	let rest = Buffer.alloc(0);
	for await (const chunk of chunks) {
		const bytes = Buffer.concat([rest, chunk]);
		const end = bytes.lastIndexOf(LF) + 1;
		if (end > 0) yield bytes.subarray(0, end);
		rest = bytes.subarray(end);
	}
	if (rest.length > 0) yield rest;
}
