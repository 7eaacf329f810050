/**
 * Verdicts as a file, made in the worker for the export bar: text as `robotrie match` writes it, or rows with all dialects. judge-worker.ts
 * loads it for the first export.
 */

// The other build needs Node's Buffer.
import { stringify } from "csv-stringify/browser/esm/sync";
import { dialectNames } from "robotrie";
import { readingFor } from "robotrie/internal";
import {
	type ListRequest,
	type Setting,
	type VerdictKind,
	verdictName,
} from "../page/messages.ts";
import type { Judge } from "./judge.ts";

const types = {
	text: "text/plain",
	csv: "text/csv",
	ndjson: "application/x-ndjson",
} as const;

/** Rows that are made into text at a time, so that no single string holds them all. */
const ROWS = 10_000;

/** The lines that are not empty with their verdicts, as a file; lines of one kind only, if it is given. */
export function verdictList(
	judge: Judge,
	setting: Setting,
	{ format, only }: ListRequest = { format: "text", only: undefined },
): Blob {
	const answers = judge.verdicts(setting);
	const own = dialectNames.indexOf(
		readingFor(setting.dialect, setting.agent).dialect,
	);
	const lines = new TextDecoder().decode(judge.urls).split("\n");
	const rows = lines.flatMap((url, at) => {
		const verdicts = answers.map((one) => verdictName(one[at] ?? -1));
		const verdict = verdicts[own] ?? "invalid";
		if (url === "" || !isOf(only, verdict, verdicts)) return [];
		const byDialect = Object.fromEntries(
			dialectNames.map((name, i) => [name, verdicts[i]]),
		);
		return [{ line: at + 1, url, verdict, ...byDialect }];
	});
	const parts: string[] = [];
	if (format === "csv")
		parts.push(`${["line", "url", "verdict", ...dialectNames].join()}\n`);
	for (let from = 0; from < rows.length; from += ROWS) {
		const some = rows.slice(from, from + ROWS);
		if (format === "csv") parts.push(stringify(some));
		else
			for (const row of some)
				parts.push(
					format === "ndjson"
						? `${JSON.stringify(row)}\n`
						: `${row.verdict}\t${row.url}\n`,
				);
	}
	return new Blob(parts, { type: types[format] });
}

function isOf(
	only: VerdictKind | undefined,
	verdict: string,
	all: readonly string[],
): boolean {
	if (only === undefined) return true;
	return only === "differing"
		? all.some((other) => other !== verdict)
		: only === verdict;
}
