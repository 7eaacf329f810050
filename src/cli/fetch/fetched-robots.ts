import type { RobotsAccess } from "../../access/access.ts";
import type { RobotsClient } from "../../client/robots-client.ts";
import { isHeader } from "../../crawlers/crawlers.ts";
import type { Agent } from "../../matching/agents.ts";
import type { RobotsTxt } from "../../matching/robots-txt.ts";
import { agentOf } from "../options/options.ts";
import { openClient, type RequestOptions } from "./client-options.ts";

/** What was fetched for a URL. */
export interface FetchedRobots extends Pick<RobotsAccess, "access" | "reason"> {
	/** The file whose rules hold; null if no file decides. */
	readonly robots: RobotsTxt | null;
	/** Why nothing is known of the rules: the site did not answer, or was not asked. */
	readonly unknown: string | undefined;
	/** The site was not asked, as its address is not public. */
	readonly refused: boolean;
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
		options: RequestOptions,
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
			unknown: refused
				? `${reason} --allow-private-network asks such addresses.`
				: access === "disallow-all"
					? reason
					: undefined,
		};
	}
}

/** The robots.txt of one site. */
export async function fetchRobots(
	url: string,
	options: RequestOptions,
	agents: readonly string[],
): Promise<FetchedRobots> {
	const sites = await SiteRobots.open(options, agents);
	try {
		return await sites.of(url);
	} finally {
		await sites.close();
	}
}
