/**
 * How much may be looked into: rules, each time that they are compiled for another crawler. Thousands of crawlers that share
 * thousands of rules in ever other combinations would take hours.
 */
export class Work {
	#left: number;

	constructor(limit: number) {
		this.#left = limit;
	}

	/** Takes so much of what is left; false, for good, once there is less. */
	affords(rules: number): boolean {
		if (this.#left < rules) this.#left = -1;
		else this.#left -= rules;
		return this.#left >= 0;
	}

	get exhausted(): boolean {
		return this.#left < 0;
	}
}
