/**
 * What an audit writes besides its report while lines are scanned: --violations, --each and --state. run.ts, follow.ts and merge.ts hand it
 * what came of lines. The files have their new content once all of it is written, or keep the old one.
 */
import type { AuditOptions } from "@robotrie/audit";
import {
	calendarOf,
	type EachFormat,
	type EachRows,
	EvenSteps,
	type FormatSummary,
	load,
	packed,
	type Segment,
	StateWriter,
	settingsOf,
} from "@robotrie/audit/internal";
import {
	type OutputFile,
	openOutput,
	stdoutFile,
} from "../output/output-file.ts";
import { eachFormat, type ReportOptions } from "./options.ts";
import { STDOUT } from "./report.ts";

/**
 * What is known of some consecutive lines of a log. One object, so that a new side output sees
 * everything that the others see.
 */
interface Counted {
	/** The log's name. */
	readonly name: string;
	readonly format: FormatSummary;
	/** Lines of the log before these. */
	readonly linesBefore: number;
	readonly rows?: EachRows | undefined;
	readonly segment?: Segment | undefined;
}

/**
 * What an option has written of lines while they are read. `begin` and `end` are for headers and
 * footers; what has neither, like a list of violations, leaves them out.
 */
interface Content {
	begin?(): Uint8Array;
	of(counted: Counted): Uint8Array | undefined;
	end?(): Uint8Array;
}

/** The files that are written besides the report: each has its new content once all of it is written, or never. */
export class SideOutputs {
	readonly #outputs: { file: OutputFile; content: Content }[] = [];

	/**
	 * All files are opened before the first line is scanned: an audit of an hour must not fail at its
	 * end.
	 * @param isOneLog Whether rows need no name of their log.
	 * @param settings What a state has besides the counts; a log that is followed has a state of its own (follow-state.ts).
	 * @throws {Failure} When one cannot be written.
	 */
	static async open(
		options: ReportOptions,
		isOneLog: boolean,
		settings?: AuditOptions,
	): Promise<SideOutputs> {
		const outputs = new SideOutputs();
		try {
			if (options.violations !== undefined)
				await outputs.#add(options.violations, violations);
			if (options.each !== undefined) {
				const format = eachFormat(options);
				const content =
					format === "parquet"
						? await (await import("./parquet.ts")).eachParquet(isOneLog)
						: await eachContent(format, isOneLog);
				await outputs.#add(options.each, content);
			}
			if (options.state !== undefined && settings)
				await outputs.#add(options.state, stateContent(settings));
		} catch (error) {
			await outputs.discard();
			throw error;
		}
		return outputs;
	}

	async #add(path: string, content: Content): Promise<void> {
		// Stdout is written to as it comes; files are drafts until the end.
		const file = path === STDOUT ? stdoutFile() : await openOutput(path);
		this.#outputs.push({ file, content });
		const beginning = content.begin?.();
		if (beginning) await file.write(beginning);
	}

	async write(counted: Counted): Promise<void> {
		// In order of the options, so that two outputs of one run agree on what they have seen.
		for (const { file, content } of this.#outputs) {
			const bytes = content.of(counted);
			if (bytes) await file.write(bytes);
		}
	}

	/** All lines are read. */
	async commit(): Promise<void> {
		// Endings are written before any file is committed, so that a full disk leaves all of them
		// unwritten.
		for (const { file, content } of this.#outputs) {
			const ending = content.end?.();
			if (ending) await file.write(ending);
		}
		for (const { file } of this.#outputs) await file.commit();
	}

	/** Leaves the files as they were. */
	async discard(): Promise<void> {
		for (const { file } of this.#outputs) await file.discard();
	}
}

/** Lines are concatenated as they were, with their ends. */
const violations: Content = {
	of: ({ segment }) =>
		segment && segment.violations.length > 0
			? Buffer.concat(segment.violations)
			: undefined,
};

/**
 * The most digits of a line's number. A line number of a log of 10 ** 15 lines is the limit of this
 * program.
 */
const DIGITS = 16;

/** What `--each` writes: rows, each prefixed with the number of its line and, if there are several logs, the name of its log. */
async function eachContent(format: EachFormat, isOneLog: boolean) {
	const { COLUMNS } = await load.rows();
	const { csvRow } = await load.rowsAsCsv();
	const columns = [...(isOneLog ? [] : ["file"]), "line", ...COLUMNS];
	const before = (name: string) =>
		// The name of the log is in front only where there are several: a column that is always the
		// same says nothing.
		isOneLog
			? { ndjson: '{"line":', csv: "" }[format]
			: {
					ndjson: `{"file":${JSON.stringify(name)},"line":`,
					csv: `${csvRow([name])},`,
				}[format];
	return {
		begin: () => Buffer.from(format === "csv" ? `${csvRow(columns)}\n` : ""),
		of: ({ name, linesBefore, rows }: Counted) =>
			rows && numbered(rows, Buffer.from(before(name)), linesBefore),
	};
}

/** Rows, each prefixed with a text and the number of its line, from 1. */
function numbered(
	{ text, lines, ends }: EachRows,
	before: Uint8Array,
	linesBefore: number,
): Uint8Array {
	// One buffer for a segment's rows; the length of a number is bounded, so none is written twice.
	const out = Buffer.allocUnsafe(
		text.length + lines.length * (before.length + DIGITS),
	);
	const source = Buffer.from(text.buffer, text.byteOffset, text.length);
	let to = 0;
	let from = 0;
	for (let row = 0; row < lines.length; row++) {
		out.set(before, to);
		to += before.length;
		const digits = String(linesBefore + (lines[row] as number) + 1);
		for (let at = 0; at < digits.length; at++)
			out[to++] = digits.charCodeAt(at);
		const end = ends[row] as number;
		source.copy(out, to, from, end);
		to += end - from;
		from = end;
	}
	return out.subarray(0, to);
}

/**
 * What `--state` writes: counters in steps of even size, so that its bytes do not depend on the
 * number of threads. The widths of series depend on the logs alone, not on how they were split.
 */
function stateContent(options: AuditOptions) {
	const writer = new StateWriter();
	const steps = new EvenSteps(calendarOf(options));
	return {
		begin: () => writer.begin(settingsOf(options)),
		of: ({ name, format, segment }: Counted) =>
			segment &&
			writer.add({ file: name, format, segment: packed(steps.of(segment)) }),
		end: () => writer.end(),
	};
}
