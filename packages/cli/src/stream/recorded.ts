/**
 * Frames `B` and `T` of `robotrie stream`: recorded answers compiled for an engine that sorts and joins them itself, and the shards that it makes of
 * them. Tables come and go in Apache Arrow's streaming format, which engines have their columns in. frames.ts loads this file for the first one.
 */

import { compileAnswers, ShardMaker } from "@robotrie/sites/internal-answers";
import { MOST_SHARDS } from "@robotrie/sites/internal-shards";
import {
	binary,
	bool,
	columnFromArray,
	float64,
	int32,
	type Table,
	tableFromColumns,
	tableFromIPC,
	tableToIPC,
	utf8,
} from "@uwdata/flechette";
import type { Access } from "robotrie";
import { isRecord } from "#robotrie/common/arguments";
import { concatenate } from "#robotrie/common/chunks";
import { Failure, isTold } from "../output/output.ts";
import type { StreamRules } from "./rules.ts";

type RecordedRows = Extract<
	Parameters<typeof compileAnswers>[0],
	{ readonly rows: unknown }
>;

/** What the JSON in front of a frame `B` says. */
interface Head {
	/** For messages. */
	readonly name: string;
	readonly shards: number;
	/** Of several answers the newest up to then counts, in milliseconds since 1970. */
	readonly asOf?: number;
	/** The number of the first row, where an Arrow table follows and not the bytes of a file. */
	readonly first?: number;
}

/** Of `B`: compiles a table or a file of answers. @returns JSON of counts, after its length, and a table. @throws {Failure} */
export async function compiled(
	rules: StreamRules,
	payload: Uint8Array,
): Promise<Uint8Array> {
	const { head, rest } = partsOf(payload);
	const { name, shards, asOf, first } = head;
	const source =
		first === undefined
			? { name, chunks: [rest] }
			: { name, first, rows: recordedRows(rest) };
	const { rows, counts } = await compileAnswers(source, {
		...{ agents: rules.agents, dialect: rules.dialect, shards, asOf },
		...{ maxBytes: rules.maxBytes, schemes: ["https", "http"] },
	});
	const table = tableFromColumns({
		key: columnFromArray(
			rows.map(({ key }) => key),
			utf8(),
		),
		is_origin: columnFromArray(
			rows.map(({ isOrigin }) => isOrigin),
			bool(),
		),
		shard: columnFromArray(
			rows.map(({ shard }) => shard),
			int32(),
		),
		time: columnFromArray(
			rows.map(({ time }) => time ?? null),
			float64(),
		),
		is_moved: columnFromArray(
			rows.map(({ programs }) => programs === undefined),
			bool(),
		),
		target: columnFromArray(
			rows.map(({ target }) => target ?? null),
			utf8(),
		),
		programs: columnFromArray(
			rows.map(({ programs }) => programs ?? null),
			binary(),
		),
	});
	const said = Buffer.from(JSON.stringify(counts));
	return concatenate([lengthOf(said), said, encoded(table)]);
}

function lengthOf({ length }: Uint8Array): Uint8Array {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(length);
	return bytes;
}

function encoded(table: Table): Uint8Array {
	const bytes = tableToIPC(table, { format: "stream" });
	if (!bytes) throw new Failure("its answers could not be written");
	return bytes;
}

/** The JSON at the beginning of a payload, after its length, and what follows. @throws {Failure} */
function partsOf(payload: Uint8Array): { head: Head; rest: Uint8Array } {
	const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
	const end = bytes.length < 4 ? Number.NaN : 4 + bytes.readUInt32LE(0);
	let head: unknown;
	try {
		if (end <= bytes.length) head = JSON.parse(bytes.toString("utf8", 4, end));
	} catch {
		// Said below.
	}
	if (!isHead(head))
		throw new Failure(
			`it begins with the length of a JSON object and that, which has "name", "shards" (from 1 to ${MOST_SHARDS}) and may have "asOf" and "first"`,
		);
	return { head, rest: payload.subarray(end) };
}

function isHead(head: unknown): head is Head {
	if (!isRecord(head)) return false;
	const { name, shards, asOf, first } = head;
	const isCount = (value: unknown, least: number, most: number) =>
		Number.isSafeInteger(value) &&
		(value as number) >= least &&
		(value as number) <= most;
	return (
		typeof name === "string" &&
		isCount(shards, 1, MOST_SHARDS) &&
		(asOf === undefined || Number.isFinite(asOf)) &&
		(first === undefined || isCount(first, 0, Number.MAX_SAFE_INTEGER))
	);
}

/** @throws {Failure} For what is no Arrow stream: flechette throws any error for damaged bytes. */
function readTable(bytes: Uint8Array): Table {
	try {
		// A copy: buffers of columns are read where they lie, on multiples of eight.
		return tableFromIPC(new Uint8Array(bytes), {
			useBigInt: true,
			useDate: true,
		});
	} catch (error) {
		if (isTold(error) || !(error instanceof Error)) throw error;
		throw new Failure(`its table cannot be read: ${error.message}`);
	}
}

/** The rows of a table of answers; what their columns are called: docs/many-sites.md. */
function recordedRows(bytes: Uint8Array): RecordedRows["rows"] {
	const table = readTable(bytes);
	const columns = table.names.map((name) => [name, table.getChild(name)]);
	return (function* () {
		for (let row = 0; row < table.numRows; row++)
			yield Object.fromEntries(
				columns.map(([name, column]) => [
					name as string,
					(column as { at(row: number): unknown }).at(row),
				]),
			);
	})();
}

/** Of `T`: puts rows of `B`, or states, into the shard that is made. @throws {Failure} */
export function put(
	maker: ShardMaker | undefined,
	rules: StreamRules,
	payload: Uint8Array,
): ShardMaker {
	const shard =
		maker ??
		new ShardMaker({
			...{ agents: rules.agents, dialect: rules.dialect, shards: 1 },
			schemes: [],
		});
	const table = readTable(payload);
	const origins = table.getChild("origin");
	const programs = table.getChild("programs");
	const states = table.getChild("state");
	if (!origins || !programs || !states)
		throw new Failure(
			'its table has the columns "origin", "programs", "state"',
		);
	for (let row = 0; row < table.numRows; row++) {
		const rule: unknown = programs.at(row) ?? states.at(row);
		if (!(rule instanceof Uint8Array || isState(rule)))
			throw new Failure(`row ${row} has neither programs nor a state`);
		shard.set(String(origins.at(row)), rule);
	}
	return shard;
}

function isState(value: unknown): value is Access {
	return value === "allow-all" || value === "disallow-all" || value === "later";
}
