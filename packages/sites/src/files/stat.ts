/**
 * What is behind a name or a descriptor. All packages of this repository ask here: `statSync` without BigInts leaves what it found where Node up
 * to 20 looks when it next follows a module's links. After a pipe it follows none, and loads a package twice whose folder is a link, as those of
 * pnpm and `npm link` are: then objects of one copy meet functions of the other, which do not know their class (nodejs/node#51142).
 */
import { type BigIntStats, fstatSync, statSync } from "node:fs";

/** Of a path, or of an open file by its descriptor; sizes are BigInts. @throws {Error} As the system says it, also where nothing is. */
export const statOf = (file: string | number): BigIntStats =>
	typeof file === "number"
		? fstatSync(file, { bigint: true })
		: statSync(file, { bigint: true });

/** Of a path; undefined where nothing is. @throws {Error} As the system says it, such as for a folder that may not be searched. */
export const statIfThere = (path: string): BigIntStats | undefined =>
	statSync(path, { bigint: true, throwIfNoEntry: false });

/** Whether a path is that of a folder, not of a file or of nothing. */
export const isFolder = (path: string): boolean =>
	statIfThere(path)?.isDirectory() === true;

/** In bytes. @throws {Error} As `statOf`. */
export const sizeOf = (file: string | number): number =>
	Number(statOf(file).size);
