import { reportOf } from "../../log/make-report.ts";
import { unpacked } from "../../log/packed-counts.ts";
import { RuleBook } from "../../log/rule-book.ts";
import { type FormatSummary, openState } from "../../log/state.ts";
import {
	compareSettings,
	type StateSettings,
} from "../../log/state-settings.ts";
import { Totals } from "../../log/totals.ts";
import { nameOf, readBytes } from "../input/input.ts";
import { checkReplaced, finish } from "./finish.ts";
import { expandFiles } from "./inputs.ts";
import type { AuditCommandOptions } from "./options.ts";
import { SideOutputs } from "./side-outputs.ts";

/** The report on the logs whose states these files are, in this order. */
export async function mergeStates(
	files: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	const states = await expandFiles(files);
	checkReplaced(options, states);
	const merged = new MergedStates(options);
	for (const file of states) await merged.add(file);
	await merged.finish();
}

class MergedStates {
	readonly #options: AuditCommandOptions;
	readonly #totals = new Totals();
	readonly #formats = new Map<string, FormatSummary>();
	#first: { name: string; settings: StateSettings } | undefined;
	#outputs: SideOutputs | undefined;

	constructor(options: AuditCommandOptions) {
		this.#options = options;
	}

	async add(file: string): Promise<void> {
		const name = nameOf(file);
		const { settings, parts } = await openState(name, readBytes(file));
		this.#first ??= { name, settings };
		const first = this.#first;
		compareSettings(name, settings, first.settings, first.name);
		this.#outputs ??= await SideOutputs.open(
			this.#options,
			first.settings,
			true,
		);
		try {
			for await (const { file: log, format, segment } of parts) {
				const whole = unpacked(segment);
				this.#totals.append(log, whole);
				this.#formats.set(format.name, format);
				const counted = { name: log, format, linesBefore: 0, segment: whole };
				await this.#outputs.write(counted);
			}
		} catch (error) {
			await this.#outputs.discard();
			throw error;
		}
	}

	async finish(): Promise<void> {
		const { settings } = this.#first as { settings: StateSettings };
		await this.#outputs?.commit();
		const report = reportOf(
			this.#totals,
			new RuleBook(settings.robots, settings),
			settings.groupBy ?? "name",
		);
		await finish(report, [...this.#formats.values()], this.#options);
	}
}
