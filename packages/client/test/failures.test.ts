import { describe, expect, test } from "vitest";
import { failureOf } from "../src/failures.ts";

describe("What kind of failure an error is", () => {
	test.each([
		// Node's "X509 certificate error codes", and OpenSSL's alerts.
		["INVALID_PURPOSE", "tls"],
		["INVALID_CA", "tls"],
		["CRL_HAS_EXPIRED", "tls"],
		["PATH_LENGTH_EXCEEDED", "tls"],
		["HOSTNAME_MISMATCH", "tls"],
		["CERT_HAS_EXPIRED", "tls"],
		["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
		["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
		["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tls"],
		["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "tls"],
		["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
		["ECONNRESET", "connection"],
		["ECONNREFUSED", "connection"],
		["ENOTFOUND", "dns"],
		["ETIMEDOUT", "timeout"],
		["UND_ERR_CONNECT_TIMEOUT", "timeout"],
		["HPE_INVALID_CONSTANT", "invalid-response"],
	])("%s", (code, expected) => {
		const error = Object.assign(new Error("it failed"), { code });
		expect(failureOf(error).code).toBe(expected);
		expect(
			failureOf(new TypeError("fetch failed", { cause: error })).code,
		).toBe(expected);
	});
});

test.each([
	[
		"write EPROTO 80ECED:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n",
		"wrong version number",
	],
	[
		"error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER",
		"wrong version number",
	],
	["Parse Error: Duplicate Content-Length", "Duplicate Content-Length"],
	["socket hang up", "the server closed the connection before it had answered"],
	["two\n lines", "two lines"],
])("people read of %j: %s", (message, expected) => {
	expect(failureOf(new Error(message)).message).toBe(expected);
});
