import { Option } from "commander";
import { type VerdictName, verdictNames } from "./verdict-lines.ts";

/** Options of commands that write lines with verdicts. */
export interface VerdictOptions {
	readonly only?: VerdictName;
	readonly check?: boolean;
	readonly summary?: boolean;
}

/** `summary` says what is counted where. */
export function verdictOptions(summary: string): Option[] {
	return [
		new Option(
			"--only <verdict>",
			"write only lines with this verdict",
		).choices(verdictNames),
		new Option("--check", "exit with 1 if any line is disallowed"),
		new Option("--summary", `${summary} (default: if stderr is a terminal)`),
		new Option("--no-summary", "do not count them"),
	];
}
