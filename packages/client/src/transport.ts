import type { LookupFunction } from "node:net";
import { RobotrieError } from "robotrie";
import { buildConnector, Client, fetch as undiciFetch } from "undici";
import { refusePort } from "./addresses.ts";
import type { Transport } from "./exchange.ts";

export interface TransportOptions {
	/** Resolves host names, to addresses that may be connected to. */
	readonly lookup: LookupFunction;
	readonly allowPrivateNetwork: boolean;
}

/** Responses that have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Requests whose connections go to public addresses only, unless private ones are allowed, and whose bodies are as they came,
 * compressed: `content-encoding` says how. Not by undici's `fetch`, which decodes them and takes twice the time.
 * @throws {RobotrieError} invalid-argument, where the runtime does not let connections be checked.
 */
export function guardedFetch(options: TransportOptions): Transport {
	const { lookup, allowPrivateNetwork } = options;
	if (process.versions.bun !== undefined) return bunFetch(allowPrivateNetwork);
	// The exchange has one time limit for everything; undici's own, of 10 seconds for connecting and 300 for the rest, would cut it short.
	const connect = buildConnector({ lookup, timeout: 0 });
	const limits = { headersTimeout: 0, bodyTimeout: 0 };
	return async (url, { method, headers, signal }) => {
		const { origin, pathname, search, port } = new URL(url);
		refusePort(port);
		// A connection serves one exchange: without pipelining it ends with the response.
		const client = new Client(origin, { connect, pipelining: 0, ...limits });
		const response = client.request({
			path: pathname + search,
			method,
			headers,
			signal,
			responseHeaders: "raw",
		});
		// Takes effect when the exchange has ended.
		client.close(() => {});
		const { statusCode: status, headers: fields, body } = await response;
		// Whoever reads hears of errors; those that come when nobody reads are nobody's.
		body.on("error", () => {});
		const raw = fields as unknown as readonly string[];
		return {
			status,
			headers: headersOf(raw),
			locations: raw.filter(
				(_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === "location",
			),
			body: WITHOUT_BODY.includes(status) ? null : body,
		};
	};
}

/** From names and values in turn. */
function headersOf(fields: readonly string[]): Headers {
	const headers = new Headers();
	for (let at = 0; at + 1 < fields.length; at += 2)
		headers.append(fields[at] as string, fields[at + 1] as string);
	return headers;
}

/** Bun has a fetch of its own in undici's place, and an option for bodies as they came. */
function bunFetch(allowPrivateNetwork: boolean): Transport {
	if (!allowPrivateNetwork)
		throw new RobotrieError(
			"invalid-argument",
			"Bun's fetch does not let addresses be checked at connection: set allowPrivateNetwork to true, or pass a fetch that checks them",
		);
	return async (url, init) => {
		const raw = { ...init, decompress: false };
		return (await undiciFetch(url, raw)) as unknown as Response;
	};
}
