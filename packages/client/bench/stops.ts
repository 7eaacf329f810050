import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stop, Stretch } from "./pauses.ts";

const ENTRY = "irq_vectors:local_timer_entry";
const EXIT = "irq_vectors:local_timer_exit";
/** The thread gets a processor, and leaves it. */
const ON = "PERF_RECORD_SWITCH IN";
const OFF = "PERF_RECORD_SWITCH OUT";

const LINE = /([\d.]+):\s+(PERF_RECORD_SWITCH (?:IN|OUT)|\S+(?=:))/;

/** Milliseconds: a timer interrupt takes some microseconds. One that takes longer was stopped itself. */
const LONG = 0.5;

/** Of that many times between two timer interrupts 99% are at most as long as between two ticks. */
const ENOUGH = 1000;

/** Milliseconds after which a perf that may not record has ended. */
const STARTS_WITHIN = 1000;

/**
 * Records when the machine stops the main thread though Linux says that it runs, by `perf` on Linux. The host of a virtual machine may let
 * another one run: mostly in a timer interrupt, which then takes milliseconds, or so that the next one comes late. No code of the process
 * runs meanwhile, and Linux counts it as time in which the thread ran.
 */
export class StopRecorder {
	readonly #perf: ChildProcess;
	readonly #file: string;

	private constructor(perf: ChildProcess, file: string) {
		this.#perf = perf;
		this.#file = file;
	}

	/** Begins to record, to a file in a folder. Undefined where there is no `perf`, or it may not record. */
	static async start(folder: string): Promise<StopRecorder | undefined> {
		const file = join(folder, "perf.data");
		const perf = spawn(
			"perf",
			[
				"record",
				"-q",
				"-o",
				file,
				"-k",
				"CLOCK_MONOTONIC",
				"-e",
				`${ENTRY},${EXIT}`,
				"--switch-events",
				"-t",
				`${process.pid}`,
			],
			{ stdio: "ignore" },
		);
		const ended = new Promise<true>((resolve) => {
			const end = () => resolve(true);
			perf.once("error", end).once("exit", end);
		});
		if (await Promise.race([ended, sleep(STARTS_WITHIN, false)]))
			return undefined;
		// It ends with this process, which a day that fails may end early.
		perf.unref();
		return new StopRecorder(perf, file);
	}

	/** Ends recording. What was recorded, in order. @throws {Error} When `perf` ended before, or could not keep up. */
	async end(): Promise<Stop[]> {
		const perf = this.#perf;
		if (perf.exitCode !== null || perf.signalCode !== null)
			throw new Error("perf ended before the benchmark did");
		perf.ref();
		const ended = once(perf, "exit");
		perf.kill("SIGINT");
		await ended;
		const script = spawn(
			"perf",
			[
				"script",
				"-i",
				this.#file,
				"--ns",
				"-F",
				"time,event",
				"--show-lost-events",
				"--show-switch-events",
			],
			{ stdio: ["ignore", "pipe", "ignore"] },
		);
		const lines = createInterface({ input: script.stdout });
		const ahead = Number(process.hrtime.bigint()) / 1e6 - performance.now();
		return stopsIn(lines, ahead);
	}
}

/**
 * Stops by `perf script`'s lines of one thread, whose clock is ahead of `performance.now()` by so many milliseconds.
 * @throws {Error} When events were lost: what is between two interrupts would count as one of them.
 */
export async function stopsIn(
	lines: AsyncIterable<string>,
	ahead: number,
): Promise<Stop[]> {
	const interrupts: Stop[] = [];
	const between: Stretch[] = [];
	/** Those that both begin and end with a timer interrupt. */
	const times: number[] = [];
	let entered: number | undefined;
	let since: number | undefined;
	let sinceInterrupt = false;
	for await (const line of lines) {
		if (line.includes("PERF_RECORD_LOST")) throw new Error(line.trim());
		const [, seconds, event] = LINE.exec(line) ?? [];
		const at = 1000 * Number(seconds) - ahead;
		if ((event === ENTRY || event === OFF) && since !== undefined) {
			between.push({ from: since, to: at });
			if (event === ENTRY && sinceInterrupt) times.push(at - since);
		}
		if (event === EXIT && entered !== undefined && at - entered >= LONG)
			interrupts.push({ from: entered, to: at, ran: 0 });
		entered = event === ENTRY ? at : undefined;
		since = event === ON || event === EXIT ? at : undefined;
		sinceInterrupt = event === EXIT;
	}
	const late = times.length < ENOUGH ? [] : lateOf(between, tickOf(times));
	return [...interrupts, ...late].sort((a, b) => a.from - b.from);
}

function tickOf(times: readonly number[]): number {
	const sorted = Float64Array.from(times).sort();
	return sorted[Math.floor(0.99 * sorted.length)] as number;
}

/** Where no interrupt came in time: Linux interrupts a thread that runs at every tick, so it ran for a tick at most. */
function lateOf(between: readonly Stretch[], tick: number): Stop[] {
	return between
		.filter(({ from, to }) => to - from >= tick + LONG)
		.map(({ from, to }) => ({ from, to, ran: tick }));
}
