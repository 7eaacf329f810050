/** Requests belong together that come no later than this after the one before, in milliseconds. */
const NEAR = 1000;
/** Requests of a burst, at least. */
const LEAST = 10;

/** Runs of requests with short pauses; those of LEAST or more are bursts. */
export class Bursts {
	/** Runs between the first and the last, of which the ends are known. */
	#bursts = 0;
	#longest = 0;
	/** Requests of the first run, which may have begun before; 0 while it is also the last one. */
	#first = 0;
	/** Requests of the last run, which may go on. */
	#last = 0;

	/** A request that comes so long after the one before, or is the first. */
	add(pause: number): void {
		if (pause <= NEAR) this.#last++;
		else {
			this.#close(this.#last);
			this.#last = 1;
		}
	}

	begin(): void {
		this.#last = 1;
	}

	#close(run: number): void {
		if (this.#first === 0) this.#first = run;
		else this.#count(run);
	}

	#count(run: number): void {
		if (run >= LEAST) this.#bursts++;
		if (run > this.#longest) this.#longest = run;
	}

	/** Adds those of the requests that follow after a pause. */
	append(next: BurstsData, pause: number): void {
		if (next.last === 0) return;
		const isWhole = next.first === 0;
		const run = isWhole ? next.last : next.first;
		if (this.#last > 0 && pause <= NEAR) this.#last += run;
		else {
			if (this.#last > 0) this.#close(this.#last);
			this.#last = run;
		}
		if (isWhole) return;
		this.#close(this.#last);
		this.#bursts += next.bursts;
		this.#longest = Math.max(this.#longest, next.longest);
		this.#last = next.last;
	}

	/** Of all requests so far: bursts, and requests of the longest one; 0 without any. */
	total(): { bursts: number; longest: number } {
		const all = new Bursts();
		all.#bursts = this.#bursts;
		all.#longest = this.#longest;
		for (const run of [this.#first, this.#last]) all.#count(run);
		const { bursts } = all.toData();
		return { bursts, longest: bursts > 0 ? all.#longest : 0 };
	}

	toData(): BurstsData {
		return {
			bursts: this.#bursts,
			longest: this.#longest,
			first: this.#first,
			last: this.#last,
		};
	}
}

export interface BurstsData {
	readonly bursts: number;
	readonly longest: number;
	readonly first: number;
	readonly last: number;
}
