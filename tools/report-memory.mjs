// For node's --import: says on stderr how much memory the process took at most.
import { isMainThread } from "node:worker_threads";
import { peakMemory } from "./peak-memory.mjs";

if (isMainThread)
	process.on("exit", () => console.error(`peak memory ${peakMemory()} MiB`));
