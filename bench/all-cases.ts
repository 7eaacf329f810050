import { canonicalCases } from "./canonical.ts";
import type { Case } from "./case.ts";
import { compileCases } from "./compile.ts";
import { escapedCase } from "./escaped.ts";
import type { Library } from "./library.ts";
import { linesCase } from "./lines.ts";
import { indexCases, mixedCases } from "./mixed.ts";
import type { Data, Site } from "./site.ts";
import { stringsCase } from "./strings.ts";

const WILDCARDS = 50;

/** Sites with so many rules that have a wildcard inside; the one with the most if none has. */
function wildSites(sites: readonly Site[]): readonly Site[] {
	const decoder = new TextDecoder();
	const counted = sites.map((site) => {
		const text = decoder.decode(site.robots);
		const count = text.match(/allow\s*:\s*\S*\*[^*\s$]/gi)?.length ?? 0;
		return { site, count };
	});
	const most = Math.max(...counted.map(({ count }) => count));
	return counted
		.filter(({ count }) => count >= Math.min(WILDCARDS, most))
		.map(({ site }) => site);
}

/** Cases of bytes in and verdicts out. */
export function bytesCases(library: Library, data: Data): Case[] {
	const paths = { case: "corpus paths", engine: "robotrie" };
	const { sites, derived } = data;
	return [
		linesCase(library, data, {
			name: "corpus paths",
			why: "Every site's paths through its rules, bytes in and verdicts out.",
			sites,
			dialect: "google",
			paths: true,
			against: { case: "corpus paths", engine: "list line ends" },
		}),
		linesCase(library, data, {
			name: "derived paths",
			why: "Paths made from the rules: half of them are disallowed.",
			sites: derived,
			dialect: "google",
			paths: true,
			against: { ...paths, atMost: 2.5 },
		}),
		linesCase(library, data, {
			name: "corpus URLs, google",
			why: "The same as full URLs: the origin is passed over, fragments are dropped.",
			sites,
			dialect: "google",
			paths: false,
			against: { ...paths, atMost: 1.8 },
		}),
		linesCase(library, data, {
			name: "corpus URLs, rfc9309",
			why: "And with the standard's normalisation of percent-encoding.",
			sites,
			dialect: "rfc9309",
			paths: false,
			against: { ...paths, atMost: 2 },
		}),
		linesCase(library, data, {
			name: "many wildcards",
			why: `Sites with ${WILDCARDS} or more rules that have a wildcard inside.`,
			sites: wildSites(sites),
			dialect: "google",
			paths: true,
			against: { ...paths, atMost: 2 },
		}),
		...mixedCases(library, data),
	];
}

/** Every case; `escaped` is how many paths that one makes. */
export function allCases(
	library: Library,
	data: Data,
	escaped = 100_000,
): Case[] {
	return [
		...bytesCases(library, data),
		escapedCase(library, escaped),
		stringsCase(library, data),
		...compileCases(library, data),
		...canonicalCases(library, data),
		...indexCases(library, data),
	];
}
