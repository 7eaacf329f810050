import { Failure } from "../output/failure.ts";
import { SiteCompiler } from "./compile-sites.ts";
import type { IndexJob, IndexJobResult } from "./threads.ts";

/** A thread of `robotrie index`: compiles the tasks that it is sent, all with the same settings. */
let compiler: SiteCompiler | undefined;

export default async function compile({
	task,
	settings,
}: IndexJob): Promise<IndexJobResult> {
	compiler ??= new SiteCompiler(settings);
	try {
		return { sites: await compiler.run(task) };
	} catch (error) {
		if (error instanceof Failure) return { failure: error.message };
		throw error;
	}
}
