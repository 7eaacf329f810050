import bytes from "../../build/robotrie-index.shared.wasm";
import type { LinearMemory } from "../engine/linear-memory.ts";
import { moduleOf } from "../engine/module.ts";
import type { IndexExports } from "./origin-table.ts";

/** What assembly/shared-index.ts exports besides. */
interface SharedExports extends IndexExports {
	makeLane(length: number, inputSize: number): number;
	enterLane(lane: number): void;
}

export type SharedLinearMemory = LinearMemory<SharedExports>;

/** The module of an index, for instances that share their memory; it needs SIMD and threads. */
export function sharedModule(): WebAssembly.Module {
	return moduleOf(bytes);
}
