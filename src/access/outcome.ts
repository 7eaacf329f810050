/**
 * What a request for robots.txt led to, as the caller gives it, and what each status, failure and chain of redirects means (RFC 9309
 * §2.3.1). Dialects differ in it by flags of their table only.
 */
import { field, type HeaderFields } from "../common/header-fields.ts";
import { quote } from "../common/quote.ts";
import { dialectRules } from "../robots-txt/dialect.ts";
import type { Settings } from "./options.ts";

/**
 * Why asking for a robots.txt led to no usable response. Each has another meaning to a scheduler: a
 * missing name is final for a while, a timeout may be over in a minute.
 */
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

/**
 * What asking for a robots.txt led to. The caller may be any HTTP client; nothing here depends on
 * node:http or fetch.
 */
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

/** Four kinds decide what happens next; codes and reasons tell people why. */
export interface Classification {
	/** found: a new file; not-modified: the stored one is current; absent: the site has none; forbidden: nothing is allowed; failed: unknown. */
	readonly kind: "found" | "not-modified" | "absent" | "forbidden" | "failed";
	readonly code:
		| FailureCode
		/** 2xx. */
		| "success"
		/** 304. */
		| "not-modified"
		/** More redirects than `maxRedirects`. */
		| "too-many-redirects"
		/** Redirects that lead back to where they came from. */
		| "redirect-loop"
		/** 3xx that leads to no HTTP URL. */
		| "redirect-nowhere"
		/** 4xx but 429, and 5xx where it counts as 404. */
		| "client-error"
		/** 401 and 403, with `forbiddenAsDisallow`. */
		| "forbidden"
		/** 429. */
		| "too-many-requests"
		/** 5xx, and numbers that are not status codes. */
		| "server-error"
		/** Yandex: 2xx other than 200, or no text. */
		| "unusable"
		/** Yandex: the file is over the size limit. In the client, with `disallow-all`: its rules are more than a program holds. */
		| "too-large";
	readonly reason: string;
}

export const failureTexts: Readonly<Record<FailureCode, string>> = {
	dns: "The host name cannot be resolved",
	connection: "There is no connection",
	tls: "No secure connection can be made",
	timeout: "The server took too long",
	"invalid-response": "The response is not valid HTTP",
	"incomplete-body": "The response broke off",
	"address-refused": "The address is not public and was not asked",
};

/**
 * The order of tests is that of strength: a failure outweighs a status, a broken chain of redirects
 * outweighs what it ends in.
 */
export function classify(
	outcome: HttpOutcome,
	hasCopy: boolean,
	settings: Settings,
): Classification {
	const { failure } = outcome;
	if (failure) {
		return {
			kind: "failed",
			code: failure.code,
			reason: `${failureTexts[failure.code]}: ${failure.message.replace(/\.$/, "")}.`,
		};
	}
	const status = outcome.status as number;
	const answer =
		outcome.ftpReply === undefined
			? `HTTP ${status}`
			: `FTP reply ${outcome.ftpReply}`;
	const redirect = redirectProblem(outcome, status, settings.maxRedirects);
	// A chain that leads nowhere is like a site without a robots.txt, not like one that fails (RFC
	// 9309 §2.3.1.2).
	if (redirect) return { kind: "absent", ...redirect };
	const unusable =
		dialectRules(settings.dialect).yandexAnswers &&
		yandexProblem(outcome, status);
	if (unusable) return unusable;
	if (status >= 200 && status <= 299)
		return {
			kind: "found",
			code: "success",
			reason: `${answer}: the rules of the file hold.`,
		};
	// Without a copy a 304 says nothing: there is nothing that has not changed.
	if (status === 304 && hasCopy)
		return {
			kind: "not-modified",
			code: "not-modified",
			reason: "HTTP 304: the rules of the file, which has not changed, hold.",
		};
	if (settings.forbiddenAsDisallow && (status === 401 || status === 403))
		return {
			kind: "forbidden",
			code: "forbidden",
			reason: `${answer} counts as disallow here: nothing is allowed.`,
		};
	// 429 is a 4xx that means "later", not "none".
	if (status >= 400 && status <= 499 && status !== 429)
		return {
			kind: "absent",
			code: "client-error",
			reason: `${answer}: the site has no robots.txt, everything is allowed.`,
		};
	if (settings.serverErrorAsNotFound && status >= 500 && status <= 599)
		return {
			kind: "absent",
			code: "client-error",
			reason: `${answer} counts as 404 here: the site has no robots.txt, everything is allowed.`,
		};
	if (status === 429)
		return {
			kind: "failed",
			code: "too-many-requests",
			reason: "HTTP 429: the server wants fewer requests.",
		};
	// RFC 9110 §15: what is no status code is to be read as 5xx. A 304 that nobody asked for leaves us without rules, too.
	return {
		kind: "failed",
		code: "server-error",
		reason:
			status >= 500 && status <= 599
				? `${answer}: the server fails.`
				: `HTTP ${status}, which cannot be an answer, counts as a server error.`,
	};
}

/** RFC 9309 §2.3.1.2; the documents of Google: then as 404. */
function redirectProblem(
	{ url, redirects = [] }: HttpOutcome,
	status: number,
	maxRedirects: number,
): Pick<Classification, "code" | "reason"> | undefined {
	const meaning = "as without a robots.txt, everything is allowed.";
	const unanswered = status >= 300 && status <= 399 && status !== 304;
	// A circle is seen by a URL that comes twice, the first one included.
	const targets = redirects.map(({ url }) => url);
	if (unanswered && new Set([url, ...targets]).size <= targets.length)
		return {
			code: "redirect-loop",
			reason: `Redirects lead in a circle: ${meaning}`,
		};
	// Redirects in the outcome are those that were followed; one more than the limit was only
	// noticed.
	if (redirects.length > maxRedirects)
		return {
			code: "too-many-redirects",
			reason: `More than ${maxRedirects} redirects: ${meaning}`,
		};
	if (unanswered)
		return {
			code: "redirect-nowhere",
			reason: `HTTP ${status} without a place to go to: ${meaning}`,
		};
	return undefined;
}

/** The Yandex document, "Директива User-agent": no text, or another code than 200, means no restrictions. */
function yandexProblem(
	{ headers }: HttpOutcome,
	status: number,
): Classification | undefined {
	if (status < 200 || status > 299) return undefined;
	const type = field(headers, "content-type")?.trim() ?? "";
	// Many servers send no type for plain files, which Yandex accepts.
	const isText = type === "" || /^text\//i.test(type);
	if (status === 200 && isText) return undefined;
	const problem =
		status === 200
			? `The file is not text but ${quote(type)}`
			: `HTTP ${status} is not 200`;
	return {
		kind: "absent",
		code: "unusable",
		reason: `${problem}: for Yandex everything is allowed.`,
	};
}
