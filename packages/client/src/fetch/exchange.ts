/**
 * One exchange for a robots.txt: the request, its redirects and the body, within limits of time and
 * size. RobotsSource calls it, and the command line's `indexing` for pages. It knows nothing of
 * what an answer means: every way in which it can end is an `HttpOutcome`, and accessFor decides.
 */

import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { RobotrieError } from "robotrie";
import type { Failure, HttpOutcome, Redirect } from "robotrie/access";
import { conditionalHeaders, type RobotsAccess } from "robotrie/access";
import { check, type Kind, parseUrl } from "#robotrie/common/arguments";
import { bytesArgument } from "#robotrie/common/bytes";
import {
	CodingRefused,
	codings,
	codingsOf,
	decode,
} from "#robotrie/common/content-coding";
import { type Stop, whenAborted } from "../common/aborts.ts";
import { refuseHost } from "../common/addresses.ts";
import { copyInTurns } from "../common/turns.ts";
import { failureOf } from "./failures.ts";

/** What a client asks of `fetch`: the WHATWG function, called in this one way. */
export type Fetch = (
	url: string,
	init: {
		readonly method: "GET";
		readonly headers: Record<string, string>;
		readonly redirect: "manual";
		readonly signal: AbortSignal;
	},
) => Promise<Response>;

/** What the exchange reads of a response. */
interface Received extends Pick<Response, "status" | "headers"> {
	/** The values of the Location fields, where they can be told apart: `headers` joins them. */
	readonly locations?: readonly string[];
	readonly body: Response["body"] | Readable;
}

/**
 * Like `Fetch`, but the body need not be a web stream. The client's own requests and users' fetch both
 * fit, so that nothing below depends on either.
 */
export type Transport = (...request: Parameters<Fetch>) => Promise<Received>;

export interface ExchangeOptions {
	readonly fetch: Transport;
	/** Whether `fetch` takes content codings off, as the WHATWG function does. */
	readonly isDecoded: boolean;
	readonly userAgent: string;
	/** Further fields of requests, names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	/** All requests go to it: there is none for ftp. */
	readonly hasProxy: boolean;
	/** Media types to ask for. Default: plain text. */
	readonly accept?: string;
	/** Bytes of the body that are kept; one more is read, to tell whether there are more. */
	readonly maxBytes: number;
	readonly maxRedirects: number;
	/** Milliseconds for all of it: redirects and body, too. */
	readonly timeout: number;
	readonly allowPrivateNetwork: boolean;
	/** For ftp: gives the addresses that may be connected to. */
	readonly lookup: LookupFunction;
}

/**
 * Asks for a robots.txt (RFC 9309 §2.3), following redirects, conditionally if a copy is there.
 * Every failure is an outcome; only when `stop` is aborted does it throw, with its reason, and for a `fetch` that gives no Response. One
 * timer covers everything, so that a server which answers slowly at each step cannot stretch it.
 * @param isKnown Whether the answer of a redirect's target is known: it is not asked then, and the outcome is that of the redirect.
 */
export async function exchange(
	url: string,
	previous: RobotsAccess | null,
	options: ExchangeOptions,
	stop: Stop,
	isKnown: (url: string) => Promise<boolean> = async () => false,
): Promise<HttpOutcome> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), options.timeout);
	const stopWaiting = whenAborted(stop, () => timeout.abort());
	const redirects: Redirect[] = [];
	try {
		stop.throwIfAborted();
		const { signal } = timeout;
		// Look-ups of names cannot be cancelled, and a fetch of the user's may not heed the signal.
		const over = new Promise<never>((_, reject) => {
			signal.addEventListener("abort", () => reject(signal.reason));
		});
		const outcome = follow(url, redirects, previous, options, signal, isKnown);
		return await Promise.race([outcome, over]);
	} catch (error) {
		stop.throwIfAborted();
		// A mistake in the program says nothing about the site.
		if (error instanceof RobotrieError) throw error;
		const failure: Failure = timeout.signal.aborted
			? { code: "timeout", message: `no answer within ${options.timeout} ms` }
			: error instanceof BrokenOff
				? { code: error.code, message: error.message }
				: failureOf(error);
		return { url, redirects: [...redirects], failure };
	} finally {
		clearTimeout(timer);
		stopWaiting();
	}
}

/** Appends to `redirects` at each step, so that they are known if it fails. */
async function follow(
	asked: string,
	redirects: Redirect[],
	previous: RobotsAccess | null,
	options: ExchangeOptions,
	signal: AbortSignal,
	isKnown: (url: string) => Promise<boolean>,
): Promise<HttpOutcome> {
	if (asked.startsWith("ftp:")) {
		if (options.hasProxy)
			throw new Error("ftp is not asked, as the proxy is one for HTTP");
		if (!options.allowPrivateNetwork) refuseHost(new URL(asked));
		// Few need it: it is loaded by those who do.
		const { askFtp } = await import("./ftp.ts");
		return askFtp(asked, options, signal);
	}
	// A redirect to a place that was seen leads in a circle; the outcome shows it to accessFor.
	const seen = new Set([asked]);
	if (!options.allowPrivateNetwork) refuseHost(new URL(asked));
	for (let url = asked; ; ) {
		const response = await options.fetch(url, {
			method: "GET",
			headers: {
				...options.headers,
				"user-agent": options.userAgent,
				accept: options.accept ?? "text/plain, */*;q=0.5",
				// The built-in fetch takes a compressed body that breaks off for a complete one.
				"accept-encoding": options.isDecoded ? "identity" : codings.join(", "),
				...conditionalHeaders(previous, url),
			},
			redirect: "manual",
			signal,
		});
		check("what fetch resolves to", response, responseKind);
		if (signal.aborted) {
			discard(response);
			throw signal.reason;
		}
		const { status, headers } = response;
		const outcome = { url: asked, redirects, status, headers };
		// Bodies of other statuses say nothing about rules, so they are not read.
		if (status >= 200 && status <= 299)
			return { ...outcome, ...(await readBody(response, options)) };
		discard(response);
		const next = redirectTarget(response, url);
		if (next === undefined) return outcome;
		redirects.push({ status, url: next });
		if (seen.has(next) || redirects.length > options.maxRedirects)
			return outcome;
		if (!options.allowPrivateNetwork) refuseHost(new URL(next));
		if (await isKnown(next)) return outcome;
		seen.add(next);
		url = next;
	}
}

const responseKind: Kind = {
	text: "a Response, with status, headers and a body that is a stream",
	accepts: (value) => {
		const { status, headers, body } = (value ?? {}) as Partial<Received>;
		return (
			Number.isInteger(status) &&
			typeof headers?.get === "function" &&
			(!body ||
				body instanceof Readable ||
				typeof body.getReader === "function")
		);
	},
};

/** 300 with a Location names the server's choice (RFC 9110 §15.4.1). */
const redirectStatuses = [300, 301, 302, 303, 307, 308];

/** Where a response leads to, if that is an HTTP URL (RFC 9110 §10.2.2). */
function redirectTarget(response: Received, base: string): string | undefined {
	const location = response.headers.get("location");
	if (!redirectStatuses.includes(response.status) || location === null)
		return undefined;
	// Two different targets are not a choice for us to make.
	const targets = new Set(response.locations);
	if (targets.size > 1)
		throw new BrokenOff(
			"invalid-response",
			`the redirect has ${targets.size} Location fields`,
		);
	const [target = location] = targets;
	const url = parseUrl(escaped(target), base);
	if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
	// fetch refuses URLs with credentials; a fragment is never sent. Credentials in a redirect would
	// send what a site chose to a host it chose.
	url.username = url.password = url.hash = "";
	return url.href;
}

/**
 * Fields are bytes, which come as Latin-1. Those above 127 are percent-encoded as they are, as browsers do: UTF-8 then is what the site
 * meant, and in any other encoding the server gets its own bytes back.
 */
function escaped(location: string): string {
	return location.replace(
		/[\x80-\xff]/g,
		(byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

class BrokenOff extends Error {
	constructor(
		readonly code: "incomplete-body" | "invalid-response",
		message: string,
	) {
		super(message);
	}
}

async function readBody(
	response: Received,
	{ maxBytes, isDecoded }: ExchangeOptions,
): Promise<{ body: Uint8Array; truncated: boolean }> {
	const { headers, body } = response;
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		const names = codingsOf(headers.get("content-encoding"));
		const content = decode(readChunks(body), isDecoded ? [] : names, {
			// A body may decode to nothing for ever, so what is read is bounded, too: four times the
			// limit and a little.
			maxInput: 4 * maxBytes + 65_536,
			// Servers say gzip of empty files, too. That nothing is all there is takes a length or chunks to know.
			mayBeEmpty:
				body === null ||
				headers.has("content-length") ||
				headers.has("transfer-encoding"),
		});
		for await (const chunk of content) {
			chunks.push(chunk);
			size += chunk.length;
			// One byte beyond the limit proves that there is more.
			if (size > maxBytes) break;
		}
	} catch (error) {
		// Else the connection would wait for a reader.
		discard(response);
		if (error instanceof CodingRefused)
			throw new BrokenOff("invalid-response", error.message);
		const { message } = failureOf(error);
		const coding = headers.get("content-encoding");
		// zlib's own text does not say what it is about.
		throw new BrokenOff(
			"incomplete-body",
			/^(Z_|ERR_)/.test(errorCode(error))
				? `the body is not whole, or not ${coding} as its Content-Encoding says (${message})`
				: message,
		);
	}
	// One byte beyond the limit stays: parsers tell by it that the file goes on.
	return {
		body: await copyInTurns(chunks, Math.min(size, maxBytes + 1)),
		truncated: size > maxBytes,
	};
}

function errorCode(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The chunks of a body as they come; who stops reading cancels the rest. */
async function* readChunks(body: Received["body"]): AsyncGenerator<Uint8Array> {
	if (body instanceof Readable) {
		for await (const chunk of body)
			yield bytesArgument("a chunk of the body", chunk);
		return;
	}
	const reader = body?.getReader();
	try {
		while (reader) {
			const { done, value } = await reader.read();
			if (done) return;
			yield bytesArgument("a chunk of the body", value);
		}
	} finally {
		reader?.cancel().catch(() => {});
	}
}

/** Lets the connection go without reading the rest. */
function discard({ body }: Received): void {
	if (body instanceof Readable) body.destroy();
	else body?.cancel().catch(() => {});
}
