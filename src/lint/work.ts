/** How much may be looked into, in units of the caller's: some files would otherwise take hours. */
export class Work {
	#left: number;

	constructor(limit: number) {
		this.#left = limit;
	}

	/** Takes so much of what is left; false, for good, once there is less. */
	affords(cost: number): boolean {
		if (this.#left < cost) this.#left = -1;
		else this.#left -= cost;
		return this.#left >= 0;
	}

	get exhausted(): boolean {
		return this.#left < 0;
	}
}
