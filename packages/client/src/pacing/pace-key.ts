/**
 * Which origins are one server to a crawler, so that a visit of one of them counts for all: the option `paceBy`. Visitor asks for the key of an
 * origin each time that it learns the origin's limits.
 */

import type { LookupFunction } from "node:net";
import { getDomain } from "tldts";

/**
 * "host": host and port, whatever the scheme; "origin"; "domain": the registered domain, by the Public Suffix List; "address": the first IP
 * address of the host, of which a content delivery network has one for many sites; a function gives the key of an origin, or a promise of it.
 */
export type PaceBy =
	| "host"
	| "origin"
	| "domain"
	| "address"
	| ((origin: string) => string | Promise<string>);

/** The key of an origin. A name that has no address is a group by itself. */
export function paceKey(
	origin: string,
	by: PaceBy,
	lookup: LookupFunction,
): string | Promise<string> {
	if (typeof by === "function") {
		const key = by(origin);
		return key instanceof Promise ? key.then(String) : String(key);
	}
	if (by === "origin") return origin;
	const { host, hostname } = new URL(origin);
	if (by === "host") return host;
	// Of "*.github.io" each name belongs to somebody else.
	if (by === "domain")
		return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
	return new Promise((resolve) => {
		const name = hostname.replace(/^\[(.*)\]$/, "$1");
		lookup(name, { all: true }, (error, found) => {
			if (error) return resolve(host);
			const addresses = Array.isArray(found)
				? found.map(({ address }) => address)
				: [found];
			// Name servers give them in another order each time.
			resolve(addresses.sort()[0] ?? host);
		});
	});
}
