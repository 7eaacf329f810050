import { RobotrieError } from "robotrie";
import { moved } from "../options/threads.ts";
import { Failure } from "../output/failure.ts";
import { SiteCompiler } from "./compile-sites.ts";
import { makeShard } from "./make-shard.ts";
import type {
	IndexJob,
	IndexJobResult,
	ShardJob,
	ShardJobResult,
} from "./threads.ts";

/** A thread of `robotrie index`: does what it is sent, all with the same settings. */
let compiler: SiteCompiler | undefined;

/** Compiles a task: an IndexJobResult. */
export default function compile({
	task,
	settings,
}: IndexJob): Promise<unknown> {
	compiler ??= new SiteCompiler(settings);
	const known = compiler;
	return orFailure(async () => {
		const sites = await known.run(task);
		const answer: IndexJobResult = { sites };
		return moved(answer, [sites.entries.bytes.buffer]);
	});
}

/** Makes a shard. */
export function make({ plan, settings }: ShardJob): Promise<ShardJobResult> {
	return orFailure(async () => ({ made: await makeShard(plan, settings) }));
}

async function orFailure<Result>(
	act: () => Promise<Result>,
): Promise<Result | { readonly failure: string }> {
	try {
		return await act();
	} catch (error) {
		if (!(error instanceof Failure || error instanceof RobotrieError))
			throw error;
		return { failure: error.message };
	}
}
