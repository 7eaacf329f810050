import fc from "fast-check";

/** Everything at its full length: see .ci/run --all. */
export const isWhole: boolean = process.env.ROBOTRIE_ALL === "1";

// The same cases in every usual run: what failed once fails again. At full length they are drawn anew; fast-check prints the seed.
if (!isWhole) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 9309 });

/**
 * How many cases of a property are tried: a tenth of `count`, but at least 20 where there are as many, so that a change gets its answer
 * soon; with ROBOTRIE_ALL=1, every night, all of them.
 */
export const casesOf = (count: number): number =>
	isWhole ? count : Math.max(Math.ceil(count / 10), Math.min(count, 20));
