import { linear, type MainExports } from "./instance.ts";
import { LinearMemory } from "./linear-memory.ts";
import { mainModule } from "./module.ts";

/**
 * A file with more bytes is read and compiled in an instance of its own: that takes up to twenty times its bytes, and WebAssembly gives
 * no memory back but as a whole. An instance takes 0.2 ms.
 */
const LARGE = 128 * 1024;

let current = linear;

/** Where the text that is read and compiled lies, its records and what becomes of them. Another text may lie in another one. */
export function workspace(): LinearMemory<MainExports> {
	return current;
}

/** The workspace for the next text, of so many bytes; what lay in it is lost. */
export function workspaceFor(size: number): LinearMemory<MainExports> {
	current = size > LARGE ? largeWorkspace() : linear;
	return current;
}

/**
 * Takes the workspace in which the last text lies out of use: what lies there stays until it is given back, whatever is compiled
 * meanwhile. Undefined for the one that small texts share.
 */
export function takeWorkspace(): LinearMemory<MainExports> | undefined {
	if (current === linear) return undefined;
	const taken = current;
	current = linear;
	if (large?.deref() === taken) large = undefined;
	return taken;
}

export function giveBack(workspace: LinearMemory<MainExports>): void {
	large = new WeakRef(workspace);
}

/** Used again until the garbage collector takes it: to touch its memory for the first time takes as long as a third of compiling. */
let large: WeakRef<LinearMemory<MainExports>> | undefined;

function largeWorkspace(): LinearMemory<MainExports> {
	const kept = large?.deref();
	if (kept) return kept;
	const made = new LinearMemory<MainExports>(mainModule);
	large = new WeakRef(made);
	return made;
}
