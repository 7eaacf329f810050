/**
 * Files that options name to be written (--out, --each, --violations), by every command: how they are written is @robotrie/sites', which writes
 * its indexes so; here is what a terminal is shown, and that no output replaces an input.
 */

import { resolve } from "node:path";
import { OutputFile, writeFile } from "#sites/files/output-file";
import { statIfThere } from "#sites/files/stat";
import { Failure, shownInTerminal } from "./output.ts";

export type { OutputFile };

/** A file, or what a link leads to. @throws {SitesError} unwritable. */
export const openOutput = (path: string): Promise<OutputFile> =>
	OutputFile.open(path, shownInTerminal);

/** Stdout instead of a file. */
export const stdoutFile = (): OutputFile =>
	OutputFile.ofStdout(shownInTerminal);

/** Writes all chunks to a file, which keeps its old content if that fails. @throws {SitesError} unwritable. */
export const writeOutput = (
	path: string,
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => writeFile(path, chunks, shownInTerminal);

/** What stands for stdin and stdout. */
const STANDARD = "-";

/** An option that names a file to be written, and the file. */
type Output = readonly [option: string, path: string | undefined];

/**
 * By identity and not by name: two paths may lead to one file.
 * @throws {Failure} Where an output would replace a file that is read, or another output.
 */
export function checkOutputPaths(
	outputs: readonly Output[],
	inputs: readonly string[],
): void {
	const read = new Set(
		inputs.filter((file) => file !== STANDARD).map(identityOf),
	);
	const written = new Map<string, string>();
	for (const [option, path] of outputs) {
		const identity =
			path === undefined || path === STANDARD ? undefined : identityOf(path);
		if (identity === undefined) continue;
		if (read.has(identity))
			throw new Failure(`${option} would replace ${path}, which is read`);
		const other = written.get(identity);
		if (other !== undefined)
			throw new Failure(`${other} and ${option} cannot both write ${path}`);
		written.set(identity, option);
	}
}

/** What distinguishes files, whatever path leads to them; undefined for pipes and devices, which may be named twice, and for what cannot be looked at. */
function identityOf(path: string): string | undefined {
	try {
		const found = statIfThere(path);
		if (!found) return resolve(path);
		return found.isFile() ? `${found.dev} ${found.ino}` : undefined;
	} catch {
		return undefined;
	}
}
