import { type CompileSettings, SiteCompiler } from "./compile-sites.ts";
import { Failure } from "./failure.ts";
import type { IndexJob, IndexJobResult } from "./index-threads.ts";

/** A thread of `robotrie index`: compiles the tasks that it is sent. */
let compiler: SiteCompiler | undefined;
let known: CompileSettings | undefined;

export default async function compile({
	task,
	settings,
}: IndexJob): Promise<IndexJobResult> {
	if (!compiler || !known) {
		known = settings;
		compiler = new SiteCompiler(settings);
	}
	try {
		return { sites: await compiler.run(task) };
	} catch (error) {
		if (error instanceof Failure) return { failure: error.message };
		throw error;
	}
}
