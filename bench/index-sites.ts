import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import type { Library } from "./library.ts";
import { type Data, ownUrls } from "./site.ts";

/** Bytes of byte-code that sites take, each alone in an index, and as a `Matcher`. */
export interface SiteBytes {
	readonly sites: number;
	readonly median: {
		readonly google: number;
		readonly rfc9309: number;
		/** Of `Matcher.toBytes()`, dialect `google`. */
		readonly matcher: number;
	};
	readonly total: { readonly matcher: number };
}

/** @throws {Error} When a verdict is wrong. */
export function measureSites(library: Library, data: Data): SiteBytes {
	const inIndex = (dialect: "google" | "rfc9309") =>
		data.sites.map((site) => {
			// Alone: rules that it shares with another site would take nothing.
			using index = new library.RobotsIndex({ agent: AGENT, dialect });
			index.set(`https://${site.host}`, site.robots);
			demandSame(
				`index of ${site.host}, ${dialect}`,
				index.matchMany(ownUrls(site)),
				data.verdicts(site, { dialect, paths: true }),
			);
			return index.stats().programBytes;
		});
	const matchers = data.sites.map(
		({ robots }) =>
			library.RobotsTxt.parse(robots, { dialect: "google" }).for(AGENT)
				.byteLength,
	);
	return {
		sites: data.sites.length,
		median: {
			google: median(inIndex("google")),
			rfc9309: median(inIndex("rfc9309")),
			matcher: median(matchers),
		},
		total: { matcher: matchers.reduce((sum, bytes) => sum + bytes, 0) },
	};
}

function median(values: number[]): number {
	values.sort((a, b) => a - b);
	return values[values.length >> 1] ?? 0;
}
