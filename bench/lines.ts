import type { Dialect } from "../src/robots-txt/dialect.ts";
import {
	AGENT,
	type Case,
	CHUNK_ITEMS,
	columnOf,
	floorsOf,
	total,
} from "./case.ts";
import { engineOf } from "./engine.ts";
import type { Library } from "./library.ts";
import { type Data, linesOf, pathOf, type Site } from "./site.ts";

interface LinesOptions extends Pick<Case, "name" | "why" | "against"> {
	readonly sites: readonly Site[];
	readonly dialect: Dialect;
	/** Paths instead of whole URLs. */
	readonly paths: boolean;
	/** For clocks that are too coarse for the usual chunks. */
	readonly chunkItems?: number;
}

/** Every site's lines through its matcher, bytes in and verdict bytes out. */
export function linesCase(
	library: Library,
	data: Data,
	{
		name,
		sites,
		dialect,
		paths,
		chunkItems = CHUNK_ITEMS,
		...rest
	}: LinesOptions,
): Case {
	const textsOf = ({ urls }: Site) => (paths ? urls.map(pathOf) : urls);
	const jobs = sites.map((site) => ({
		lines: linesOf(textsOf(site)),
		column: columnOf(textsOf(site)),
		count: site.urls.length,
		matcher: library.RobotsTxt.parse(site.robots, { dialect }).for(AGENT),
		right: data.verdicts(site, { dialect, paths }),
	}));
	type Job = (typeof jobs)[number];
	const size = ({ count }: Job) => count;
	const right = (job: Job) => job.right;
	const work = { name, jobs, size, chunkItems };
	const into = new Uint8Array(Math.max(...jobs.map(size))).fill(OTHER);
	return {
		name,
		items: total(jobs, size),
		unit: "line",
		bytes: total(jobs, ({ lines }) => lines.length),
		engines: [
			...floorsOf(library, work),
			engineOf(work, {
				name: "robotrie",
				run: ({ matcher, lines }) => matcher.matchLines(lines),
				found: (verdicts) => verdicts,
				right,
			}),
			engineOf(work, {
				name: "robotrie into",
				run: ({ matcher, lines }) => matcher.matchLines(lines, into),
				found: (verdicts) => {
					// What `into` holds counts, not what was returned.
					const written = into.slice(0, verdicts.length);
					into.fill(OTHER);
					return written;
				},
				right,
			}),
			engineOf(work, {
				name: "robotrie column",
				run: ({ matcher, column }) => matcher.matchColumn(...column),
				found: (verdicts) => verdicts,
				right,
			}),
		],
		...rest,
	};
}

/** No verdict. */
const OTHER = 255;
