/**
 * Options that commands share, each made in one place so that it has the same name, text and check everywhere, and what the common ones mean.
 * A command reads what it declares: options.test.ts is red otherwise.
 */

import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
	type Agent,
	appliesTo,
	type Dialect,
	dialectFor,
	dialectNames,
	recognise,
	robotsUrlFor,
} from "robotrie";
import { suggestAgent } from "robotrie/internal";
import { isHeader } from "#robotrie/common/agents";
import { tokensText } from "#robotrie/common/verdict-texts";
import { Failure, tell } from "../output/output.ts";

/**
 * Options about how a robots.txt is read. All commands that read a robots.txt have these two.
 */
export interface ReadingOptions {
	readonly dialect: Dialect | "auto";
	readonly maxBytes?: number;
}

/** Options that name a robots.txt and a crawler. */
export interface RobotsOptions extends ReadingOptions {
	readonly robots?: string;
	readonly agent?: readonly string[];
}

/** Functions make an option anew for each command, as commander keeps values in them. */
export function dialectOption(): Option {
	return new Option("-d, --dialect <name>", "how to read robots.txt")
		.choices(dialectNames)
		.default(dialectNames[0]);
}

/** Of commands that answer about crawlers by name. */
export function dialectChoiceOption(): Option {
	return new Option(
		"-d, --dialect <name>",
		"how to read robots.txt; auto: as the crawler's operator does, Google's crawlers by google, those of Yandex by yandex, all others by rfc9309",
	)
		.choices(["auto", ...dialectNames])
		.default("auto");
}

export function maxBytesOption(
	description = "bytes of robots.txt to read (default: 512000; the google dialect reads all)",
): Option {
	return new Option("--max-bytes <number>", description).argParser(byteCount);
}

export function readingOptions(): Option[] {
	return [dialectChoiceOption(), maxBytesOption()];
}

export function robotsOption(): Option {
	return new Option(
		"-r, --robots <file>",
		'the robots.txt: a file, "-" for stdin, or the URL of a site',
	);
}

export function agentOption(): Option {
	return new Option(
		"-a, --agent <name>",
		"the crawler: a product token or a User-Agent header; repeat it for tokens to fall back to",
	).argParser(collectAgents);
}

/** The usual four; `index` and `stream` have their own, as they read no single file. */
export function robotsOptions(): Option[] {
	return [robotsOption(), agentOption(), ...readingOptions()];
}

function byteCount(text: string): number {
	// Digits only, so that "500K" is not read as 500.
	if (!/^\d{1,15}$/.test(text))
		throw new InvalidArgumentError("Expected a number of bytes.");
	return Number(text);
}

export function collectAgents(
	name: string,
	before: readonly string[] | undefined,
): readonly string[] {
	if (name.trim() === "") throw new InvalidArgumentError("Expected a name.");
	return [...(before ?? []), name];
}

/**
 * The crawler that the options name, with a warning about text that hardly names any. Headers are
 * replaced by their tokens, so that all dialects recognise the crawler.
 */
export function agentOf(given: readonly string[] | undefined): Agent {
	const agents = given ?? missing("-a, --agent <name>");
	for (const agent of agents) {
		const { token } = recognise(agent);
		if (agent !== "*" && /^(mozilla)?$/i.test(token))
			// A bare "Mozilla" is what every browser sends, and chooses no group.
			tell(
				`warning: agent "${agent}" does not name a crawler; use a product token such as "Googlebot"`,
			);
		else warnOfName(agent);
	}
	return agents.map((agent) =>
		isHeader(agent) ? (recognise(agent).productToken ?? agent) : agent,
	);
}

/**
 * A warning of commands that judge by rules of one dialect, which is not the crawler's operator's: `explain` and others (`--dialect auto`) may
 * answer otherwise about the same crawler.
 */
export function warnOfDialect(command: Command, agent: Agent): void {
	const own = dialectFor(agent);
	if (own !== dialectNames[0] && !givenOption(command, ["dialect"]))
		tell(
			`warning: ${[agent].flat()[0]} is judged as ${dialectNames[0]}; its operator reads robots.txt as --dialect ${own} does`,
		);
}

/** A warning about a name that is nearly a well-known crawler's. */
export function warnOfName(agent: string): void {
	const suggestion = suggestAgent(agent);
	if (suggestion)
		tell(
			`warning: agent "${agent}" is not a well-known crawler; did you mean ${tokensText(suggestion)}?`,
		);
}

/**
 * @throws {Failure} For a file that applies to no URL.
 * @throws {RobotrieError} invalid-url.
 */
export function checkRobotsUrl(url: string): void {
	if (!appliesTo(url, url))
		throw new Failure(
			`${url} governs no URL: the robots.txt of that host is ${robotsUrlFor(url)}`,
		);
}

/** Not left to commander, which would complain about it before it names a misspelled option. */
export function missing(option: string): never {
	throw new Failure(`required option '${option}' not specified`);
}

/**
 * The first of some options that the command line has, by the names of their attributes. By
 * attribute, so that `--no-progress` and `--progress` count as one.
 */
export function givenOption(
	command: Command,
	attributes: readonly string[],
): Option | undefined {
	return command.options.find((option) => {
		const name = option.attributeName();
		return (
			attributes.includes(name) && command.getOptionValueSource(name) === "cli"
		);
	});
}

/**
 * `--progress` and `--no-progress`. On by default only where a person looks; in a pipe it would be
 * noise.
 */
export function progressOptions(
	description = "show progress on stderr (default: if stderr is a terminal)",
): Option[] {
	return [
		new Option("--progress", description),
		new Option("--no-progress", "do not show progress"),
	];
}

const GIB = 1024 ** 3;
const UNITS: Readonly<Record<string, number>> = {
	K: 1024,
	M: 1024 ** 2,
	G: GIB,
};

/** Memory for shards that are loaded at a time. */
export function memoryOption(
	what = "memory for the parts of an index that are loaded at a time",
): Option {
	return new Option(
		"--memory <size>",
		`${what}: bytes, or a number with K, M or G`,
	)
		.argParser(memorySize)
		.default(GIB, "1G");
}

function memorySize(text: string): number {
	// "500M" and "500m" are the same size.
	const [, digits = "", unit = ""] = /^(\d{1,15})([KMG]?)$/i.exec(text) ?? [];
	if (digits === "")
		throw new InvalidArgumentError(
			"Expected a number of bytes, or one with K, M or G.",
		);
	return Number(digits) * (UNITS[unit.toUpperCase()] ?? 1);
}

const MOST_WORKERS = 64;
const MOST_BY_DEFAULT = 4;

/** `--workers`; `what` says what the threads do, and how many there are by default. */
export function workersOption(what: string): Option {
	return new Option("--workers <number>", what).argParser((text) => {
		const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
		if (number < 1 || number > MOST_WORKERS)
			throw new InvalidArgumentError(
				`Expected a whole number from 1 to ${MOST_WORKERS}.`,
			);
		return number;
	});
}

/**
 * Without `--workers`: as many threads as are worth starting if each has so many bytes to read.
 * Threads are not worth their start for little input, and never more than the machine has
 * processors.
 */
export function workersFor(bytes: number, worthOne: number): number {
	const wanted = Math.max(1, Math.floor(bytes / worthOne));
	return Math.min(availableParallelism(), MOST_BY_DEFAULT, wanted);
}
