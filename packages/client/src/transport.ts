/**
 * Requests by undici, each with a connection of its own that goes to checked addresses only.
 * options.ts makes the client's `fetch` of it unless the user gives one. Bodies stay compressed:
 * content-coding.ts decodes them, as fetch does not notice when a compressed body breaks off.
 */

import type { LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { RobotrieError } from "robotrie";
import { buildConnector, Client, fetch as undiciFetch } from "undici";
import { whenAborted } from "./aborts.ts";
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
	const connector = buildConnector({ lookup, timeout: 0 });
	const limits = { headersTimeout: 0, bodyTimeout: 0 };
	return async (url, { method, headers: asked, signal }) => {
		const { origin, pathname, search, port } = new URL(url);
		refusePort(port);
		const faults = new TlsFaults();
		let socket: Socket | undefined;
		const connect: buildConnector.connector = (options, callback) => {
			// TLS wants a name without the dot at its end (RFC 6066 §3): some servers refuse one that has it.
			const { hostname } = options;
			const named = hostname.endsWith(".")
				? { ...options, servername: hostname.slice(0, -1) }
				: options;
			const made: unknown = connector(named, (...made) => {
				if (made[1]) faults.watch(made[1]);
				callback(...made);
			});
			// Its type does not say that it gives the socket at once.
			socket = made as Socket;
		};
		// A connection serves one exchange: without pipelining it ends with the response.
		const client = new Client(origin, { connect, pipelining: 0, ...limits });
		const response = client.request({
			path: pathname + search,
			method,
			headers: asked,
			signal,
			responseHeaders: "raw",
		});
		// Takes effect when the exchange has ended.
		client.close(() => {});
		// Else undici would connect once more for a request that was aborted.
		const end = () => client.destroy(() => {});
		// It heeds the signal only once there is a connection: not while a name is looked up, nor in a TCP or TLS handshake.
		const stopWaiting = whenAborted(signal, () => {
			end();
			socket?.destroy();
		});
		const {
			statusCode: status,
			headers: fields,
			body,
		} = await response
			.catch((error: unknown) => {
				throw faults.because(error);
			})
			.finally(stopWaiting);
		// A reader gets errors itself. Those that come when nobody reads must not end the process.
		body.on("error", () => {}).on("close", end);
		const raw = fields as unknown as readonly string[];
		const headers = headersOf(raw);
		// A body that ends with the connection is whole unless that was reset (RFC 9112 §8), which undici takes for its end.
		if (!headers.has("content-length") && !headers.has("transfer-encoding"))
			socket?.on("error", (error: Error & { code?: unknown }) => {
				if (error.code === "ECONNRESET") body.destroy(error);
			});
		return {
			status,
			headers,
			locations: raw.filter(
				(_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === "location",
			),
			body: WITHOUT_BODY.includes(status) ? null : body,
		};
	};
}

/**
 * Why a TLS connection ended before there was an answer. Under TLS 1.3 a server looks at a client's certificate after the client has sent
 * its request: what undici then tells of is that the connection was closed or reset.
 */
class TlsFaults {
	#alert: Error | undefined;
	#wantsCertificate = false;

	/** To be told of a connection when its handshake is over. */
	watch(socket: Socket): void {
		if (!(socket instanceof TLSSocket)) return;
		// What a server accepts stands only in its request for a certificate.
		this.#wantsCertificate = socket.getSharedSigalgs().length > 0;
		socket.once("error", (error: Error & { code?: unknown }) => {
			if (/SSL|TLS/.test(String(error.code))) this.#alert = error;
		});
	}

	/** The error to tell of in place of one that the request ended with. */
	because(error: unknown): unknown {
		if (this.#alert) return this.#alert;
		if (!this.#wantsCertificate || !(error instanceof Error)) return error;
		return Object.assign(
			new Error(
				`the server asked for a client certificate, and ended the connection: ${error.message}`,
			),
			{ code: "ERR_TLS_CLIENT_CERTIFICATE" },
		);
	}
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
