/**
 * A path's way through a program, for the Byte-code pane. judge-worker.ts loads it, and with it a build of the engine whose run loop calls
 * out at each instruction; its verdict is the normal build's. What must hold: one URL at a time, as the imports write to variables of this
 * module.
 */
import { newInstance } from "robotrie/internal";
import traced from "../../../build/robotrie.traced.wasm";
import type { Step, Trace } from "../page/messages.ts";

/** Nobody steps further; a path of many wildcards may run as many instructions as the program has, at each byte. */
const MOST_STEPS = 20_000;

let steps: Step[] = [];
let count = 0;
let path = "";
let bytesSearched = 0;

/** assembly/match/trace.ts declares it; the run loop calls it in front of each instruction. */
function step(
	program: number,
	pc: number,
	start: number,
	at: number,
	end: number,
	best: number,
): void {
	// The normal form lies in the module's scratch memory, whose address only this call tells.
	if (count === 0)
		path = new TextDecoder().decode(
			new Uint8Array(memory.buffer, start, end - start),
		);
	if (count++ < MOST_STEPS)
		steps.push({ offset: pc - program, at: at - start, best: best >> 1 });
}

/** And when it has searched for a literal of a wildcard. */
function searched(bytes: number): void {
	bytesSearched += bytes;
}

/** What is called of the module's functions. */
interface Exports {
	readonly memory: WebAssembly.Memory;
	allocate(size: number): number;
	reserveVisited(program: number): number;
	input(size: number): number;
	matchOne(program: number, from: number, length: number): number;
	release(pointer: number): void;
}

const module = newInstance<Exports>(traced, {
	trace: { step, searched },
});
const { memory } = module;

/** Runs a program, which a matcher has made, on a URL, in a build of the module that tells of each instruction. */
export function traceOf(program: Uint8Array, url: string): Trace {
	steps = [];
	count = 0;
	bytesSearched = 0;
	path = "";
	const bytes = new TextEncoder().encode(url);
	const pointer = module.allocate(program.length) >>> 0;
	if (pointer === 0) throw new Error("the program does not fit into memory");
	try {
		// A view for each use: a call that grows memory detaches those made before.
		new Uint8Array(memory.buffer).set(program, pointer);
		module.reserveVisited(pointer);
		// Room for the byte after the URL, which matching overwrites.
		const from = module.input(bytes.length + 1) >>> 0;
		new Uint8Array(memory.buffer).set(bytes, from);
		const best = module.matchOne(pointer, from, bytes.length);
		return {
			path: count > 0 || best < 0 ? path : givenPath(url),
			steps,
			more: count > MOST_STEPS,
			count,
			searched: bytesSearched,
			// A rule is `rank * 2`, and 1 more if it allows; 0 is none, and a negative one no URL.
			verdict:
				best < 0
					? "invalid"
					: best === 0 || best & 1
						? "allowed"
						: "disallowed",
			rank: best < 0 ? 0 : best >> 1,
		};
	} finally {
		module.release(pointer);
	}
}

/** The path as the URL has it: only an instruction that runs tells its normal form. */
function givenPath(url: string): string {
	const path = url
		.replace(/^\s*[a-z][\w+.-]*:\/\/[^/?#]*/i, "")
		.replace(/#.*$/s, "");
	return path.startsWith("/") ? path : `/${path}`;
}
