/**
 * Who may make shared memory grow. The writer's allocator takes all pages between two looks at the size for its own: another thread
 * must not add any in between.
 */

/** u32, 1 while a thread has the lock. */
const lock: usize = memory.data(4, 4);
/** Tries, some seconds in all: who has the lock allocates one block. A thread that ended meanwhile never gives it back. */
const PATIENCE: i32 = 1 << 28;

/** False if another thread does not give it back. */
export function lockGrowth(): bool {
	if (!ASC_FEATURE_THREADS) return true;
	for (let tries = 0; tries < PATIENCE; tries++) {
		if (!atomic.load<u32>(lock) && !atomic.cmpxchg<u32>(lock, 0, 1))
			return true;
	}
	return false;
}

export function unlockGrowth(): void {
	if (ASC_FEATURE_THREADS) atomic.store<u32>(lock, 0);
}

/** Makes memory grow for a thread that does not allocate; returns the number of the first new page, or -1. */
export function growPages(count: i32): i32 {
	if (!lockGrowth()) return -1;
	const page = memory.grow(count);
	unlockGrowth();
	return page;
}
