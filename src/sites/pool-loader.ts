/**
 * The program of a pool's loader thread: fills shared memory with a snapshot, which comes in messages, and then changes what it holds.
 * pool-indexes.ts starts it. It alone writes to the index.
 */
import { parentPort, workerData } from "node:worker_threads";
import { RobotrieError } from "../common/errors.ts";
import { SnapshotReader } from "./index-snapshot.ts";
import type {
	Failure,
	LoaderAnswer,
	LoaderData,
	LoaderMessage,
} from "./pool-indexes.ts";
import { type Change, SharedWriter } from "./shared-index.ts";

const { shared, workers } = workerData as LoaderData;
const writer = new SharedWriter(shared);
const reader = new SnapshotReader(writer.open);

const answer = (message: LoaderAnswer) => parentPort?.postMessage(message);

parentPort?.on("message", (message: LoaderMessage) => {
	if (message instanceof Uint8Array || message === null) {
		const failure = orFailure(() => load(message));
		if (failure) answer({ failure });
	} else {
		const changed = message.map((change) => resultOf(change));
		answer({ changed, extent: writer.extent });
	}
});

function load(chunk: Uint8Array | null): undefined {
	if (chunk) {
		for (const _ of reader.add(chunk));
		answer({ read: chunk.length });
	} else {
		reader.end();
		answer({ index: writer.finish(workers), extent: writer.extent });
	}
}

function resultOf(change: Change): boolean | Failure {
	return orFailure(() => writer.change(change));
}

function orFailure<Result>(act: () => Result): Result | Failure {
	try {
		return act();
	} catch (error) {
		if (!(error instanceof RobotrieError)) throw error;
		return { code: error.code, message: error.message };
	}
}
