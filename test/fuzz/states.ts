import fc from "fast-check";
import { type AuditOptions, LogAudit } from "../../packages/audit/src/index.ts";
import { htmlReport } from "../../packages/audit/src/show/html.ts";
import { sealState } from "../../packages/audit/src/state/state.ts";
import { RobotrieError } from "../../src/index.ts";
import { bytes } from "../latin1.ts";
import { changed, changes } from "./binaries.ts";
import { log } from "./logs.ts";
import { expectSame, target } from "./target.ts";
import { robotsTxt } from "./texts.ts";

/** States of audits that were changed are refused; those that were not give the report of the log. */
export const states = target({
	name: "states",
	few: 20,
	inputs: fc.record({ robots: robotsTxt, log, changes }),
	check: async ({ robots, log, changes }) => {
		const options = {
			robots: [{ file: "robots.txt", bytes: bytes(robots) }],
			format: "combined",
			keepState: true,
		};
		const audit = new LogAudit(options);
		await audit.add("a.log", [bytes(log)]);
		const state = await audit.state();
		const damaged = changed(state, changes, 0);
		const merged = new LogAudit(options);
		const isSame = Buffer.compare(state, damaged) === 0;
		const isRefused = await merged.addState(damaged).then(
			() => false,
			(error: unknown) => {
				if (error instanceof RobotrieError && error.code === "invalid-argument")
					return true;
				throw error;
			},
		);
		expectSame("refused", isRefused, !isSame);
		if (isRefused) await merged.addState(state);
		expectSame("report", merged.report(), audit.report());
	},
});

/** Bytes of the letters and the version. */
const PREAMBLE = 8;

/** States that were changed and have right checksums: they are refused and count nothing, or there is a report. */
export const forgedStates = forged("forged states", {});

/** The same with what crawlers take and what browsers do, which is most of such a state. */
export const forgedRequests = forged("forged requests", {
	paths: true,
	suspects: true,
});

function forged(name: string, counting: Partial<AuditOptions>) {
	return target({
		name,
		few: 20,
		inputs: fc.record({ robots: robotsTxt, log, changes }),
		check: async ({ robots, log, changes }) => {
			const options = {
				robots: [{ file: "robots.txt", bytes: bytes(robots) }],
				format: "combined",
				keepState: true,
				...counting,
			};
			const audit = new LogAudit(options);
			await audit.add("a.log", [bytes(log)]);
			const forged = changed(await audit.state(), changes, PREAMBLE);
			sealState(forged);
			const merged = new LogAudit(options);
			await merged.addState(forged).catch((error: unknown) => {
				if (!(error instanceof RobotrieError)) throw error;
				expectSame("code", error.code, "invalid-argument");
				expectSame("lines", merged.lines, 0);
			});
			htmlReport(merged.report());
		},
	});
}
