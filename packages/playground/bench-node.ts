import { runCases } from "./bench-cases.ts";

/** The cases of the Benchmark pane in Node: `node bench-node.mjs [ROUNDS]` writes what it finds as JSON. */
const rounds = process.argv[2];
const found = runCases(
	(part) => process.stderr.write(`node: measuring ${part} …\n`),
	rounds === undefined ? undefined : Number(rounds),
);
process.stdout.write(
	JSON.stringify({ ...found, seconds: performance.now() / 1000 }),
);
