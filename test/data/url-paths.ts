/** What the URL standard removes around a URL, which may be a path. */
export const withoutMargin = (url: string): string =>
	url.slice(Math.max(0, url.search(/[^\0- ]/))).replace(/[\0- ]+$/, "");

/**
 * Path and query of a URL with a host: they begin where the URL standard has the path begin and stay as written, a "/" in front.
 * Of all places where the path might begin, the first counts that makes no difference to what stands in front of it.
 */
export function standardPath(text: string): string {
	const url = withoutMargin(text);
	const before = (read: URL) =>
		[read.protocol, read.username, read.password, read.host].join(" ");
	const wanted = before(new URL(url));
	for (let at = 0; at <= url.length; at++) {
		if (at < url.length && !"/\\?#".includes(url[at] ?? "")) continue;
		try {
			const read = new URL(`${url.slice(0, at)}/mark`);
			if (before(read) !== wanted || read.pathname !== "/mark") continue;
		} catch {
			continue;
		}
		// What it removes wherever it stands.
		const path = url.slice(at).replace(/#.*|[\t\n\r]/gs, "");
		return `/${path.replace(/^[/\\]/, "")}`;
	}
	throw new Error(`no path in ${JSON.stringify(text)}`);
}

/** What Google's library takes for path, parameters and query. */
export function libraryPath(text: string): string {
	const first = (pattern: RegExp, from: number) => {
		const found = text.slice(from).search(pattern);
		return found < 0 ? text.length : from + found;
	};
	const start = text.startsWith("//") ? 2 : 0;
	const early = first(/[/?;]/, start);
	const scheme =
		early > start && text.startsWith("://", early - 1) ? early + 2 : start;
	const path = first(/[/?;]/, scheme);
	if (first(/#/, start) < path) return "/";
	const rest = text.slice(path).replace(/[#\0].*/s, "");
	return rest.startsWith("/") ? rest : `/${rest}`;
}
