import { type Agent, agentList } from "./agents.ts";
import { verifierReason } from "./byte-code.ts";
import {
	type ContainerKind,
	createContainer,
	openContainer,
	refusal,
	seal,
	viewOf,
} from "./container.ts";
import type { Dialect } from "./dialect.ts";
import { invalidArgument } from "./errors.ts";
import type { OriginTable } from "./origin-table.ts";

/**
 * An index as octets, a container that goes on:
 *
 *     8  u32 octets of the agents
 *    12  u32 programs
 *    16  u32 origins
 *    20  u32 checksum of all that follows
 *    24  agents, a JSON array in UTF-8
 *        programs (assembly/format.ts), each of which begins with its length
 *        origins, each u32 number of its program, u32 octets of the origin, those octets
 */
const INDEX: ContainerKind = { letters: "RTI", name: "index", preamble: 24 };
const PREAMBLE = INDEX.preamble;
const ORIGIN_HEAD = 8;

/** What a snapshot says about its index. */
export interface SnapshotHead {
	readonly dialect: Dialect;
	readonly agent: Agent;
}

export function encodeIndex(
	table: OriginTable,
	{ dialect, agent }: SnapshotHead,
): Uint8Array {
	const names = new TextEncoder().encode(JSON.stringify(agentList(agent)));
	const numbers = new Map<number, number>();
	let size = names.length + table.stats.programBytes;
	for (const { origin, program } of table.entries()) {
		size += ORIGIN_HEAD + origin.length;
		if (!numbers.has(program)) numbers.set(program, numbers.size);
	}
	const view = createContainer(INDEX, dialect, size);
	const bytes = new Uint8Array(view.buffer);
	view.setUint32(8, names.length, true);
	view.setUint32(12, numbers.size, true);
	view.setUint32(16, table.size, true);
	bytes.set(names, PREAMBLE);
	let at = PREAMBLE + names.length;
	for (const address of numbers.keys()) {
		const program = table.program(address);
		bytes.set(program, at);
		at += program.length;
	}
	for (const { origin, program } of table.entries()) {
		view.setUint32(at, numbers.get(program) ?? 0, true);
		view.setUint32(at + 4, origin.length, true);
		bytes.set(origin, at + ORIGIN_HEAD);
		at += ORIGIN_HEAD + origin.length;
	}
	sealIndex(bytes);
	return bytes;
}

/** Writes the checksum that goes with the octets behind it. */
export function sealIndex(bytes: Uint8Array): void {
	seal(INDEX, bytes);
}

const invalid = (reason: string) => refusal(INDEX, reason);

/** @throws {RobotrieError} invalid-byte-code, with the reason; invalid-argument. */
export function readHead(bytes: Uint8Array): SnapshotHead {
	if (!(bytes instanceof Uint8Array))
		throw invalidArgument("a snapshot is a Uint8Array", bytes);
	const dialect = openContainer(INDEX, bytes);
	const end = PREAMBLE + viewOf(bytes).getUint32(8, true);
	if (end > bytes.length) throw invalid("the agents are cut off");
	return { dialect, agent: parseAgents(bytes.subarray(PREAMBLE, end)) };
}

function parseAgents(octets: Uint8Array): Agent {
	let agents: unknown;
	try {
		agents = JSON.parse(new TextDecoder().decode(octets));
	} catch {
		throw invalid("the agents are no JSON");
	}
	if (
		!Array.isArray(agents) ||
		agents.length === 0 ||
		!agents.every((agent) => typeof agent === "string")
	)
		throw invalid("the agents are no list of names");
	const [first = ""]: readonly string[] = agents;
	return agents.length === 1 ? first : agents;
}

/**
 * Puts what a snapshot holds into an empty table. Every program is verified, so that whatever loads can be run. In a new process
 * two fifths of the time go to the first touch of fresh pages; of the rest, a fifth to verifying and a tenth to the checksum.
 * @throws {RobotrieError} invalid-byte-code, limit-exceeded.
 */
export function loadIndex(bytes: Uint8Array, table: OriginTable): void {
	const view = viewOf(bytes);
	// Node's Buffer takes three times as long for a view of a part.
	const octets = new Uint8Array(view.buffer, view.byteOffset, bytes.length);
	const programCount = view.getUint32(12, true);
	const originCount = view.getUint32(16, true);
	let at = PREAMBLE + view.getUint32(8, true);
	/** The octets of the next record, of which `size` are left to read. */
	const next = (size: number, what: string) => {
		if (at + size > bytes.length) throw invalid(`${what} is cut off`);
		at += size;
		return octets.subarray(at - size, at);
	};
	const kept: number[] = [];
	try {
		for (let number = 0; number < programCount; number++) {
			const what = `program ${number + 1} of ${programCount}`;
			next(4, what);
			at -= 4;
			const program = next(view.getUint32(at, true), what);
			const reason = verifierReason(program);
			if (reason !== null) throw invalid(`in ${what}, ${reason}`);
			kept.push(table.keep(program, what));
		}
		for (let number = 0; number < originCount; number++) {
			const what = `origin ${number + 1} of ${originCount}`;
			next(ORIGIN_HEAD, what);
			const program = kept[view.getUint32(at - ORIGIN_HEAD, true)];
			if (program === undefined) throw invalid(`${what} has no program`);
			table.bind(next(view.getUint32(at - 4, true), what), program);
		}
	} finally {
		for (const program of kept) table.drop(program);
	}
	if (at !== bytes.length)
		throw invalid(`${bytes.length - at} octets follow the last origin`);
	if (table.size !== originCount) throw invalid("an origin stands there twice");
}
