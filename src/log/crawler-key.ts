/**
 * Whether a crawler's requests come from its published addresses: "claimed" if not, "unknown" if the line has no address to tell by,
 * null if no ranges were given.
 */
export type Verification = "verified" | "claimed" | "unknown" | null;

/** All of them, by number. */
export const verifications: readonly Verification[] = [
	null,
	"verified",
	"claimed",
	"unknown",
];

/** Requests that are counted together: of one crawler (name and category), on one site. */
export interface CrawlerKey {
	readonly name: string;
	readonly category: string;
	/** Index of the site. */
	readonly site: number;
	readonly verification: Verification;
}

/** A key as text, for maps. */
export function keyText(key: CrawlerKey): string {
	const { name, category, site, verification } = key;
	return `${site} ${verification} ${category} ${name}`;
}
