/**
 * An index as bytes, written and read in chunks, so that neither side holds it twice. RobotsIndex, the pool's threads and the command line
 * use it. A snapshot may come from anywhere: each entry is verified before it is loaded.
 */
import { VERIFY_OK, VERIFY_ORIGIN } from "../../assembly/format/program.ts";
import { LOAD_NUMBER, LOAD_TWICE } from "../../assembly/format/snapshot.ts";
import { type Agent, agentList } from "../common/agents.ts";
import { bytesArgument } from "../common/bytes.ts";
import { Checksum, checksum } from "../common/checksum.ts";
import { concatenate } from "../common/chunks.ts";
import { nextTurn } from "../common/steps.ts";
import { verifierReason } from "../matching/byte-code.ts";
import {
	type ContainerKind,
	compareChecksum,
	createContainer,
	openPreamble,
	refusal,
	viewOf,
} from "../matching/container.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import type { Capture } from "./capture.ts";
import type { OriginTable } from "./origin-table.ts";

/**
 * An index as bytes, a container that goes on:
 *
 *     8  u32 bytes of the agents
 *    12  u32 programs, at most
 *    16  u32 origins
 *    20  agents, a JSON array in UTF-8
 *        for each origin an entry (assembly/format/snapshot.ts), in any order
 *        u32 checksum of all in front of it.
 * The numbers at the beginning are what a reader makes room for; they are bounded before they are
 * believed (`expectIn`).
 */
const INDEX: ContainerKind = {
	letters: "RTO",
	name: "index",
	preamble: 20,
};
const PREAMBLE = INDEX.preamble;
/** Bytes of the checksum. */
export const CHECKSUM = 4;
/**
 * Bytes that are read at once: they stay in the second-level cache, and take about a millisecond.
 * Between two pieces other code of the event loop has its turn.
 */
const PIECE = 256 * 1024;
/** Bytes that are joined to the start of an entry which came in the chunk before: most entries are smaller. */
const JOINED = 4 * 1024;

/** What a snapshot says about its index. */
export interface SnapshotHead {
	readonly dialect: Dialect;
	readonly agent: Agent;
}

/** What comes before the entries of a snapshot. */
interface SnapshotStart {
	readonly head: SnapshotHead;
	/** Programs, at most. */
	readonly programs: number;
	readonly origins: number;
	/** Its bytes. */
	readonly size: number;
}

/**
 * A snapshot of what was captured, in chunks; `size` origins and at most `programs` programs. Each
 * chunk holds until the next one or until anything else is asked of the index. The checksum comes
 * last, as the bytes are not known before; so a snapshot can be written to a pipe.
 */
export function* snapshotChunks(
	capture: Capture,
	{ dialect, agent }: SnapshotHead,
	size: number,
	programs: number,
): Generator<Uint8Array> {
	const names = new TextEncoder().encode(JSON.stringify(agentList(agent)));
	const view = createContainer(INDEX, dialect, names.length);
	view.setUint32(8, names.length, true);
	view.setUint32(12, programs, true);
	view.setUint32(16, size, true);
	const head = new Uint8Array(view.buffer);
	head.set(names, PREAMBLE);
	const sum = new Checksum();
	sum.add(head);
	yield head;
	for (const chunk of capture.entries()) {
		sum.add(chunk);
		yield chunk;
	}
	const last = new DataView(new ArrayBuffer(CHECKSUM));
	last.setUint32(0, sum.value, true);
	yield new Uint8Array(last.buffer);
}

/**
 * A snapshot as a whole. Sized before it is written, so that a snapshot of a gigabyte is not copied
 * while it grows.
 */
export function encodeIndex(
	table: OriginTable,
	head: SnapshotHead,
): Uint8Array {
	const capture = table.capture();
	try {
		const { size, stats, entriesSize } = table;
		const chunks = snapshotChunks(capture, head, size, stats.programs);
		const first = chunks.next().value as Uint8Array;
		const bytes = new Uint8Array(first.length + entriesSize + CHECKSUM);
		bytes.set(first);
		let at = first.length;
		for (const chunk of chunks) {
			bytes.set(chunk, at);
			at += chunk.length;
		}
		// Programs that another capture holds were counted.
		return at < bytes.length ? bytes.slice(0, at) : bytes;
	} finally {
		capture.end();
	}
}

/**
 * Writes the checksum that goes with the bytes in front of it. For tests, which change a snapshot
 * and want to reach the checks after the checksum.
 */
export function sealIndex(bytes: Uint8Array): void {
	const at = bytes.length - CHECKSUM;
	viewOf(bytes).setUint32(at, checksum(bytes.subarray(0, at)), true);
}

/**
 * What keeps an origin from being loaded. Only what concerns a single origin; reasons of programs
 * are the verifier's own.
 */
const originReasons: ReadonlyMap<number, string> = new Map([
	[VERIFY_ORIGIN, "is not as indexes write it"],
	[LOAD_TWICE, "is there twice"],
	[LOAD_NUMBER, "has a program that is not there"],
]);

const invalid = (reason: string) => refusal(INDEX, reason);

/** Of agents: neither a byte order mark nor what is no UTF-8 is JSON, in any of the hosts. */
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true,
});

/** One name alone stands for itself, as `agent` may be a name or a list. */
function parseAgents(bytes: Uint8Array): Agent {
	let agents: unknown;
	try {
		agents = JSON.parse(utf8.decode(bytes));
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
 * Reads the start of a snapshot; undefined if more bytes are needed. Cut-off bytes are no error
 * yet: more may come.
 * @throws {RobotrieError} invalid-byte-code.
 */
function readStart(bytes: Uint8Array): SnapshotStart | undefined {
	if (bytes.length < PREAMBLE) return undefined;
	const dialect = openPreamble(INDEX, bytes);
	const view = viewOf(bytes);
	const size = PREAMBLE + view.getUint32(8, true);
	if (size > bytes.length) return undefined;
	const agent = parseAgents(bytes.subarray(PREAMBLE, size));
	const programs = view.getUint32(12, true);
	const origins = view.getUint32(16, true);
	return { head: { dialect, agent }, programs, origins, size };
}

/**
 * Reads a snapshot that is whole into the table that `open` gives. Every program is verified, so
 * that whatever loads can be run. The whole snapshot is here, so its checksum is compared first and
 * everything else after.
 * @throws {RobotrieError} invalid-byte-code, limit-exceeded.
 */
export function decodeIndex(
	bytes: Uint8Array,
	open: (head: SnapshotHead) => OriginTable,
): void {
	openPreamble(INDEX, bytes);
	const end = bytes.length - CHECKSUM;
	const given = end < PREAMBLE ? 0 : viewOf(bytes).getUint32(end, true);
	compareChecksum(INDEX, given, checksum(bytes.subarray(0, Math.max(end, 0))));
	const reader = new SnapshotReader(open, bytes.length, given);
	for (const _ of reader.add(bytes));
	reader.end();
}

/** Reads a snapshot in chunks into the table that `open` gives. @throws {RobotrieError} As `readChunks`. */
export const readSnapshot = (
	open: (head: SnapshotHead) => OriginTable,
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => readChunks(new SnapshotReader(open), chunks);

/**
 * Gives a reader all of the chunks; the event loop goes on meanwhile. By bytes read and not by
 * chunks, as chunks may be of any size.
 * @throws {RobotrieError} Also when a chunk is no bytes.
 */
export async function readChunks(
	reader: SnapshotReader,
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
	let read = 0;
	for await (const chunk of chunks) {
		const bytes = bytesArgument("a chunk", chunk);
		read += bytes.length;
		for (const _ of reader.add(bytes)) {
			if (read < PIECE) continue;
			read -= PIECE;
			await nextTurn();
		}
	}
	reader.end();
}

/**
 * The same for a snapshot that comes in chunks. Bytes are used as they come. Only an entry that
 * lies across two chunks is copied, and a long one is put together when it has doubled.
 */
export class SnapshotReader {
	readonly #open: (head: SnapshotHead) => OriginTable;
	/** Bytes of the snapshot, as far as is known. */
	readonly #size: number;
	/** The checksum of the bytes that were read; a number if it is known to be right. */
	readonly #sum: Checksum | number;
	/** Bytes of an entry whose end has not come, and how many must be there before it is worth to look again. */
	#parts: Uint8Array[] = [];
	#partsSize = 0;
	#wanted = 0;
	#table: OriginTable | undefined;
	#programs = 0;
	#origins = 0;
	#originsRead = 0;

	constructor(
		open: (head: SnapshotHead) => OriginTable,
		size = Number.POSITIVE_INFINITY,
		sum: Checksum | number = new Checksum(),
	) {
		this.#sum = sum;
		this.#open = open;
		this.#size = size;
	}

	/**
	 * Goes on with more bytes, which may change afterwards. Yields after each piece, about a millisecond of work.
	 * @throws {RobotrieError} invalid-byte-code, limit-exceeded.
	 */
	*add(chunk: Uint8Array): Generator<void> {
		let bytes = chunk;
		let at = 0;
		// An entry of many chunks: collected until there is enough to look at again.
		if (this.#partsSize >= PIECE) {
			this.#parts.push(new Uint8Array(chunk));
			this.#partsSize += chunk.length;
			// Else a long entry in short chunks would be put together again and again.
			if (this.#partsSize < this.#wanted) return;
			bytes = concatenate(this.#parts);
			// A short start: joined to the next chunk's first bytes.
		} else if (this.#partsSize > 0) {
			at = this.#finishEntry(chunk);
			if (at === 0) return;
		}
		this.#keep(new Uint8Array());
		// Read in pieces; where a piece holds no whole entry, twice as much is tried.
		for (let size = PIECE; at < bytes.length; ) {
			const read = this.#read(bytes.subarray(at, at + size));
			if (read > 0) {
				at += read;
				size = PIECE;
				yield;
			} else if (at + size >= bytes.length) {
				this.#keep(bytes.subarray(at));
				return;
			} else {
				size *= 2;
			}
		}
	}

	/**
	 * Reads the entry whose start is kept, with as much of a chunk as it takes; returns how much that
	 * is, 0 if the end is still missing. Four KiB hold nearly every entry; doubling finds the others.
	 */
	#finishEntry(chunk: Uint8Array): number {
		for (let size = JOINED; ; size *= 2) {
			const some = chunk.subarray(0, size);
			const joined = concatenate([...this.#parts, some]);
			const read = this.#read(joined);
			if (read > 0) return read - this.#partsSize;
			if (some.length < chunk.length) continue;
			this.#keep(joined);
			return 0;
		}
	}

	/** Keeps bytes, none of whose entries is whole. */
	#keep(bytes: Uint8Array): void {
		// A copy: the slice of a Buffer of Node would be a view of it.
		this.#parts = [new Uint8Array(bytes)];
		this.#partsSize = bytes.length;
		this.#wanted = bytes.length * 2;
	}

	/**
	 * After the last bytes: checks that all is there. What is left has to be the checksum and nothing
	 * else.
	 * @throws {RobotrieError} invalid-byte-code, limit-exceeded.
	 */
	end(): void {
		this.#wanted = 0;
		for (const _ of this.add(new Uint8Array()));
		const [rest = new Uint8Array()] = this.#parts;
		const table = this.#table;
		if (!table) {
			openPreamble(INDEX, rest);
			throw invalid("the agents are cut off");
		}
		const { programsRead } = table;
		table.endLoading();
		const left = rest.length - CHECKSUM;
		if (left !== 0 || this.#originsRead !== this.#origins)
			throw invalid(
				`${this.#originsRead} of ${this.#origins} origins, ${programsRead} of ${this.#programs} programs, ${left} bytes`,
			);
		const found = typeof this.#sum === "number" ? this.#sum : this.#sum.value;
		compareChecksum(INDEX, viewOf(rest).getUint32(0, true), found);
	}

	/**
	 * Reads as much as can be read; returns how many bytes that are. The checksum runs over what was
	 * read, so that bytes of an unfinished entry count once.
	 */
	#read(bytes: Uint8Array): number {
		const table = this.#table;
		const read = table
			? this.#readEntries(table, bytes)
			: this.#readHead(bytes);
		if (typeof this.#sum !== "number") this.#sum.add(bytes.subarray(0, read));
		return read;
	}

	// Numbers in messages count from 1, as people do.
	#readEntries(table: OriginTable, bytes: Uint8Array): number {
		const most = this.#origins - this.#originsRead;
		const { read, origins, failure } = table.load(bytes, most);
		this.#originsRead += origins;
		const reason = originReasons.get(failure);
		if (reason !== undefined)
			throw invalid(
				`origin ${this.#originsRead + 1} of ${this.#origins} ${reason}`,
			);
		const { programsRead } = table;
		if (failure !== VERIFY_OK)
			throw invalid(
				`in program ${programsRead + 1} of ${this.#programs}, ${verifierReason(failure)}`,
			);
		if (programsRead > this.#programs)
			throw invalid(`${programsRead} of ${this.#programs} programs`);
		return read;
	}

	#readHead(bytes: Uint8Array): number {
		const start = readStart(bytes);
		if (!start) return 0;
		this.#programs = start.programs;
		this.#origins = start.origins;
		// The table is opened by the caller, who decides whose memory it is in.
		this.#table = this.#open(start.head);
		this.#table.expectIn(this.#size, this.#origins, this.#programs);
		return start.size;
	}
}
