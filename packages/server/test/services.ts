/** Services for tests: over sites that are a table, or over the network of this machine. */
import type { AddressInfo } from "node:net";
import {
	createService,
	type Service,
	type ServiceOptions,
} from "../src/index.ts";

/** What sites answer: a robots.txt, or a status. All others answer 404. */
export type Sites = Readonly<Record<string, string | number>>;

export const sites: Sites = {
	"https://example.com":
		"User-agent: ExampleBot\nDisallow: /private/\nCrawl-delay: 2\n",
	"https://sitemaps.example":
		"Sitemap: /map.xml\nSitemap: https://other.example/map.xml\n",
	"https://down.example": 503,
};

/** A fetch that answers as sites do, and what it was asked for. */
export function answering(table: Sites = sites) {
	const requests: string[] = [];
	return {
		requests,
		fetch: async (url: string | URL | Request) => {
			const { origin, href } = new URL(String(url));
			requests.push(href);
			const answer = table[origin] ?? 404;
			return typeof answer === "string"
				? new Response(answer, { headers: { "content-type": "text/plain" } })
				: new Response("", { status: answer });
		},
	};
}

/** A service for ExampleBot. */
export async function serviceOf(
	options: ServiceOptions = {},
	table: Sites = sites,
): Promise<{ service: Service; requests: string[] }> {
	const { requests, fetch } = answering(table);
	const service = await createService({
		agent: "ExampleBot",
		...options,
		client: { fetch, ...options.client },
	});
	return { service, requests };
}

/** One that listens on loopback, and asks sites there; one that fails it asks again soon. */
export async function listenOnLoopback() {
	const service = await createService({
		client: { allowPrivateNetwork: true, minRetryDelay: 200, defaultDelay: 0 },
	});
	const base = await service.listen({ port: 0, host: "127.0.0.1" });
	return {
		base,
		async [Symbol.asyncDispose]() {
			service.server.closeAllConnections();
			await service.close();
		},
	};
}

/** One that listens on loopback. */
export async function listen(options?: ServiceOptions, table?: Sites) {
	const made = await serviceOf(options, table);
	const { service } = made;
	await service.listen({ port: 0, host: "127.0.0.1" });
	const { port } = service.server.address() as AddressInfo;
	return {
		...made,
		port,
		base: `http://127.0.0.1:${port}`,
		async [Symbol.asyncDispose]() {
			service.server.closeAllConnections();
			await service.close();
		},
	};
}
