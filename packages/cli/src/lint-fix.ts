/**
 * `robotrie lint --fix`: writes what `fix` of robotrie/lint has made of a file, or shows it as a diff; lint.ts loads it only then, as the
 * code that writes files loads much of Node. A file is replaced only by bytes of the same kind: what was decompressed, fetched or read from
 * stdin is not written.
 */
import { readFile } from "node:fs/promises";
import { count } from "robotrie/internal";
import type { Finding, Fixed } from "robotrie/lint";
import { nameOf, STDIN } from "./input/input.ts";
import { isSiteUrl } from "./input/robots-file.ts";
import { EXIT_FAILED, Failure, tell, writeForeign } from "./output/output.ts";
import { writeOutput } from "./output/output-file.ts";

/** Writes a file as `fix` has made it, or shows the difference; gives what is left to find. Null where it cannot be written. */
export async function writeFixed(
	input: string,
	bytes: Uint8Array,
	{ bytes: now, fixed, findings }: Fixed,
	dryRun: boolean,
): Promise<readonly Finding[] | null> {
	if (fixed.length === 0) return findings;
	if (dryRun) {
		const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
		const [before, after] = [bytes, now].map((each) =>
			new TextDecoder("utf-8", { ignoreBOM: true }).decode(each),
		) as [string, string];
		const name = nameOf(input);
		await writeForeign(
			createTwoFilesPatch(name, name, before, after, undefined, undefined, {
				headerOptions: FILE_HEADERS_ONLY,
			}),
		);
		return findings;
	}
	try {
		await refuseOthers(input, bytes);
		await writeOutput(input, [now]);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		tell(error.message);
		process.exitCode = EXIT_FAILED;
		return null;
	}
	tell(`${count(fixed.length, "finding")} repaired in ${input}`);
	return findings;
}

/** What `--fix` cannot write: it replaces a file by bytes of the same kind. @throws {Failure} */
async function refuseOthers(input: string, bytes: Uint8Array): Promise<void> {
	if (input === STDIN)
		throw new Failure(
			"--fix writes files, and stdin is none: name the file, or add --dry-run for a diff",
		);
	if (isSiteUrl(input))
		throw new Failure(
			`--fix cannot write to ${input}: save the file first (robotrie fetch --body), or add --dry-run for a diff`,
		);
	// Whatever lint makes of its lines, a wrong file named by mistake is not to be changed.
	if (bytes.includes(0))
		throw new Failure(
			`--fix cannot write to ${input}: it holds NUL bytes, so it is no text`,
		);
	if (!(await readFile(input)).equals(bytes))
		throw new Failure(
			`--fix cannot write to ${input}, which is compressed: decompress it first`,
		);
}
