/**
 * Who a crawler is, and which user-agent lines name it: the module reads product tokens and User-Agent headers, as it does for the hosts in
 * other languages (assembly/agents/identity.ts). crawlers.ts and matching/ ask.
 */
import {
	AGENTS_COUNT,
	AGENTS_FIELDS,
	AGENTS_FROM,
	AGENTS_GLOBAL,
	AGENTS_ROW,
	AGENTS_TO,
	TOKEN_FIELDS,
	TOKEN_FROM,
	TOKEN_NAME_FROM,
	TOKEN_NAME_TO,
	TOKEN_TO,
} from "../../assembly/format/records.ts";
import { type LinearMemory, outOfMemory } from "./linear-memory.ts";
import { linear, type MainExports, workspace } from "./workspace.ts";

/** What the module read of a crawler's names. */
export interface AgentReading {
	/** Row of the first name in the table of crawlers, -1 for none. */
	readonly row: number;
	/** What the first name calls itself; empty if it has no product token. */
	readonly token: string;
	/** Product tokens, the most specific first. */
	readonly tokens: readonly string[];
	/** Of each the part that is compared. */
	readonly names: readonly string[];
	readonly obeysGlobal: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What was read last in which instance: asking for several files by one name is the usual case. */
let lastText: string | undefined;
let lastFlags = 0;
let lastMemory: LinearMemory<MainExports> | undefined;
let lastInstance = -1;
let lastAddress = 0;

/**
 * Reads names, the most specific first; `flags` are AGENTS_. Returns the address of what assembly/format/records.ts describes.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
function read(
	memory: LinearMemory<MainExports>,
	texts: readonly string[],
	flags: number,
): number {
	const [only] = texts;
	const isLast =
		texts.length === 1 &&
		only === lastText &&
		flags === lastFlags &&
		memory === lastMemory &&
		memory.instance === lastInstance;
	if (isLast) return lastAddress;
	const parts = texts.map((text) => encoder.encode(text));
	const size = parts.reduce((sum, { length }) => sum + 4 + length, 0);
	const { module } = memory;
	let at = module.placeAgents(size) >>> 0;
	if (at !== 0) {
		const bytes = memory.bytes();
		for (const part of parts) {
			for (let shift = 0; shift < 32; shift += 8)
				bytes[at++] = part.length >>> shift;
			bytes.set(part, at);
			at += part.length;
		}
		at = module.readAgents(texts.length, flags) >>> 0;
	}
	lastText = undefined;
	if (at === 0) throw outOfMemory(`an agent of ${size} bytes`);
	if (texts.length === 1) lastText = only;
	lastFlags = flags;
	lastMemory = memory;
	lastInstance = memory.instance;
	lastAddress = at;
	return at;
}

/**
 * Who names stand for.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
export function readAgents(
	texts: readonly string[],
	flags: number,
): AgentReading {
	const address = read(linear, texts, flags) >>> 2;
	const words = linear.words();
	const bytes = linear.bytes();
	const text = (from: number, to: number) =>
		decoder.decode(
			bytes.subarray(
				(words[from] as number) >>> 0,
				(words[to] as number) >>> 0,
			),
		);
	const tokens: string[] = [];
	const names: string[] = [];
	for (let left = words[address + AGENTS_COUNT] as number; left > 0; left--) {
		const at = address + AGENTS_FIELDS + tokens.length * TOKEN_FIELDS;
		tokens.push(text(at + TOKEN_FROM, at + TOKEN_TO));
		names.push(text(at + TOKEN_NAME_FROM, at + TOKEN_NAME_TO));
	}
	return {
		row: words[address + AGENTS_ROW] as number,
		token: text(address + AGENTS_FROM, address + AGENTS_TO),
		tokens,
		names,
		obeysGlobal: words[address + AGENTS_GLOBAL] === 1,
	};
}

/**
 * The user-agent lines by which names go in the file whose records lie in the workspace: numbers in file order, in a view that the next call
 * may change.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
export function chosenLines(
	texts: readonly string[],
	flags: number,
): Int32Array {
	const memory = workspace();
	read(memory, texts, flags);
	const at = memory.module.chooseLines() >>> 2;
	if (at === 0) throw outOfMemory("the lines that name a crawler");
	const words = memory.words();
	return words.subarray(at + 1, at + 1 + (words[at] as number));
}
