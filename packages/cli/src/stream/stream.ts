/**
 * `robotrie stream`: judges URLs for another program, as its child process. This file has the options; frames.ts answers frames, which
 * docs/stream.md describes.
 */

import { openFolder, readIndex } from "@robotrie/sites/internal-shards";
import { type Command, Option } from "commander";
import { type Dialect, dialectNames } from "robotrie";
import { count } from "#robotrie/common/wording";
import { isFolder } from "#sites/files/stat";
import {
	agentOf,
	agentOption,
	maxBytesOption,
	memoryOption,
	missing,
} from "../options/options.ts";
import { Failure, tell, write } from "../output/output.ts";
import { answerFrames, PROTOCOL_VERSION } from "./frames.ts";
import { ByteReader, stdinSource } from "./input.ts";
import { StreamRules } from "./rules.ts";

/** The dialect has no default here: an index decides it, if there is one. */
interface StreamOptions {
	readonly agent?: readonly string[];
	readonly eachAgent?: boolean;
	readonly index?: readonly string[];
	readonly dialect?: Dialect;
	readonly maxBytes?: number;
	readonly memory: number;
	readonly arrow?: boolean;
	readonly column?: string;
	readonly verdict?: string;
}

/** Invalid origins that are named one by one. */
const MOST_NAMED = 5;

/** `robotrie stream`: verdicts for another program, which speaks to it by pipes. */
export function addStream(program: Command): void {
	// Else --version anywhere in the arguments would be the program's own.
	program.enablePositionalOptions();
	program
		.command("stream")
		.usage("[--agent <name>]... [--index <file>]... [options]")
		.description(
			"Answers another program (Spark, Flink, Ray, a script) in binary frames: reads robots.txt records, snapshots and columns of URLs on stdin, and writes verdicts to stdout. docs/stream.md describes the protocol.",
		)
		.version(
			String(PROTOCOL_VERSION),
			"--version",
			"print the protocol's version",
		)
		.addOption(agentOption())
		.option(
			"--each-agent",
			"judge for each --agent on its own, instead of falling back from one to the next",
		)
		.addOption(
			new Option(
				"-i, --index <file>",
				'start with an index written by "robotrie index", a file or a folder; repeat it for other crawlers, with --each-agent',
			).argParser((file, before: readonly string[] = []) => [...before, file]),
		)
		.addOption(
			new Option(
				"-d, --dialect <name>",
				"how to read robots.txt (default: the first snapshot's, or rfc9309)",
			).choices(dialectNames),
		)
		.addOption(maxBytesOption())
		.addOption(memoryOption())
		.option(
			"--arrow",
			"read Arrow IPC streams instead of frames, and write the same batches with a column of verdicts",
		)
		.option(
			"--column <name>",
			'with --arrow: the column of URLs (default: "url", or the only text column)',
		)
		.option(
			"--verdict <name>",
			'with --arrow: the column of verdicts to add (default: "verdict")',
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 2 wrong options, an unreadable index, or frames that break the protocol.

Examples:
  robotrie stream --agent ExampleBot < frames > replies
  robotrie stream --index sites.index < frames > replies
  robotrie stream --each-agent -a Googlebot -a Bingbot < frames > replies
  robotrie stream --arrow --index sites.index < urls.arrows > verdicts.arrows`,
		)
		.action(stream);
}

async function stream(options: StreamOptions): Promise<void> {
	const rules = new StreamRules(
		agentsOf(options),
		options.dialect,
		options.maxBytes,
	);
	const { arrow, column, verdict } = options;
	const files = options.index ?? [];
	if (arrow && files.length === 0) missing("-i, --index <file>");
	if (!arrow && (column ?? verdict) !== undefined)
		throw new Failure("--column and --verdict need --arrow");
	if (files.length > 1 && !options.eachAgent)
		throw new Failure(
			`${files.length} indexes need --each-agent: without it there is one crawler`,
		);
	// The memory is divided, as each index has shards of its own.
	const memory = options.memory / Math.max(1, files.length);
	// A folder stays on the disk and is loaded shard by shard; a file is loaded whole.
	const load = async (file: string, mayAdd: boolean) => {
		if (isFolder(file))
			await rules.takeFolder(await openFolder(file, memory), mayAdd);
		else rules.take(await readIndex(file), mayAdd);
	};
	for (const file of files) await load(file, true);
	const reload = (file: string) => load(file, false);
	const input = new ByteReader(stdinSource());
	if (options.arrow) {
		// Few use it, and it takes as long to load as all the rest.
		const { answerArrow } = await import("./arrow.ts");
		const { column, verdict = "verdict" } = options;
		await answerArrow(input, { rules, column, verdict, write, reload });
		return;
	}
	let badOrigins = 0;
	// Frames are answered until stdin ends; a broken frame ends the process.
	await answerFrames(input, {
		rules,
		write,
		reload,
		// A record that cannot be kept is no reason to stop: the other program may have millions. stderr names the first few.
		onBadOrigin: (origin) => {
			if (++badOrigins <= MOST_NAMED)
				tell(
					`warning: ${JSON.stringify(origin.slice(0, 80))} is not the URL of an origin; its record is left out`,
				);
		},
	});
	if (badOrigins > MOST_NAMED)
		tell(`warning: ${count(badOrigins, "record")} left out in all`);
}

/** A list of crawlers, each with the names that it falls back on. It is empty where an index or a snapshot names them. */
function agentsOf({ agent, eachAgent }: StreamOptions) {
	if (agent === undefined) return [];
	return eachAgent ? agent.map((name) => agentOf([name])) : [agentOf(agent)];
}
