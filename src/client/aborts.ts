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
export function whenAborted(
	signal: AbortSignal,
	callback: () => void,
): () => void {
	const callbacks = bySignal.get(signal) ?? new Callbacks(signal);
	callbacks.add(callback);
	return () => {
		if (callbacks.delete(callback) && callbacks.size === 0) callbacks.end();
	};
}
