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

/** Milliseconds that the reader of stdout has, after a signal, to take some of what waits for it; and between two looks. */
const PATIENCE = 2000;
const PERIOD = 100;

/** Tells after a signal whether stdout is still read: on a full pipe that nobody reads a write never ends, nor does the process. */
export class StdoutReader {
	readonly #stop: AbortSignal;
	#isStalled = false;

	constructor(stop: AbortSignal) {
		this.#stop = stop;
	}

	/** After the signal, nothing of what waited for the reader was taken. */
	get isStalled(): boolean {
		return this.#isStalled;
	}

	/** Waits for work that writes to stdout; false where it was left because the reader has stalled. */
	async takes(work: Promise<void>): Promise<boolean> {
		let timer: NodeJS.Timeout | undefined;
		const stalled = new Promise<false>((resolve) => {
			let waiting = 0;
			let since = performance.now();
			timer = setInterval(() => {
				const { writableLength } = process.stdout;
				const now = performance.now();
				const isMoving = writableLength === 0 || writableLength !== waiting;
				if (!this.#stop.aborted || isMoving) {
					waiting = writableLength;
					since = now;
				} else if (this.#isStalled || now - since >= PATIENCE) {
					this.#isStalled = true;
					resolve(false);
				}
			}, PERIOD);
		});
		try {
			return await Promise.race([work.then(() => true), stalled]);
		} finally {
			clearInterval(timer);
		}
	}
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
