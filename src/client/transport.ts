import type { LookupFunction } from "node:net";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import { RobotrieError } from "../common/errors.ts";
import type { Fetch } from "./exchange.ts";

export interface TransportOptions {
	/** Resolves host names, to addresses that may be connected to. */
	readonly lookup: LookupFunction;
	readonly allowPrivateNetwork: boolean;
}

/**
 * A `fetch` whose connections go to public addresses only, unless private ones are allowed. It is undici's own, as the
 * built-in one takes connection options only from an undici of its own version (Node 26 refuses that of Node 24).
 * @throws {RobotrieError} invalid-argument, where the runtime does not let connections be checked.
 */
export function guardedFetch(options: TransportOptions): Fetch {
	const { lookup, allowPrivateNetwork } = options;
	if (!allowPrivateNetwork && process.versions.bun !== undefined)
		throw new RobotrieError(
			"invalid-argument",
			"Bun's fetch does not let addresses be checked at connection: set allowPrivateNetwork to true, or pass a fetch that checks them",
		);
	const connect = buildConnector({ lookup });
	// A connection serves one exchange: without pipelining it ends with the response, and the agent forgets the origin.
	const dispatcher = new Agent({ connect, pipelining: 0 });
	return async (url, init) =>
		(await undiciFetch(url, { ...init, dispatcher })) as unknown as Response;
}
