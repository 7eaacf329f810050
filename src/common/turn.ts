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
