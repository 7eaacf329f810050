import { RobotrieError } from "../common/errors.ts";
import { Matcher } from "../matching/matcher.ts";
import { Failure } from "./failure.ts";
import type { JudgeSource, MatchJob, MatchJobResult } from "./match-threads.ts";
import { ShardSet } from "./shard-set.ts";
import { VerdictLines } from "./verdict-lines.ts";

/** A thread of `robotrie match`: judges and labels the lines that it is sent. */
interface Judge {
	matchLines(lines: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

let judge: Judge | undefined;
let labels: VerdictLines | undefined;

export default async function label({
	source,
	only,
	lines,
}: MatchJob): Promise<MatchJobResult> {
	judge ??= judgeFor(source);
	labels ??= new VerdictLines(only);
	try {
		const verdicts = await judge.matchLines(lines);
		// A copy: a view would be sent with all of its buffer.
		const output = labels.label(lines, verdicts).slice();
		return { output, counts: labels.takeCounts() };
	} catch (error) {
		if (!(error instanceof Failure || error instanceof RobotrieError))
			throw error;
		return { failure: error.message };
	}
}

function judgeFor(source: JudgeSource): Judge {
	return source.kind === "matcher"
		? Matcher.fromBytes(source.program)
		: new ShardSet(source.open);
}
