import type { AuditOptions } from "@robotrie/audit";
import {
	EvenSteps,
	packed,
	StateWriter,
	settingsOf,
} from "@robotrie/audit/internal";
import type { Counted } from "./content.ts";

/** What `--state` writes. */
export function stateContent(options: AuditOptions) {
	const writer = new StateWriter();
	const steps = new EvenSteps();
	return {
		begin: () => writer.begin(settingsOf(options)),
		of: ({ name, format, segment }: Counted) =>
			segment &&
			writer.add({ file: name, format, segment: packed(steps.of(segment)) }),
		end: () => writer.end(),
	};
}
