// docs/performance.md: Clean-param, and indexes of many sites.

import { combined, figure } from "./results.mjs";
import { digits, pair, row, say, shown, table, whole } from "./text.mjs";
import { rowsOf } from "./times.mjs";

export const cleanParam = () =>
	table(
		["case", "ns per URL"],
		[
			...rowsOf([
				["`canonicalLines`, all URLs", "Clean-param, all URLs", "robotrie"],
				[
					"`canonicalLines`, URLs with a query",
					"Clean-param, queries",
					"robotrie",
				],
				[
					"`canonicalUrl`, all URLs",
					"Clean-param, all URLs",
					"robotrie canonicalUrl",
				],
				[
					"`canonicalUrl`, URLs with a query",
					"Clean-param, queries",
					"robotrie canonicalUrl",
				],
			]),
		],
	);

export const manySites = () =>
	table(
		["case", "ns per URL"],
		[
			...rowsOf([
				[
					"`RobotsIndex.matchLines`, `google`",
					"index, mixed URLs, google",
					"robotrie",
				],
				[
					"`RobotsIndex.matchLines`, `rfc9309`",
					"index, mixed URLs, rfc9309",
					"robotrie",
				],
			]),
			...rowsOf([
				[
					"`RobotsIndex.matchColumn`, `google`",
					"index, mixed URLs, google",
					"robotrie column",
				],
				[
					"`RobotsIndex.matchMany`, strings",
					"index, mixed strings",
					"robotrie matchMany",
				],
				[
					"a `Map` from origin to `Matcher`",
					"index, mixed strings",
					"Map of matchers",
				],
				[
					"a `Map` from origin to robots-parser",
					"index, mixed strings",
					"Map of robots-parser",
				],
			]),
		],
	);

/** Of an index of so many generated sites. */
const scaleOf = (origins, place, get) =>
	figure("node", `scale, ${origins} origins, ${place}`, (one) => {
		const found = one.scale?.find((size) => size.origins === origins);
		return found && get(found);
	});

export function scale() {
	const sizes = [100_000, 1_000_000];
	const each = (label, place, get, form) =>
		row(label, ...sizes.map((size) => shown(scaleOf(size, place, get), form)));
	return table(
		["generated sites", "100,000", "1,000,000"],
		[
			row(
				"ns per URL",
				...sizes.map((size) =>
					pair(
						scaleOf(size, "nsFastest", (one) => one.nsFastest),
						scaleOf(size, "nsMedian", (one) => one.nsMedian),
						whole,
					),
				),
			),
			each("index, MB", "byteLength", (one) => one.byteLength / 1e6, whole),
			each(
				"peak memory of the process that builds it, MB",
				"peakMemory",
				(one) => one.peakMemory / 1e6,
				whole,
			),
			each(
				"peak memory of the process that loads its snapshot from bytes, MB",
				"loaded.peakMemory",
				({ loaded }) => loaded.peakMemory / 1e6,
				whole,
			),
			each(
				"the same from a stream, MB",
				"streamed.peakMemory",
				({ streamed }) => streamed && streamed.peakMemory / 1e6,
				whole,
			),
			each(
				"seconds in `set`",
				"msBuild",
				(one) => one.msBuild / 1e3,
				digits(1),
			),
			each(
				"seconds to load the snapshot",
				"loaded.msLoad",
				({ loaded }) => loaded.msLoad / 1e3,
				digits(2),
			),
		],
	);
}

export const siteBytes = () => {
	const of = (place, get) =>
		shown(
			figure("node", `sites.${place}`, ({ sites }) => sites && get(sites)),
			whole,
		);
	return say`The rules of a median site take ${of("index.google", ({ index }) => index.google)} bytes in an index (dialect \`google\`; \`rfc9309\`: ${of("index.rfc9309", ({ index }) => index.rfc9309)}), ${of("matcher.google", ({ matcher }) => matcher.google)} as a \`Matcher\`'s byte-code
(\`rfc9309\`: ${of("matcher.rfc9309", ({ matcher }) => matcher.rfc9309)}), and ${of("toBytes", ({ toBytes }) => toBytes)} as its \`toBytes()\`.\n\n`;
};

export const pool = () => {
	const of = (workers, field) =>
		figure(
			"node",
			`pools, ${workers} workers, ${field}`,
			({ pools }) =>
				pools?.pools.find((one) => one.workers === workers)?.[field],
		);
	const gain = (field) =>
		shown(
			combined([of(1, field), of(2, field)], (one, both) => one / both),
			digits(2),
		);
	return say`A \`RobotsPool\` of two workers does ${gain("msFastest")} times the work of one on two cores (${gain("msMedian")} times by medians).`;
};
