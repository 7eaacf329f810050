/**
 * Who may make shared memory grow. The writer's allocator takes all pages between two looks at the size for its own: another thread
 * must not add any in between.
 */

/** i32, 1 while a thread has the lock. */
const lock: usize = memory.data(4, 4);
/** Nanoseconds after which a thread that waits for the lock looks again. */
const WAIT: i64 = 100_000_000;
/** Waits, ten seconds in all: who has the lock allocates one block. A thread that ended meanwhile never gives it back. */
const PATIENCE: i32 = 100;

/** False if another thread does not give it back. */
export function lockGrowth(): bool {
	if (!ASC_FEATURE_THREADS) return true;
	let waits = 0;
	while (atomic.cmpxchg<i32>(lock, 0, 1)) {
		const answer = atomic.wait<i32>(lock, 1, WAIT);
		if (answer == AtomicWaitResult.TIMED_OUT && ++waits == PATIENCE)
			return false;
	}
	return true;
}

export function unlockGrowth(): void {
	if (!ASC_FEATURE_THREADS) return;
	atomic.store<i32>(lock, 0);
	atomic.notify(lock, 1);
}

/** Makes memory grow for a thread that does not allocate; returns the number of the first new page, or -1. */
export function growPages(count: i32): i32 {
	if (!lockGrowth()) return -1;
	const page = memory.grow(count);
	unlockGrowth();
	return page;
}
