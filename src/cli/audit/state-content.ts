import type { AuditOptions } from "../../log/audit.ts";
import { EvenSteps } from "../../log/even-steps.ts";
import { packed } from "../../log/packed-counts.ts";
import { StateWriter } from "../../log/state.ts";
import { settingsOf } from "../../log/state-settings.ts";
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
