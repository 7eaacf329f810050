import type { GroupBy } from "./report.ts";

const nouns: Readonly<Record<GroupBy, readonly [one: string, many: string]>> = {
	name: ["crawler", "crawlers"],
	category: ["category", "categories"],
	header: ["header", "headers"],
	address: ["address", "addresses"],
	network: ["network", "networks"],
};

/** What so many rows of a report are: "crawlers", or "networks" where it counts by network. */
export function groupNoun(groupBy: GroupBy, number: number): string {
	const [one, many] = nouns[groupBy];
	return number === 1 ? one : many;
}
