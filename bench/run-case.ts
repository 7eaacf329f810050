import type { Case } from "./cases.ts";
import { type Engine, measure, singlePass } from "./measure.ts";
import type { CaseResult } from "./report.ts";

const ROUNDS = 40;

/** Checks a case, warms up, and times its engines. */
export function runCase(subject: Case): CaseResult {
	const first = new Map(
		subject.engines.map((engine) => [engine.name, singlePass(engine)]),
	);
	subject.check();
	warmUp(subject.engines);
	// Node has it when asked to; browsers do not.
	(globalThis as { gc?: () => void }).gc?.();
	const timings = measure(subject.engines, ROUNDS);
	const { name, why, items, unit, bytes, against } = subject;
	const perItem = (milliseconds: number) => (milliseconds * 1e6) / items;
	return {
		name,
		why,
		items,
		unit,
		bytes,
		...(against ? { against } : {}),
		engines: [...timings].map(([engine, { fastest, median }]) => ({
			name: engine,
			nsFastest: perItem(fastest),
			nsMedian: perItem(median),
			nsFirst: perItem(first.get(engine) ?? 0),
		})),
	};
}

/** Lets the compilers finish before anything is timed: the first case would pay for all. */
function warmUp(engines: readonly Engine[]): void {
	for (const { chunks, rounds } of engines) {
		const passes = rounds === undefined ? 20 : 1;
		for (let pass = 0; pass < passes; pass++) for (const run of chunks) run();
	}
}
