import type { BenchMessage, BenchOrder } from "./bench-messages.ts";

const tell = (message: BenchMessage) => postMessage(message);

addEventListener("message", async ({ data }: MessageEvent<BenchOrder>) => {
	try {
		// The library takes its scalar build where SIMD does not validate, once, when it is loaded.
		if (data.build === "scalar") WebAssembly.validate = () => false;
		const { runCases } = await import("./bench-cases.ts");
		tell(runCases((begun) => tell({ begun }), data.rounds));
	} catch (error) {
		tell({ error: error instanceof Error ? error.message : String(error) });
	}
});
