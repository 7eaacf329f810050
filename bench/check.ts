/** What came of comparing all answers with what is right. */
export interface Checked {
	readonly answers: number;
	readonly wrong: number;
	/** Of all answers, each times its position: two engines that agree have the same. */
	readonly sum: number;
	/** The first wrong answer. */
	readonly example?: string;
}

type Answers = ArrayLike<number | string>;

/** Compares lists of answers, one after the other. */
export class Comparison {
	#answers = 0;
	#wrong = 0;
	#sum = 0;
	#example: string | undefined;

	add(found: Answers, right: Answers): void {
		for (let i = 0; i < Math.max(found.length, right.length); i++) {
			const answer = found[i];
			this.#answers++;
			const weight = typeof answer === "string" ? answer.length : answer;
			this.#sum = (this.#sum + this.#answers * (weight ?? 0)) % 1e12;
			if (answer === right[i]) continue;
			this.#wrong++;
			this.#example ??= `answer ${this.#answers} is ${answer}, not ${right[i]}`;
		}
	}

	result(): Checked {
		return {
			answers: this.#answers,
			wrong: this.#wrong,
			sum: this.#sum,
			...(this.#example === undefined ? {} : { example: this.#example }),
		};
	}

	/** @throws {Error} When an answer is wrong, or there is none. */
	demand(what: string): Checked {
		const checked = this.result();
		const { answers, wrong, example } = checked;
		if (answers === 0) throw new Error(`${what}: nothing was compared`);
		if (wrong > 0)
			throw new Error(
				`${what}: ${wrong} of ${answers} answers are wrong; ${example}`,
			);
		return checked;
	}
}

/** @throws {Error} When answers are wrong. */
export function demandSame(what: string, found: Answers, right: Answers) {
	const comparison = new Comparison();
	comparison.add(found, right);
	return comparison.demand(what);
}
