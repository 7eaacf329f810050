import type { RobotsClient } from "@robotrie/client";
import type { Agent } from "robotrie";
import { RobotsTxt, robotsUrlFor } from "robotrie";
import type { RobotsAccess } from "robotrie/access";
import { failureTexts, isHeader } from "robotrie/internal";
import { doubtAbout, doubtText } from "../input/robots-file.ts";
import { agentOf } from "../options/options.ts";
import { Failure } from "../output/failure.ts";
import { tell } from "../output/output.ts";
import { openClient, type RequestOptions } from "./client-options.ts";

/** What was fetched for a URL. */
export interface FetchedRobots extends Pick<RobotsAccess, "access" | "reason"> {
	/** The file whose rules hold; null if no file decides. */
	readonly robots: RobotsTxt | null;
	/** Why nothing is known of the rules: the site did not answer, or was not asked. */
	readonly unknown: string | undefined;
	/** The site was not asked, as its address is not public. */
	readonly refused: boolean;
	/** There was no whole HTTP response. */
	readonly unanswered: boolean;
	/** The file that was fetched, if one was. */
	readonly body: Uint8Array | undefined;
}

/** Fetches the robots.txt files of sites, each once. */
export class SiteRobots {
	readonly agent: Agent;
	readonly #client: RobotsClient;
	readonly close: () => Promise<void>;

	private constructor(
		agent: Agent,
		client: RobotsClient,
		close: () => Promise<void>,
	) {
		this.agent = agent;
		this.#client = client;
		this.close = close;
	}

	static async open(
		options: Partial<RequestOptions>,
		agents: readonly string[],
	): Promise<SiteRobots> {
		const agent = agentOf(agents);
		const { client, close } = await openClient(
			// A header is sent as it was given.
			{ userAgent: agents.find(isHeader), ...options },
			agent,
		);
		return new SiteRobots(agent, client, close);
	}

	/** @throws {RobotrieError} invalid-url, for anything but an absolute http, https or ftp URL. */
	async of(url: string): Promise<FetchedRobots> {
		const answer = await this.#client.robots(url);
		const { access, robots, reason, code } = answer;
		const refused = code === "address-refused";
		return {
			access,
			reason,
			robots,
			refused,
			unanswered: code in failureTexts,
			body: access === "rules" ? answer.copy?.body : undefined,
			unknown: refused
				? `${reason} --allow-private-network asks such addresses.`
				: access === "disallow-all"
					? reason
					: undefined,
		};
	}
}

/** The robots.txt of a site, in the place of a file; an empty one if it has none. @throws {Failure} When it cannot be had. */
export async function robotsOfSite(
	url: string,
	options: Partial<RequestOptions>,
	agents: readonly string[],
): Promise<RobotsTxt> {
	const { robots, access, unknown, body } = await fetchRobots(
		url,
		options,
		agents,
	);
	const doubt = body && doubtAbout(body);
	if (doubt !== undefined) tell(doubtText(robotsUrlFor(url), doubt));
	if (robots) return robots;
	const { dialect } = options;
	if (unknown === undefined && access === "allow-all")
		return RobotsTxt.parse("", dialect ? { dialect } : {});
	throw new Failure(`cannot read the robots.txt of ${url}: ${unknown}`);
}

/** The bytes of a site's robots.txt. @throws {Failure} When there are none. */
export async function robotsBytesOfSite(
	url: string,
	options: Partial<RequestOptions>,
): Promise<Uint8Array> {
	const { body, unknown, reason } = await fetchRobots(url, options, ["*"]);
	if (body) return body;
	throw new Failure(
		`cannot read the robots.txt of ${url}: ${unknown ?? reason}`,
	);
}

/** The robots.txt of one site. */
async function fetchRobots(
	url: string,
	options: Partial<RequestOptions>,
	agents: readonly string[],
): Promise<FetchedRobots> {
	const sites = await SiteRobots.open(options, agents);
	try {
		return await sites.of(url);
	} finally {
		await sites.close();
	}
}
