/** A Clean-param line. */
interface Line {
	readonly names: readonly string[];
	readonly path: string;
}

/** Bytes as characters, percent-escapes undone. */
function bytesOf(name: string): string {
	return String.fromCharCode(...new TextEncoder().encode(name)).replace(
		/%([\da-f]{2})/gi,
		(_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)),
	);
}

function covers(line: Line, path: string): boolean {
	const pattern = /^[/*]/.test(line.path) ? line.path : `/${line.path}`;
	const source = pattern.replaceAll("*", ".*");
	const plain = path
		.replace(/[\t\n\r]/g, "")
		.replace(/%[2-7][\da-f]/gi, (escaped) => {
			const character = bytesOf(escaped);
			return /[\w.~-]/.test(character) ? character : escaped;
		});
	return new RegExp(`^${source}`, "s").test(plain);
}

/** What Clean-param lines make of a URL, in the plainest way; undefined for no URL. */
export function canonicalOracle(
	url: string,
	lines: readonly Line[],
): string | undefined {
	const [, origin = "", path = "", query, fragment = ""] =
		/^(\r*[a-z][\w\r]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url) ??
		[];
	// The URL standard drops tabs and line ends.
	if (origin === "" && !path.replace(/[\t\n\r]/g, "").startsWith("/"))
		return undefined;
	if (query === undefined) return url;
	const all = query.slice(1).split("&");
	const stay = all.filter((parameter) => {
		const [name = ""] = parameter.split("=");
		return !lines.some(
			(line) =>
				line.names.map(bytesOf).includes(bytesOf(name)) &&
				covers(line, path || "/"),
		);
	});
	if (stay.length === all.length) return url;
	const rest = stay.join("&");
	return `${origin}${path}${rest && "?"}${rest}${fragment}`;
}
