import { InvalidArgumentError, Option } from "commander";
import { dialectNames } from "../dialect.ts";
import { type Dialect, RobotsTxt } from "../index.ts";
import { Failure } from "./failure.ts";
import { readWhole, STDIN } from "./input.ts";
import { tell } from "./output.ts";

/** Options about how a robots.txt is read. */
export interface ReadingOptions {
	readonly dialect: Dialect;
	readonly maxBytes?: number;
}

/** Options that name a robots.txt and a crawler. */
export interface RobotsOptions extends ReadingOptions {
	readonly robots?: string;
	readonly agent?: readonly string[];
}

export function dialectOption(): Option {
	return new Option(
		"-d, --dialect <name>",
		"whose reading of robots.txt counts",
	)
		.choices(dialectNames)
		.default("rfc9309");
}

export function maxBytesOption(description: string): Option {
	return new Option("--max-bytes <number>", description).argParser(byteCount);
}

export function readingOptions(): Option[] {
	return [
		dialectOption(),
		maxBytesOption(
			"octets of robots.txt that are read (default: 512000, in the google dialect all)",
		),
	];
}

export function agentOption(): Option {
	return new Option(
		"-a, --agent <name>",
		"the crawler's product token; again for the names it falls back to, most specific first",
	).argParser(collectAgents);
}

export function robotsOptions(): Option[] {
	return [
		new Option("-r, --robots <file>", 'the robots.txt; "-" for stdin'),
		agentOption(),
		...readingOptions(),
	];
}

function byteCount(text: string): number {
	if (!/^\d{1,15}$/.test(text))
		throw new InvalidArgumentError("It is no number of octets.");
	return Number(text);
}

function collectAgents(
	name: string,
	before: readonly string[] | undefined,
): readonly string[] {
	if (name.trim() === "") throw new InvalidArgumentError("It is empty.");
	return [...(before ?? []), name];
}

export async function readRobots(
	file: string,
	options: ReadingOptions,
): Promise<RobotsTxt> {
	const { dialect, maxBytes } = options;
	return RobotsTxt.parse(await readWhole(file), {
		dialect,
		...(maxBytes === undefined ? {} : { maxBytes }),
	});
}

/** The robots.txt and the crawler that the options name. `stdinTaken` says that stdin is read for something else. */
export async function openRobots(
	options: RobotsOptions,
	stdinTaken: boolean,
): Promise<{ robots: RobotsTxt; agents: readonly string[] }> {
	// Not left to commander, which would complain about them before it names a misspelled option.
	const file = options.robots ?? missing("-r, --robots <file>");
	const agents = agentsOf(options.agent);
	if (file === STDIN && stdinTaken)
		throw new Failure("stdin cannot be both the robots.txt and the URLs");
	return { robots: await readRobots(file, options), agents };
}

/** The crawler that the options name, with a word about names that are no product tokens. */
export function agentsOf(given: readonly string[] | undefined) {
	const agents = given ?? missing("-a, --agent <name>");
	for (const agent of agents) {
		// A whole User-Agent header is easily given; of "Mozilla/5.0 (compatible; …)" the token is "Mozilla".
		if (agent !== "*" && !/^[\w-]+$/.test(agent))
			tell(
				`warning: agent "${agent}" is no product token such as "Googlebot"; robots.txt files rarely name it`,
			);
	}
	return agents;
}

function missing(option: string): never {
	throw new Failure(`required option '${option}' not specified`);
}
