/**
 * What is behind a name or a descriptor. All packages of this repository ask here, or with promises: `statSync` without BigInts leaves what it
 * found where Node up to 20 looks when it next follows a module's links. After a pipe it follows none, and loads a package twice whose folder is
 * a link, as those of pnpm and `npm link` are: then objects of one copy meet functions of the other, which do not know their class
 * (nodejs/node#51142).
 */
import { type BigIntStats, fstatSync, statSync } from "node:fs";
import { failureOf } from "./errors.ts";

/** Of a path, or of an open file by its descriptor; sizes are BigInts. @throws {Error} As the system says it, also where nothing is. */
export const statOf = (file: string | number): BigIntStats =>
	typeof file === "number"
		? fstatSync(file, { bigint: true })
		: statSync(file, { bigint: true });

/** Of a path; undefined where nothing is. @throws {SitesError} unreadable, such as for a folder that may not be searched. */
export function statIfThere(path: string): BigIntStats | undefined {
	try {
		return statSync(path, { bigint: true, throwIfNoEntry: false });
	} catch (error) {
		// Behind a file, or under a name that is too long, nothing can be.
		if (error instanceof Error && "code" in error && NOWHERE.has(error.code))
			return undefined;
		throw failureOf(`read ${path}`, error);
	}
}

const NOWHERE: ReadonlySet<unknown> = new Set(["ENOTDIR", "ENAMETOOLONG"]);

/** Whether a path is that of a folder, not of a file or of nothing. */
export const isFolder = (path: string): boolean =>
	statIfThere(path)?.isDirectory() === true;

/** In bytes. @throws {Error} As `statOf`. */
export const sizeOf = (file: string | number): number =>
	Number(statOf(file).size);
