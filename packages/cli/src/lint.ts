/**
 * `robotrie lint`: findings about robots.txt files, as lines, JSON or SARIF. The checks are in robotrie/lint; --fix is in lint-fix.ts, SARIF
 * in lint-sarif.ts, and lint-site.ts reads sitemaps: each is loaded when it is asked for. A file that cannot be read is a message and exit
 * code 2, and the others are checked all the same.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Dialect, robotsUrlFor, type Severity } from "robotrie";
import {
	type DialectExample,
	type Finding,
	fix,
	type LintCode,
	type LintOptions,
	lint,
	lintCodes,
} from "robotrie/lint";
import { answersText } from "#robotrie/common/verdict-texts";
import { count } from "#robotrie/common/wording";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readWhole,
	STDIN,
} from "./input/input.ts";
import { doubtAbout, doubtText, isSiteUrl } from "./input/robots-file.ts";
import { type Home, pageAddress } from "./lint-page.ts";
import { dialectOption, maxBytesOption } from "./options/options.ts";
import {
	EXIT_FAILED,
	EXIT_FOUND,
	Failure,
	isTold,
	JsonList,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface LintCommandOptions extends RequestOptions {
	readonly dialect: Dialect;
	readonly json?: boolean;
	readonly output?: Format;
	readonly sitemaps?: readonly string[];
	readonly noindex?: readonly string[];
	readonly all?: boolean;
	readonly explain?: LintCode;
	readonly fix?: boolean;
	readonly unsafeFixes?: boolean;
	readonly dryRun?: boolean;
}

interface FileFindings {
	readonly file: string;
	readonly bytes: Uint8Array;
	readonly findings: readonly Finding[];
}

const formats = ["text", "json", "sarif"] as const;
type Format = (typeof formats)[number];

const severities: readonly Severity[] = ["error", "warning", "info"];
const styles = { error: "red", warning: "yellow", info: "cyan" } as const;

/** Findings with the same severity and code that are shown of a file unless all are asked for. */
const SHOWN = 5;

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
			"repair in the files what changes no verdict of any crawler, and list what is left; what comes from stdin is written to stdout",
		)
		.option(
			"--unsafe-fixes",
			"with --fix: also make the changes that alter verdicts, and show which; try it with --dry-run first",
		)
		.option(
			"--dry-run",
			"with --fix: show the changes as a diff and write nothing",
		)
		.option(
			"--sitemaps <file...>",
			"sitemaps of the site: say which rules disallow some of their URLs; XML, RSS, Atom or a URL on each line",
		)
		.option(
			"--noindex <file...>",
			"lists of pages with noindex, a URL on each line or from robotrie indexing --json: say which rules hide it from crawlers",
		)
		.option(
			"--all",
			`list every finding, not only the first ${SHOWN} per file and code`,
		)
		.addOption(
			new Option("-o, --output <format>", "what to write").choices(formats),
		)
		.option(
			"--json",
			"like --output json: write an array of { file, line, severity, code, message, page }, with relatedLine, example and edit where there are any",
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
  robotrie lint --fix robots.txt
  robotrie lint --fix --unsafe-fixes --dry-run robots.txt
  robotrie lint robots.txt --sitemaps sitemap.xml
  robotrie lint --output sarif robots.txt > robotrie.sarif
  robotrie lint --explain shadowed-rule
  robotrie lint https://example.com/`,
		)
		.action(run);
}

async function run(
	files: readonly string[],
	options: LintCommandOptions,
	command: Command,
): Promise<void> {
	// First, as it reads no robots.txt: without files the command would wait for stdin.
	if (options.explain !== undefined) {
		await write(await pageText(options.explain));
		return;
	}
	const { dialect, maxBytes } = options;
	if (options.dryRun && !options.fix)
		throw new Failure("--dry-run shows what --fix would write: add --fix");
	if (options.unsafeFixes && !options.fix)
		throw new Failure(
			"--unsafe-fixes says what --fix may change: add --fix, and --dry-run to see it first",
		);
	const format = formatOf(options);
	if (options.fix && format !== "text" && options.dryRun)
		throw new Failure(`--dry-run writes a diff: leave out ${format}`);
	// Before any robots.txt: a sitemap that cannot be read makes every finding about it wrong, so the command ends.
	const site = await siteOf(options);
	const list = new JsonList();
	const read: FileFindings[] = [];
	const inputs = inputsOf(await expandFiles(files));
	/** Stdin goes to stdout, repaired, and so what is left to find to stderr. */
	const isFilter =
		options.fix && !options.dryRun && inputs.some((input) => input === STDIN);
	if (isFilter && (format !== "text" || inputs.length > 1))
		throw new Failure(
			"--fix writes what comes from stdin to stdout: leave out other files and formats",
		);
	for (const input of inputs) {
		let isCompressed = false;
		const bytes = await readOrTell(input, options, () => {
			isCompressed = true;
		});
		if (bytes === null) continue;
		const name = isSiteUrl(input) ? robotsUrlFor(input) : nameOf(input);
		const settings = {
			dialect,
			...site,
			...(input === STDIN ? {} : { location: name }),
			...(maxBytes === undefined ? {} : { maxBytes }),
		};
		const findings = options.fix
			? await (await import("./lint-fix.ts")).writeFixed(
					input,
					bytes,
					fix(bytes, { ...settings, unsafe: options.unsafeFixes ?? false }),
					{
						...{ dryRun: options.dryRun, isCompressed, maxBytes },
						unsafe: options.unsafeFixes,
					},
				)
			: lint(bytes, settings);
		if (findings === null) continue;
		const result = { file: name, bytes, findings };
		read.push(result);
		if (isFilter) {
			process.stderr.write(fileText(result, options.all ?? false));
			continue;
		}
		// Errors say it already, and what says that the file is UTF-16.
		const isSaid = findings.some(
			(finding) => isError(finding) || finding.code === "utf-16",
		);
		const doubt = isSaid ? undefined : doubtAbout(bytes);
		if (doubt !== undefined) tell(doubtText(name, doubt));
		if (format === "json")
			await write(
				rowsOf(result)
					.map((row) => list.item(row))
					.join(""),
			);
		else if (format === "text")
			await write(fileText(result, options.all ?? false));
	}
	if (format === "sarif") {
		const { sarifOf } = await import("./lint-sarif.ts");
		const version = command.parent?.version() ?? "0";
		await write(
			`${JSON.stringify(await sarifOf(read, version, pageText), null, 2)}\n`,
		);
	} else if (isFilter) process.stderr.write(`${summaryOf(read)}\n`);
	else if (read.length > 0)
		await write(format === "json" ? list.end() : `${summaryOf(read)}\n`);
	if (read.some(({ findings }) => findings.some(isError)))
		// A 2 stays: a file that could not be read may have had errors, too.
		process.exitCode ??= EXIT_FOUND;
}

/** @throws {Failure} If two are asked for. */
function formatOf({ json, output }: LintCommandOptions): Format {
	if (json && output !== undefined && output !== "json")
		throw new Failure(`--json and --output ${output} are two formats: choose`);
	return json ? "json" : (output ?? "text");
}

/** What is to be known of the site, for `lint`. */
async function siteOf({
	sitemaps = [],
	noindex = [],
}: LintCommandOptions): Promise<LintOptions> {
	if (sitemaps.length === 0 && noindex.length === 0) return {};
	const { readNoindex, readSitemaps } = await import("./lint-site.ts");
	return {
		sitemapUrls: await readSitemaps(await expandFiles(sitemaps)),
		noindexUrls: await readNoindex(await expandFiles(noindex)),
	};
}

function isError({ severity }: Finding): boolean {
	return severity === "error";
}

/** The bytes of a file; null, with a message, if it cannot be read. */
async function readOrTell(
	input: string,
	options: LintCommandOptions,
	onCompressed: () => void,
): Promise<Uint8Array | null> {
	try {
		if (isSiteUrl(input)) {
			const { robotsBytesOfSite } = await import("./fetch/named-robots.ts");
			return await robotsBytesOfSite(input, options);
		}
		return await readWhole(input, onCompressed);
	} catch (error) {
		if (!isTold(error)) throw error;
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
	const page = import.meta.resolve(`robotrie/docs/lint/${code}.md`);
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
	return `${counts.join(", ")} in ${place}\n${repairsText(results)}${paint("dim", hint)}`;
}

/** How many findings have an edit, with the options that apply it. */
function repairsText(results: readonly FileFindings[]): string {
	const edits = results.flatMap(({ findings }) =>
		findings.flatMap(({ edit }) => edit ?? []),
	);
	const safe = edits.filter((edit) => edit.safe).length;
	const rest = edits.length - safe;
	const texts = [
		...(safe > 0 ? [`--fix repairs ${safe} without changing a verdict`] : []),
		...(rest > 0
			? [
					`--fix --unsafe-fixes --dry-run shows ${count(rest, "suggestion")} and the verdicts that would change`,
				]
			: []),
	];
	return texts.map((text) => `${paint("dim", `${text}.`)}\n`).join("");
}
