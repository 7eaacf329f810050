/** Tells work to stop, as an AbortController does, which takes ten times the memory: each look-up and each request has one. */
export class Cancellation {
	aborted = false;
	reason: unknown;
	#callbacks: Set<() => void> | undefined;

	/** Calls back those who wait for it. Only the first call has an effect. */
	abort(reason: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		const callbacks = this.#callbacks ?? [];
		this.#callbacks = undefined;
		for (const callback of callbacks) callback();
	}

	/** @throws The reason, once it was aborted. */
	throwIfAborted(): void {
		if (this.aborted) throw this.reason;
	}

	/** Calls back when it is aborted, until what it returns is called. */
	whenAborted(callback: () => void): () => void {
		this.#callbacks ??= new Set();
		this.#callbacks.add(callback);
		return () => this.#callbacks?.delete(callback);
	}
}

/** What tells work to stop: a caller's signal, or one of this client's own. */
export type Stop = AbortSignal | Cancellation;

/** What is to be called when a signal is aborted. */
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
 * Calls back when a signal is aborted, until what it returns is called. A signal has one listener, however many wait for it: Node
 * warns of more than ten.
 */
export function whenAborted(stop: Stop, callback: () => void): () => void {
	if (stop instanceof Cancellation) return stop.whenAborted(callback);
	const callbacks = bySignal.get(stop) ?? new Callbacks(stop);
	callbacks.add(callback);
	return () => {
		if (callbacks.delete(callback) && callbacks.size === 0) callbacks.end();
	};
}
