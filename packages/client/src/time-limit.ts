/** Work that has not ended. */
interface Pending {
	/** By the clock that cannot be set. */
	readonly until: number;
	/** Nothing once it has ended: tables that a Set has outgrown would hold on to the outcome. */
	reject: ((error: TimeLimitError) => void) | undefined;
}

/** A time that each of many pieces of work may take. One timer watches over all of them. */
export class TimeLimit {
	readonly #milliseconds: number;
	readonly #who: string;
	/** The one that began first comes first. */
	readonly #pending = new Set<Pending>();
	#timer: NodeJS.Timeout | undefined;

	/** `who` takes the time, for the message. */
	constructor(milliseconds: number, who: string) {
		this.#milliseconds = milliseconds;
		this.#who = who;
	}

	/** The outcome of some work, or a TimeLimitError when it takes longer. The work itself goes on. */
	run<T>(work: Promise<T>): Promise<T> {
		return new Promise((resolve, reject) => {
			const until = performance.now() + this.#milliseconds;
			const pending: Pending = { until, reject };
			this.#pending.add(pending);
			this.#watch();
			work.then(
				(result) => {
					this.#end(pending);
					resolve(result);
				},
				(error) => {
					this.#end(pending);
					reject(error);
				},
			);
		});
	}

	/** The process does not end while something is pending, and goes on for nothing else. */
	#watch(): void {
		if (this.#timer) this.#timer.ref();
		else this.#timer = setTimeout(this.#look, this.#milliseconds);
	}

	#end(pending: Pending): void {
		this.#pending.delete(pending);
		pending.reject = undefined;
		if (this.#pending.size === 0) this.#timer?.unref();
	}

	readonly #look = (): void => {
		this.#timer = undefined;
		const now = performance.now();
		for (const pending of this.#pending) {
			// Timers may be a little early.
			if (pending.until > now + 1) {
				this.#timer = setTimeout(this.#look, pending.until - now);
				return;
			}
			this.#pending.delete(pending);
			const text = `${this.#who} gave no answer within ${this.#milliseconds} ms`;
			pending.reject?.(new TimeLimitError(text));
		}
	};
}

export class TimeLimitError extends Error {}
