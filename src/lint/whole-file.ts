import type { Found } from "./finding.ts";

/** A file that fills more than this part of the limit will soon be over it. */
const NEARLY_FULL = 0.9;

/** Bytes of which nothing is left to look at, whatever the dialect. */
export function wrongEncoding(bytes: Uint8Array): Found | undefined {
	const [first, second] = bytes;
	const swapped = first === 0xff && second === 0xfe;
	if (!swapped && !(first === 0xfe && second === 0xff)) return undefined;
	return {
		line: 1,
		code: "utf-16",
		severity: "error",
		message:
			"The file is UTF-16, which no crawler reads: save it as UTF-8, or none of its rules count.",
	};
}

/** A page of markup in place of a robots.txt. */
export function htmlPage(bytes: Uint8Array): Found | undefined {
	const head = new TextDecoder().decode(bytes.subarray(0, 200));
	if (!/^\s*<[!?a-z]/i.test(head)) return undefined;
	return {
		line: 1,
		code: "html-page",
		severity: "error",
		message:
			"The file begins like an HTML page, of which crawlers read only the lines that happen to be rules.",
	};
}

/** Findings about the whole file. */
export function findFileOddities(bytes: Uint8Array, maxBytes: number): Found[] {
	const html = htmlPage(bytes);
	const findings: Found[] = html ? [html] : [];
	if (bytes.length > maxBytes * NEARLY_FULL && bytes.length <= maxBytes)
		findings.push({
			line: 1,
			code: "near-size-limit",
			severity: "warning",
			message: `The file has ${bytes.length} bytes, and crawlers may stop reading after ${maxBytes}.`,
		});
	return findings;
}
