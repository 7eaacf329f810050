import type { Agent, Explanation, RobotsTxt } from "robotrie";
import { appliesTo, RobotrieError, robotsUrlFor } from "robotrie";
import { quote } from "robotrie/internal";
import type { RequestOptions } from "./fetch/client-options.ts";
import { openRobots } from "./fetch/named-robots.ts";
import {
	checkRobotsUrl,
	missing,
	type RobotsOptions,
} from "./options/options.ts";
import { EXIT_FAILED, Failure } from "./output/failure.ts";

interface SourceOptions extends RobotsOptions, RequestOptions {
	readonly robotsUrl?: string;
}

/** A robots.txt that was fetched. */
export interface Fetched {
	readonly robotsUrl: string;
	/** What came of the request. */
	readonly status: string;
}

/** The file that decides about a URL, the answer where none does, or why there is no answer. */
type Answer =
	| { readonly robots: RobotsTxt; readonly from?: Fetched }
	| { readonly explanation: Explanation; readonly from?: Fetched }
	| { readonly unknown: string };

interface Source {
	readonly agent: Agent;
	answer(url: string): Promise<Answer>;
	close(): Promise<void>;
}

/** The robots.txt that the options name, or those of the URLs' sites. `stdinTaken` says that stdin is read for URLs. */
export async function openSource(
	options: SourceOptions,
	stdinTaken: boolean,
): Promise<Source> {
	return options.robots === undefined
		? sites(options)
		: oneFile(options, stdinTaken);
}

async function oneFile(
	options: SourceOptions,
	stdinTaken: boolean,
): Promise<Source> {
	const scope = options.robotsUrl;
	if (scope !== undefined) checkRobotsUrl(scope);
	const { robots, agent } = await openRobots(options, stdinTaken);
	return {
		agent,
		async answer(url) {
			const elsewhere = scope === undefined ? null : outOfScope(scope, url);
			return elsewhere === null ? { robots } : { unknown: elsewhere };
		},
		async close() {},
	};
}

/** Why a robots.txt says nothing about a URL, or null where it holds for it; for a path it does. */
function outOfScope(robotsUrl: string, url: string): string | null {
	if (url.startsWith("/") || appliesTo(robotsUrl, url)) return null;
	return `${robotsUrl} does not govern this URL, but ${robotsUrlFor(url)} does.`;
}

async function sites(options: SourceOptions): Promise<Source> {
	if (options.robotsUrl !== undefined)
		throw new Failure(
			"--robots-url needs --robots: without a file, each URL's own robots.txt is fetched",
		);
	const agents = options.agent ?? missing("-a, --agent <name>");
	const { SiteRobots } = await import("./fetch/fetched-robots.ts");
	const files = await SiteRobots.open(options, agents);
	return {
		agent: files.agent,
		async answer(url) {
			if (url.startsWith("/"))
				throw new RobotrieError(
					"invalid-url",
					`${quote(url)} has no host to fetch a robots.txt from: give an absolute URL, or the file by '-r, --robots <file>'`,
				);
			const { robots, access, reason, refused, unanswered, unknown } =
				await files.of(url);
			if (unanswered) process.exitCode = EXIT_FAILED;
			if (refused && unknown !== undefined) return { unknown };
			const from = { robotsUrl: robotsUrlFor(url), status: statusOf(reason) };
			if (robots) return { robots, from };
			const allowed = access === "allow-all";
			return {
				explanation: { allowed, rule: null, group: null, reason },
				from,
			};
		},
		close: files.close,
	};
}

/** "HTTP 200: the rules of the file hold." begins with what came of the request. */
function statusOf(reason: string): string {
	return reason.split(":")[0] ?? reason;
}
