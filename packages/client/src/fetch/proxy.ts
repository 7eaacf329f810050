/**
 * Requests that go to a proxy: transport.ts asks for the agent of each of them. The agents are optional packages. What must
 * hold: an answer of the proxy itself is never taken for the site's, as a 403 or 404 of a site allows everything.
 */

import type { Agent, ClientRequest } from "node:http";
import { type Kind, parseUrl } from "#robotrie/common/arguments";
import { optionalPackage } from "#robotrie/common/optional-package";

/** An HTTP proxy; a user name and a password may stand in its URL. */
export const proxyKind: Kind = {
	text: "the URL of an HTTP proxy, such as http://proxy.example:3128",
	accepts: (value) => {
		if (typeof value !== "string" && !(value instanceof URL)) return false;
		const url = parseUrl(String(value));
		return (
			url?.protocol === "http:" &&
			url.pathname === "/" &&
			url.search === "" &&
			[url.username, url.password].every(isDecodable)
		);
	},
};

function isDecodable(text: string): boolean {
	try {
		decodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * What makes the connection of a request: by CONNECT for https, to the proxy itself for http. It is destroyed when the signal is aborted, also
 * while the proxy has not answered.
 */
export async function proxyAgent(
	proxy: string | URL,
	protocol: string,
	signal: AbortSignal,
): Promise<Agent> {
	const options = { signal } as object;
	if (protocol === "https:") {
		const { HttpsProxyAgent } = await optionalPackage(
			"https-proxy-agent",
			"proxy, for https sites,",
			(name): Promise<typeof import("https-proxy-agent")> =>
				import(/* webpackIgnore: true */ /* @vite-ignore */ name),
		);
		return new HttpsProxyAgent(String(proxy), options);
	}
	const { HttpProxyAgent } = await optionalPackage(
		"http-proxy-agent",
		"proxy, for http sites,",
		(name): Promise<typeof import("http-proxy-agent")> =>
			import(/* webpackIgnore: true */ /* @vite-ignore */ name),
	);
	return new HttpProxyAgent(String(proxy), options);
}

/** Destroys a request whose CONNECT was refused: the agent would give the proxy's answer for the site's. */
export function refuseAnswers(request: ClientRequest): void {
	request.once("proxyConnect", ({ statusCode }: { statusCode: number }) => {
		if (statusCode !== 200) request.destroy(new ProxyRefusal(statusCode));
	});
}

/**
 * Why an answer over http is the proxy's own, if it says so: 407 (RFC 9110 §15.5.8), an error in Proxy-Status (RFC 9209 §2.1.1), Squid's own
 * field.
 */
export function proxyFault(
	status: number,
	headers: Headers,
): ProxyRefusal | undefined {
	const isProxys =
		status === 407 ||
		headers.has("x-squid-error") ||
		/;\s*error\s*=/.test(headers.get("proxy-status") ?? "");
	return isProxys ? new ProxyRefusal(status) : undefined;
}

/** The proxy answered in place of the site. */
class ProxyRefusal extends Error {
	constructor(status: number) {
		super(`the proxy answered ${status} itself, without an answer of the site`);
	}
}
