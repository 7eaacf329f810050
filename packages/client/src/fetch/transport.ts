/**
 * Requests by node:http, each with a connection of its own that goes to checked addresses only. options.ts makes the client's `fetch` of it
 * unless the user gives one. Bodies stay compressed: content-coding.ts decodes them, as fetch does not notice when a compressed body breaks
 * off.
 *
 * It reads what curl, Go and Python read (`insecureHTTPParser`: a length beside chunks, folded fields, bare line feeds), as each connection
 * serves one request: what could be smuggled into a connection that others use has nobody to reach. undici has no such switch.
 */

import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { refusePort } from "../common/addresses.ts";
import type { Transport } from "./exchange.ts";
import { proxyAgent, proxyFault, refuseAnswers } from "./proxy.ts";

export interface TransportOptions {
	/** Resolves host names, to addresses that may be connected to. */
	readonly lookup: LookupFunction;
	/** Where all connections go to in place of that, if anywhere. */
	readonly proxy: string | URL | undefined;
}

/** Responses that have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];

/** Bytes of a response's header fields: some sites send 30 KB of Content-Security-Policy. */
const MOST_HEADER_BYTES = 128 * 1024;

/**
 * Requests whose connections go to what `lookup` gives or to the proxy, and whose bodies are as they came, compressed: `content-encoding` says how. The
 * exchange has one time limit for everything.
 */
export function guardedFetch({ lookup, proxy }: TransportOptions): Transport {
	return async (url, { method, headers, signal }) => {
		const { protocol, hostname, pathname, search, port } = new URL(url);
		refusePort(port);
		// Of its own, as a connection serves one exchange.
		const agent =
			proxy === undefined ? false : await proxyAgent(proxy, protocol, signal);
		signal.throwIfAborted();
		return new Promise((resolve, reject) => {
			const faults = new TlsFaults();
			const host = hostname.replace(/^\[(.*)\]$/, "$1");
			const ask = protocol === "https:" ? httpsRequest : httpRequest;
			const request = ask({
				host,
				...(protocol === "https:" ? tlsOptions(host) : {}),
				port,
				path: pathname + search,
				method,
				headers,
				signal,
				lookup,
				agent,
				insecureHTTPParser: true,
				maxHeaderSize: MOST_HEADER_BYTES,
			});
			if (proxy !== undefined) refuseAnswers(request);
			request
				.on("socket", (socket) => faults.watch(socket))
				.on("error", (error) => reject(faults.because(error)))
				.on("upgrade", (_, socket) => {
					socket.destroy();
					reject(new ProtocolError("the server changes to another protocol"));
				})
				.on("response", (response) => {
					const answer = received(response);
					const fault =
						proxy !== undefined && protocol === "http:"
							? proxyFault(answer.status, answer.headers)
							: undefined;
					if (!fault) return resolve(answer);
					response.destroy();
					reject(fault);
				})
				.end();
		});
	};
}

/** An answer that no HTTP client can go on with. */
class ProtocolError extends Error {
	readonly code = "HPE_PROTOCOL";
}

function tlsOptions(host: string) {
	return {
		// TLS wants a name without the dot at its end (RFC 6066 §3): some servers refuse one that has it.
		...(isName(host) ? { servername: host.replace(/\.$/, "") } : {}),
		// Else servers that speak only HTTP/2 answer in it, or with a 403 that says so.
		ALPNProtocols: ["http/1.1"],
	};
}

/** Not an IP address, which is no name for TLS. */
function isName(host: string): boolean {
	return !/^[\d.]+$/.test(host) && !host.includes(":");
}

function received(response: IncomingMessage) {
	const { statusCode: status = 0, rawHeaders, socket } = response;
	const headers = headersOf(rawHeaders);
	// A reader gets errors itself. Those that come when nobody reads must not end the process.
	response.on("error", () => {});
	// A body that ends with the connection is whole unless that was reset (RFC 9112 §8), which Node takes for its end.
	if (!headers.has("content-length") && !headers.has("transfer-encoding"))
		socket.on("error", (error: Error & { code?: unknown }) => {
			if (error.code === "ECONNRESET") response.destroy(error);
		});
	const isEmpty = WITHOUT_BODY.includes(status);
	if (isEmpty) response.resume();
	return {
		status,
		headers,
		locations: rawHeaders.filter(
			(_, at) =>
				at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "location",
		),
		body: isEmpty ? null : response,
	};
}

/**
 * Why a TLS connection ended before there was an answer. Under TLS 1.3 a server looks at a client's certificate after the client has sent
 * its request: what Node then tells of is that the connection was closed or reset.
 */
class TlsFaults {
	#alert: Error | undefined;
	#wantsCertificate = false;

	/** To be told of a connection. */
	watch(socket: Socket): void {
		if (!(socket instanceof TLSSocket)) return;
		socket.once("secureConnect", () => {
			// What a server accepts stands only in its request for a certificate.
			this.#wantsCertificate = socket.getSharedSigalgs().length > 0;
		});
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

/** From names and values in turn. Bytes that no field may have are left out: of the fields that are read none has them. */
function headersOf(fields: readonly string[]): Headers {
	const headers = new Headers();
	for (let at = 0; at + 1 < fields.length; at += 2) {
		try {
			headers.append(fields[at] as string, fields[at + 1] as string);
		} catch {}
	}
	return headers;
}
