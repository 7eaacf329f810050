/**
 * What a thread of `robotrie match` does: judges blocks of lines and puts their verdicts in front, or judges lines of one of the shards that
 * are its own. label.ts starts it. An index that threads share has to be a failure in all of them if one cannot load it: those that
 * waited throw OtherFailed.
 */
import { Matcher } from "robotrie";
import { type OpenFolder, ShardSet } from "../index-files/shard-set.ts";
import {
	SharedShardSet,
	type SharedShards,
} from "../index-files/shared-shards.ts";
import { type LineBlock, type LineRange, RangeReader } from "../input/lines.ts";
import { Failure } from "../output/output.ts";
import { moved, serve } from "../threads/threads.ts";
import { VerdictLines, type VerdictName } from "./verdict-lines.ts";

/** What threads judge by. Plain data. */
export type JudgeSource =
	| { readonly kind: "matcher"; readonly program: Uint8Array }
	| { readonly kind: "index"; readonly shards: SharedShards }
	| { readonly kind: "shards"; readonly open: OpenFolder };

interface Settings {
	readonly source: JudgeSource;
	/** The verdict of the lines that are written; all without one. */
	readonly only: VerdictName | undefined;
}

function judgeOf(source: JudgeSource, thread: number) {
	switch (source.kind) {
		case "matcher":
			return Matcher.fromBytes(source.program);
		case "index":
			return new SharedShardSet(source.shards, thread);
		case "shards":
			return new ShardSet(source.open);
	}
}

export const start = ({ source, only }: Settings, thread: number) => {
	const judge = judgeOf(source, thread);
	const verdictLines = new VerdictLines(only);
	const reader = new RangeReader();
	return {
		/**
		 * Lines with their verdicts, and how many have each. `into` is used for them if it has room. Why lines cannot be read is an answer and not
		 * a failure, as a failure would stop threads that wait for each other before the lines in front of these are judged.
		 */
		async label({ block, into }: { block: LineBlock; into: ArrayBuffer }) {
			const lines = block instanceof Uint8Array ? block : read(reader, block);
			if ("unreadable" in lines) return lines;
			const verdicts = await judge.matchLines(lines);
			const output = verdictLines.label(lines, verdicts, into);
			const answer = { output, counts: verdictLines.takeCounts() };
			return moved(answer, [output.buffer]);
		},
		/** Verdicts for lines that all belong to one shard. */
		judgeShard({ shard, lines }: { shard: number; lines: Uint8Array }) {
			return (judge as ShardSet).matchShard(shard, lines);
		},
	};
};

function read(
	reader: RangeReader,
	range: LineRange,
): Uint8Array | { readonly unreadable: string } {
	try {
		return reader.read(range);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return { unreadable: error.message };
	}
}

export default serve(start);
