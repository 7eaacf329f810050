import { existsSync, openSync, readSync } from "node:fs";
import {
	constants,
	createHistogram,
	PerformanceObserver,
	type RecordableHistogram,
} from "node:perf_hooks";

/** Milliseconds. */
export interface Latency {
	readonly count: number;
	readonly p50: number;
	readonly p99: number;
	readonly p999: number;
	readonly longest: number;
}

/** Times by name. */
export class Latencies {
	readonly #byName = new Map<string, RecordableHistogram>();

	record(name: string, milliseconds: number): void {
		let histogram = this.#byName.get(name);
		if (!histogram) {
			histogram = createHistogram();
			this.#byName.set(name, histogram);
		}
		histogram.record(Math.max(1, Math.round(milliseconds * 1e6)));
	}

	/** Times a call that does not wait. */
	time<T>(name: string, call: () => T): T {
		const watch = new Stopwatch();
		const result = call();
		this.record(name, watch.read().ran);
		return result;
	}

	get(name: string): Latency {
		const histogram = this.#byName.get(name);
		if (!histogram) return { count: 0, p50: 0, p99: 0, p999: 0, longest: 0 };
		const at = (percent: number) => histogram.percentile(percent) / 1e6;
		return {
			count: histogram.count,
			p50: at(50),
			p99: at(99),
			p999: at(99.9),
			longest: histogram.max / 1e6,
		};
	}

	get names(): string[] {
		return [...this.#byName.keys()];
	}
}

/** What Linux knows of the main thread: nanoseconds that it ran come first. */
const threadFile = `/proc/self/task/${process.pid}/schedstat`;
const thread = existsSync(threadFile) ? openSync(threadFile, "r") : undefined;
const text = Buffer.alloc(64);
/** Milliseconds by which that may be behind. */
const TICK = 4;

function threadTime(): number {
	if (thread === undefined) return 0;
	const length = readSync(thread, text, 0, text.length, 0);
	return Number.parseInt(text.toString("latin1", 0, length), 10) / 1e6;
}

/**
 * Measures milliseconds on the clock, and an upper bound of those in which the main thread ran: on a machine that does other things, a
 * call's time on the clock may be another process's.
 */
class Stopwatch {
	readonly #start = performance.now();
	readonly #cpu = process.cpuUsage();
	readonly #thread = threadTime();

	read(): { readonly passed: number; readonly ran: number } {
		const passed = performance.now() - this.#start;
		const { user, system } = process.cpuUsage(this.#cpu);
		const ran = Math.min(passed, (user + system) / 1000);
		if (thread === undefined || ran <= TICK) return { passed, ran };
		const ofThread = threadTime() - this.#thread + TICK;
		return { passed, ran: Math.min(ran, ofThread) };
	}
}

/** Milliseconds: turns in which less was done are not counted. */
const IDLE = 0.05;

/** Milliseconds, by the clock of `performance.now()`. */
interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** Milliseconds after which it is known what was collected at a time. */
const KNOWN_AFTER = 1000;

/** Measures what the garbage collector takes of turns: the memory is of all that the process does. Collections that were asked for do not count. */
export class Collections {
	readonly #observer: PerformanceObserver;
	#recent: Stretch[] = [];

	constructor(latencies: Latencies) {
		this.#observer = new PerformanceObserver((list) => {
			for (const entry of list.getEntries()) {
				const { duration, startTime, detail } = entry as PerformanceEntry & {
					readonly detail: { readonly kind: number; readonly flags: number };
				};
				if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) continue;
				const name =
					detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
						? "all"
						: "young or a part";
				latencies.record(`garbage collection, ${name}`, duration);
				this.#recent.push({ from: startTime, to: startTime + duration });
			}
		});
		this.#observer.observe({ entryTypes: ["gc"] });
	}

	/** Milliseconds of a time that went to them. Times are to be asked for in order. */
	within({ from, to }: Stretch): number {
		this.#recent = this.#recent.filter((one) => one.to >= from);
		return this.#recent.reduce(
			(sum, one) =>
				sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)),
			0,
		);
	}

	end(): void {
		this.#observer.disconnect();
	}
}

/** A turn of the event loop, and the milliseconds of it that are not the benchmark's. */
interface Turn extends Stretch {
	readonly ran: number;
}

/** Measures turns of the event loop while calls are under way, less what the benchmark itself did in them. */
export class Turns {
	readonly #latencies: Latencies;
	readonly #collections: Collections;
	/** Turns of which it is not yet known what was collected in them. */
	readonly #open: Turn[] = [];
	#underWay = 0;
	#own = 0;

	constructor(latencies: Latencies, collections: Collections) {
		this.#latencies = latencies;
		this.#collections = collections;
	}

	/** Records what is known about turns that ended before a time. */
	close(before = Number.POSITIVE_INFINITY): void {
		while (this.#open[0] && this.#open[0].to < before) {
			const turn = this.#open.shift() as Turn;
			const ran = turn.ran - this.#collections.within(turn);
			this.#latencies.record(
				"turn, garbage collection apart",
				Math.max(0, ran),
			);
		}
	}

	/** The benchmark's own work. */
	own<T>(work: () => T): T {
		const start = performance.now();
		try {
			return work();
		} finally {
			this.#own += performance.now() - start;
		}
	}

	/** Measures turns until a call has ended. */
	async during<T>(call: () => Promise<T>): Promise<T> {
		if (this.#underWay++ === 0) this.#turn();
		try {
			return await call();
		} finally {
			this.#underWay--;
		}
	}

	#turn(): void {
		const watch = new Stopwatch();
		this.#own = 0;
		setImmediate(() => {
			const { passed, ran } = watch.read();
			if (passed - this.#own >= IDLE) {
				this.#latencies.record("turn, on the clock", passed - this.#own);
				const own = Math.max(0, ran - this.#own);
				this.#latencies.record("turn", own);
				const to = performance.now();
				this.#open.push({ from: to - passed, to, ran: own });
				this.close(to - KNOWN_AFTER);
			}
			if (this.#underWay > 0) this.#turn();
		});
	}
}
