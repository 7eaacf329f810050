/**
 * Stopping work: `Cancellation`, a small AbortController for look-ups and requests; `whenAborted`, which waits for it or for a caller's
 * AbortSignal; and `SharedTask`, one piece of work that several callers wait for, cancelled when the last of them has left. Used wherever
 * the client waits: RobotsSource, StoredAnswers, exchange.
 */

/** Like an AbortController, which takes ten times the memory: each look-up and each request has one. */
export class Cancellation {
	aborted = false;
	reason: unknown;
	#callbacks: Set<() => void> | undefined;

	/** Calls all callbacks. Only the first call has an effect. */
	abort(reason: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		const callbacks = this.#callbacks ?? [];
		this.#callbacks = undefined;
		for (const callback of callbacks) callback();
	}

	/** @throws The reason, if it was aborted. */
	throwIfAborted(): void {
		if (this.aborted) throw this.reason;
	}

	/** Calls back when it is aborted. Returns a function that takes the callback back. */
	whenAborted(callback: () => void): () => void {
		this.#callbacks ??= new Set();
		this.#callbacks.add(callback);
		return () => this.#callbacks?.delete(callback);
	}
}

/** What stops work: a caller's signal, or the client's own. */
export type Stop = AbortSignal | Cancellation;

/** The callbacks of one signal. */
class Callbacks extends Set<() => void> {
	readonly #signal: AbortSignal;

	constructor(signal: AbortSignal) {
		super();
		this.#signal = signal;
		signal.addEventListener("abort", this);
		bySignal.set(signal, this);
	}

	handleEvent(): void {
		this.end();
		for (const callback of this) callback();
	}

	end(): void {
		this.#signal.removeEventListener("abort", this);
		bySignal.delete(this.#signal);
	}
}

const bySignal = new WeakMap<AbortSignal, Callbacks>();

/**
 * Calls back when a signal is aborted. Returns a function that takes the callback back. A signal
 * gets one listener however many callbacks it has, as Node warns of more than ten. Without it, a
 * thousand calls with one signal would be a thousand listeners.
 */
export function whenAborted(stop: Stop, callback: () => void): () => void {
	if (stop instanceof Cancellation) return stop.whenAborted(callback);
	const callbacks = bySignal.get(stop) ?? new Callbacks(stop);
	callbacks.add(callback);
	return () => {
		if (callbacks.delete(callback) && callbacks.size === 0) callbacks.end();
	};
}

/** Work that several callers wait for: done once, and cancelled when no caller is left. */
export class SharedTask<T> {
	readonly #stop = new Cancellation();
	#result: Promise<T> | undefined;
	#abandoned: (() => void) | undefined;
	#waiting = 0;

	/** `ended` is called once: when the work is done, has failed, or is abandoned. */
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
		// Waiters see the rejection; in the background there may be no waiter, and Node would end the process.
		result.catch(() => {});
	}

	/**
	 * The result; rejects with the signal's reason if that is aborted first. A caller that leaves
	 * takes its wait back; the work goes on while one is left.
	 */
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

	/** Keeps the work going even if nobody waits for it. */
	keep(): void {
		this.#waiting++;
	}

	abort(reason: unknown): void {
		this.#abandoned?.();
		this.#stop.abort(reason);
	}
}
