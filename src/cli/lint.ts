import type { Command } from "commander";
import type { Diagnostic, Severity } from "../index.ts";
import { EXIT_FOUND } from "./failure.ts";
import { inputsOf, nameOf } from "./input.ts";
import { type ReadingOptions, readingOptions, readRobots } from "./options.ts";
import { count, paint, printable, write } from "./output.ts";

interface LintOptions extends ReadingOptions {
	readonly json?: boolean;
}

interface Finding extends Diagnostic {
	readonly file: string;
}

const severities: readonly Severity[] = ["error", "warning", "info"];
const styles = { error: "red", warning: "yellow", info: "cyan" } as const;

/** `robotrie lint`: what is odd about a robots.txt. */
export function addLint(program: Command): void {
	const command = program
		.command("lint")
		.summary("list what is wrong or odd in a robots.txt")
		.description(
			"Lists the lines of a robots.txt that crawlers ignore, cut off, or read otherwise than their author may think, as FILE:LINE: severity code message.",
		)
		.argument("[file...]", 'robots.txt files; "-" or none for stdin');
	for (const option of readingOptions()) command.addOption(option);
	command
		.option(
			"--json",
			"write an array of { file, line, severity, code, message }",
		)
		.addHelpText(
			"after",
			`
Exit code: 0 no errors (perhaps warnings), 1 errors, 2 the options are at fault or a file cannot be read.

Examples:
  robotrie lint robots.txt
  robotrie lint --dialect google --json robots.txt
  curl -s https://example.com/robots.txt | robotrie lint`,
		)
		.action(lint);
}

async function lint(
	files: readonly string[],
	options: LintOptions,
): Promise<void> {
	const findings: Finding[] = [];
	const inputs = inputsOf(files);
	for (const input of inputs) {
		const { diagnostics } = await readRobots(input, options);
		for (const diagnostic of diagnostics)
			findings.push({ file: nameOf(input), ...diagnostic });
	}
	await write(
		options.json
			? jsonOf(findings)
			: `${findings.map(textOf).join("")}${summaryOf(findings, inputs)}\n`,
	);
	if (findings.some(({ severity }) => severity === "error"))
		process.exitCode = EXIT_FOUND;
}

function jsonOf(findings: readonly Finding[]): string {
	const rows = findings.map(
		({ file, line, severity, code, message }) =>
			`\n  ${JSON.stringify({ file, line, severity, code, message })}`,
	);
	return rows.length === 0 ? "[]\n" : `[${rows.join(",")}\n]\n`;
}

function textOf({ file, line, severity, code, message }: Finding): string {
	const place = paint("bold", printable(`${file}:${line}:`));
	return `${place} ${paint(styles[severity], severity)} ${code} ${printable(message)}\n`;
}

function summaryOf(
	findings: readonly Finding[],
	inputs: readonly string[],
): string {
	const counts = severities.flatMap((severity) => {
		const number = findings.filter(
			(finding) => finding.severity === severity,
		).length;
		return number === 0
			? []
			: [count(number, severity === "info" ? "remark" : severity)];
	});
	const [only, ...others] = inputs;
	const place =
		only !== undefined && others.length === 0
			? printable(nameOf(only))
			: count(inputs.length, "file");
	return `${counts.join(", ") || "nothing found"} in ${place}`;
}
