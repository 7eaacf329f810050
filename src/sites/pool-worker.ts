import Tinypool, { workerId } from "tinypool";
import { CHUNK, chunksOf } from "../common/chunks.ts";
import { LinearMemory } from "../engine/linear-memory.ts";
import { OriginTable } from "./origin-table.ts";
import type { SharedLinearMemory } from "./shared-module.ts";

/** What all workers of a pool are started with. */
export interface SharedIndex {
	readonly module: WebAssembly.Module;
	/** Where the index lies, and the workspaces. */
	readonly memory: WebAssembly.Memory;
	/** Address of each worker's workspace, by its number less one. */
	readonly workspaces: readonly number[];
	readonly google: boolean;
}

const { module, memory, workspaces, google } =
	Tinypool.workerData as SharedIndex;
const linear: SharedLinearMemory = new LinearMemory(module, memory);
linear.module.enterWorkspace(workspaces[workerId - 1] ?? 0);
const table = new OriginTable(linear, google);

/** Verdicts for lines, or null when one of them is longer than the workspace has room for. */
export default function judge(lines: Uint8Array): unknown {
	for (const chunk of chunksOf(lines, CHUNK))
		if (chunk.length > CHUNK) return null;
	const verdicts = table.matchLines(lines);
	return Tinypool.move(verdicts);
}
