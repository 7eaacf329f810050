import { RobotrieError } from "../../common/errors.ts";
import { Matcher } from "../../matching/matcher.ts";
import { readIndex } from "../index-files/index-file.ts";
import { ShardSet } from "../index-files/shard-set.ts";
import { Failure } from "../output/failure.ts";
import type { JudgeSource, MatchJob, MatchJobResult } from "./threads.ts";
import { VerdictLines } from "./verdict-lines.ts";

/** A thread of `robotrie match`: judges and labels the lines that it is sent. */
interface Judge {
	matchLines(lines: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

let judge: Promise<Judge> | undefined;
let labels: VerdictLines | undefined;

export default async function label({
	source,
	only,
	lines,
}: MatchJob): Promise<MatchJobResult> {
	judge ??= judgeFor(source);
	labels ??= new VerdictLines(only);
	try {
		const verdicts = await (await judge).matchLines(lines);
		// A copy: a view would be sent with all of its buffer.
		const output = labels.label(lines, verdicts).slice();
		return { output, counts: labels.takeCounts() };
	} catch (error) {
		if (!(error instanceof Failure || error instanceof RobotrieError))
			throw error;
		return { failure: error.message };
	}
}

async function judgeFor(source: JudgeSource): Promise<Judge> {
	switch (source.kind) {
		case "matcher":
			return Matcher.fromBytes(source.program);
		case "file":
			return readIndex(source.index, source.opened);
		case "folder":
			return new ShardSet(source.open);
	}
}
