/**
 * What a thread of `robotrie audit` does: scans tasks with a scanner of its own. run.ts starts it; counts are packed, as the classes
 * that hold them cannot be sent.
 */
import {
	LogScanner,
	packed,
	type ScanSettings,
} from "@robotrie/audit/internal";
import { moved, serve } from "../threads/threads.ts";
import { rowWriter, runTask, type Task } from "./tasks.ts";

export const start = async (settings: ScanSettings) => {
	const writer = await rowWriter(settings);
	const scanner = new LogScanner(settings, writer);
	return {
		async *scan(task: Task) {
			for await (const { rows, segment } of runTask(scanner, task, writer))
				yield moved(
					{ rows, segment: segment && packed(segment) },
					rows ? [rows.text.buffer, rows.lines.buffer, rows.ends.buffer] : [],
				);
		},
	};
};

export default serve(start);
