/**
 * From the rules of a file to byte-code, by the module's compiler. dialect-file.ts calls it for matchers and indexes, path-patterns for
 * patterns of other lines. Between steps others may compile: what a step needs lies in its own workspace.
 */
import {
	H_BYTE_LENGTH,
	H_RANKS,
	MAX_U24,
	RULE_INPUT_SIZE,
} from "../../assembly/format/program.ts";
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { RobotrieError } from "../common/errors.ts";
import type { Steps } from "../common/steps.ts";
import { type LinearMemory, outOfMemory } from "./linear-memory.ts";
import {
	changed,
	forgetRecords,
	giveBack,
	linear,
	type MainExports,
	placeText,
	type RecordLists,
	roomForRanges,
	type TokeniserInput,
	takeWorkspace,
	tokenise,
	workspace,
} from "./workspace.ts";

/** Rules of a file: for each group the index of its first rule and of the one after its last, group after group. */
export type RuleRanges = readonly number[];

/**
 * Compiles rules of a file to byte-code; `flags` are COMPILE_ flags.
 * @throws {RobotrieError} limit-exceeded, when the program would pass 16 MiB or memory 4 GiB.
 */
export function compileRanges(
	file: TokeniserInput,
	ranges: RuleRanges,
	flags: number,
): Uint8Array {
	gather(file, ranges, flags);
	return compileInputs(flags);
}

/** For all of them. */
const ALL = 0x7fff_ffff;

/** Rules that are read in a step, or instructions that are made: about half a millisecond. */
const STEP = 4000;

/** What `compileSteps` makes. */
interface Compiled {
	/** A copy. */
	readonly program: Uint8Array;
	/** The numbers of the rule of each rank from 1 on (assembly/format/records.ts), 0 for no rule of the file; without `isCompact`. */
	readonly rules: Int32Array | undefined;
}

/**
 * `compileRanges` or, if `isCompact`, `compileCompact` in steps. A small file is compiled at once. A large one has its workspace to
 * itself until it is done, so that others may be compiled between its steps.
 * @throws {RobotrieError} limit-exceeded, as `compileRanges`.
 */
export function* compileSteps(
	file: TokeniserInput,
	ranges: RuleRanges,
	flags: number,
	isCompact: boolean,
): Steps<Compiled> {
	gather(file, ranges, flags);
	const lists = tokenise(file);
	const memory = workspace();
	const taken = takeWorkspace();
	if (taken) forgetRecords();
	const { module } = memory;
	const what = () => `${module.inputCount()} rules`;
	if (!module.startCompile(flags)) throw outOfMemory(what());
	while (module.continueCompile(taken ? STEP : ALL)) if (taken) yield;
	if (taken) yield;
	const address = module.finishCompile(isCompact ? 1 : 0) >>> 0;
	const found = isCompact
		? compactAt(memory, address, what)
		: programAt(memory, address, what);
	const program = keep(found);
	if (taken) yield;
	const rules = isCompact ? undefined : rankedRules(memory, lists, program);
	if (taken) giveBack(taken);
	return { program, rules };
}

/**
 * Compiles rules of a file to a compact program, which an index keeps (assembly/format/compact.ts): bytes in linear memory, valid until
 * the next call.
 * @throws {RobotrieError} limit-exceeded, as `compileRanges`.
 */
export function compileCompact(
	file: TokeniserInput,
	ranges: RuleRanges,
	flags: number,
): Uint8Array {
	gather(file, ranges, flags);
	const memory = workspace();
	const address = memory.module.compileCompact(flags) >>> 0;
	return compactAt(memory, address, inputsText);
}

/**
 * The compact form of a program that is known to be sound, as `compileCompact` gives it. With `isLater`, what it disallows is Later.
 * @throws {RobotrieError} limit-exceeded.
 */
export function compactOf(program: Uint8Array, isLater = false): Uint8Array {
	const at = linear.input(program.length);
	linear.bytes().set(program, at);
	const { compact, compactLater } = linear.module;
	const address = (isLater ? compactLater : compact)(at) >>> 0;
	return compactAt(
		linear,
		address,
		() => `a program of ${program.length} bytes`,
	);
}

/** What is compiled, for messages. */
function inputsText(): string {
	return `${workspace().module.inputCount()} rules`;
}

function compactAt(
	memory: LinearMemory<MainExports>,
	address: number,
	what: () => string,
): Uint8Array {
	if (address <= 1) throw tooLarge(address, what());
	const bytes = memory.bytes();
	// Three bytes, little-endian (C_LENGTH); a DataView would take longer than copying most programs.
	const length =
		(bytes[address] as number) |
		((bytes[address + 1] as number) << 8) |
		((bytes[address + 2] as number) << 16);
	return memory.bytesAt(address, length);
}

/** Why the module gave no program: 0 or 1 in place of its address. */
function tooLarge(address: number, what: string): RobotrieError {
	return address === 0
		? outOfMemory(what)
		: new RobotrieError(
				"limit-exceeded",
				`${what} need more than the ${MAX_U24} bytes a program may have`,
			);
}

/** What the compiler is given for rules of a file, RULE_INPUT_SIZE / 4 numbers each (assembly/format/program.ts). */
export function inputsOf(
	file: TokeniserInput,
	ranges: RuleRanges,
	flags: number,
): Int32Array {
	gather(file, ranges, flags);
	const { module } = workspace();
	const from = module.inputList() >>> 2;
	return workspace()
		.words()
		.slice(from, from + (module.inputCount() * RULE_INPUT_SIZE) / 4);
}

function gather(file: TokeniserInput, ranges: RuleRanges, flags: number): void {
	const { ruleCount } = tokenise(file);
	const memory = workspace();
	const count = ranges.length / 2;
	const at = roomForRanges(count) >>> 2;
	const words = memory.words();
	for (let i = 0; i < ranges.length; i++) {
		const index = ranges[i] as number;
		// The module reads as many records.
		if (index > ruleCount) throw changed();
		words[at + i] = index;
	}
	if (memory.module.gather(count, flags) === 0)
		throw outOfMemory(`${count} groups`);
}

/**
 * Compiles patterns, each a rule with RULE_ `flags`, to byte-code; their sources are their indices.
 * @throws {RobotrieError} limit-exceeded.
 */
export function compilePatterns(
	patterns: readonly Uint8Array[],
	ruleFlags: number,
): Uint8Array {
	placeText(patterns);
	const memory = workspace();
	let at = memory.module.placeInputs(Math.max(patterns.length, 1)) >>> 2;
	if (at === 0) throw outOfMemory(`${patterns.length} patterns`);
	const words = memory.words();
	let from = 0;
	patterns.forEach(({ length }, index) => {
		words[at++] = from;
		words[at++] = length;
		words[at++] = ruleFlags;
		words[at++] = index;
		from += length;
	});
	return compileInputs(0);
}

function compileInputs(flags: number): Uint8Array {
	const memory = workspace();
	const address = memory.module.compile(flags) >>> 0;
	return keep(programAt(memory, address, inputsText));
}

/** A program in linear memory, valid until the next call. */
function programAt(
	memory: LinearMemory<MainExports>,
	address: number,
	what: () => string,
): Uint8Array {
	if (address <= 1) throw tooLarge(address, what());
	const length = memory.words()[(address + H_BYTE_LENGTH) >>> 2] as number;
	return memory.bytesAt(address, length);
}

/** What `compileSteps` gives for ranges of rules: the numbers of the rules of the ranks. */
export function rulesByRank(
	file: TokeniserInput,
	ranges: RuleRanges,
	flags: number,
): Int32Array {
	const program = compileRanges(file, ranges, flags);
	return rankedRules(workspace(), tokenise(file), program);
}

/** The source of the rule of each rank from 1 on, for the program that was compiled last; -1 for no rule of the file. */
export function rankedSources(program: Uint8Array): Int32Array {
	return sourcesIn(workspace(), program);
}

function sourcesIn(
	memory: LinearMemory<MainExports>,
	{ buffer, byteOffset }: Uint8Array,
): Int32Array {
	const ranks = new DataView(buffer, byteOffset).getUint32(H_RANKS, true);
	const from = memory.module.rankedSources() >>> 2;
	return memory.words().slice(from, from + ranks);
}

/** The numbers of the rule of each rank from 1 on, of the program that was compiled last in a workspace. */
function rankedRules(
	memory: LinearMemory<MainExports>,
	{ rules }: RecordLists,
	program: Uint8Array,
): Int32Array {
	const words = memory.words();
	const sources = sourcesIn(memory, program);
	const numbers = new Int32Array(sources.length * RULE_FIELDS);
	// Number by number: a view for each rule takes ten times as long.
	for (let rank = 0; rank < sources.length; rank++) {
		const source = sources[rank] as number;
		if (source < 0) continue;
		const from = rules + source * RULE_FIELDS;
		for (let i = 0; i < RULE_FIELDS; i++)
			numbers[rank * RULE_FIELDS + i] = words[from + i] as number;
	}
	return numbers;
}

/** Small programs share buffers of this size: one of its own takes a program more memory than its code. */
const SHARED_BUFFER = 64 * 1024;
const MOST_SHARED = SHARED_BUFFER / 16;
let shared = new Uint8Array();
let sharedUsed = 0;

/** A copy of a program. */
function keep(program: Uint8Array): Uint8Array {
	const { length } = program;
	if (length > MOST_SHARED) return program.slice();
	if (sharedUsed + length > shared.length) {
		shared = new Uint8Array(SHARED_BUFFER);
		sharedUsed = 0;
	}
	const copy = new Uint8Array(shared.buffer, sharedUsed, length);
	copy.set(program);
	sharedUsed += length;
	return copy;
}
