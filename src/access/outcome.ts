/** Why asking for a robots.txt led to no usable response. */
export type FailureCode =
	/** The host name has no address, or the resolver did not answer. */
	| "dns"
	/** No connection, or it was reset before the response. */
	| "connection"
	/** No trusted or no valid certificate, or no common protocol version. */
	| "tls"
	/** The time allowed for the whole exchange was over. */
	| "timeout"
	/** The answer is not an HTTP response, or has a content coding that was not asked for. */
	| "invalid-response"
	/** The body broke off: reset, hung up, wrong chunks, shorter than Content-Length, damaged compression. */
	| "incomplete-body"
	/** The host's address is private, loopback or otherwise not on the public Internet, and was not asked. */
	| "address-refused";

/** Why there was no usable response. */
export interface Failure {
	/** The kind of failure. */
	readonly code: FailureCode;
	/** What the system said, for people. */
	readonly message: string;
}

/** One redirect of a chain. */
export interface Redirect {
	/** 300, 301, 302, 303, 307 or 308. */
	readonly status: number;
	/** Where it led to, absolute. */
	readonly url: string;
}

/** Header fields: a fetch `Headers` object, or an object with names in any case. */
export type HeaderFields =
	| { get(name: string): string | null }
	| { readonly [name: string]: string | undefined };

/** What asking for a robots.txt led to. */
export interface HttpOutcome {
	/** The robots.txt that was asked for, of the origin that the answer is for. */
	readonly url?: string;
	/** Redirects that were followed, or would have been next, in order. */
	readonly redirects?: readonly Redirect[];
	/** Status code of the last response; absent when there was none. */
	readonly status?: number;
	/** By FTP, the server's reply code (RFC 959 §4.2); `status` then is the HTTP status that it amounts to. */
	readonly ftpReply?: number;
	/** Header fields of the last response. */
	readonly headers?: HeaderFields;
	/** Content of the last response, without content coding; nothing counts as empty. */
	readonly body?: Uint8Array;
	/** The body was longer than the part that was read. */
	readonly truncated?: boolean;
	/** There was no complete response; this outweighs a status. */
	readonly failure?: Failure;
}

/** A field's value, undefined where it is missing. */
export function field(
	headers: HeaderFields | undefined,
	name: string,
): string | undefined {
	if (headers === undefined) return undefined;
	if (typeof headers.get === "function") return headers.get(name) ?? undefined;
	const fields = headers as Readonly<Record<string, string | undefined>>;
	const key = Object.keys(fields).find((key) => key.toLowerCase() === name);
	return key === undefined ? undefined : fields[key];
}
