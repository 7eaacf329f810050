/**
 * One budget of time for all work of the client. Long work asks before each step, and waits when its
 * share of a turn is used. Judge, RobotsSource and the LMDB store use it, so that a
 * crawler's own sockets and timers are never kept waiting.
 */

import { nextTick } from "node:process";
import pLimit from "p-limit";
import { inOneGo, type Steps, withPauses } from "#robotrie/common/steps";

/**
 * Milliseconds of work in one turn of the event loop. Two milliseconds are less than a crawler
 * notices, and long enough that waiting costs little.
 */
const BUDGET = 2;

/**
 * Lets the event loop turn while there is much to do. Promises that resolve at once, as those of a
 * store on this machine, run before any timer or socket: thousands of them would keep everything
 * else waiting. All work of the process has one budget a turn. A budget for the process and not for
 * each call: a hundred calls would have a hundred budgets.
 */
class Turns {
	/** When the first work of this turn began. */
	#since: number | undefined;
	readonly #waiting: (() => void)[] = [];

	/** To be asked before a piece of work of up to 1 ms: undefined if there is time for it, else what to wait for. */
	wait(): Promise<void> | undefined {
		if (this.#waiting.length === 0 && !this.#isOver()) return undefined;
		return new Promise((resolve) => this.#waiting.push(resolve));
	}

	/** Work begins that cannot wait: what follows in this turn has that much less time. */
	begin(): void {
		if (this.#since === undefined) this.#begin(performance.now());
	}

	#isOver(): boolean {
		const now = performance.now();
		if (this.#since === undefined) this.#begin(now);
		return now - (this.#since ?? now) >= BUDGET;
	}

	#begin(now: number): void {
		this.#since = now;
		setImmediate(() => {
			this.#since = undefined;
			this.#resume();
		});
	}

	/**
	 * Lets those who wait go on, one after another, in the order in which they came. One after
	 * another, each with what is left of the turn: all at once would use it up a hundred times.
	 */
	readonly #resume = (): void => {
		if (this.#waiting.length === 0 || this.#isOver()) return;
		this.#waiting.shift()?.();
		// A tick set by a microtask comes after all that the one let go does without waiting for the event loop.
		queueMicrotask(() => nextTick(this.#resume));
	};
}

export const turns = new Turns();

/** Bytes that are copied, or summed, in a step: with memory that is new half a millisecond's work. */
export const COPIED = 512 * 1024;

/**
 * Work on so many bytes in steps of COPIED: with 16 MiB it takes longer than a turn may take, and with the few kilobytes of most files it
 * is done before others could have their turn.
 */
export function bySize<Result>(
	steps: Steps<Result>,
	size: number,
): Promise<Result> | Result {
	return size > COPIED ? inTurns(steps) : inOneGo(steps);
}

/** The first `size` bytes of parts together, in memory of their own. */
export function copyInTurns(
	parts: Iterable<Uint8Array>,
	size: number,
): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> {
	return bySize(copySteps(parts, size), size);
}

/** The same in steps. */
export function* copySteps(
	parts: Iterable<Uint8Array>,
	size: number,
): Steps<Uint8Array<ArrayBuffer>> {
	const whole = new Uint8Array(size);
	let at = 0;
	let pause = COPIED;
	for (const part of parts)
		for (let from = 0; from < part.length && at < size; ) {
			if (at === pause) {
				yield;
				pause += COPIED;
			}
			const most = Math.min(pause, size) - at;
			const some = part.subarray(from, from + most);
			whole.set(some, at);
			at += some.length;
			from += some.length;
		}
	return whole;
}

/** Large files are compiled one after another: each takes a memory of its own meanwhile, of up to twenty times its bytes. */
const alone = pLimit(1);

/** Lets the event loop turn between steps, so that no file that a site sends holds it up. `isLarge`: they compile a large file. */
export function inTurns<Result>(
	steps: Steps<Result>,
	isLarge = false,
): Promise<Result> {
	const run = () => withPauses(steps, () => turns.wait());
	return isLarge ? alone(run) : run();
}
