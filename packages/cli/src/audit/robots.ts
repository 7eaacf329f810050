import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RobotsSource } from "@robotrie/audit";
import { isHost } from "@robotrie/audit/internal";
import { nameOf } from "../input/input.ts";
import { readRobotsFile } from "../input/robots-file.ts";
import { Failure } from "../output/failure.ts";
import { tell } from "../output/output.ts";
import { timeOf } from "./options.ts";

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
): Promise<readonly RobotsSource[]> {
	const named = values.map(parse).flatMap(filesOf);
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

/** No host is called that. */
const LIKE_A_TIME = /^\d{4}-\d\d-\d\d(?:[T ]|$)/i;

function parse(value: string): Named {
	let rest = value;
	let host: string | undefined;
	let since: number | undefined;
	// What exists is a file, even if its name has "=".
	while (!existsSync(rest)) {
		const [, before = "", after = ""] = /^([^=]+)=(.+)$/.exec(rest) ?? [];
		const time = timeOf(before);
		if (Number.isNaN(time) && LIKE_A_TIME.test(before))
			throw new Failure(
				`"${before}" is not a time such as 2026-03-01 or 2026-03-01T12:00:00Z`,
			);
		if (!Number.isNaN(time) && since === undefined) since = time;
		else if (isHost(before) && host === undefined) host = before;
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
	const found = readdirSync(file, { withFileTypes: true })
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.flatMap((entry): Named[] => {
			const path = join(file, entry.name);
			const inner = join(path, "robots.txt");
			const isFolder = entry.isDirectory();
			if (isFolder && !existsSync(inner)) return [];
			const name = isFolder ? entry.name : entry.name.replace(/\.txt$/i, "");
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
