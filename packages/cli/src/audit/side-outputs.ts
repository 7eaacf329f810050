import type { AuditOptions } from "@robotrie/audit";
import { OutputFile } from "../output/output-file.ts";
import type { Content, Counted } from "./content.ts";
import { STDOUT } from "./finish.ts";
import { type AuditCommandOptions, eachFormat } from "./options.ts";

/** The files that are written besides the report. They have their new content once all of it is written, or never. */
export class SideOutputs {
	readonly #outputs: { file: OutputFile; content: Content }[] = [];

	/**
	 * @param isOneLog Whether rows need no name of their log.
	 * @throws {Failure} When one cannot be written.
	 */
	static async open(
		options: AuditCommandOptions,
		settings: AuditOptions,
		isOneLog: boolean,
	): Promise<SideOutputs> {
		const outputs = new SideOutputs();
		try {
			if (options.violations !== undefined)
				await outputs.#add(options.violations, violations);
			if (options.each !== undefined) {
				const { eachContent } = await import("./each.ts");
				const content = await eachContent(eachFormat(options), isOneLog);
				await outputs.#add(options.each, content);
			}
			if (options.state !== undefined) {
				const { stateContent } = await import("./state-content.ts");
				await outputs.#add(options.state, stateContent(settings));
			}
		} catch (error) {
			await outputs.discard();
			throw error;
		}
		return outputs;
	}

	async #add(path: string, content: Content): Promise<void> {
		const file =
			path === STDOUT ? OutputFile.ofStdout() : await OutputFile.open(path);
		this.#outputs.push({ file, content });
		const beginning = content.begin?.();
		if (beginning) await file.write(beginning);
	}

	async write(counted: Counted): Promise<void> {
		for (const { file, content } of this.#outputs) {
			const bytes = content.of(counted);
			if (bytes) await file.write(bytes);
		}
	}

	/** All lines are read. */
	async commit(): Promise<void> {
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

const violations: Content = {
	of: ({ segment }) =>
		segment && segment.violations.length > 0
			? Buffer.concat(segment.violations)
			: undefined,
};
