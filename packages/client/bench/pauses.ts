import {
	constants,
	createHistogram,
	PerformanceObserver,
	performance,
	type RecordableHistogram,
} from "node:perf_hooks";
import { threadTime } from "../../../tools/thread-time.mjs";

/** Milliseconds. */
export interface Latency {
	readonly count: number;
	readonly p50: number;
	readonly p99: number;
	readonly p999: number;
	readonly longest: number;
}

/** Histograms hold nanoseconds. */
function put(histogram: RecordableHistogram, milliseconds: number): void {
	histogram.record(Math.max(1, Math.round(milliseconds * 1e6)));
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
		put(histogram, milliseconds);
	}

	/** Times a call that does not wait. */
	time<T>(name: string, call: () => T): T {
		const start = performance.now();
		const startRan = threadTime();
		const result = call();
		const ran = threadTime() - startRan;
		this.record(name, Math.min(ran, performance.now() - start));
		return result;
	}

	/** Sets what was recorded elsewhere. */
	set(name: string, histogram: RecordableHistogram): void {
		this.#byName.set(name, histogram);
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

/** Milliseconds: turns in which less was done are not counted. */
const IDLE = 0.05;

/** Milliseconds: of shorter turns it does not matter what stopped them. */
const LONG_TURN = 3;

/** Milliseconds, by the clock of `performance.now()`. */
export interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** When the machine stopped the main thread; it may have run for some milliseconds of that. */
export interface Stop extends Stretch {
	readonly ran: number;
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

	/** Milliseconds of a turn that went to them, but for those within the benchmark's own work. Turns are to be asked for in order. */
	within(turn: Turn): number {
		this.#recent = this.#recent.filter((one) => one.to >= turn.from);
		return this.#recent.reduce((sum, one) => sum + shared(turn, one), 0);
	}

	end(): void {
		this.#observer.disconnect();
	}
}

/**
 * Milliseconds in which the main thread may have run in a turn, for all that is known about stops. They are not taken off the time in which
 * Linux says that it ran: that may be without a part of them.
 */
export function ranWithout(turn: Turn, stops: readonly Stop[]): number {
	let passed = turn.passed;
	for (const stop of stops)
		passed -= Math.max(0, shared(turn, stop) - stop.ran);
	return Math.min(turn.ran, passed);
}

/** Milliseconds that a turn has in common with a stretch, but for those within the benchmark's own work. */
function shared(turn: Turn, one: Stretch): number {
	return turn.own.reduce(
		(left, own) => left - overlap(one, own),
		overlap(one, turn),
	);
}

function overlap(a: Stretch, b: Stretch): number {
	return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

/** A turn of the event loop, and the benchmark's own work in it. */
export interface Turn extends Stretch {
	/** Milliseconds on the clock, and those in which the main thread ran; both without the own work. */
	readonly passed: number;
	readonly ran: number;
	readonly own: readonly Stretch[];
}

/** Milliseconds for which the event loop waited, as there was nothing to do. */
const idleTime = () => performance.nodeTiming.idleTime;

/** Measures turns of the event loop, less what the benchmark itself did in them. */
export class Turns {
	readonly #latencies: Latencies;
	readonly #collections: Collections;
	/** Turns of which it is not yet known what was collected in them. */
	readonly #open: Turn[] = [];
	/** What is known when a turn begins. */
	#start = 0;
	#startIdle = 0;
	#startRan = 0;
	/** The own work of this turn: milliseconds in which the main thread ran, and when. */
	#ownRan = 0;
	#own: Stretch[] = [];
	#next: NodeJS.Immediate | undefined;
	/** How long turns took where it does not matter what stopped them, and the others. */
	readonly #short = createHistogram();
	readonly #long: Turn[] = [];

	constructor(latencies: Latencies, collections: Collections) {
		this.#latencies = latencies;
		this.#collections = collections;
	}

	/** Begins to measure. */
	start(): void {
		this.#begin();
	}

	/** Ends it, and records what is known about turns. */
	stop(): void {
		clearImmediate(this.#next);
		this.#close(Number.POSITIVE_INFINITY);
	}

	/** Afterwards, to be called once: records turns without the stops of the machine. */
	recordWithout(stops: readonly Stop[]): void {
		for (const turn of this.#long) put(this.#short, ranWithout(turn, stops));
		this.#latencies.set("turn, the machine's stops apart", this.#short);
	}

	/** The benchmark's own work. */
	own<T>(work: () => T): T {
		const from = performance.now();
		const startRan = threadTime();
		try {
			return work();
		} finally {
			this.#ownRan += threadTime() - startRan;
			this.#own.push({ from, to: performance.now() });
		}
	}

	#begin(): void {
		this.#start = performance.now();
		this.#startIdle = idleTime();
		this.#startRan = threadTime();
		this.#ownRan = 0;
		if (this.#own.length > 0) this.#own = [];
		this.#next = setImmediate(this.#end);
		// Else the event loop would not wait for anything, and turn for this only.
		this.#next.unref();
	}

	readonly #end = (): void => {
		const to = performance.now();
		const waited = idleTime() - this.#startIdle;
		const own = this.#own;
		const passed = own.reduce(
			(left, { from, to }) => left - (to - from),
			to - this.#start - waited,
		);
		if (passed >= IDLE) {
			const others = threadTime() - this.#startRan - this.#ownRan;
			const ran = Math.max(0, Math.min(passed, others));
			this.#latencies.record("turn, on the clock", passed);
			this.#latencies.record("turn", ran);
			const turn = { from: this.#start, to, passed, ran, own };
			this.#open.push(turn);
			if (ran < LONG_TURN) put(this.#short, ran);
			else this.#long.push(turn);
			this.#close(to - KNOWN_AFTER);
		}
		this.#begin();
	};

	#close(before: number): void {
		while (this.#open[0] && this.#open[0].to < before) {
			const turn = this.#open.shift() as Turn;
			const ran = turn.ran - this.#collections.within(turn);
			this.#latencies.record(
				"turn, garbage collection apart",
				Math.max(0, ran),
			);
		}
	}
}
