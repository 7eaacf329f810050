import { Cancellation, type Stop, whenAborted } from "./aborts.ts";

/** Work that several callers wait for: done once, and cancelled when no caller is left. */
export class SharedTask<T> {
	readonly #stop = new Cancellation();
	#result: Promise<T> | undefined;
	#abandoned: (() => void) | undefined;
	#waiting = 0;

	/** `ended` is called once: when the work is done, has failed, or is given up. */
	constructor(work: (stop: Cancellation) => Promise<T>, ended: () => void) {
		let pending = true;
		const end = () => {
			if (pending) ended();
			pending = false;
		};
		this.#abandoned = end;
		const result = work(this.#stop).finally(() => {
			end();
			this.#result = this.#abandoned = undefined;
		});
		this.#result = result;
		// Whoever waits hears of it; work in the background may have nobody.
		result.catch(() => {});
	}

	/** The result; rejects with the signal's reason when that is aborted first. */
	join(signal?: Stop): Promise<T> {
		const result = this.#result as Promise<T>;
		this.#waiting++;
		if (!signal) return result;
		return new Promise((resolve, reject) => {
			const leave = () => {
				reject(signal.reason);
				this.#waiting--;
				if (this.#waiting === 0) this.abort(signal.reason);
			};
			if (signal.aborted) return leave();
			const stop = whenAborted(signal, leave);
			result.then(resolve, reject).then(stop);
		});
	}

	/** Keeps the work going even when nobody waits for it. */
	keep(): void {
		this.#waiting++;
	}

	abort(reason: unknown): void {
		this.#abandoned?.();
		this.#stop.abort(reason);
	}
}
