/**
 * Where an audit writes besides its report: --violations, --each and --state. @robotrie/audit makes their bytes; run.ts, follow.ts and merge.ts
 * pass it these functions. The files have their new content once all of it is written, or keep the old one.
 */
import type { EachOptions, WriteBytes } from "@robotrie/audit/files";
import {
	type OutputFile,
	openOutput,
	stdoutFile,
} from "../output/output-file.ts";
import { eachFormat, type ReportOptions } from "./options.ts";
import { STDOUT } from "./report.ts";

/** What is written to a file, perhaps in another form than it comes. */
interface Output {
	readonly path: string;
	readonly form?: () => Promise<Form>;
	opened?: { readonly file: OutputFile; readonly form: Form | undefined };
}

interface Form {
	of(bytes: Uint8Array): Uint8Array;
	end(): Uint8Array;
}

/** The files that are written besides the report: each has its new content once all of it is written, or never. */
export class SideOutputs {
	readonly #outputs: Output[] = [];
	readonly violations: WriteBytes | undefined;
	readonly each: EachOptions | undefined;
	readonly state: WriteBytes | undefined;

	/**
	 * @param isOneLog Whether rows have no name of their log.
	 * @param withState A log that is followed keeps its state itself.
	 */
	constructor(options: ReportOptions, isOneLog: boolean, withState = true) {
		const { violations, each, eachAll, state } = options;
		// In this order, in which they are written, too.
		if (violations !== undefined)
			this.violations = this.#to({ path: violations });
		if (each !== undefined) {
			const format = eachFormat(options);
			const isParquet = format === "parquet";
			const form = async () =>
				(await import("./parquet.ts")).eachParquet(isOneLog);
			this.each = {
				format: isParquet ? "ndjson" : format,
				all: eachAll ?? false,
				write: this.#to(isParquet ? { path: each, form } : { path: each }),
			};
		}
		if (state !== undefined && withState)
			this.state = this.#to({ path: state });
	}

	#to(output: Output): WriteBytes {
		this.#outputs.push(output);
		return async (bytes) => {
			const { file, form } = output.opened ?? (await openedOf(output));
			await file.write(form ? form.of(bytes) : bytes);
		};
	}

	/**
	 * All files are opened before the first line is scanned: an audit of an hour must not fail at its end.
	 * @throws {SitesError} unwritable.
	 */
	async open(): Promise<void> {
		for (const output of this.#outputs) await openedOf(output);
	}

	/** All lines are read. */
	async commit(): Promise<void> {
		// Endings are written before any file is committed, so that a full disk leaves all of them
		// unwritten.
		for (const { opened } of this.#outputs)
			if (opened?.form) await opened.file.write(opened.form.end());
		for (const { opened } of this.#outputs) await opened?.file.commit();
	}

	/** Leaves the files as they were. */
	async discard(): Promise<void> {
		for (const { opened } of this.#outputs) await opened?.file.discard();
	}
}

async function openedOf(output: Output) {
	const { path } = output;
	// Stdout is written to as it comes; files are drafts until the end.
	const file = path === STDOUT ? stdoutFile() : await openOutput(path);
	output.opened = { file, form: undefined };
	const form = await output.form?.();
	output.opened = { file, form };
	return output.opened;
}
