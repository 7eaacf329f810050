import fc from "fast-check";
import type { Target } from "./target.ts";
import { targets } from "./targets.ts";

/**
 * The fuzzer: rounds of inputs, target after target, until the time is over. A round's inputs come from its seed alone.
 *
 *     npm run fuzz -- [--minutes N] [--seed N] [--only NAME] [--input BASE64]
 *
 * With --seed and --only, that round alone is run; with --input, that input alone. Exit code 1 when anything was found.
 */
const INPUTS = 60;

const options = new Map<string, string>();
for (let at = 2; at + 1 < process.argv.length; at += 2)
	options.set(process.argv[at] ?? "", process.argv[at + 1] ?? "");
const only = options.get("--only");
const chosen = targets.filter(
	({ name }) => only === undefined || name === only,
);
if (chosen.length === 0) {
	const names = targets.map(({ name }) => name).join(", ");
	console.error(`there is no target ${only}; there are ${names}`);
	process.exit(2);
}

const printed = (input: unknown) =>
	Buffer.from(JSON.stringify(input)).toString("base64");

/** Whether a round found nothing. What it finds is made smaller, and told. */
async function round(target: Target, seed: number): Promise<boolean> {
	const found = await fc.check(
		fc.asyncProperty(target.inputs, async (input) => target.check(input)),
		{ seed, numRuns: INPUTS, interruptAfterTimeLimit: 60_000 },
	);
	if (!found.failed || !found.counterexample) return true;
	const [input] = found.counterexample;
	console.log(
		`FOUND by ${target.name}: ${found.errorInstance}
  input:  ${JSON.stringify(input).slice(0, 2000)}
  base64: ${printed(input)}
  replay: npm run fuzz -- --seed ${seed} --only ${target.name}
`,
	);
	return false;
}

const given = options.get("--input");
if (given !== undefined) {
	const input: unknown = JSON.parse(Buffer.from(given, "base64").toString());
	for (const target of chosen) await target.check(input);
	console.log("nothing found");
} else {
	const minutes = Number(options.get("--minutes") ?? 1);
	const seed = Number(options.get("--seed") ?? Date.now() % 2 ** 31);
	const once = options.has("--seed") && only !== undefined;
	const end = Date.now() + minutes * 60_000;
	let finds = 0;
	const inputs = new Map<string, number>();
	console.log(`fuzzing from seed ${seed}`);
	// Every target gets as much time.
	const times = new Map(chosen.map((target) => [target, 0]));
	for (let n = seed; ; n++) {
		const [least] = [...times].sort(([, a], [, b]) => a - b);
		if (!least) break;
		const [target, time] = least;
		const started = performance.now();
		if (await round(target, n)) {
			times.set(target, time + performance.now() - started);
		} else {
			// It would be found again and again.
			times.delete(target);
			finds++;
		}
		inputs.set(target.name, (inputs.get(target.name) ?? 0) + INPUTS);
		if (once || Date.now() >= end) break;
	}
	const counts = [...inputs].map(([name, count]) => `${count} ${name}`);
	console.log(`${finds} finds in inputs: ${counts.join(", ")}`);
	if (finds > 0) process.exitCode = 1;
}
