/** Code and workers that are loaded later, and may not arrive: the page works offline only as far as it was loaded. */

/** Loads a part of the page when it is first asked for; when that fails, the next call tries again. */
export function part<Thing>(load: () => Promise<Thing>): () => Promise<Thing> {
	let loading: Promise<Thing> | undefined;
	return () => {
		// A failure is forgotten, not kept: the reader may be online by the next click.
		loading ??= load().catch((error: unknown) => {
			loading = undefined;
			throw error;
		});
		return loading;
	};
}

/** What went wrong in a worker; an event without a message means that its program did not arrive. */
export function workerProblem(event: Event): string {
	if (!(event instanceof ErrorEvent))
		return "its program could not be loaded; are you offline?";
	return event.message || "the worker ended, perhaps for lack of memory";
}
