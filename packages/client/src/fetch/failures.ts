/**
 * What kind of failure a rejected fetch is, by the codes of Node, of fetch and of OpenSSL. exchange.ts calls it if no response has begun; the code
 * decides how accessFor reads the failure, so an unknown one counts as a failed connection.
 */

import type { Failure, FailureCode } from "robotrie/access";
import { AddressRefused } from "../common/addresses.ts";

/** By name, as these differ between Node versions and platforms less than messages do. */
const byCode: readonly (readonly [RegExp, FailureCode])[] = [
	[/^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED)$/, "dns"],
	[/TIMEOUT|^ETIMEDOUT$/, "timeout"],
	// OpenSSL's own codes, and the names of X.509 errors (Node's "X509 certificate error codes").
	[
		/CERT|SSL|TLS|^EPROTO$|^UNABLE_TO_|^CRL_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/,
		"tls",
	],
	[/^HPE_|^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH)/, "invalid-response"],
];

/** What kind of failure a rejected fetch is, before its response has begun. */
export function failureOf(error: unknown): Failure {
	// fetch says "fetch failed" and hides the reason in the cause.
	const cause =
		error instanceof Error && error.cause instanceof Error
			? error.cause
			: error;
	if (!(cause instanceof Error))
		return { code: "connection", message: String(cause) };
	const message = textOf(cause);
	if (cause instanceof AddressRefused)
		return { code: "address-refused", message };
	const code = codeOf(cause);
	const known = byCode.find(([pattern]) => pattern.test(code));
	return { code: known?.[1] ?? "connection", message };
}

/** What people read: OpenSSL's and Node's reasons without what only their developers can use. */
function textOf(error: Error): string {
	const [, reason] =
		/error:[0-9A-F]+:SSL routines:[^:]*:([^:]+)/i.exec(error.message) ?? [];
	if (reason) return reason.replaceAll("_", " ").toLowerCase();
	if (error.message === "socket hang up")
		return "the server closed the connection before it had answered";
	if (error.message === "aborted")
		return "the connection ended before the body did, or chunks are wrong";
	if (codeOf(error) === "HPE_INVALID_CONSTANT")
		return isHttp2(error)
			? "it is HTTP/2, which was not asked for"
			: "it does not begin with HTTP/";
	const text = error.message || codeOf(error);
	return text
		.replace(/^Parse Error: /, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** Whether what Node's parser refused begins with a SETTINGS frame (RFC 9113 §3.4, §6.5): length, type 4, flags, stream 0. */
function isHttp2(error: Error): boolean {
	const begin = "rawPacket" in error ? error.rawPacket : undefined;
	return (
		begin instanceof Uint8Array &&
		begin.length >= 9 &&
		begin[0] === 0 &&
		begin[3] === 4 &&
		begin.subarray(5, 9).every((byte) => byte === 0)
	);
}

function codeOf(error: Error): string {
	return "code" in error ? String(error.code) : "";
}
