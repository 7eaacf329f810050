import { statSync } from "node:fs";
import { resolve } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { withHead } from "../../common/compression.ts";
import { formatFor, formatOfHead, HEAD } from "../../log/audit.ts";
import { byTime, timeOfFirstLine } from "../../log/first-time.ts";
import type { LogFormat } from "../../log/formats.ts";
import {
	inputsOf,
	nameOf,
	readStart,
	readText,
	STDIN,
} from "../input/input.ts";
import { isParquet } from "../input/parquet.ts";
import { Failure, systemReason } from "../output/failure.ts";

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
}

/** The files that arguments name, with patterns expanded; stdin if there are none. */
export async function expandFiles(
	files: readonly string[],
): Promise<readonly string[]> {
	const expanded: string[] = [];
	for (const file of files) {
		if (file === STDIN || exists(file) || !isDynamicPattern(file)) {
			expanded.push(file);
			continue;
		}
		const found = await glob(file, { onlyFiles: true, dot: true });
		if (found.length === 0) throw new Failure(`no file matches ${file}`);
		expanded.push(...found.sort());
	}
	// A rotated log may be named twice, by name and by pattern.
	const paths = expanded.map((file) => resolve(file));
	return inputsOf(
		expanded.filter(
			(file, at) => file === STDIN || paths.indexOf(paths[at] as string) === at,
		),
	);
}

function exists(file: string): boolean {
	return statSync(file, { throwIfNoEntry: false }) !== undefined;
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
		const { input, head } = await openInput(file, forced);
		inputs.push({ input, time: timeOfFirstLine(head, input.format) });
	}
	return inputs.sort(byTime).map(({ input }) => input);
}

async function openInput(
	file: string,
	forced: LogFormat | undefined,
): Promise<{ input: LogInput; head: Uint8Array }> {
	const name = nameOf(file);
	const format = (head: Uint8Array) =>
		forced ? formatFor(forced, head) : formatOfHead(head, name);
	if (file === STDIN || !isRegular(file)) {
		const { head, bytes: rest } = await withHead(readText(file), HEAD);
		if (isParquet(head))
			throw new Failure(
				`${name} is Parquet, which is read from its end: name a file`,
			);
		const input = { file, name, format: format(head), size: 0, rest } as const;
		return { input: { ...input, kind: "once" }, head };
	}
	const { head, isPlain } = await readStart(file, HEAD);
	const size = statSync(file).size;
	if (isParquet(head)) {
		const { readParquetLines } = await import("../input/parquet-lines.ts");
		const { head } = await withHead(readParquetLines(file), HEAD);
		const input = { file, name, format: format(head), size } as const;
		return { input: { ...input, kind: "columns" }, head };
	}
	const kind = isPlain ? "plain" : "packed";
	return { input: { file, name, format: format(head), kind, size }, head };
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
