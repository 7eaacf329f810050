import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import type { Library } from "./library.ts";
import { type Data, ownUrls } from "./site.ts";

type Dialect = "google" | "rfc9309";

/** Medians over all sites of the bytes that a site's rules take. */
export interface SiteBytes {
	readonly sites: number;
	/** Alone in an index. */
	readonly index: Readonly<Record<Dialect, number>>;
	/** Byte-code of a `Matcher`. */
	readonly matcher: Readonly<Record<Dialect, number>>;
	/** `Matcher.toBytes()`, dialect `google`: with what `match` and `explain` need. */
	readonly toBytes: number;
	/** Of all matchers, dialect `google`. */
	readonly total: number;
}

/** @throws {Error} When a verdict is wrong. */
export function measureSites(library: Library, data: Data): SiteBytes {
	const inIndex = (dialect: Dialect) =>
		data.sites.map((site) => {
			// Alone: rules that it shares with another site would take nothing.
			const index = new library.RobotsIndex({ agent: AGENT, dialect });
			index.set(`https://${site.host}`, site.robots);
			demandSame(
				`index of ${site.host}, ${dialect}`,
				index.matchMany(ownUrls(site)),
				data.verdicts(site, { dialect, paths: true }),
			);
			const { programBytes } = index.stats();
			index[Symbol.dispose]();
			return programBytes;
		});
	const matchers = (dialect: Dialect) =>
		data.sites.map((site) => {
			const matcher = library.RobotsTxt.parse(site.robots, { dialect }).for(
				AGENT,
			);
			demandSame(
				`matcher of ${site.host}, ${dialect}`,
				matcher.matchMany(ownUrls(site)),
				data.verdicts(site, { dialect, paths: true }),
			);
			return matcher;
		});
	const google = matchers("google");
	const rfc9309 = matchers("rfc9309");
	const size = ({ byteLength }: { readonly byteLength: number }) => byteLength;
	return {
		sites: data.sites.length,
		index: {
			google: median(inIndex("google")),
			rfc9309: median(inIndex("rfc9309")),
		},
		matcher: {
			google: median(google.map(size)),
			rfc9309: median(rfc9309.map(size)),
		},
		toBytes: median(google.map((matcher) => matcher.toBytes().length)),
		total: google.map(size).reduce((sum, bytes) => sum + bytes, 0),
	};
}

function median(values: number[]): number {
	values.sort((a, b) => a - b);
	return values[values.length >> 1] ?? 0;
}
