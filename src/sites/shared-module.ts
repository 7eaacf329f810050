import text from "../../build/robotrie-index.shared.wasm";
import { RobotrieError } from "../common/errors.ts";
import type { LinearMemory } from "../engine/linear-memory.ts";
import { bytesOf } from "../engine/module.ts";
import type { IndexExports } from "./origin-table.ts";

/** What assembly/shared-index.ts exports besides. */
interface SharedExports extends IndexExports {
	createWorkspace(length: number, inputSize: number): number;
	enterWorkspace(workspace: number): void;
}

export type SharedLinearMemory = LinearMemory<SharedExports>;

/**
 * The module of an index, for instances that share their memory.
 * @throws {RobotrieError} unsupported, without SIMD or threads.
 */
export function sharedModule(): WebAssembly.Module {
	const bytes = bytesOf(text);
	if (!WebAssembly.validate(bytes))
		throw new RobotrieError(
			"unsupported",
			"a pool needs WebAssembly with SIMD and threads; RobotsIndex runs without them",
		);
	return new WebAssembly.Module(bytes);
}
