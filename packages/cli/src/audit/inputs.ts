/**
 * What an audit reads: logs, with their formats and in the order of their first times, and robots.txt files by host and time. run.ts and
 * state.ts call it. Only the beginning of each log is read here, for its format and its time.
 */

import { createHash } from "node:crypto";
import {
	closeSync,
	existsSync,
	openSync,
	readdirSync,
	readSync,
	statSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { LogFormat, RobotsSource } from "@robotrie/audit";
import {
	byTime,
	type Calendar,
	formatFor,
	formatOfHead,
	HEAD,
	isHost,
	tells,
	timeOfFirstLine,
} from "@robotrie/audit/internal";
import { withHead } from "#robotrie/common/compression";
import { timeOf } from "#sites/files/dates";
import { asciiHost, hostOfEntry } from "#sites/files/hosts";
import { isParquet, readParquetLines } from "#sites/files/parquet";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readBytes,
	readStart,
	readText,
	STDIN,
} from "../input/input.ts";
import { readRobotsFile } from "../input/robots-file.ts";
import { Failure, failureOf, tell } from "../output/output.ts";

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

/**
 * The logs that arguments name, with patterns expanded, as not every shell does; stdin if there are none. A quoted pattern must not count a
 * file twice.
 */
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
 * Looks at the beginning of each log, and puts them in the order of their first lines' times, so
 * that rotated sets count in order whatever their names; those without a time keep their place at
 * the end.
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
	// A pipe or a socket can be read once, so its head is kept together with the rest.
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
		// Parquet's columns are read as lines of JSON, so that one reader of logs is enough.
		const { head } = await withHead(readParquetLines(file), HEAD);
		return { file, name, head, format: format(head), kind: "columns", size };
	}
	const kind = isPlain ? "plain" : "packed";
	// The first lines of a log may be the only ones of their kind; four samples further on vote, too.
	const more = isPlain && !forced ? laterLines(file, size) : [];
	return { file, name, head, format: format(head, more), kind, size };
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
 * Says which logs have nothing that trusted proxies could add to: neither X-Forwarded-For nor lists
 * in place of addresses. An option that changes nothing is easily missed; a report without it looks
 * the same.
 */
export function remarkProxies(
	logs: readonly Pick<LogInput, "name" | "format" | "head">[],
): void {
	for (const { name, format, head } of logs) {
		const text = new TextDecoder().decode(head);
		const isLogged = format.directives
			? /^#Fields:.*x-forwarded-for/im.test(text)
			: tells(format, "forwarded");
		if (isLogged || LIST.test(text)) continue;
		tell(
			`warning: lines of ${name} (${format.name}) have no X-Forwarded-For, so --trusted-proxy changes nothing there`,
		);
	}
}

/**
 * Which logs have the same content as another one, also where one of them is compressed: their
 * requests count twice. Only those that begin alike are read to the end. Two copies of a log double
 * every number in a report, and nothing in the report shows it.
 */
export async function sameLogs(
	logs: readonly LogInput[],
): Promise<readonly string[]> {
	const byHead = new Map<string, LogInput[]>();
	for (const log of logs) {
		// A stream cannot be compared without reading it, and empty logs are alike by nature.
		if (log.kind === "once" || log.head.length === 0) continue;
		const key = Buffer.from(log.head).toString("latin1", 0, HEAD);
		const known = byHead.get(key);
		if (known) known.push(log);
		else byHead.set(key, [log]);
	}
	// Heads are compared first: most logs differ within their first lines, so few are read twice.
	const found: string[] = [];
	for (const alike of byHead.values()) {
		if (alike.length < 2) continue;
		const digests = new Map<string, string>();
		for (const log of alike) {
			// Parquet is compared as it is stored; other logs as text, since one may be compressed.
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
		// A directory with files by host is meant for `--robots`; a log has to be named.
		if (stat.isDirectory())
			throw new Failure(
				`${file} is a directory; name its files, as in '${file.replace(/\/$/, "")}/*'`,
			);
		return stat.isFile();
	} catch (error) {
		throw failureOf(`read ${file}`, error);
	}
}

interface Named {
	readonly file: string;
	readonly host: string | undefined;
	readonly since: number | undefined;
}

/**
 * The files that `--robots` names: FILE, HOST=FILE, TIME=FILE or HOST=TIME=FILE, or a folder with files by host
 * ("example.com", "example.com.txt", "example.com/robots.txt").
 */
export async function readSources(
	values: readonly string[],
	robotsSince: Date | undefined,
	calendar: Calendar,
): Promise<readonly RobotsSource[]> {
	const named = values.map((value) => parse(value, calendar)).flatMap(filesOf);
	// Two files for one host and time cannot both govern a request.
	const seen = new Set<string>();
	for (const { host, since, file } of named) {
		const key = `${host?.toLowerCase()} ${since}`;
		if (seen.has(key))
			throw new Failure(
				`${nameOf(file)} is a second robots.txt for ${host ?? "all hosts"} at the same time; name hosts or times as in --robots example.com=FILE`,
			);
		seen.add(key);
	}
	return Promise.all(
		named.map(async ({ file, host, since }) => ({
			file: nameOf(file),
			bytes: await readRobotsFile(file),
			host,
			since: since ?? robotsSince?.getTime(),
		})),
	);
}

/**
 * No host has such a name. A typo in a time would otherwise be taken for a host.
 */
const LIKE_A_TIME = /^\d{4}-\d\d-\d\d(?:[T ]|$)/i;

function parse(value: string, calendar: Calendar): Named {
	let rest = value;
	let host: string | undefined;
	let since: number | undefined;
	// What exists is a file, even if its name has "=".
	while (!existsSync(rest)) {
		const [, before = "", after = ""] = /^([^=]+)=(.+)$/.exec(rest) ?? [];
		const time = timeOf(before, calendar);
		if (Number.isNaN(time) && LIKE_A_TIME.test(before))
			throw new Failure(
				`"${before}" is not a time such as 2026-03-01 or 2026-03-01T12:00:00Z`,
			);
		const name = asciiHost(before);
		if (!Number.isNaN(time) && since === undefined) since = time;
		else if (isHost(name) && host === undefined) host = name;
		else break;
		rest = after;
	}
	return { file: rest, host, since };
}

function filesOf(named: Named): Named[] {
	const { file, host } = named;
	if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return [named];
	if (host !== undefined)
		throw new Failure(`${file} is a folder: name the hosts by its files`);
	// Sorted by name, so that the order of hosts does not depend on the file system.
	const found = readdirSync(file, { withFileTypes: true })
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.flatMap((entry): Named[] => {
			const path = join(file, entry.name);
			const inner = join(path, "robots.txt");
			const isFolder = entry.isDirectory();
			// A folder without a robots.txt is no host that lacks one: it is something else.
			if (isFolder && !existsSync(inner)) return [];
			const name = hostOfEntry(entry.name, isFolder);
			if (!isHost(name)) return [];
			const source = isFolder ? inner : path;
			// A pipe would be waited for.
			if (statSync(source, { throwIfNoEntry: false })?.isFile() === false) {
				tell(`warning: ${source} is not a regular file and is left out`);
				return [];
			}
			return [{ ...named, file: source, host: name }];
		});
	if (found.length === 0)
		throw new Failure(
			`the folder ${file} has no files named after hosts, such as example.com.txt`,
		);
	return found;
}
