/**
 * Where a command's robots.txt comes from: the file, stdin or site that --robots or an argument names (`robotsOf`, `openRobots`), or, for
 * `explain` and `indexing` without --robots, the site of each URL (`openSource`). It stands in this folder and not beside the options, as
 * fetching has options of its own. The client's code is loaded only for a site.
 */
import type { RobotsClient } from "@robotrie/client";
import {
	type Agent,
	appliesTo,
	type Dialect,
	type Explanation,
	RobotrieError,
	RobotsTxt,
	robotsUrlFor,
} from "robotrie";
import { type RobotsAccess, rulesOf } from "robotrie/access";
import { failureTexts, OwnDialects, readingFor } from "robotrie/internal";
import { isHeader } from "#robotrie/common/agents";
import { quote } from "#robotrie/common/quote";
import { STDIN } from "../input/input.ts";
import {
	doubtAbout,
	doubtText,
	isSiteUrl,
	readRobotsFile,
} from "../input/robots-file.ts";
import {
	agentOf,
	checkRobotsUrl,
	missing,
	type ReadingOptions,
	type RobotsOptions,
} from "../options/options.ts";
import { EXIT_FAILED, Failure, tell } from "../output/output.ts";
import { openClient, type RequestOptions } from "./client-options.ts";

/** How the robots.txt of a site is asked for. */
type SiteOptions = Partial<Pick<RequestOptions, "timeout">> &
	Omit<RequestOptions, "timeout" | keyof ReadingOptions>;

/** The robots.txt in a file, on stdin, or of a site, as each crawler reads it. @throws {Failure} When it cannot be had. */
export async function readRobots(
	file: string,
	options: ReadingOptions & SiteOptions,
	agents: readonly string[] = ["*"],
): Promise<OwnDialects> {
	const { dialect, maxBytes } = options;
	// A site's robots.txt is fetched as the crawler it is for would fetch it.
	const bytes = isSiteUrl(file)
		? await bytesOfSite(file, options, agents)
		: await readRobotsFile(file);
	return new OwnDialects(bytes, dialect, maxBytes);
}

/**
 * The robots.txt that the options name, as each crawler reads it. `explain` and `match` need an agent; `show` reads a file
 * without one.
 * @param stdinTaken Whether stdin is read for something else.
 * @param file What takes the place of `--robots`.
 */
export async function robotsOf(
	options: RobotsOptions & SiteOptions,
	stdinTaken: boolean,
	file: string | undefined = options.robots,
	agents: readonly string[] | undefined = options.agent,
): Promise<OwnDialects> {
	if (file === undefined) missing("-r, --robots <file>");
	// Both would read the same stream, and one would get the other's bytes.
	if (file === STDIN && stdinTaken)
		throw new Failure("stdin cannot be both the robots.txt and the URLs");
	return readRobots(file, options, agents);
}

/** The robots.txt and the crawler that the options name; `agents` takes the place of `--agent`. */
export async function openRobots(
	options: RobotsOptions & SiteOptions,
	stdinTaken: boolean,
	agents: readonly string[] | undefined = options.agent,
): Promise<{ robots: OwnDialects; agent: Agent }> {
	const { robots: file } = options;
	// Checked here, so that each command's message names the option that it has.
	if (file === undefined) missing("-r, --robots <file>");
	if (agents === undefined) missing("-a, --agent <name>");
	return {
		robots: await robotsOf(options, stdinTaken, file, agents),
		agent: agentOf(agents),
	};
}

/** What was fetched for a URL. */
interface FetchedRobots extends Pick<RobotsAccess, "access" | "reason"> {
	/** The file whose rules apply; null if no file decides. */
	readonly robots: RobotsTxt | null;
	/** Why nothing is known of the rules: the site did not answer, or was not asked. */
	readonly unknown: string | undefined;
	/** The site was not asked, as its address is not public. */
	readonly refused: boolean;
	/** There was no whole HTTP response. */
	readonly unanswered: boolean;
	/** The file that was fetched, if one was. */
	readonly body: Uint8Array | undefined;
	/** While the robots.txt cannot be had for now: from when on to ask again, in milliseconds since 1970. */
	readonly at: number | undefined;
}

/**
 * Fetches the robots.txt files of sites, each once. One client for all of them, so that a site is
 * asked once however many URLs it has.
 */
class SiteRobots {
	readonly #client: RobotsClient;
	readonly #options: Partial<RequestOptions>;
	readonly close: () => Promise<void>;

	private constructor(
		options: Partial<RequestOptions>,
		client: RobotsClient,
		close: () => Promise<void>,
	) {
		this.#options = options;
		this.#client = client;
		this.close = close;
	}

	/**
	 * @param agents As the options have them: headers are sent as they were given.
	 * @param dialect In which answers without a file count.
	 */
	static async open(
		options: Partial<RequestOptions>,
		agents: readonly string[],
		agent: Agent,
		dialect: Dialect,
	): Promise<SiteRobots> {
		const userAgent = options.userAgent ?? agents.find(isHeader);
		const own = { userAgent, dialect };
		const { client, close } = await openClient(options, agent, own);
		return new SiteRobots(options, client, close);
	}

	/** @throws {RobotrieError} invalid-url, for anything but an absolute http, https or ftp URL. */
	async of(url: string): Promise<FetchedRobots> {
		// The client answers for a URL; here only the file of its site matters.
		const answer = await this.#client.robots(url);
		const { access, reason, code } = answer;
		const body = access === "rules" ? answer.copy?.body : undefined;
		const refused = code === "address-refused";
		return {
			access,
			reason,
			robots: answer.robots && this.#asCrawlersRead(answer.robots, body),
			refused,
			unanswered: code in failureTexts,
			at: rulesOf(answer) === "later" ? answer.expires : undefined,
			body,
			unknown: refused
				? `${reason} --allow-private-network asks such addresses.`
				: access === "disallow-all"
					? reason
					: undefined,
		};
	}

	/** A file that the client has read, as the table of crawlers has it read. */
	#asCrawlersRead(robots: RobotsTxt, body: Uint8Array | undefined): RobotsTxt {
		const { dialect, maxBytes } = this.#options;
		return dialect !== "auto" || robots.rules.knowsCrawlers || !body
			? robots
			: RobotsTxt.parse(body, {
					dialect: robots.dialect,
					knowsCrawlers: true,
					...(maxBytes === undefined ? {} : { maxBytes }),
				});
	}
}

const NOTHING = new Uint8Array();

/** The bytes of a site's robots.txt instead of a file; none if it has no robots.txt. @throws {Failure} When it cannot be had. */
async function bytesOfSite(
	url: string,
	options: Partial<RequestOptions>,
	agents: readonly string[],
): Promise<Uint8Array> {
	const { access, unknown, body } = await fetchRobots(url, options, agents);
	const doubt = body && doubtAbout(body);
	if (doubt !== undefined) tell(doubtText(robotsUrlFor(url), doubt));
	if (body) return body;
	// No answer and an answer without rules are different: the first says nothing, the second
	// everything. An empty robots.txt allows everything, which is what the answer means.
	if (unknown === undefined && access === "allow-all") return NOTHING;
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

/**
 * The robots.txt of one site. The client is closed again, as one file is all that is wanted.
 */
async function fetchRobots(
	url: string,
	options: Partial<RequestOptions>,
	agents: readonly string[],
): Promise<FetchedRobots> {
	const agent = agentOf(agents);
	const dialect = readingFor(options.dialect ?? "auto", agent).dialect;
	const sites = await SiteRobots.open(options, agents, agent, dialect);
	try {
		return await sites.of(url);
	} finally {
		await sites.close();
	}
}

interface SourceOptions extends RobotsOptions, RequestOptions {
	readonly robotsUrl?: string;
}

/** A robots.txt that was fetched. */
export interface Fetched {
	readonly robotsUrl: string;
	/** What came of the request. */
	readonly status: string;
}

/**
 * The file that decides about a URL, the answer where none does, or why there is no answer. Three
 * cases, so that a caller cannot forget that there may be no answer.
 */
type Answer =
	| { readonly robots: RobotsTxt; readonly from?: Fetched }
	| {
			readonly explanation: Explanation;
			readonly from?: Fetched;
			/** As in FetchedRobots. */
			readonly at: number | undefined;
			/** There was no whole HTTP response: the answer is a rule about silence, and the exit code is 2. */
			readonly unanswered: boolean;
	  }
	| { readonly unknown: string };

interface Source {
	/** The crawler that the options name. */
	readonly agent: Agent;
	/** @param agent Where several are asked about, this one. */
	answer(url: string, agent?: Agent): Promise<Answer>;
	close(): Promise<void>;
}

/**
 * The robots.txt that the options name, or those of the URLs' sites.
 * @param stdinTaken Whether stdin is read for URLs.
 * @param agents What takes the place of `--agent`.
 */
export async function openSource(
	options: SourceOptions,
	stdinTaken: boolean,
	agents: readonly string[] | undefined = options.agent,
): Promise<Source> {
	// A robots.txt of its own for each site, or one for all.
	return options.robots === undefined
		? sites(options, agents)
		: oneFile(options, stdinTaken, agents);
}

async function oneFile(
	options: SourceOptions,
	stdinTaken: boolean,
	agents: readonly string[] | undefined,
): Promise<Source> {
	const scope = options.robotsUrl;
	// A file may be given with the URL it governs, so that others are unknown.
	if (scope !== undefined) checkRobotsUrl(scope);
	const { robots, agent } = await openRobots(options, stdinTaken, agents);
	return {
		agent,
		async answer(url, asked = agent) {
			const elsewhere = scope === undefined ? null : outOfScope(scope, url);
			return elsewhere === null
				? { robots: robots.of(asked) }
				: { unknown: elsewhere };
		},
		async close() {},
	};
}

/** Why a robots.txt says nothing about a URL, or null where it holds for it; for a path it does. */
function outOfScope(robotsUrl: string, url: string): string | null {
	if (url.startsWith("/") || appliesTo(robotsUrl, url)) return null;
	return `${robotsUrl} does not govern this URL, but ${robotsUrlFor(url)} does.`;
}

async function sites(
	options: SourceOptions,
	agents: readonly string[] | undefined,
): Promise<Source> {
	// Without a file there is no file whose URL could be checked.
	if (options.robotsUrl !== undefined)
		throw new Failure(
			"--robots-url needs --robots: without a file, each URL's own robots.txt is fetched",
		);
	if (agents === undefined) missing("-a, --agent <name>");
	const agent = agentOf(agents);
	// What an answer without a file means depends on the dialect, so each has a client of its own.
	const clients = new Map<Dialect, Promise<SiteRobots>>();
	const clientFor = (asked: Agent) => {
		const dialect = readingFor(options.dialect, asked).dialect;
		const known = clients.get(dialect);
		if (known) return known;
		const opened = SiteRobots.open(options, agents, agent, dialect);
		clients.set(dialect, opened);
		return opened;
	};
	await clientFor(agent);
	return {
		agent,
		async answer(url, asked = agent) {
			// A path has no host to ask, while with a file it needs none.
			if (url.startsWith("/"))
				throw new RobotrieError(
					"invalid-url",
					`${quote(url)} has no host to fetch a robots.txt from: give an absolute URL, or the file by '-r, --robots <file>'`,
				);
			const { robots, access, reason, refused, unanswered, unknown, at } =
				await (await clientFor(asked)).of(url);
			// A site that is refused on purpose is not a failure of the command.
			if (unanswered) process.exitCode = EXIT_FAILED;
			if (refused && unknown !== undefined) return { unknown };
			// Where a file decided, its URL is said, as redirects may have led to it.
			const from = { robotsUrl: robotsUrlFor(url), status: statusOf(reason) };
			if (robots) return { robots, from };
			const allowed = access === "allow-all";
			return {
				explanation: { allowed, rule: null, group: null, reason },
				from,
				at,
				unanswered,
			};
		},
		async close() {
			for (const client of clients.values()) await (await client).close();
		},
	};
}

/** "HTTP 200: the rules of the file hold." begins with what came of the request. */
function statusOf(reason: string): string {
	return reason.split(":")[0] ?? reason;
}
