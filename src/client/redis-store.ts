import { check, checkOptions, type OptionTable } from "../common/arguments.ts";
import { quote, RobotrieError } from "../common/errors.ts";
import { textKind } from "../common/kinds.ts";
import { wholeNumber } from "../common/option-kinds.ts";
import { parseUrl } from "../common/parse-url.ts";
import {
	checkEntry,
	checkKey,
	checkOpened,
	locationKind,
} from "./check-store.ts";
import { optionalPackage } from "./optional-package.ts";
import type { RobotsStore } from "./store.ts";
import { TimeLimit } from "./time-limit.ts";

/** Options of `RedisStore.open`. */
export interface RedisStoreOptions {
	/** What keys begin with. Default "robotrie:". */
	readonly prefix?: string;
	/** Seconds after which an entry that is not set again expires; 0 for never. Default 90 days. */
	readonly keepFor?: number;
}

const redisOptions: OptionTable<RedisStoreOptions> = {
	prefix: textKind,
	keepFor: wholeNumber(0, Number.POSITIVE_INFINITY, "of seconds"),
};

/** Milliseconds for one call, and for connecting. */
const TIMEOUT = 5000;

const NINETY_DAYS = 90 * 24 * 3600;

type Client = Awaited<ReturnType<typeof connect>>;

/**
 * Keeps entries in Redis, for clients on several machines. What is set is as safe as the server makes it: with
 * `appendfsync always` it is on disk when the promise resolves. While the server is away, calls reject at once; while it does
 * not answer, after 5 seconds.
 */
export class RedisStore implements RobotsStore {
	readonly #client: Client;
	readonly #prefix: string;
	readonly #keepFor: number;

	private constructor(client: Client, options: RedisStoreOptions) {
		checkOpened("RedisStore", client);
		this.#client = client;
		this.#prefix = options.prefix ?? "robotrie:";
		this.#keepFor = options.keepFor ?? NINETY_DAYS;
	}

	/**
	 * Connects to a server: "redis://user:password@host:6379/0", or "rediss:" for TLS.
	 * @throws {RobotrieError} missing-package, without the package redis; store-unavailable, with the reason;
	 * invalid-argument.
	 */
	static async open(
		url: string,
		options: RedisStoreOptions = {},
	): Promise<RedisStore> {
		check("url", url, locationKind);
		checkOptions("RedisStore.open", options, redisOptions);
		return new RedisStore(await connect(url), options);
	}

	/** The entry of a key, or undefined. Rejects if the server does not answer in time. */
	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		const entry = await limited(this.#client.get(this.#prefix + key));
		return entry ?? undefined;
	}

	/** Stores an entry. Rejects if the server does not answer in time. */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		checkEntry(entry);
		const expiration =
			this.#keepFor > 0
				? { expiration: { type: "EX" as const, value: this.#keepFor } }
				: {};
		await limited(
			this.#client.set(this.#prefix + key, Buffer.from(entry), expiration),
		);
	}

	/** Deletes an entry, if there is one. Rejects if the server does not answer in time. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		await limited(this.#client.del(this.#prefix + key));
	}

	/** Closes the connection. */
	async close(): Promise<void> {
		try {
			await limited(this.#client.close());
		} catch {
			// What it has not answered by now is lost with the connection.
			this.#client.destroy();
		}
	}
}

const limit = new TimeLimit(TIMEOUT, "the Redis server");

/** A server that is stopped keeps its connections, and answers nothing. */
function limited<T>(call: Promise<T>): Promise<T> {
	return limit.run(call);
}

async function connect(url: string) {
	const { createClient, RESP_TYPES } = await optionalPackage(
		"redis",
		"the Redis store",
		() => import("redis"),
	);
	let connected = false;
	try {
		const client = createClient({
			url,
			// Waiting for a server that is away would hold up answers that the network can give.
			disableOfflineQueue: true,
			socket: {
				connectTimeout: TIMEOUT,
				reconnectStrategy: (retries, cause) =>
					connected ? Math.min(50 * 2 ** retries, 5000) : cause,
			},
		});
		// Without a listener an error ends the process; calls reject with it anyway.
		client.on("error", () => {});
		try {
			await limited(client.connect());
		} catch (error) {
			if (client.isOpen) client.destroy();
			throw error;
		}
		connected = true;
		return client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new RobotrieError(
			"store-unavailable",
			`cannot open the store at ${placeOf(url)}: ${reason}`,
		);
	}
}

/** The server without the password. */
function placeOf(url: string): string {
	return parseUrl(url)?.host ?? quote(url);
}
