import { parentPort, workerData } from "node:worker_threads";
import { RobotrieError } from "../common/errors.ts";
import { SnapshotReader } from "./index-snapshot.ts";
import type { LoaderAnswer, LoaderData } from "./load-shared.ts";
import { SharedLoader } from "./shared-index.ts";

/** A thread that fills shared memory with a snapshot that comes in messages, each a chunk, and null at the end. */

const { shared, workers } = workerData as LoaderData;
const loader = new SharedLoader(shared);
const reader = new SnapshotReader(loader.open);

const answer = (message: LoaderAnswer) => parentPort?.postMessage(message);

parentPort?.on("message", (chunk: Uint8Array | null) => {
	try {
		if (chunk) {
			for (const _ of reader.add(chunk));
			answer({ read: chunk.length });
		} else {
			reader.end();
			answer({ index: loader.finish(workers) });
		}
	} catch (error) {
		if (!(error instanceof RobotrieError)) throw error;
		answer({ code: error.code, message: error.message });
	}
});
