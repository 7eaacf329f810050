import { Cancellation, type Stop, whenAborted } from "./aborts.ts";

/** Work that several callers wait for: done once, and cancelled when no caller is left. */
export class SharedTask<T> {
	readonly #stop = new Cancellation();
	readonly #result: Promise<T>;
	readonly #abandoned: () => void;
	#waiting = 0;

	/** `ended` is called once: when the work is done, has failed, or is given up. */
	constructor(work: (stop: Cancellation) => Promise<T>, ended: () => void) {
		let pending = true;
		const end = () => {
			if (pending) ended();
			pending = false;
		};
		this.#abandoned = end;
		this.#result = work(this.#stop).finally(end);
		// Whoever waits hears of it; work in the background may have nobody.
		this.#result.catch(() => {});
	}

	/** The result; rejects with the signal's reason when that is aborted first. */
	async join(signal?: Stop): Promise<T> {
		this.#waiting++;
		try {
			return await unlessAborted(this.#result, signal);
		} finally {
			this.#waiting--;
			if (this.#waiting === 0 && signal?.aborted) this.abort(signal.reason);
		}
	}

	/** Keeps the work going even when nobody waits for it. */
	keep(): void {
		this.#waiting++;
	}

	abort(reason: unknown): void {
		this.#abandoned();
		this.#stop.abort(reason);
	}
}

function unlessAborted<T>(
	result: Promise<T>,
	signal: Stop | undefined,
): Promise<T> {
	if (!signal) return result;
	return new Promise((resolve, reject) => {
		if (signal.aborted) return reject(signal.reason);
		const stop = whenAborted(signal, () => reject(signal.reason));
		result.then(resolve, reject).finally(stop);
	});
}
