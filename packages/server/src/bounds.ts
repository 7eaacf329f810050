/**
 * What a request may take: `Admission` counts the requests that wait and the bytes they hold, and refuses what is too much before anything is
 * answered; `Work` is one admitted request, with its time limit and the signal that ends it when its client goes away. Every route whose
 * answer is not at hand goes through them, so that overload is refused in the same way everywhere.
 */

import type { IncomingMessage } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Limits of a service. */
export interface Limits {
	/** Bytes of a request's body. Default 16 MiB. */
	readonly maxBody: number;
	/** URLs of a request. Default 500,000. */
	readonly maxRows: number;
	/** Milliseconds from a request's first line to the last byte of its answer. Default 60,000. */
	readonly maxTime: number;
	/** Requests that wait for robots.txt files, or are bulk requests, at a time. Default 256. */
	readonly maxWaiting: number;
	/** Those of one address. Default half of `maxWaiting`. */
	readonly maxWaitingOfPeer: number;
	/** Bytes of the bodies of all requests in progress. Default 256 MiB. */
	readonly maxHeld: number;
	/** Connections at a time; others are closed at once. Default 16,384. */
	readonly maxConnections: number;
}

/** An answer other than what was asked for. */
export class Refusal extends Error {
	readonly statusCode: number;
	readonly code: string;
	/** Seconds after which to try again. */
	readonly retryAfter: number | undefined;

	constructor(
		statusCode: number,
		code: string,
		message: string,
		retryAfter?: number,
	) {
		super(message);
		this.statusCode = statusCode;
		this.code = code;
		this.retryAfter = retryAfter;
	}
}

const tooLarge = (what: string) =>
	new Refusal(413, "too-large", `the request has more than ${what}`);

/** Counts what is in progress. */
export class Admission {
	readonly limits: Limits;
	waiting = 0;
	held = 0;
	/** Requests that were refused, by code. */
	readonly onRefused: (code: string) => void;
	readonly #peers = new Map<string, number>();
	readonly #connections = new WeakMap<Socket, Set<() => void>>();

	constructor(limits: Limits, onRefused: (code: string) => void) {
		this.limits = limits;
		this.onRefused = onRefused;
	}

	/** @throws {Refusal} If too much is in progress. */
	enter(request: FastifyRequest, reply: FastifyReply): Work {
		const peer = request.ip ?? "";
		const ofPeer = this.#peers.get(peer) ?? 0;
		if (this.waiting >= this.limits.maxWaiting)
			throw new Refusal(503, "busy", "too many requests are waiting", 1);
		// One address cannot take all places.
		if (ofPeer >= this.limits.maxWaitingOfPeer)
			throw new Refusal(
				429,
				"too-many-requests",
				"too many requests of this address are waiting",
				1,
			);
		this.waiting++;
		this.#peers.set(peer, ofPeer + 1);
		const work = new Work(this, request, reply);
		work.whenEnded(() => {
			this.waiting--;
			const left = (this.#peers.get(peer) ?? 1) - 1;
			if (left > 0) this.#peers.set(peer, left);
			else this.#peers.delete(peer);
		});
		return work;
	}

	/** Calls back when a connection, or a stream of HTTP/2, has closed; the function that is returned ends that. One listener for all requests of a connection. */
	onDisconnect(connection: Socket, callback: () => void): () => void {
		let callbacks = this.#connections.get(connection);
		if (!callbacks) {
			const all = new Set<() => void>();
			callbacks = all;
			this.#connections.set(connection, all);
			connection.once("close", () => {
				for (const each of all) each();
			});
		}
		callbacks.add(callback);
		return () => callbacks.delete(callback);
	}
}

/**
 * One admitted request. It ends with its answer, its request or its connection, whichever is first, and at the latest when its time is over:
 * whatever was counted for it is given back then, once.
 */
export class Work {
	readonly #stop = new AbortController();
	readonly #admission: Admission;
	readonly #request: FastifyRequest;
	readonly #timer: NodeJS.Timeout;
	#whenEnded: (() => void)[] = [];
	#hasEnded = false;
	#held = 0;

	constructor(
		admission: Admission,
		request: FastifyRequest,
		reply: FastifyReply,
	) {
		this.#admission = admission;
		this.#request = request;
		this.#timer = setTimeout(() => {
			this.#end(
				new Refusal(
					503,
					"timeout",
					"the answer took too long; what was fetched is kept, so asking again takes less",
					1,
				),
			);
			// Half of an answer is none: the client has to see that it ends too early.
			if (reply.raw.headersSent && !reply.raw.writableFinished)
				cutOff(request.raw);
		}, admission.limits.maxTime);
		const gone = () =>
			this.#end(new Refusal(499, "gone", "the client went away"));
		// After the answer's last byte as well as when the client has gone.
		reply.raw.once("close", gone);
		// An answer that waits behind another one of its connection is told nothing when that closes.
		this.whenEnded(admission.onDisconnect(request.raw.socket, gone));
	}

	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	/** Calls back when the work has ended, at once if it has. */
	whenEnded(callback: () => void): void {
		if (this.#hasEnded) callback();
		else this.#whenEnded.push(callback);
	}

	#end(reason: Refusal): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		clearTimeout(this.#timer);
		this.#stop.abort(reason);
		this.#admission.held -= this.#held;
		for (const callback of this.#whenEnded) callback();
		this.#whenEnded = [];
	}

	/** What `work` gives, or the refusal if the time is over first. Only the waiting ends then: the work itself has to heed `signal`. */
	async within<T>(work: Promise<T>): Promise<T> {
		const { signal } = this;
		signal.throwIfAborted();
		return new Promise((resolve, reject) => {
			const leave = () => reject(signal.reason);
			signal.addEventListener("abort", leave, { once: true });
			work
				.then(resolve, reject)
				.finally(() => signal.removeEventListener("abort", leave));
		});
	}

	/** The whole body. @throws {Refusal} If it is too large, encoded, or cut off. */
	async body(): Promise<Buffer> {
		const { raw } = this.#request;
		const { maxBody } = this.#admission.limits;
		// A few bytes may decompress to any number of them: what is not read cannot be a bomb.
		const encoding = raw.headers["content-encoding"] ?? "identity";
		if (encoding !== "identity")
			throw new Refusal(
				415,
				"unsupported-encoding",
				`a body with the Content-Encoding ${encoding} is not read; send it as it is`,
			);
		const declared = Number(raw.headers["content-length"] ?? 0);
		if (declared > maxBody) throw tooLarge(`${maxBody} bytes`);
		// Before the first byte comes, so that many large bodies are refused while they take no memory yet.
		this.#hold(declared);
		return this.within(this.#read(raw, maxBody));
	}

	get maxRows(): number {
		return this.#admission.limits.maxRows;
	}

	/** @throws {Refusal} If there are too many. */
	checkRows(rows: number): void {
		const { maxRows } = this;
		if (rows > maxRows) throw tooLarge(`${maxRows} URLs`);
	}

	async #read(raw: IncomingMessage, maxBody: number): Promise<Buffer> {
		const chunks: Buffer[] = [];
		let length = 0;
		try {
			// To destroy a request is to destroy its connection, and with it the answer that says what was wrong.
			for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
				// What comes after the end is nobody's, and would never be given back.
				this.#stop.signal.throwIfAborted();
				length += chunk.length;
				if (length > maxBody) throw tooLarge(`${maxBody} bytes`);
				// A body in chunks declares no length.
				if (length > this.#held) this.#hold(length - this.#held);
				chunks.push(chunk);
			}
		} finally {
			// A stream of HTTP/2 ends when all of it has been read: with a rest that nobody reads it would keep its session and its socket for ever.
			raw.resume();
		}
		return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
	}

	#hold(bytes: number): void {
		const admission = this.#admission;
		if (admission.held + bytes > admission.limits.maxHeld)
			throw new Refusal(503, "busy", "too many bytes are in progress", 1);
		admission.held += bytes;
		this.#held += bytes;
	}
}

/** Ends an answer in such a way that its client knows it is not whole: a stream of HTTP/2 alone, or the connection. */
function cutOff(
	request: IncomingMessage & { readonly stream?: ServerHttp2Stream },
): void {
	if (request.stream) request.stream.close(constants.NGHTTP2_CANCEL);
	else request.socket.destroy();
}
