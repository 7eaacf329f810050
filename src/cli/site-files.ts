import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compressionOf } from "../common/compression.ts";
import type { Access } from "../sites/compact-programs.ts";
import { Failure, systemReason } from "./failure.ts";
import { nameOf, readText, readWhole, STDIN } from "./input.ts";
import { textLines } from "./lines.ts";

/** A site's rules, or why they could not be read from where they should stand. */
export type SiteFile = { readonly where: string } & (Site | Fault);

interface Site {
	/** A host name stands for one in each scheme. */
	readonly origins: readonly string[];
	readonly robots: Uint8Array | Access;
}

interface Fault {
	readonly fault: string;
}

/** Schemes that a folder's host names stand for. */
export type Schemes = readonly ("http" | "https")[];

/**
 * All sites of a place: a folder of robots.txt files named by their host ("example.com", "example.com.txt",
 * "example.com/robots.txt"; a port behind ":" or "_"), or a file of JSON lines, each {"origin", "robots" | "robots_b64" | "access"}.
 * @throws {Failure} When it cannot be read at all.
 */
export async function* readSites(
	place: string,
	schemes: Schemes,
): AsyncGenerator<SiteFile> {
	if (place === STDIN || !isFolder(place)) yield* readJsonLines(place);
	else
		for (const entry of entriesOf(place)) {
			const where = entry.isDirectory()
				? join(place, entry.name, "robots.txt")
				: join(place, entry.name);
			yield { where, ...(await siteOfEntry(entry, where, schemes)) };
		}
}

function isFolder(place: string): boolean {
	try {
		return statSync(place).isDirectory();
	} catch (error) {
		throw new Failure(`cannot read ${place}: ${systemReason(error) ?? error}`);
	}
}

/** What URLs have between "//" and the path, user name and password aside; the index says whether the host is valid. */
const AUTHORITY =
	/^(?:[\w.\-\u{a1}-\u{10ffff}]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

async function siteOfEntry(
	entry: Dirent,
	path: string,
	schemes: Schemes,
): Promise<Site | Fault> {
	const host = entry.isDirectory()
		? entry.name
		: entry.name.replace(/(?:\.robots)?\.txt$/i, "");
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

function entriesOf(folder: string): Dirent[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !name.startsWith("."))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* readJsonLines(file: string): AsyncGenerator<SiteFile> {
	const name = nameOf(file);
	let number = 0;
	for await (const line of textLines(readText(file), name)) {
		number++;
		if (line.trim() === "") continue;
		yield { where: `${name}:${number}`, ...siteOf(line) };
	}
}

function siteOf(line: string): Site | Fault {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return { fault: "no JSON" };
	}
	if (typeof value !== "object" || value === null)
		return { fault: "no JSON object" };
	const { origin, robots, robots_b64, access } = value as Record<
		string,
		unknown
	>;
	if (typeof origin !== "string") return { fault: 'no "origin"' };
	if (typeof robots === "string")
		return { origins: [origin], robots: Buffer.from(robots) };
	if (typeof robots_b64 === "string")
		return { origins: [origin], robots: Buffer.from(robots_b64, "base64") };
	if (access === "allow-all" || access === "disallow-all")
		return { origins: [origin], robots: access };
	return {
		fault:
			'neither "robots", "robots_b64", nor "access" (allow-all, disallow-all)',
	};
}
