// Times of cases, as cells and rows of tables.

import { engineOf } from "./results.mjs";
import { pair, row, scaled } from "./text.mjs";

/** "fastest (median)" of an engine in a case, in nanoseconds times `by`. */
export const times = (subject, engine, kind = "node", by = 1) =>
	pair(
		...["nsFastest", "nsMedian"].map((field) => {
			const ns = engineOf(kind, subject, engine, field);
			return ns && scaled(ns, by);
		}),
	);

/** Rows of [label, case, engine, kind, factor]. */
export const rowsOf = (list) =>
	list.map(([label, subject, engine, kind, by]) =>
		row(label, times(subject, engine, kind, by)),
	);
