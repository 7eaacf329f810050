import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compressionOf } from "robotrie/internal";
import { readWhole } from "../input/input.ts";
import { Failure, systemReason } from "../output/failure.ts";
import type { Fault, Site, SiteRecord } from "./record.ts";

/** Schemes that a folder's host names stand for. */
export type Schemes = readonly ("http" | "https")[];

/** A file or a folder within a folder of sites. */
export interface SiteEntry {
	readonly name: string;
	readonly isFolder: boolean;
}

/** @throws {Failure} When the place is not there. */
export function isFolder(place: string): boolean {
	try {
		return statSync(place).isDirectory();
	} catch (error) {
		throw new Failure(`cannot read ${place}: ${systemReason(error) ?? error}`);
	}
}

/** What a folder holds, by name. */
export function entriesOf(folder: string): SiteEntry[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !name.startsWith("."))
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.map((entry: Dirent) => ({
			name: entry.name,
			isFolder: entry.isDirectory(),
		}));
}

/**
 * Sites of a folder of robots.txt files named by their host: "example.com", "example.com.txt", "example.com/robots.txt"; a port behind
 * ":" or "_".
 */
export async function* readFolder(
	folder: string,
	entries: readonly SiteEntry[],
	schemes: Schemes,
): AsyncGenerator<SiteRecord> {
	for (const entry of entries) {
		const where = entry.isFolder
			? join(folder, entry.name, "robots.txt")
			: join(folder, entry.name);
		yield { where, ...(await siteOfEntry(entry, where, schemes)) };
	}
}

/** What URLs have between "//" and the path, user name and password aside; the index says whether the host is valid. */
const AUTHORITY =
	/^(?:[\w.\-\u{a1}-\u{10ffff}]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

async function siteOfEntry(
	{ name, isFolder }: SiteEntry,
	path: string,
	schemes: Schemes,
): Promise<Site | Fault> {
	const host = isFolder ? name : name.replace(/(?:\.robots)?\.txt$/i, "");
	const authority = host.replace(/_(?=\d{1,5}$)/, ":");
	if (!AUTHORITY.test(authority)) return { fault: "its name is not a host" };
	try {
		// A pipe would be waited for.
		if (!statSync(path).isFile()) return { fault: "no regular file" };
		const bytes = readFileSync(path);
		return {
			origins: schemes.map((scheme) => `${scheme}://${authority}`),
			robots: compressionOf(bytes) === "plain" ? bytes : await readWhole(path),
		};
	} catch (error) {
		if (error instanceof Failure) return { fault: error.message };
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		return { fault: reason };
	}
}
