/**
 * The robots.txt that `--robots` or an argument names: a file, stdin, or the file of a site, which is fetched. Here and not beside the
 * options, as fetching has options of its own.
 */
import type { Agent } from "robotrie";
import { RobotsTxt } from "robotrie";
import { STDIN } from "../input/input.ts";
import { isSiteUrl, readRobotsFile } from "../input/robots-file.ts";
import {
	agentOf,
	missing,
	type ReadingOptions,
	type RobotsOptions,
} from "../options/options.ts";
import { Failure } from "../output/failure.ts";
import type { RequestOptions } from "./client-options.ts";

/** How the robots.txt of a site is asked for. */
type SiteOptions = Partial<Pick<RequestOptions, "timeout">> &
	Omit<RequestOptions, "timeout" | keyof ReadingOptions>;

/** The robots.txt in a file, on stdin, or of a site. @throws {Failure} When it cannot be had. */
export async function readRobots(
	file: string,
	options: ReadingOptions & SiteOptions,
	agents: readonly string[] = ["*"],
): Promise<RobotsTxt> {
	const { dialect, maxBytes } = options;
	if (isSiteUrl(file)) {
		const { robotsOfSite } = await import("./fetched-robots.ts");
		return robotsOfSite(file, options, agents);
	}
	return RobotsTxt.parse(await readRobotsFile(file), {
		dialect,
		...(maxBytes === undefined ? {} : { maxBytes }),
	});
}

/** The robots.txt that the options name. `stdinTaken` says that stdin is read for something else. */
export async function robotsOf(
	options: RobotsOptions & SiteOptions,
	stdinTaken: boolean,
): Promise<RobotsTxt> {
	const file = options.robots ?? missing("-r, --robots <file>");
	if (file === STDIN && stdinTaken)
		throw new Failure("stdin cannot be both the robots.txt and the URLs");
	return readRobots(file, options, options.agent);
}

/** The robots.txt and the crawler that the options name. */
export async function openRobots(
	options: RobotsOptions & SiteOptions,
	stdinTaken: boolean,
): Promise<{ robots: RobotsTxt; agent: Agent }> {
	if (options.robots === undefined) missing("-r, --robots <file>");
	const agents = options.agent ?? missing("-a, --agent <name>");
	return {
		robots: await robotsOf(options, stdinTaken),
		agent: agentOf(agents),
	};
}
