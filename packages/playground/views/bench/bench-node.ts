/**
 * The cases of the Benchmark pane in Node: `node bench-node.mjs [ROUNDS]` writes what it finds as JSON, which bench/results keeps and the
 * pane reads for how long a run took. Progress goes to stderr, so that stdout is JSON alone.
 */
import { runCases } from "./bench-cases.ts";

const rounds = process.argv[2];
const found = runCases(
	(part) => process.stderr.write(`node: measuring ${part} …\n`),
	rounds === undefined ? undefined : Number(rounds),
);
process.stdout.write(
	// Since the process began: what a reader of the pane waits for includes loading and generating the data.
	JSON.stringify({ ...found, seconds: performance.now() / 1000 }),
);
