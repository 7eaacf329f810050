import { parentPort, workerData } from "node:worker_threads";
import type { ScanSettings } from "../log/scan-settings.ts";
import { LogScanner } from "../log/scanner.ts";
import type { FromWorker, ToWorker } from "./audit-pool.ts";
import { runTask } from "./audit-tasks.ts";
import { Failure } from "./failure.ts";

/** A thread of `robotrie audit`: runs the tasks that it is sent, one at a time. */
const scanner = new LogScanner(workerData as ScanSettings);
const port = parentPort;
const send = (message: FromWorker) => port?.postMessage(message);

/** Set while the thread waits for leave to go on. */
let goOn: (() => void) | undefined;

port?.on("message", (message: ToWorker) => {
	if (message === "go on") goOn?.();
	else void run(message);
});

async function run(message: Exclude<ToWorker, string>): Promise<void> {
	const { index, task } = message;
	try {
		for await (const segment of runTask(scanner, task)) {
			send({ index, segment });
			await new Promise<void>((resolve) => {
				goOn = resolve;
			});
		}
		send({ index });
	} catch (error) {
		send({
			index,
			failure:
				error instanceof Failure
					? { message: error.message, expected: true }
					: {
							message: error instanceof Error ? String(error.stack) : "",
							expected: false,
						},
		});
	}
}
