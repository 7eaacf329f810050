/** Long work in steps, for the client: it reads files that strangers send, and a process must go on answering others meanwhile. */
/**
 * Work that can be done in steps: a generator yields wherever another piece of work may come between. One mechanism serves those who
 * want the result at once (`inOneGo`) and the client, which lets the event loop turn between steps: a site sends what makes the work long.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** The result, without a pause. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** The result; before each step `wait` says whether to wait for something first. */
export async function withPauses<Result>(
	steps: Steps<Result>,
	wait: () => Promise<void> | undefined,
): Promise<Result> {
	for (;;) {
		const pause = wait();
		if (pause) await pause;
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/**
 * Waits until whatever else waits in the event loop has had its turn: promises alone would not let it. Not every platform has
 * `setImmediate`; timers take a few milliseconds.
 */
export function nextTurn(): Promise<void> {
	const { setImmediate: soon = setTimeout } = globalThis as {
		setImmediate?: (resolve: () => void) => unknown;
	};
	return new Promise((resolve) => {
		soon(() => resolve());
	});
}
