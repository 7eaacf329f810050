// How long the main thread ran, for benchmarks of turns of the event loop: pauses.ts in packages/client/bench, and turn-steps.mjs.
import { existsSync, openSync, readSync } from "node:fs";

/** What Linux knows of the main thread: nanoseconds that it ran come first. */
const file = `/proc/self/task/${process.pid}/schedstat`;
const thread = existsSync(file) ? openSync(file, "r") : undefined;
const text = Buffer.alloc(64);
const SPACE = 0x20;
const ZERO = 0x30;

export function threadTime() {
	// Linux brings the number up to date when it is asked for this one.
	const { user, system } = process.cpuUsage();
	if (thread === undefined) return (user + system) / 1000;
	readSync(thread, text, 0, text.length, 0);
	// Without a string: what is measured should not be the garbage of measuring.
	let nanoseconds = 0;
	for (let at = 0; at < text.length && text[at] !== SPACE; at++)
		nanoseconds = 10 * nanoseconds + text[at] - ZERO;
	return nanoseconds / 1e6;
}
