import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "./failure.ts";

/** What stands for stdin and stdout. */
const STANDARD = "-";

/** An option that names a file to be written, and the file. */
type Output = readonly [option: string, path: string | undefined];

/** @throws {Failure} Where an output would replace a file that is read, or another output. */
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

/** Tells files apart, whatever leads to them; undefined for pipes and devices, which may be named twice, and for what cannot be looked at. */
function identityOf(path: string): string | undefined {
	try {
		const found = statSync(path, { throwIfNoEntry: false, bigint: true });
		if (!found) return resolve(path);
		return found.isFile() ? `${found.dev} ${found.ino}` : undefined;
	} catch {
		return undefined;
	}
}
