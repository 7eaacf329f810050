/** The worker of the Benchmark pane: one order, then messages until the results. bench-pane.ts ends it after each run. */
import type { BenchMessage, BenchOrder } from "./bench-messages.ts";

const tell = (message: BenchMessage) => postMessage(message);

addEventListener("message", async ({ data }: MessageEvent<BenchOrder>) => {
	try {
		// Imported here, not above: cases that cannot be loaded are then an error with words; an error event of the worker has none.
		const { runCases } = await import("./bench-cases.ts");
		tell(runCases((begun) => tell({ begun }), data.rounds));
	} catch (error) {
		tell({ error: error instanceof Error ? error.message : String(error) });
	}
});
