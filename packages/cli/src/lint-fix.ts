/**
 * `robotrie lint --fix`: writes what `fix` of robotrie/lint has made of a file, or shows it as a diff; lint.ts loads it only then, as the
 * code that writes files loads much of Node. A file is replaced only by bytes of the same kind: what was decompressed or fetched is not
 * written, and what came from stdin goes to stdout.
 */
import { readFile, stat } from "node:fs/promises";
import { type Dialect, dialectNames, RobotsTxt } from "robotrie";
import { compareFiles } from "robotrie/compare";

import type { Finding, Fixed } from "robotrie/lint";
import { count } from "#robotrie/common/wording";
import { nameOf, STDIN } from "./input/input.ts";
import { isSiteUrl } from "./input/robots-file.ts";
import {
	EXIT_FAILED,
	Failure,
	isTold,
	tell,
	writeForeign,
} from "./output/output.ts";
import { writeOutput } from "./output/output-file.ts";

/** Writes a file as `fix` has made it, or shows the difference; gives what is left to find. Null where it cannot be written. */
export async function writeFixed(
	input: string,
	bytes: Uint8Array,
	{ bytes: now, fixed, findings, refused }: Fixed,
	{ dryRun = false, isCompressed = false, unsafe = false, maxBytes = 0 },
): Promise<readonly Finding[] | null> {
	try {
		if (refused !== undefined)
			throw new Failure(`--fix leaves ${nameOf(input)} as it is. ${refused}`);
		if (isCompressed)
			throw new Failure(
				`--fix cannot write to ${nameOf(input)}, which is compressed: decompress it first`,
			);
		// First, so that whoever stops the command there has still the old file.
		if (unsafe && fixed.length > 0) await tellChanges(bytes, now, maxBytes);
		if (dryRun) await showDifference(nameOf(input), bytes, now);
		else if (input === STDIN) await writeForeign(now);
		else if (fixed.length > 0) {
			if (isSiteUrl(input))
				throw new Failure(
					`--fix cannot write to ${input}: save the file first (robotrie fetch --body), or add --dry-run for a diff`,
				);
			await replace(input, bytes, now);
		}
	} catch (error) {
		if (!isTold(error)) throw error;
		tell(error.message);
		process.exitCode = EXIT_FAILED;
		return null;
	}
	if (fixed.length > 0 && !dryRun)
		tell(`${count(fixed.length, "finding")} repaired in ${nameOf(input)}`);
	return findings;
}

/**
 * The verdicts that a repair changes, as `robotrie diff` shows them, with the dialects that they change in. On stderr: stdout may be a diff or
 * the file. A `maxBytes` of 0 is the dialect's own.
 */
async function tellChanges(
	before: Uint8Array,
	after: Uint8Array,
	maxBytes: number,
): Promise<void> {
	const { changeText, detail } = await import("./diff.ts");
	const dialects = new Map<string, Dialect[]>();
	let isComplete = true;
	for (const dialect of dialectNames) {
		const options = { dialect, ...(maxBytes > 0 && { maxBytes }) };
		using old = RobotsTxt.parse(before, options);
		using now = RobotsTxt.parse(after, options);
		const { changes, complete } = compareFiles(old, now);
		isComplete &&= complete;
		for (const change of changes) {
			const text = changeText(change);
			dialects.set(text, [...(dialects.get(text) ?? []), dialect]);
		}
	}
	for (const [text, names] of dialects)
		process.stderr.write(`${text}${detail("in", ` ${names.join(", ")}`)}\n`);
	tell(
		dialects.size === 0
			? "no verdict changes"
			: `${count(dialects.size, "change")} of verdicts`,
	);
	if (!isComplete)
		tell("warning: the file has too many rules to show every change");
}

/** @throws {Failure} Where that is no longer the file that was read. */
async function replace(
	path: string,
	before: Uint8Array,
	now: Uint8Array,
): Promise<void> {
	const found = await stat(path).catch(() => undefined);
	// To read a pipe again would wait for ever.
	if (found && !found.isFile())
		throw new Failure(
			`--fix cannot write to ${path}, which is no regular file: name "-" for stdin, which is repaired to stdout`,
		);
	const held = found && (await readFile(path).catch(() => undefined));
	if (!held?.equals(before))
		throw new Failure(
			`--fix cannot write to ${path}: it has changed meanwhile`,
		);
	await writeOutput(path, [now]);
}

/** The change as a unified diff, which `patch` applies: in the file's own bytes, also where they are no UTF-8. */
async function showDifference(
	name: string,
	before: Uint8Array,
	after: Uint8Array,
): Promise<void> {
	if (Buffer.compare(before, after) === 0) return;
	const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
	const [old, now] = [before, after].map((bytes) =>
		Buffer.from(bytes).toString("latin1"),
	) as [string, string];
	// One character a byte; the name likewise.
	const shown = Buffer.from(name).toString("latin1");
	const patch = createTwoFilesPatch(shown, shown, old, now, "", "", {
		headerOptions: FILE_HEADERS_ONLY,
	});
	await writeForeign(Buffer.from(patch, "latin1"));
}
