import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "../sites/robots-index.ts";
import { Failure, systemReason } from "./failure.ts";
import { nameOf, readBytes, STDIN } from "./input.ts";
import { textLines } from "./lines.ts";

/** A site's rules, or why they could not be read from where they should stand. */
export type SiteFile = { readonly where: string } & (Site | Fault);

interface Site {
	readonly origin: string;
	readonly robots: Uint8Array | string | Access;
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
	if (place !== STDIN && isFolder(place)) yield* readFolder(place, schemes);
	else yield* readJsonLines(place);
}

function isFolder(place: string): boolean {
	try {
		return statSync(place).isDirectory();
	} catch (error) {
		throw new Failure(`cannot read ${place}: ${systemReason(error) ?? error}`);
	}
}

function* readFolder(folder: string, schemes: Schemes): Generator<SiteFile> {
	for (const entry of entriesOf(folder)) {
		const path = entry.isDirectory()
			? join(folder, entry.name, "robots.txt")
			: join(folder, entry.name);
		const host = entry.isDirectory()
			? entry.name
			: entry.name.replace(/(?:\.robots)?\.txt$/i, "");
		let robots: Uint8Array;
		try {
			robots = readFileSync(path);
		} catch (error) {
			yield { where: path, fault: systemReason(error) ?? String(error) };
			continue;
		}
		const authority = host.replace(/_(?=\d{1,5}$)/, ":");
		for (const scheme of schemes)
			yield { where: path, origin: `${scheme}://${authority}`, robots };
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
	for await (const line of textLines(readBytes(file), name)) {
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
	if (typeof robots === "string") return { origin, robots };
	if (typeof robots_b64 === "string")
		return { origin, robots: Buffer.from(robots_b64, "base64") };
	if (access === "allow-all" || access === "disallow-all")
		return { origin, robots: access };
	return {
		fault:
			'neither "robots", "robots_b64", nor "access" (allow-all, disallow-all)',
	};
}
