/**
 * A RobotsClient for each crawler that is asked about. A client's rules are those of one agent in one dialect; all clients of a service share
 * its store, its limit of requests and, where the store can, fetches. Those that were not used for longest leave when there are too many.
 */

import { lookup as dnsLookup } from "node:dns";
import {
	RequestLimit,
	RobotsClient,
	type RobotsClientOptions,
	type RobotsStore,
} from "@robotrie/client";
import { paceKey } from "@robotrie/client/internal";
import { type Dialect, dialectNames } from "robotrie";

import { Refusal } from "./bounds.ts";

/** What the clients have in common. */
export interface CrawlersOptions {
	readonly client: Omit<RobotsClientOptions, "agent" | "dialect" | "store">;
	readonly store: RobotsStore;
	/** The crawler of requests that name none. */
	readonly agent: readonly string[] | undefined;
	readonly dialect: Dialect;
	/** Most clients. */
	readonly maxAgents: number;
	/** Called with each new client. */
	readonly onClient: (client: RobotsClient) => void;
}

/** A crawler's client and what is using it. */
export interface Crawler {
	readonly client: RobotsClient;
	uses: number;
}

/** Of an agent, in characters: longer ones are no product tokens. */
export const LONGEST_AGENT = 200;

/** Whether a service takes a text for a crawler's name: headers have spaces, and are read by whoever sends the request. */
export const isAgent = (text: unknown): text is string =>
	typeof text === "string" &&
	text.length <= LONGEST_AGENT &&
	/^[\x21-\x7e]+$/.test(text);

export class Crawlers {
	readonly #options: CrawlersOptions;
	readonly #limit: RequestLimit;
	/** The least recently used first. */
	readonly #crawlers = new Map<string, Crawler>();
	readonly #closing = new Set<Promise<void>>();

	constructor(options: CrawlersOptions) {
		this.#options = options;
		const { concurrency = 50 } = options.client;
		this.#limit =
			concurrency instanceof RequestLimit
				? concurrency
				: new RequestLimit(concurrency);
	}

	/** All clients. */
	*clients(): Generator<RobotsClient> {
		for (const { client } of this.#crawlers.values()) yield client;
	}

	/** The crawler that a request names, or the service's own. @throws {Refusal} */
	of(
		agents: readonly string[] | undefined = this.#options.agent,
		dialect: string = this.#options.dialect,
	): Crawler {
		if (agents === undefined)
			throw new Refusal(400, "no-agent", "name the crawler: ?agent=ExampleBot");
		const key = `${dialect} ${agents.join(" ")}`;
		let crawler = this.#crawlers.get(key);
		if (!crawler) {
			crawler = this.#make(agents, dialect, key);
			this.#crawlers.set(key, crawler);
		} else if (this.#crawlers.size > this.#options.maxAgents / 2) {
			// To the end of the Map, whose order is that of use. While there are few clients none has to leave, and every request is spared this.
			this.#crawlers.delete(key);
			this.#crawlers.set(key, crawler);
		}
		return crawler;
	}

	/** Forgets in memory what is known of an origin. */
	async forget(origin: string): Promise<void> {
		for (const client of this.clients()) await client.forget(origin);
	}

	async close(): Promise<void> {
		for (const { client } of this.#crawlers.values())
			this.#closing.add(client.close());
		await Promise.all(this.#closing);
	}

	#make(agents: readonly string[], dialect: string, key: string): Crawler {
		const name = dialectNames.find((each) => each === dialect);
		if (!name)
			throw new Refusal(
				400,
				"invalid-dialect",
				`a dialect is one of ${dialectNames.join(", ")}`,
			);
		if (!agents.every(isAgent))
			throw new Refusal(
				400,
				"invalid-agent",
				"an agent is a product token, such as ExampleBot",
			);
		// After the names were checked: a wrong one must not drive a client out.
		this.#makeRoom();
		const { client: shared, store } = this.#options;
		const { paceBy = "host", lookup = dnsLookup } = shared;
		const client = new RobotsClient({
			...shared,
			// One name for all: what is fetched for one crawler is kept for all of them.
			userAgent: shared.userAgent ?? this.#options.agent?.[0] ?? "robotrie",
			agent: agents,
			dialect: name,
			store,
			concurrency: this.#limit,
			shareFetches: store.replace !== undefined,
			// A crawler's visits are its own: what is kept of them is told apart by its name.
			paceBy: (origin) => {
				const server = paceKey(origin, paceBy, lookup);
				return typeof server === "string"
					? `${key} ${server}`
					: server.then((server) => `${key} ${server}`);
			},
		});
		this.#options.onClient(client);
		return { client, uses: 0 };
	}

	#makeRoom(): void {
		if (this.#crawlers.size < this.#options.maxAgents) return;
		for (const [key, { client, uses }] of this.#crawlers) {
			// A request is using it, and would fail.
			if (uses > 0) continue;
			this.#crawlers.delete(key);
			const closing = client.close();
			this.#closing.add(closing);
			closing.then(() => this.#closing.delete(closing));
			return;
		}
		throw new Refusal(
			503,
			"busy",
			"too many different crawlers are being asked about",
			1,
		);
	}
}
