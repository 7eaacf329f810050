/**
 * What a thread of `robotrie index` does: compiles the sites of a task, or makes a shard and writes it. build.ts sends it both; a
 * compiler keeps its buffers for the next task.
 */
import type { SiteTask } from "../sites/tasks.ts";
import { moved, serve } from "../threads/threads.ts";
import { type CompileSettings, SiteCompiler } from "./compile-sites.ts";
import { makeShard, type ShardPlan } from "./make-shard.ts";

export const start = (settings: CompileSettings) => {
	const compiler = new SiteCompiler(settings);
	return {
		async compile(task: SiteTask) {
			const sites = await compiler.run(task);
			return moved(sites, [sites.entries.bytes.buffer]);
		},
		make: (plan: ShardPlan) => makeShard(plan, settings),
	};
};

export default serve(start);
