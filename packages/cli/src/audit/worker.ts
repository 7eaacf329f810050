import { parentPort, workerData } from "node:worker_threads";
import type { ScanSettings } from "@robotrie/audit/internal";
import { LogScanner, packed } from "@robotrie/audit/internal";
import { Failure } from "../output/failure.ts";
import type { FromWorker, ToWorker } from "./pool.ts";
import { rowWriter, runTask } from "./tasks.ts";

/** A thread of `robotrie audit`: runs the tasks that it is sent, one at a time. */
const settings = workerData as ScanSettings;
const rows = await rowWriter(settings);
const scanner = new LogScanner(settings, rows);
const port = parentPort;
const send = (message: FromWorker) => {
	const rows = message.part?.rows;
	// Handed over, not copied.
	const buffers = rows ? [rows.text, rows.lines, rows.ends] : [];
	port?.postMessage(
		message,
		buffers.map(({ buffer }) => buffer),
	);
};

/** Set while the thread waits for leave to go on. */
let goOn: (() => void) | undefined;

port?.on("message", (message: ToWorker) => {
	if (message === "go on") goOn?.();
	else void run(message);
});

async function run(message: Exclude<ToWorker, string>): Promise<void> {
	const { index, task } = message;
	try {
		for await (const part of runTask(scanner, task, rows)) {
			const { rows, segment } = part;
			send({ index, part: { rows, segment: segment && packed(segment) } });
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
