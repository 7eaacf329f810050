/**
 * `robotrie lint`: findings about robots.txt files, as lines or JSON. The checks are in robotrie/lint; --fix is in lint-fix.ts. A file that
 * cannot be read is a message and exit code 2, and the others are checked all the same.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { robotsUrlFor, type Severity } from "robotrie";
import {
	answersText,
	count,
	type Home,
	pageAddress,
	pageOf,
} from "robotrie/internal";
import {
	type DialectExample,
	type Finding,
	fix,
	type LintCode,
	lint,
	lintCodes,
} from "robotrie/lint";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readWhole,
	STDIN,
} from "./input/input.ts";
import { doubtAbout, doubtText, isSiteUrl } from "./input/robots-file.ts";
import { dialectOption, maxBytesOption } from "./options/options.ts";
import {
	EXIT_FAILED,
	EXIT_FOUND,
	Failure,
	JsonList,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface LintCommandOptions extends RequestOptions {
	readonly json?: boolean;
	readonly all?: boolean;
	readonly explain?: LintCode;
	readonly fix?: boolean;
	readonly dryRun?: boolean;
}

interface FileFindings {
	readonly file: string;
	readonly findings: readonly Finding[];
}

const severities: readonly Severity[] = ["error", "warning", "info"];
const styles = { error: "red", warning: "yellow", info: "cyan" } as const;

/** Findings with the same severity and code that are shown of a file unless all are asked for. */
const SHOWN = 5;

/** `robotrie lint`: findings about a robots.txt. */
export function addLint(program: Command): void {
	const command = program
		.command("lint")
		.description(
			"Finds mistakes in a robots.txt: lines that crawlers ignore or misread, rules that can never win, paths on which the dialects disagree.\n\nEach finding is a line: FILE:LINE: severity code message.",
		)
		.argument(
			"[file...]",
			'robots.txt files, or URLs of sites; "-" or none: stdin',
		)
		.addOption(dialectOption())
		.addOption(
			maxBytesOption(
				"bytes of robots.txt to read (default: 512000; the google dialect reads all and says where Google's crawlers stop)",
			),
		)
		.option(
			"--fix",
			"repair in the files what has only one repair, and list what is left",
		)
		.option(
			"--dry-run",
			"with --fix: show the changes as a diff and write nothing",
		)
		.option(
			"--all",
			`list every finding, not only the first ${SHOWN} per file and code`,
		)
		.option(
			"--json",
			"write an array of { file, line, severity, code, message, page }, with relatedLine, example and edit where there are any",
		)
		.addOption(
			new Option(
				"--explain <code>",
				"print the page about a code, such as shadowed-rule",
			).argParser(codeOf),
		);
	for (const option of requestOptions()) command.addOption(option);
	command
		.addHelpText(
			"after",
			`
Exit codes: 0 no errors, perhaps warnings; 1 errors; 2 wrong options or an unreadable file.

Examples:
  robotrie lint robots.txt
  robotrie lint --dialect google --json robots.txt
  robotrie lint --fix --dry-run robots.txt
  robotrie lint --explain shadowed-rule
  robotrie lint https://example.com/`,
		)
		.action(run);
}

async function run(
	files: readonly string[],
	options: LintCommandOptions,
): Promise<void> {
	if (options.explain !== undefined) {
		await write(await pageText(options.explain));
		return;
	}
	const { dialect, maxBytes } = options;
	if (options.dryRun && !options.fix)
		throw new Failure("--dry-run shows what --fix would write: add --fix");
	if (options.fix && options.json && options.dryRun)
		throw new Failure("--dry-run writes a diff: leave out --json");
	const list = new JsonList();
	const read: FileFindings[] = [];
	for (const input of inputsOf(await expandFiles(files))) {
		const bytes = await readOrTell(input, options);
		if (bytes === null) continue;
		const name = isSiteUrl(input) ? robotsUrlFor(input) : nameOf(input);
		const settings = {
			dialect,
			...(input === STDIN ? {} : { location: name }),
			...(maxBytes === undefined ? {} : { maxBytes }),
		};
		const findings = options.fix
			? await (await import("./lint-fix.ts")).writeFixed(
					input,
					bytes,
					fix(bytes, settings),
					options.dryRun ?? false,
				)
			: lint(bytes, settings);
		if (findings === null) continue;
		const result = { file: name, findings };
		read.push(result);
		// Errors say it already.
		const doubt = findings.some(isError) ? undefined : doubtAbout(bytes);
		if (doubt !== undefined) tell(doubtText(name, doubt));
		await write(
			options.json
				? rowsOf(result)
						.map((row) => list.item(row))
						.join("")
				: fileText(result, options.all ?? false),
		);
	}
	if (read.length > 0)
		await write(options.json ? list.end() : `${summaryOf(read)}\n`);
	if (read.some(({ findings }) => findings.some(isError)))
		process.exitCode ??= EXIT_FOUND;
}

function isError({ severity }: Finding): boolean {
	return severity === "error";
}

/** The bytes of a file; null, with a message, if it cannot be read. */
async function readOrTell(
	input: string,
	options: LintCommandOptions,
): Promise<Uint8Array | null> {
	try {
		if (isSiteUrl(input)) {
			const { robotsBytesOfSite } = await import("./fetch/named-robots.ts");
			return await robotsBytesOfSite(input, options);
		}
		return await readWhole(input);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		tell(error.message);
		process.exitCode = EXIT_FAILED;
		return null;
	}
}

function codeOf(text: string): LintCode {
	const code = lintCodes.find((known) => known === text);
	if (code === undefined)
		throw new InvalidArgumentError(`The codes are ${lintCodes.join(", ")}.`);
	return code;
}

function pageText(code: LintCode): Promise<string> {
	const page = import.meta.resolve(`robotrie/${pageOf(code)}`);
	return readFile(new URL(page), "utf8");
}

function rowsOf({ file, findings }: FileFindings): readonly object[] {
	const about = readFileSync(
		new URL(import.meta.resolve("robotrie/package.json")),
		"utf8",
	);
	const home = JSON.parse(about) as Home;
	return findings.map(({ line, severity, code, message, page, ...more }) => ({
		...{ file, line, severity, code, message },
		...more,
		page: pageAddress(page, home),
	}));
}

function fileText({ file, findings }: FileFindings, all: boolean): string {
	const seen = new Map<string, number>();
	let text = "";
	for (const finding of findings) {
		// Remarks do not hide a warning with the same code.
		const kind = `${finding.severity} ${finding.code}`;
		const before = seen.get(kind) ?? 0;
		seen.set(kind, before + 1);
		if (all || before < SHOWN) text += findingText(file, finding);
	}
	if (all) return text;
	for (const [kind, number] of seen)
		if (number > SHOWN)
			text += `${paint("bold", printable(`${file}:`))} ${kind}: ${(number - SHOWN).toLocaleString("en-US")} more, which --all lists\n`;
	return text;
}

function findingText(
	file: string,
	{ line, severity, code, message, example }: Finding,
): string {
	const place = paint("bold", printable(`${file}:${line}:`));
	const text = `${place} ${paint(styles[severity], severity)} ${code} ${printable(message)}\n`;
	// This one's message is the example.
	if (!example || code === "dialects-differ") return text;
	return `${text}${exampleText(example)}`;
}

function exampleText(example: DialectExample): string {
	return `  ${paint("dim", "example")}  ${printable(answersText(example))}\n`;
}

function summaryOf(results: readonly FileFindings[]): string {
	const counts = severities.flatMap((severity) => {
		const number = results
			.flatMap(({ findings }) => findings)
			.filter((finding) => finding.severity === severity).length;
		return number === 0
			? []
			: [count(number, severity === "info" ? "remark" : severity)];
	});
	const [only, ...others] = results;
	const place =
		only !== undefined && others.length === 0
			? printable(only.file)
			: count(results.length, "file");
	if (counts.length === 0) return `nothing found in ${place}`;
	const hint =
		'"robotrie lint --explain <code>" explains a code and how to fix it.';
	return `${counts.join(", ")} in ${place}\n${paint("dim", hint)}`;
}
