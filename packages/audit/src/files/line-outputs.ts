/**
 * What an audit writes of lines while they are scanned: rows of verdicts, lines of disallowed requests, and a state. audit-files.ts,
 * merge-states.ts and follow-log.ts hand it what came of lines; where its bytes go is the caller's business.
 */
import { checkOptions, type OptionTable } from "#robotrie/common/arguments";
import { concatenate } from "#robotrie/common/chunks";
import {
	flagKind,
	functionKind,
	objectKind,
	oneOf,
} from "#robotrie/common/kinds";
import { calendarOf } from "../common/calendar.ts";
import type { EachRows } from "../common/row-bytes.ts";
import { packed } from "../count/packed-counts.ts";
import { EvenSteps, type Segment } from "../count/totals.ts";
import type { FormatSummary } from "../formats/log-format.ts";
import type { AuditOptions, EachSettings } from "../options/options.ts";
import type { StateSettings } from "../state/state-codec.ts";

/**
 * Takes bytes; the audit goes on once its promise is fulfilled, and ends with its error. It must not wait for anything of the same audit, such as
 * `report`, which waits for it.
 */
export type WriteBytes = (bytes: Uint8Array) => void | Promise<void>;

/** A row for each judged request, as `robotrie audit --each` writes it. */
export interface EachOptions {
	/** Default "ndjson". CSV begins with a line of column names. */
	readonly format?: "ndjson" | "csv" | undefined;
	/** Rows for all lines except blank ones, not only for judged requests. Default false. */
	readonly all?: boolean | undefined;
	/** Takes whole rows, in the order of the lines. Of several logs, and of one that is followed, each row begins with the name of its log. */
	readonly write: WriteBytes;
}

/** Options of audits of files for what is written line by line. */
export interface LineOutputs {
	/** Writes a row for each judged request. */
	readonly each?: EachOptions | undefined;
	/** Writes the lines of disallowed requests as they are in the logs. */
	readonly violations?: WriteBytes | undefined;
}

export const lineOutputs: OptionTable<LineOutputs> = {
	each: objectKind,
	violations: functionKind,
};

const eachOptions: OptionTable<EachOptions> = {
	format: oneOf(["ndjson", "csv"]),
	all: flagKind,
	write: functionKind,
};

/** @throws {RobotrieError} invalid-argument. */
export function checkEach(each: EachOptions | undefined): void {
	if (each) checkOptions("each", each, eachOptions, ["write"]);
}

/** What scanners have to know of them. */
export function eachSettings({ each }: LineOutputs): EachSettings | undefined {
	const { format = "ndjson", all = false } = each ?? {};
	return each && { format, all };
}

/** What is known of some consecutive lines of a log. */
interface Counted {
	/** The log's name. */
	readonly name: string;
	readonly format: FormatSummary;
	/** Lines of the log before these. */
	readonly linesBefore: number;
	readonly rows?: EachRows | undefined;
	readonly segment?: Segment | undefined;
}

/** What an option has written. `begin` and `end` are for headers and footers. */
interface Content {
	readonly write: WriteBytes;
	readonly begin?: Uint8Array;
	of(counted: Counted): Uint8Array | undefined;
	end?(): Uint8Array;
}

/** A state that is written as it comes. */
interface StateOutput {
	readonly write: WriteBytes;
	readonly settings: AuditOptions | StateSettings;
}

/** The options' outputs, in one order, so that two of one audit agree on what they have seen. */
export class OpenOutputs {
	readonly #contents: readonly Content[];

	private constructor(contents: readonly Content[]) {
		this.#contents = contents;
	}

	/** As `of`, begun. */
	static async open(
		options: LineOutputs,
		isOneLog: boolean,
		state?: StateOutput,
	): Promise<OpenOutputs> {
		const outputs = await OpenOutputs.of(options, isOneLog, state);
		await outputs.begin();
		return outputs;
	}

	/** @param isOneLog Whether rows need no name of their log. */
	static async of(
		{ each, violations }: LineOutputs,
		isOneLog: boolean,
		state?: StateOutput,
	): Promise<OpenOutputs> {
		const contents: Content[] = [];
		if (violations) contents.push({ write: violations, of: violationsOf });
		if (each) contents.push(await eachContent(each, isOneLog));
		if (state) contents.push(await stateContent(state));
		return new OpenOutputs(contents);
	}

	/** Writes headers. */
	async begin(): Promise<void> {
		for (const { write, begin } of this.#contents)
			if (begin) await write(begin);
	}

	async write(counted: Counted): Promise<void> {
		for (const { write, of } of this.#contents) {
			const bytes = of(counted);
			if (bytes) await write(bytes);
		}
	}

	/** All lines are read. */
	async end(): Promise<void> {
		for (const { write, end } of this.#contents) if (end) await write(end());
	}
}

/** Lines, concatenated as they were, with their ends. */
const violationsOf = ({ segment }: Counted) =>
	segment && segment.violations.length > 0
		? concatenate(segment.violations)
		: undefined;

/**
 * The most digits of a line's number. A line number of a log of 10 ** 15 lines is the limit of this
 * program.
 */
const DIGITS = 16;

async function eachContent(
	{ format = "ndjson", write }: EachOptions,
	isOneLog: boolean,
): Promise<Content> {
	const { COLUMNS } = await import("../count/row-writer.ts");
	const { csvRow } = await import("../show/csv.ts");
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
		write,
		...(format === "csv" && { begin: Buffer.from(`${csvRow(columns)}\n`) }),
		of: ({ name, linesBefore, rows }) =>
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
 * Counters in steps of even size, so that a state's bytes do not depend on the number of threads. The widths of series depend on the logs
 * alone, not on how they were split.
 */
async function stateContent({
	write,
	settings,
}: StateOutput): Promise<Content> {
	const { StateWriter } = await import("../state/state.ts");
	const { settingsOf } = await import("../state/state-codec.ts");
	const writer = new StateWriter();
	const steps = new EvenSteps(calendarOf(settings));
	return {
		write,
		begin: writer.begin(settingsOf(settings)),
		of: ({ name, format, segment }) =>
			segment &&
			writer.add({ file: name, format, segment: packed(steps.of(segment)) }),
		end: () => writer.end(),
	};
}
