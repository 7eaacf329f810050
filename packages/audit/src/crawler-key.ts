/**
 * Whether a crawler's requests come from its published addresses: "claimed" if not, "unknown" if the line has no address to tell by,
 * null if no ranges were given.
 */
export type Verification = "verified" | "claimed" | "unknown" | null;

/** Their numbers in states of audits, which stay what they are. */
export const verificationIds = {
	null: 0,
	verified: 1,
	claimed: 2,
	unknown: 3,
} as const;

/** @throws {RangeError} For a number that none has. */
export function verificationOf(id: number): Verification {
	for (const [name, each] of Object.entries(verificationIds))
		if (each === id) return name === "null" ? null : (name as Verification);
	throw new RangeError(`there is no verification ${id}`);
}

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
