/** Where the page about a finding can be read: JSON names its address. */

/** What a published package.json says about where its files can be read. */
export interface Home {
	readonly version: string;
	/** As npm has it: an object, or a URL or shorthand (`github:owner/name`). */
	readonly repository?: string | { readonly url?: string };
}

/** The address of a page at the project's home, as of the package's version; without a home on the web, its path in the package. */
export function pageAddress(page: string, about: Home): string {
	const { version, repository } = about;
	const url = typeof repository === "string" ? repository : repository?.url;
	const home = (url ?? "")
		.replace(/^git\+|\.git$/g, "")
		.replace(/^github:/, "https://github.com/");
	return /^https:\/\/[^/]+\/./.test(home)
		? `${home}/blob/v${version}/${page}`
		: page;
}
