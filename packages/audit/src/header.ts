import type { Escaping } from "./formats.ts";

const decoder = new TextDecoder();

/** A User-Agent header as the client sent it, from how a log writes it. */
export function decodeHeader(bytes: Uint8Array, escaping: Escaping): string {
	const text = decoder.decode(bytes);
	switch (escaping) {
		case "backslash":
			// Apache and Nginx: \" \\ \xHH; Apache: \b \n \r \t \v.
			return text.replace(
				/\\(?:x([0-9a-fA-F]{2})|(["\\bnrtv]))/g,
				(_, hex: string | undefined, plain = "") =>
					hex === undefined
						? (controls[plain] ?? plain)
						: String.fromCharCode(Number.parseInt(hex, 16)),
			);
		case "plus":
			return text.replaceAll("+", " ");
		case "percent":
			return percentDecoded(text);
		case "none":
			return text;
	}
}

const controls: Readonly<Record<string, string>> = {
	b: "\b",
	n: "\n",
	r: "\r",
	t: "\t",
	v: "\v",
};

/** CloudFront escapes once, and older logs of it twice. */
function percentDecoded(text: string): string {
	const once = (from: string) => {
		try {
			return decodeURIComponent(from);
		} catch {
			return from;
		}
	};
	const decoded = once(text);
	return /%20/.test(decoded) ? once(decoded) : decoded;
}
