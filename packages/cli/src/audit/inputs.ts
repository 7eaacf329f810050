import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { LogFormat } from "@robotrie/audit";
import {
	byTime,
	formatFor,
	formatOfHead,
	HEAD,
	tells,
	timeOfFirstLine,
} from "@robotrie/audit/internal";
import { withHead } from "robotrie/internal";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readBytes,
	readStart,
	readText,
	STDIN,
} from "../input/input.ts";
import { isParquet } from "../input/parquet.ts";
import { Failure, systemReason } from "../output/failure.ts";
import { tell } from "../output/output.ts";

/** A log to be read. */
export interface LogInput {
	readonly file: string;
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

/** The logs that arguments name, with patterns expanded; stdin if there are none. */
export async function expandLogs(
	files: readonly string[],
): Promise<readonly string[]> {
	const expanded = await expandFiles(files);
	// A rotated log may be named twice, by name and by pattern.
	const paths = expanded.map((file) => resolve(file));
	return inputsOf(
		expanded.filter(
			(file, at) => file === STDIN || paths.indexOf(paths[at] as string) === at,
		),
	);
}

/**
 * Looks at the beginning of each log, and puts them in the order of their first lines' times, so that rotated sets
 * count in order whatever their names; those without a time keep their place at the end.
 */
export async function openInputs(
	files: readonly string[],
	forced: LogFormat | undefined,
): Promise<readonly LogInput[]> {
	const inputs: { input: LogInput; time: number }[] = [];
	for (const file of files) {
		const input = await openInput(file, forced);
		inputs.push({ input, time: timeOfFirstLine(input.head, input.format) });
	}
	return inputs.sort(byTime).map(({ input }) => input);
}

async function openInput(
	file: string,
	forced: LogFormat | undefined,
): Promise<LogInput> {
	const name = nameOf(file);
	const format = (head: Uint8Array, more?: readonly string[]) =>
		forced ? formatFor(forced, head) : formatOfHead(head, name, more);
	if (file === STDIN || !isRegular(file)) {
		const { head, bytes: rest } = await withHead(readText(file), HEAD);
		if (isParquet(head))
			throw new Failure(
				`${name} is Parquet, which is read from its end: name a file`,
			);
		const log = { file, name, head, format: format(head), size: 0 };
		return { ...log, kind: "once", rest };
	}
	const { head, isPlain } = await readStart(file, HEAD);
	const size = statSync(file).size;
	if (isParquet(head)) {
		const { readParquetLines } = await import("../input/parquet-lines.ts");
		const { head } = await withHead(readParquetLines(file), HEAD);
		return { file, name, head, format: format(head), kind: "columns", size };
	}
	const kind = isPlain ? "plain" : "packed";
	const more = isPlain && !forced ? laterLines(file, size) : [];
	return { file, name, head, format: format(head, more), kind, size };
}

/** Bytes that are read in each of some places of a log, to see whether its lines are still like the first ones. */
const PLACES = 4;
const SAMPLE = 16 * 1024;

/** Lines from further on in a plain file. */
function laterLines(file: string, size: number): readonly string[] {
	if (size <= HEAD) return [];
	const opened = openSync(file, "r");
	try {
		return Array.from({ length: PLACES }, (_, place) => {
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

/** Says which logs have nothing that trusted proxies could add to: neither X-Forwarded-For nor lists in place of addresses. */
export function remarkProxies(
	logs: readonly Pick<LogInput, "name" | "format" | "head">[],
): void {
	for (const { name, format, head } of logs) {
		const text = new TextDecoder().decode(head);
		const told = format.directives
			? /^#Fields:.*x-forwarded-for/im.test(text)
			: tells(format, "forwarded");
		if (told || LIST.test(text)) continue;
		tell(
			`warning: lines of ${name} (${format.name}) have no X-Forwarded-For, so --trusted-proxy changes nothing there`,
		);
	}
}

/**
 * Which logs have the same content as another one, also where one of them is compressed: their requests count twice. Only those
 * that begin alike are read to the end.
 */
export async function sameLogs(
	logs: readonly LogInput[],
): Promise<readonly string[]> {
	const byHead = new Map<string, LogInput[]>();
	for (const log of logs) {
		if (log.kind === "once" || log.head.length === 0) continue;
		const key = Buffer.from(log.head).toString("latin1", 0, HEAD);
		const known = byHead.get(key);
		if (known) known.push(log);
		else byHead.set(key, [log]);
	}
	const found: string[] = [];
	for (const alike of byHead.values()) {
		if (alike.length < 2) continue;
		const digests = new Map<string, string>();
		for (const log of alike) {
			const digest = await digestOf(
				log.kind === "columns" ? readBytes(log.file) : readText(log.file),
			);
			const first = digests.get(digest);
			if (first === undefined) digests.set(digest, log.name);
			else found.push(sameContent(log.name, first));
		}
	}
	return found;
}

export function sameContent(name: string, other: string): string {
	return `${name} has the same content as ${other}, so that its requests count twice`;
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
	const hash = createHash("sha256");
	for await (const chunk of bytes) hash.update(chunk);
	return hash.digest("hex");
}

function isRegular(file: string): boolean {
	try {
		const stat = statSync(file);
		if (stat.isDirectory())
			throw new Failure(
				`${file} is a directory; name its files, as in '${file.replace(/\/$/, "")}/*'`,
			);
		return stat.isFile();
	} catch (error) {
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		throw new Failure(`cannot read ${file}: ${reason}`);
	}
}
