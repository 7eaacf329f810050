// Stored results, and figures out of them that know where they come from.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../bench/results/", import.meta.url));

/** A number of a stored result. */
export class Figure {
	/** @param {number} value @param {readonly string[]} sources File and place of all that it is made of. */
	constructor(value, sources) {
		this.value = value;
		this.sources = sources;
	}
}

/** Newest first: the date has the time of day in it. What `tools/store-result.mjs` writes has a kind. */
const files = readdirSync(folder)
	.filter((file) => file.endsWith(".json") && !file.startsWith("local-"))
	.map((file) => ({
		file,
		...JSON.parse(readFileSync(folder + file, "utf8")),
	}))
	.sort((a, b) =>
		a.date === b.date
			? a.file.localeCompare(b.file)
			: b.date.localeCompare(a.date),
	);

/** All runs of a kind, newest first. */
export const runsOf = (kind) => files.filter((run) => run.kind === kind);

/** What `get` finds in the newest run of a kind that has it; undefined if none has. `place` says where. */
export function figure(kind, place, get) {
	for (const run of runsOf(kind)) {
		const value = get(run);
		if (value !== undefined)
			return new Figure(value, [`${run.file}: ${place}`]);
	}
	return undefined;
}

/** A number out of several figures; undefined if one is. */
export function combined(figures, of) {
	if (figures.some((one) => one === undefined)) return undefined;
	return new Figure(
		of(...figures.map(({ value }) => value)),
		figures.flatMap(({ sources }) => sources),
	);
}

/** Cases and engines that figures were looked for in: "kind: case, engine". */
export const asked = new Set();

/** Of a run: an engine's field in a case. */
export function engineIn(run, subject, engine, field) {
	asked.add(
		`${run.browser === undefined ? "node" : "browser"}: ${subject}, ${engine}`,
	);
	return run.cases
		?.find(({ name }) => name === subject)
		?.engines.find(({ name }) => name === engine)?.[field];
}

/** An engine's field, from the newest run that has the case: engines of a case are compared within one run only. */
export function engineOf(kind, subject, engine, field = "nsFastest") {
	const run = runsOf(kind).find(({ cases }) =>
		cases?.some(({ name }) => name === subject),
	);
	const value = run && engineIn(run, subject, engine, field);
	return value === undefined
		? undefined
		: new Figure(value, [`${run.file}: ${subject}, ${engine}, ${field}`]);
}

/** The newest run of a kind with all of the benchmark. */
export const newestWhole = (kind) =>
	runsOf(kind).find(({ cases = [] }) => cases.length > 1);
