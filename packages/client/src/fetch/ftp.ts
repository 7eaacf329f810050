/**
 * robots.txt by FTP, for ftp: URLs, which RFC 9309 §2.3 names beside HTTP. exchange.ts calls askFtp in place of a request by HTTP; the outcome is
 * given as the HTTP status that means the same.
 */

import type { LookupFunction } from "node:net";
import { Writable } from "node:stream";
import { Client, FTPError } from "basic-ftp";
import type { HttpOutcome } from "robotrie/access";

export interface FtpOptions {
	readonly maxBytes: number;
	/** Resolves the host to the address that is connected to. */
	readonly lookup: LookupFunction;
}

/**
 * Gets a robots.txt by FTP, anonymously. A permanent refusal (5yz, RFC 959 §4.2) is an outcome like HTTP's 404, a transient one (4yz)
 * like 503.
 * @throws {Error} If there is no connection, or it breaks off; if `signal` is aborted.
 */
export async function askFtp(
	asked: string,
	{ maxBytes, lookup }: FtpOptions,
	signal: AbortSignal,
): Promise<HttpOutcome> {
	const url = new URL(asked);
	const sink = new Sink(maxBytes, () => client.close());
	// Without time-outs of its own: the signal has one for all of it.
	const client = new Client(0);
	const close = () => client.close();
	signal.addEventListener("abort", close);
	try {
		const host = await resolve(url.hostname, lookup);
		signal.throwIfAborted();
		await client.access({
			host,
			port: Number(url.port || 21),
			user: "anonymous",
			password: "anonymous@",
		});
		const { code } = await client.downloadTo(sink, url.pathname);
		return { url: asked, status: 200, ftpReply: code, ...sink.content() };
	} catch (error) {
		if (sink.isFull)
			return { url: asked, status: 200, ftpReply: 150, ...sink.content() };
		if (!(error instanceof FTPError)) throw error;
		const isForGood = error.code >= 500;
		return {
			url: asked,
			status: isForGood ? 404 : 503,
			ftpReply: error.code,
		};
	} finally {
		signal.removeEventListener("abort", close);
		client.close();
	}
}

function resolve(hostname: string, lookup: LookupFunction): Promise<string> {
	return new Promise((resolve, reject) => {
		const literal = hostname.replace(/^\[(.*)\]$/, "$1");
		lookup(literal, {}, (error, address) => {
			if (error) reject(error);
			else resolve(address as string);
		});
	});
}

/**
 * Keeps bytes up to one more than the limit, and then has enough. Closing the connection is the
 * only way to stop a download.
 */
class Sink extends Writable {
	readonly #maxBytes: number;
	readonly #enough: () => void;
	readonly #chunks: Uint8Array[] = [];
	#size = 0;

	constructor(maxBytes: number, enough: () => void) {
		super();
		this.#maxBytes = maxBytes;
		this.#enough = enough;
	}

	get isFull(): boolean {
		return this.#size > this.#maxBytes;
	}

	content(): { body: Uint8Array; truncated: boolean } {
		const bytes = Buffer.concat(this.#chunks);
		return {
			body: new Uint8Array(bytes.subarray(0, this.#maxBytes + 1)),
			truncated: this.isFull,
		};
	}

	override _write(
		chunk: Uint8Array,
		_encoding: BufferEncoding,
		done: () => void,
	): void {
		this.#chunks.push(chunk);
		this.#size += chunk.length;
		done();
		if (this.isFull) this.#enough();
	}
}
