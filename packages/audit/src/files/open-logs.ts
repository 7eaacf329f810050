/**
 * Logs in files and streams, before they are scanned: what kind of file each is, its format, and the order of their first times. Only the
 * beginning of each is read here, and some lines from further on. Everything else that looks at whole sets of logs (copies, logs without
 * X-Forwarded-For) is here as well.
 */

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { bytesArgument } from "#robotrie/common/bytes";
import { withHead } from "#robotrie/common/compression";
import { failureOf, isSitesError, SitesError } from "#sites/files/errors";
import { readParquetLines } from "#sites/files/parquet";
import { sizeOf, statOf } from "#sites/files/stat";
import {
	isParquet,
	readFile,
	startOf,
	textOf,
	unpacked,
} from "#sites/files/text";
import { type LogFormat, tells } from "../formats/log-format.ts";
import { formatFor, formatOfHead, HEAD } from "../scan/detect.ts";
import { inOrder } from "../scan/sort-logs.ts";

/** A log from elsewhere than a file: stdin, a request's body, an object of a store. */
export interface LogStream {
	/** Its name in the report, and in errors. */
	readonly name: string;
	/** Its bytes as they are stored, in chunks of any size: gzip and zstd are decompressed. Parquet cannot be read so. */
	readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A log: the path of a file, which is also its name in the report, or a stream. */
export type LogSource = string | LogStream;

/** Its name in reports and errors. */
export const sourceName = (source: LogSource): string =>
	typeof source === "string" ? source : source.name;

/** A log to be read. */
export interface OpenLog {
	/** Of a file, its path. */
	readonly name: string;
	readonly format: LogFormat;
	/**
	 * "plain" can be read from any place, "packed" (compressed, or in another encoding) from its beginning, and "once" is a
	 * stream of which the first bytes are in `rest` already. "columns" is Parquet, whose rows are read as lines of JSON.
	 */
	readonly kind: "plain" | "packed" | "once" | "columns";
	/** Bytes on the disk; 0 when that is not known. */
	readonly size: number;
	readonly rest?: AsyncIterable<Uint8Array>;
	/** The beginning of its text. */
	readonly head: Uint8Array;
}

/**
 * Looks at the beginning of each log, and puts them in the order of their first lines' times, so
 * that rotated sets count in order whatever their names; those without a time keep their place at
 * the end.
 * @param forced The format that was chosen; undefined where each log's lines decide.
 * @throws {SitesError} unreadable; malformed.
 * @throws {RobotrieError} invalid-argument, if a format cannot be detected.
 */
export async function openLogs(
	sources: readonly LogSource[],
	forced: LogFormat | undefined,
): Promise<readonly OpenLog[]> {
	const logs: OpenLog[] = [];
	try {
		for (const source of sources) logs.push(await openLog(source, forced));
	} catch (error) {
		await closeLogs(logs);
		throw error;
	}
	return inOrder(logs);
}

/** Ends streams of which not all was read. */
export async function closeLogs(
	logs: readonly Pick<OpenLog, "rest">[],
): Promise<void> {
	for (const { rest } of logs)
		try {
			// A generator has to be begun before its end ends the stream, too.
			if (rest) for await (const _ of rest) break;
		} catch {
			// What has ended the audit is the error to tell.
		}
}

async function openLog(
	source: LogSource,
	forced: LogFormat | undefined,
): Promise<OpenLog> {
	const name = sourceName(source);
	const format = (head: Uint8Array, more?: readonly string[]) =>
		forced ? formatFor(forced, head) : formatOfHead(head, name, more);
	// A pipe or a socket can be read once, so its head is kept together with the rest.
	if (typeof source !== "string" || !isRegular(name)) {
		const { head, bytes: rest } = await withHead(readLog(source), HEAD);
		try {
			if (isParquet(head))
				throw new SitesError(
					"malformed",
					`${name} is Parquet, which is read from its end: name a file`,
				);
			const log = { name, head, format: format(head), size: 0 };
			return { ...log, kind: "once", rest };
		} catch (error) {
			await closeLogs([{ rest }]);
			throw error;
		}
	}
	const { head, isPlain } = await startOf(readFile(name), name, HEAD);
	const size = sizeOf(name);
	if (isParquet(head)) {
		// Parquet's columns are read as lines of JSON, so that one reader of logs is enough.
		const { head } = await withHead(readParquetLines(name), HEAD);
		return { name, head, format: format(head), kind: "columns", size };
	}
	const kind = isPlain ? "plain" : "packed";
	// The first lines of a log may be the only ones of their kind; four samples further on vote, too.
	const more = isPlain && !forced ? laterLines(name, size) : [];
	return { name, head, format: format(head, more), kind, size };
}

function isRegular(file: string): boolean {
	try {
		const stat = statOf(file);
		// A directory with files by host is meant for robots.txt files; a log has to be named.
		if (stat.isDirectory())
			throw new SitesError(
				"unreadable",
				`${file} is a directory; name its files, as in '${file.replace(/\/$/, "")}/*'`,
			);
		return stat.isFile();
	} catch (error) {
		throw failureOf(`read ${file}`, error);
	}
}

/** The text of a log as it comes. @throws {SitesError} unreadable; malformed. */
export const readLog = (source: LogSource): AsyncGenerator<Uint8Array> =>
	typeof source === "string"
		? textOf(readFile(source), source)
		: textOf(checkedChunks(source.chunks), source.name);

/** @throws {RobotrieError} invalid-argument, for chunks that are not bytes. */
export async function* checkedChunks(
	chunks: LogStream["chunks"],
): AsyncGenerator<Uint8Array> {
	for await (const chunk of chunks)
		yield bytesArgument("a chunk of bytes", chunk);
}

/**
 * Bytes that are read in each of some places of a log, to see whether its lines are still like the
 * first ones. Where they are read depends on the size alone, so that two runs of one log detect the
 * same format.
 */
const PLACES = 4;
const SAMPLE = 16 * 1024;

/** Lines from further on in a plain file. */
function laterLines(file: string, size: number): readonly string[] {
	if (size <= HEAD) return [];
	const opened = openSync(file, "r");
	try {
		return Array.from({ length: PLACES }, (_, place) => {
			// Places are spread over the rest of the file, and none overlaps the head.
			const at = HEAD + ((size - HEAD) * (place + 1)) / PLACES - SAMPLE;
			const bytes = Buffer.alloc(SAMPLE);
			const from = Math.max(Math.floor(at), HEAD);
			const read = readSync(opened, bytes, 0, SAMPLE, from);
			// The first and the last line are cut off.
			return bytes.toString("utf8", 0, read).split(/\r?\n/).slice(1, -1);
		})
			.flat()
			.filter((line) => line.trim() !== "");
	} finally {
		closeSync(opened);
	}
}

/** Two addresses of a list. */
const LIST =
	/(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:]+|\bunknown|-), ?(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:]+)/i;

/**
 * The logs that have nothing which trusted proxies could add to: neither X-Forwarded-For nor lists in place of addresses. An option that
 * changes nothing is easily missed; a report without it looks the same.
 */
export function withoutForwarded<
	Log extends Pick<OpenLog, "name" | "format" | "head">,
>(logs: readonly Log[]): readonly Log[] {
	return logs.filter(({ format, head }) => {
		const text = new TextDecoder().decode(head);
		const isLogged = format.directives
			? /^#Fields:.*x-forwarded-for/im.test(text)
			: tells(format, "forwarded");
		return !isLogged && !LIST.test(text);
	});
}

/**
 * Which logs have the same content as another one, also where one of them is compressed: their
 * requests count twice. Only those that begin alike are read to the end. Two copies of a log double
 * every number in a report, and nothing in the report shows it.
 */
export async function sameLogs(
	logs: readonly OpenLog[],
): Promise<readonly SameContent[]> {
	const byHead = new Map<string, OpenLog[]>();
	for (const log of logs) {
		// A stream cannot be compared without reading it, and empty logs are alike by nature.
		if (log.kind === "once" || log.head.length === 0) continue;
		const key = Buffer.from(log.head).toString("latin1", 0, HEAD);
		const known = byHead.get(key);
		if (known) known.push(log);
		else byHead.set(key, [log]);
	}
	// Heads are compared first: most logs differ within their first lines, so few are read twice.
	const found: SameContent[] = [];
	for (const alike of byHead.values()) {
		if (alike.length < 2) continue;
		const digests = new Map<string, string>();
		for (const { kind, name } of alike) {
			// Parquet is compared as it is stored; other logs as text, since one may be compressed.
			const digest = await digestOf(
				kind === "columns" ? unpacked(readFile(name), name) : readLog(name),
			);
			if (digest === undefined) continue;
			const first = digests.get(digest);
			if (first === undefined) digests.set(digest, name);
			else found.push(sameContent(name, first));
		}
	}
	return found;
}

/** A log, or a state, that counts twice. */
interface SameContent {
	readonly code: "same-content";
	readonly log: string;
	readonly other: string;
	/** What to say of it. */
	readonly text: string;
}

export const sameContent = (log: string, other: string): SameContent => ({
	code: "same-content",
	log,
	other,
	text: `${log} has the same content as ${other}, so that its requests count twice`,
});

/** Undefined for a log that was counted, but is gone by now, as after rotation: its counts are worth more than the comparison. */
async function digestOf(
	bytes: AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
	const hash = createHash("sha256");
	try {
		for await (const chunk of bytes) hash.update(chunk);
	} catch (error) {
		if (isSitesError(error)) return undefined;
		throw error;
	}
	return hash.digest("hex");
}
