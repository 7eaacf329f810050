import { Matcher, RobotrieError } from "robotrie";
import { workerId } from "tinypool";
import { ShardSet } from "../index-files/shard-set.ts";
import { OtherFailed, SharedShardSet } from "../index-files/shared-shards.ts";
import { type LineRange, RangeReader } from "../input/line-range.ts";
import { moved } from "../options/threads.ts";
import { Failure } from "../output/failure.ts";
import type {
	JudgeSource,
	MatchJob,
	MatchJobResult,
	ShardJob,
	ShardJobResult,
} from "./threads.ts";
import { VerdictLines } from "./verdict-lines.ts";

/** A thread of `robotrie match`. */
interface Judge {
	matchLines(lines: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

let judge: Judge | undefined;
let labels: VerdictLines | undefined;
let shards: ShardSet | undefined;
const reader = new RangeReader();

/** Judges and labels the lines that it is sent, or is to read: a MatchJobResult. */
export default function label({
	source,
	only,
	part,
	into,
}: MatchJob): Promise<unknown> {
	return orFailure(async () => {
		judge ??= judgeFor(source);
		labels ??= new VerdictLines(only);
		const lines = part instanceof Uint8Array ? part : readRange(part);
		if ("unreadable" in lines) return lines;
		const verdicts = await judge.matchLines(lines);
		const output = labels.label(lines, verdicts, into);
		const answer: MatchJobResult = { output, counts: labels.takeCounts() };
		return moved(answer, [output.buffer]);
	});
}

/** Judges lines that all belong to one shard of those that this thread loads. */
export function judgeShard({
	open,
	shard,
	lines,
}: ShardJob): Promise<ShardJobResult> {
	return orFailure(async () => {
		shards ??= new ShardSet(open);
		return { verdicts: await shards.matchShard(shard, lines) };
	});
}

function readRange(
	range: LineRange,
): Uint8Array | { readonly unreadable: string } {
	try {
		return reader.read(range);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return { unreadable: error.message };
	}
}

async function orFailure<Result>(
	act: () => Promise<Result>,
): Promise<Result | { readonly failure: string | null }> {
	try {
		return await act();
	} catch (error) {
		if (error instanceof OtherFailed) return { failure: null };
		if (!(error instanceof Failure || error instanceof RobotrieError))
			throw error;
		return { failure: error.message };
	}
}

function judgeFor(source: JudgeSource): Judge {
	return source.kind === "matcher"
		? Matcher.fromBytes(source.program)
		: new SharedShardSet(source.shards, workerId - 1);
}
