/**
 * A place of recorded answers (folder, JSON lines, WARC, Parquet, stdin) cut into tasks, and the records of a task. build.ts reads tasks in
 * the main thread and has them compiled in any. Where a place is cut depends on its content alone: an index has the same bytes with any number
 * of threads.
 */

import type { Dialect } from "robotrie";
import { concatenate } from "#robotrie/common/chunks";
import { compressionOf, withHead } from "#robotrie/common/compression";
import { SitesError } from "../files/errors.ts";
import { type RowRange, rowGroupsOf } from "../files/parquet.ts";
import { isFolder, statIfThere } from "../files/stat.ts";
import {
	asUtf8,
	decompressed,
	isParquet,
	readFile,
	wholeLines,
} from "../files/text.ts";
import { isShardName } from "../shards/index-folder.ts";
import {
	entriesOf,
	type Row,
	readFolder,
	readJsonLines,
	readParquet,
	readRows,
	type Schemes,
	type SiteEntry,
	type SiteRecord,
} from "./records.ts";
import {
	type BlockEnd,
	gunzipStart,
	isWarc,
	type OtherRecord,
	splitWarc,
	type WarcBlock,
	WarcReader,
} from "./warc.ts";

/** Recorded answers from elsewhere than a file: a pipe, a request's body, an object of a store. */
export interface SourceStream {
	/** For messages. */
	readonly name: string;
	/** The bytes as they are stored: gzip and zstd are decompressed. Parquet cannot be read so. */
	readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A file of recorded answers (WARC, Parquet or JSON lines), a folder of robots.txt files, or a stream. */
export type Source = string | SourceStream;

/**
 * What one thread reads and compiles of a place. Plain data. `done` is the share of the place that
 * is read once it is, from 0 to 1. Each kind has just what its reader needs; bytes are sent where
 * they were read, paths where they are read again.
 */
export type SiteTask = { readonly name: string; readonly done: number } & (
	| { readonly kind: "folder"; readonly entries: readonly SiteEntry[] }
	| {
			readonly kind: "lines";
			readonly lines: Uint8Array;
			readonly first: number;
	  }
	| ({ readonly kind: "warc" } & WarcBlock)
	| { readonly kind: "parquet"; readonly rows: RowRange }
	| {
			readonly kind: "rows";
			readonly rows: Iterable<Row>;
			readonly first: number;
	  }
);

/** What records are read by. */
export interface SiteReading {
	readonly dialect: Dialect;
	readonly schemes: Schemes;
}

/** Bytes of lines in a task. */
const LINES = 1024 * 1024;
/** Files of a folder in a task. */
const ENTRIES = 256;
/** Files that have to be WARC; all others are recognised by their content alone. */
const WARC_NAME = /\.warc(\.gz)?$/i;
/** First bytes of a file, by which its kind is recognised. */
const SNIFFED = 4096;

/** Whether a file begins as an index does: read as lines, it would be a million faults. */
function isIndex(head: Uint8Array): boolean {
	return [0x52, 0x54, 0x4f, 0].every((byte, at) => head[at] === byte);
}

const indexInstead = (name: string) =>
	new SitesError(
		"malformed",
		`${name} is an index that robotrie index wrote; it is made from robots.txt files, JSON lines, Parquet or WARC`,
	);

/**
 * Cuts a place into tasks; where it is cut depends on its content alone. The content decides what a
 * place is; a name only says that a file has to be WARC.
 * @throws {SitesError} When it cannot be read at all.
 */
export async function* tasksOf(source: Source): AsyncGenerator<SiteTask> {
	if (typeof source === "string" && isFolder(source))
		yield* folderTasks(source);
	else yield* fileTasks(source);
}

async function* eachOf(
	chunks: SourceStream["chunks"],
): AsyncGenerator<Uint8Array> {
	yield* chunks;
}

function* folderTasks(folder: string): Generator<SiteTask> {
	// Entries of a folder in their order, so that a task can name a run of them.
	const all = entriesOf(folder);
	// Its files would be sites of hosts such as "index.json".
	if (all.some(({ name }) => isShardName(name))) throw indexInstead(folder);
	for (let at = 0; at < all.length; at += ENTRIES) {
		const entries = all.slice(at, at + ENTRIES);
		const done = Math.min(at + ENTRIES, all.length) / all.length;
		yield { kind: "folder", name: folder, done, entries };
	}
}

async function* fileTasks(source: Source): AsyncGenerator<SiteTask> {
	const file = typeof source === "string" ? source : undefined;
	const name = typeof source === "string" ? source : source.name;
	const size = Number(file === undefined ? 0 : (statIfThere(file)?.size ?? 0));
	let read = 0;
	const done = () => (size > 0 ? Math.min(1, read / size) : 0);
	const raw =
		typeof source === "string"
			? readFile(source, (bytes) => {
					read += bytes;
				})
			: eachOf(source.chunks);
	// The head decides, and is then put back in front.
	const { head, bytes } = await withHead(raw, SNIFFED);
	if (isParquet(head)) {
		await bytes.return(undefined);
		// Parquet cannot be read from a stream: its metadata stand at its end.
		if (file === undefined)
			throw new SitesError(
				"malformed",
				`Parquet cannot be read from ${name}: name the file`,
			);
		const groups = await rowGroupsOf(file);
		const rows = groups.at(-1)?.to ?? 0;
		for (const group of groups)
			yield { kind: "parquet", name, done: group.to / rows, rows: group };
		return;
	}
	if (isIndex(head)) {
		await bytes.return(undefined);
		throw indexInstead(name);
	}
	// A gzip member with a record inside is a WARC file, whatever its name.
	if (compressionOf(head) === "gzip" && isWarc(gunzipStart(head))) {
		for await (const block of splitWarc(bytes, true, name))
			yield { kind: "warc", name, done: done(), ...block };
		return;
	}
	// Other compressed files are read as text.
	const text = await withHead(decompressed(bytes, head, name), SNIFFED);
	if (isWarc(text.head)) {
		for await (const block of splitWarc(text.bytes, false, name))
			yield { kind: "warc", name, done: done(), ...block };
		return;
	}
	// A `.warc` that is none is an error: reading it as JSON lines would report a million faults.
	if (WARC_NAME.test(name) && text.head.length > 0) {
		await text.bytes.return(undefined);
		throw new SitesError(
			"malformed",
			compressionOf(head) === "plain" && /gz$/i.test(name)
				? `${name} is not a WARC file: it is not gzip, and does not begin with "WARC/"`
				: `${name} is not a WARC file: it does not begin with "WARC/"`,
		);
	}
	let first = 1;
	for await (const lines of linesOf(asUtf8(text.bytes, name), name)) {
		const next = first + countLines(lines);
		// Counted before they are given away: their buffer may be sent to a thread.
		yield { kind: "lines", name, done: done(), lines, first };
		first = next;
	}
}

/**
 * Whole lines, about LINES bytes at once. Blocks of whole lines, large enough that a thread has
 * something to do.
 */
async function* linesOf(
	text: AsyncIterable<Uint8Array>,
	name: string,
): AsyncGenerator<Uint8Array> {
	let held: Uint8Array[] = [];
	let size = 0;
	for await (const lines of wholeLines(text, name)) {
		held.push(lines);
		size += lines.length;
		if (size < LINES) continue;
		yield concatenate(held);
		held = [];
		size = 0;
	}
	if (size > 0) yield concatenate(held);
}

function countLines(lines: Uint8Array): number {
	let count = 0;
	for (let at = lines.indexOf(10); at >= 0; at = lines.indexOf(10, at + 1))
		count++;
	return count;
}

/**
 * The records of a task. What it returns at last says how a block of a WARC file ended. A
 * generator, so that a task's records are compiled as they are read.
 */
export async function* readTask(
	task: SiteTask,
	{ dialect, schemes }: SiteReading,
): AsyncGenerator<SiteRecord | OtherRecord, BlockEnd | undefined> {
	switch (task.kind) {
		case "folder":
			yield* readFolder(task.name, task.entries, schemes);
			return undefined;
		case "lines":
			yield* readJsonLines(task.lines, task.name, task.first, dialect);
			return undefined;
		case "rows":
			yield* readRows(task.rows, task.name, task.first, dialect);
			return undefined;
		case "parquet":
			yield* readParquet(task.name, task.rows, dialect);
			return undefined;
		case "warc": {
			const reader = new WarcReader(task, task.name, dialect);
			yield* reader.records();
			return reader.end;
		}
	}
}
