import { type Checked, Comparison } from "./check.ts";

/** One way to do a case's work, cut into chunks of about half a millisecond. */
export interface Engine {
	readonly name: string;
	readonly chunks: readonly (() => unknown)[];
	/** What comes before each chunk that is timed, outside of its time. */
	readonly before?: (() => void) | undefined;
	/**
	 * Does the work once and compares every answer with what is right.
	 * @throws {Error} When one is wrong; those of a peer, whose dialect is another one, are counted.
	 */
	readonly check: () => Checked;
}

/** The jobs that a case consists of. */
export interface Work<Job> {
	readonly name: string;
	readonly jobs: readonly Job[];
	/** Items of a job. */
	readonly size: (job: Job) => number;
	/** Items to a chunk. */
	readonly chunkItems: number;
}

export interface Way<Job, Result> {
	readonly name: string;
	/** What is timed, and what is checked. */
	readonly run: (job: Job) => Result;
	/** The answers in what `run` returned. */
	readonly found: (result: Result, job: Job) => ArrayLike<number | string>;
	/** The right answers, by a source that is no part of robotrie. */
	readonly right: (job: Job) => ArrayLike<number | string>;
	readonly isPeer?: boolean;
	/** As `Engine.before`. */
	readonly before?: () => void;
}

/** Of all answers, how many a peer may have wrong: with more it does other work. */
const PEERS_SHARE = 0.02;

export function engineOf<Job, Result>(
	{ name: subject, jobs, size, chunkItems }: Work<Job>,
	{ name, run, found, right, isPeer = false, before }: Way<Job, Result>,
): Engine {
	return {
		name,
		chunks: chunked(jobs, size, chunkItems, run),
		before,
		check: () => {
			const comparison = new Comparison();
			for (const job of jobs) comparison.add(found(run(job), job), right(job));
			const checked = comparison.result();
			return isPeer && checked.wrong <= PEERS_SHARE * checked.answers
				? checked
				: comparison.demand(`${subject}, ${name}`);
		},
	};
}

/** Groups jobs into chunks of about `items` items each. */
function chunked<Job>(
	jobs: readonly Job[],
	itemsOf: (job: Job) => number,
	items: number,
	run: (job: Job) => unknown,
): (() => unknown)[] {
	const chunks: (() => unknown)[] = [];
	let group: Job[] = [];
	let size = 0;
	const close = () => {
		const members = group;
		chunks.push(() => {
			for (const job of members) run(job);
		});
		group = [];
		size = 0;
	};
	for (const job of jobs) {
		group.push(job);
		size += itemsOf(job);
		if (size >= items) close();
	}
	if (group.length > 0) close();
	return chunks;
}
