import type { Case } from "./case.ts";
import type { Engine } from "./engine.ts";
import { measure, singlePass } from "./measure.ts";
import type { CaseResult } from "./report.ts";

/** How often the work of a case is done: the same for all of its engines. */
export interface Effort {
	readonly rounds: number;
	/** Before anything is timed. */
	readonly warmUp: number;
}

/**
 * Checks a case, warms up, and times its engines.
 * @throws {Error} When an engine gives a wrong answer.
 */
export function runCase(
	subject: Case,
	{ rounds, warmUp }: Effort = { rounds: 40, warmUp: 20 },
): CaseResult {
	const first = new Map(
		subject.engines.map((engine) => [engine.name, singlePass(engine)]),
	);
	const checked = new Map(
		subject.engines.map((engine) => [engine.name, engine.check()]),
	);
	warm(subject.engines, warmUp);
	// Node has it when asked to; browsers do not.
	(globalThis as { gc?: () => void }).gc?.();
	const timings = measure(subject.engines, rounds);
	const { name, why, items, unit, bytes, against } = subject;
	const perItem = (milliseconds: number) => (milliseconds * 1e6) / items;
	return {
		name,
		why,
		items,
		unit,
		bytes,
		rounds,
		...(against ? { against } : {}),
		engines: [...timings].map(([engine, { fastest, median }]) => {
			const { answers = 0, wrong = 0, sum = 0 } = checked.get(engine) ?? {};
			return {
				name: engine,
				nsFastest: perItem(fastest),
				nsMedian: perItem(median),
				nsFirst: perItem(first.get(engine) ?? 0),
				answers,
				wrong,
				sum,
			};
		}),
	};
}

/** Lets the compilers finish before anything is timed: the first case would pay for all. */
function warm(engines: readonly Engine[], passes: number): void {
	for (const { chunks } of engines)
		for (let pass = 0; pass < passes; pass++) for (const run of chunks) run();
}
