/** Requests of other files than robots.txt with the client's limits, for the command line: pages whose rules it reads, and lists of crawlers. */
import type { HttpOutcome, RobotsAccess } from "robotrie/access";
import { exchange } from "../fetch/exchange.ts";
import { clientSettings, type RobotsClientOptions } from "./options.ts";

/**
 * What asks for a URL, conditionally if something of it is known. `isKnown` ends a chain of redirects, see `exchange`.
 * @throws {RobotrieError} invalid-argument.
 */
export function pageRequests(options: RobotsClientOptions, accept: string) {
	const settings = { ...clientSettings(options).exchange, accept };
	const never = new AbortController().signal;
	return (
		url: string,
		previous: RobotsAccess | null = null,
		stop: AbortSignal = never,
		isKnown?: (url: string) => Promise<boolean>,
	): Promise<HttpOutcome> => exchange(url, previous, settings, stop, isKnown);
}
