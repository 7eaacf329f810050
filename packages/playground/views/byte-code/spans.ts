/**
 * Which bytes of a path each step of a trace looks at, for pointing.ts. A trace has only where a step begins: what it reads follows from its
 * instruction (instruction.ts).
 */

import type { Instruction, Trace } from "../../page/messages.ts";
import { lookedAt } from "./instruction.ts";

/** Bytes of a path that an instruction looks at. */
export interface Span {
	/** The step in which it does, from 0. */
	readonly step: number;
	readonly instruction: Instruction;
	/** `to` is not included. */
	readonly from: number;
	readonly to: number;
}

/** What each step looks at; steps that look at no byte have no span. */
export function spansOf(
	trace: Trace,
	instructionAt: (offset: number) => Instruction | undefined,
): readonly Span[] {
	const path = new TextEncoder().encode(trace.path);
	return trace.steps.flatMap(({ offset, at }, step) => {
		const instruction = instructionAt(offset);
		const to = instruction ? lookedAt(instruction, path, at) : at;
		return instruction && to > at ? [{ step, instruction, from: at, to }] : [];
	});
}
