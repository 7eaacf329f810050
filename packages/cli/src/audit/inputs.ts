/**
 * What an audit reads, as options and arguments name it: logs, and robots.txt files by host and time. Logs are opened by @robotrie/audit.
 */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseTime, type RobotsSource } from "@robotrie/audit";
import type { LogSource } from "@robotrie/audit/files";
import { timeOf } from "#sites/files/dates";
import { asciiHost, hostOfEntry, isHost } from "#sites/files/hosts";
import { isFolder, statIfThere } from "#sites/files/stat";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readRaw,
	STDIN,
} from "../input/input.ts";
import { readRobotsFile } from "../input/robots-file.ts";
import { Failure, tell } from "../output/output.ts";

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

/** A file, or stdin as a stream. */
export const sourceOf = (file: string): LogSource =>
	file === STDIN ? { name: nameOf(file), chunks: readRaw(file) } : file;

/** What is not there is told as of any option. @throws {Failure} */
export async function checkReadable(files: readonly string[]): Promise<void> {
	for (const file of files)
		if (file !== STDIN && !existsSync(file)) await readRaw(file).next();
}

/** A pipe, which is gone once it was read. */
export function isReadOnce(file: string): boolean {
	const found = statIfThere(file);
	return found !== undefined && !found.isFile() && !found.isDirectory();
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
	timeZone: string | undefined,
): Promise<readonly RobotsSource[]> {
	const named = values.map((value) => parse(value, timeZone)).flatMap(filesOf);
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

function parse(value: string, timeZone: string | undefined): Named {
	let rest = value;
	let host: string | undefined;
	let since: number | undefined;
	// What exists is a file, even if its name has "=".
	while (!existsSync(rest)) {
		const [, before = "", after = ""] = /^([^=]+)=(.+)$/.exec(rest) ?? [];
		const isTime = !Number.isNaN(timeOf(before));
		if (!isTime && LIKE_A_TIME.test(before))
			throw new Failure(
				`"${before}" is not a time such as 2026-03-01 or 2026-03-01T12:00:00Z`,
			);
		const name = asciiHost(before);
		if (isTime && since === undefined)
			since = parseTime(before, timeZone).getTime();
		else if (isHost(name) && host === undefined) host = name;
		else break;
		rest = after;
	}
	return { file: rest, host, since };
}

function filesOf(named: Named): Named[] {
	const { file, host } = named;
	if (!isFolder(file)) return [named];
	if (host !== undefined)
		throw new Failure(`${file} is a folder: name the hosts by its files`);
	// Sorted by name, so that the order of hosts does not depend on the file system.
	const found = readdirSync(file, { withFileTypes: true })
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.flatMap((entry): Named[] => {
			const path = join(file, entry.name);
			const inner = join(path, "robots.txt");
			const isHostFolder = entry.isDirectory();
			// A folder without a robots.txt is no host that lacks one: it is something else.
			if (isHostFolder && !existsSync(inner)) return [];
			const name = hostOfEntry(entry.name, isHostFolder);
			if (!isHost(name)) return [];
			const source = isHostFolder ? inner : path;
			// A pipe would be waited for.
			if (statIfThere(source)?.isFile() === false) {
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
