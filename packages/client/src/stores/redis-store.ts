/**
 * RedisStore, a store on a Redis server, which many machines share. A broken connection fails calls instead of making them wait: the client
 * goes on without its store.
 */

import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	type OptionTable,
	parseUrl,
} from "#robotrie/common/arguments";
import { textKind, wholeNumber } from "#robotrie/common/kinds";
import { optionalPackage } from "#robotrie/common/optional-package";
import { quote } from "#robotrie/common/quote";
import { COPIED } from "../common/turns.ts";
import { TimeLimit } from "./guarded-store.ts";
import type { RobotsStore, StoreUsage } from "./store.ts";
import {
	checkKey,
	checkOpened,
	entryArgument,
	locationKind,
	replaceArguments,
} from "./store.ts";

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

/**
 * Runs in the server, which does nothing else meanwhile. Its arguments: what is expected, the
 * entry, seconds, whether an entry is expected. Comparing and setting in two calls would let
 * another client in between.
 */
const REPLACE = `
local now = redis.call("GET", KEYS[1])
if ARGV[4] == "1" then
	if now ~= ARGV[1] then return 0 end
elseif now then return 0 end
if ARGV[3] == "0" then redis.call("SET", KEYS[1], ARGV[2])
else redis.call("SET", KEYS[1], ARGV[2], "EX", ARGV[3]) end
return 1`;

type Client = Awaited<ReturnType<typeof connect>>;

/**
 * Keeps entries in Redis, for clients on several machines. What is set is as safe as the server makes it: with
 * `appendfsync always` it is on disk when the promise resolves. While the server is away, calls reject at once; while it does
 * not answer, after 5 seconds.
 * @example
 * const store = await RedisStore.open("redis://127.0.0.1:6379");
 * await using client = new RobotsClient({ agent: "ExampleBot", store });
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

	/**
	 * Stores an entry. One of more than 512 KiB must not change before the promise resolves. Rejects if the server does not answer in time.
	 */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		const bytes = entryArgument(entry);
		const expiration =
			this.#keepFor > 0
				? { expiration: { type: "EX" as const, value: this.#keepFor } }
				: {};
		await limited(
			this.#client.set(this.#prefix + key, ownBytes(bytes), expiration),
		);
	}

	/** Stores an entry if the key's entry still is `expected`, and tells whether it was. Rejects as `set` does. */
	async replace(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean> {
		const { before, after } = replaceArguments(key, expected, entry);
		const reply = this.#client.eval(REPLACE, {
			keys: [this.#prefix + key],
			arguments: [
				ownBytes(before ?? new Uint8Array()),
				ownBytes(after),
				Buffer.from(String(this.#keepFor)),
				Buffer.from(before ? "1" : "0"),
			] as unknown as string[],
		});
		return (await limited(reply)) === 1;
	}

	/** Deletes an entry, if there is one. Rejects if the server does not answer in time. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		await limited(this.#client.del(this.#prefix + key));
	}

	/**
	 * How full the server is, all of its databases together (`INFO`). Every key of this store expires one day, so that each policy but `noeviction`
	 * may drop it. Rejects if the server does not answer in time, or does not tell.
	 */
	async usage(): Promise<StoreUsage> {
		const text = String(await limited(this.#client.info()));
		const field = (name: string) =>
			new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(text)?.[1];
		const limit = Number(field("maxmemory") ?? 0);
		return {
			used: Number(field("used_memory") ?? 0),
			// Without a limit it is that of the machine, which Redis does not look at.
			limit: limit > 0 ? limit : Number.POSITIVE_INFINITY,
			evicts: limit > 0 && field("maxmemory_policy") !== "noeviction",
			evicted: Number(field("evicted_keys") ?? 0),
		};
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

/** A copy, which the caller cannot change. Two large entries, as `replace` takes them, would be copied for longer than a turn may take. */
function ownBytes(bytes: Uint8Array): Buffer {
	return bytes.length > COPIED
		? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
		: Buffer.from(bytes);
}

const limit = new TimeLimit(TIMEOUT, "the Redis server");

/**
 * A server that is stopped keeps its connections, and answers nothing. A store that hangs is worse
 * than one that fails.
 */
function limited<T>(call: Promise<T>): Promise<T> {
	return limit.run(call);
}

async function connect(url: string) {
	const { createClient, RESP_TYPES } = await optionalPackage(
		"redis",
		"the Redis store",
		(name): Promise<typeof import("redis")> =>
			import(/* webpackIgnore: true */ /* @vite-ignore */ name),
	);
	let connected = false;
	try {
		const client = createClient({
			url,
			// Redis before 6 does not know HELLO, which the newer protocol begins with.
			RESP: 2,
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
			`cannot open the store at ${placeOf(url)}: ${reason}${hintFor(url, error)}`,
		);
	}
}

/** Where TLS meets a server without it, or the other way round, errors say little: Redis waits for the end of a line that never comes. */
function hintFor(url: string, error: unknown): string {
	if (!(error instanceof Error)) return "";
	const text = `${error.message} ${"code" in error ? error.code : ""}`;
	const isTls = /^rediss:/i.test(url);
	if (isTls && /SSL|TLS|EPROTO|timeout|no answer|ECONNRESET|closed/i.test(text))
		return ": the server may not speak TLS there (redis: in place of rediss:)";
	if (!isTls && /closed unexpectedly|ECONNRESET/.test(text))
		return ": the server may want TLS there (rediss: in place of redis:)";
	return "";
}

/** The server without the password. */
function placeOf(url: string): string {
	return parseUrl(url)?.host ?? quote(url);
}
