const signals = ["SIGINT", "SIGTERM"] as const;

/** Aborted by SIGINT or SIGTERM; the second one ends the process as it would without us. */
export function stopSignal(): AbortSignal {
	const stop = new AbortController();
	const hear = (signal: NodeJS.Signals) => {
		if (stop.signal.aborted) {
			for (const each of signals) process.removeAllListeners(each);
			process.kill(process.pid, signal);
		}
		stop.abort();
	};
	for (const signal of signals) process.on(signal, hear);
	return stop.signal;
}

/** Chunks of stdin, or of what else may never end, up to the signal. */
export async function* untilStopped<Item>(
	source: AsyncGenerator<Item>,
	stop: AbortSignal,
): AsyncGenerator<Item> {
	const stopped = new Promise<undefined>((resolve) => {
		stop.addEventListener("abort", () => resolve(undefined), { once: true });
	});
	while (!stop.aborted) {
		const next = source.next();
		const result = await Promise.race([next, stopped]);
		if (result === undefined) {
			next.catch(() => {});
			// It would keep the process waiting.
			process.stdin.destroy();
			return;
		}
		if (result.done) return;
		yield result.value;
	}
}
