import type { BenchMessage, BenchOrder } from "./bench-messages.ts";

const tell = (message: BenchMessage) => postMessage(message);

addEventListener("message", async ({ data }: MessageEvent<BenchOrder>) => {
	try {
		const { runCases } = await import("./bench-cases.ts");
		tell(runCases((begun) => tell({ begun }), data.rounds));
	} catch (error) {
		tell({ error: error instanceof Error ? error.message : String(error) });
	}
});
