import { check } from "../common/arguments.ts";
import { bytesKind } from "../common/kinds.ts";
import { type Agent, agentList } from "../matching/agents.ts";
import { verifierReason } from "../matching/byte-code.ts";
import {
	type ContainerKind,
	createContainer,
	openContainer,
	refusal,
	seal,
	viewOf,
} from "../matching/container.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import type { OriginTable } from "./origin-table.ts";

/**
 * An index as bytes, a container that goes on:
 *
 *     8  u32 bytes of the agents
 *    12  u32 programs
 *    16  u32 origins
 *    20  u32 checksum of all that follows
 *    24  agents, a JSON array in UTF-8
 *        for each program: that (assembly/compact.ts), which begins with its length, u24; u32 number of origins that obey it;
 *            those, each u32 bytes of the origin, those bytes
 */
const INDEX: ContainerKind = {
	letters: "RTO",
	name: "index",
	preamble: 24,
};
const PREAMBLE = INDEX.preamble;
const LENGTH = 4;

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
	const programs = originsByProgram(table);
	let size = names.length + table.stats.programBytes + programs.size * LENGTH;
	for (const { address } of table.entries())
		size += LENGTH + table.origin(address).length;
	const view = createContainer(INDEX, dialect, size);
	const bytes = new Uint8Array(view.buffer);
	view.setUint32(8, names.length, true);
	view.setUint32(12, programs.size, true);
	view.setUint32(16, table.size, true);
	bytes.set(names, PREAMBLE);
	let at = PREAMBLE + names.length;
	for (const [address, origins] of programs) {
		const program = table.program(address);
		bytes.set(program, at);
		at += program.length;
		view.setUint32(at, origins.length, true);
		at += LENGTH;
		for (const address of origins) {
			const origin = table.origin(address);
			view.setUint32(at, origin.length, true);
			bytes.set(origin, at + LENGTH);
			at += LENGTH + origin.length;
		}
	}
	sealIndex(bytes);
	return bytes;
}

/** Writes the checksum that goes with the bytes behind it. */
export function sealIndex(bytes: Uint8Array): void {
	seal(INDEX, bytes);
}

const invalid = (reason: string) => refusal(INDEX, reason);

/** @throws {RobotrieError} invalid-byte-code, with the reason; invalid-argument. */
export function readHead(bytes: Uint8Array): SnapshotHead {
	check("snapshot", bytes, bytesKind);
	const dialect = openContainer(INDEX, bytes);
	const end = PREAMBLE + viewOf(bytes).getUint32(8, true);
	if (end > bytes.length) throw invalid("the agents are cut off");
	return { dialect, agent: parseAgents(bytes.subarray(PREAMBLE, end)) };
}

function parseAgents(bytes: Uint8Array): Agent {
	let agents: unknown;
	try {
		agents = JSON.parse(new TextDecoder().decode(bytes));
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

/** Addresses of origins by that of their program. */
function originsByProgram(table: OriginTable): Map<number, number[]> {
	const programs = new Map<number, number[]>();
	for (const { address, program } of table.entries()) {
		const origins = programs.get(program);
		if (origins) origins.push(address);
		else programs.set(program, [address]);
	}
	return programs;
}

/**
 * Puts what a snapshot holds into an empty table. Every program is verified, so that whatever loads can be run.
 * @throws {RobotrieError} invalid-byte-code, limit-exceeded.
 */
export function loadIndex(bytes: Uint8Array, table: OriginTable): void {
	const view = viewOf(bytes);
	const programs = view.getUint32(12, true);
	const origins = view.getUint32(16, true);
	const records = bytes.subarray(PREAMBLE + view.getUint32(8, true));
	const [read, programsRead, originsRead, failure] = table.load(
		records,
		origins,
		programs,
	);
	const reason = verifierReason(failure);
	if (reason !== null)
		throw invalid(`in program ${programsRead} of ${programs}, ${reason}`);
	const left = records.length - read;
	if (left !== 0 || programsRead !== programs || originsRead !== origins)
		throw invalid(
			`${originsRead} of ${origins} origins, ${programsRead} of ${programs} programs, ${left} bytes`,
		);
	if (table.size !== origins) throw invalid("an origin twice");
}
