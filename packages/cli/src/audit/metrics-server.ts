/**
 * `audit follow --metrics-port`: the counts for Prometheus over HTTP, on this machine unless an address says otherwise. follow.ts opens it; report.ts
 * hands it the text now and then, and it serves the last one, so that a scrape never waits for the log.
 */
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { systemReason } from "#sites/files/errors";
import { Failure, tell } from "../output/output.ts";

const TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Only this machine is answered unless an address is given: counts of a site are nobody else's business. */
const LOOPBACK = "127.0.0.1";

/** Where to listen: "9464", "0.0.0.0:9464" or "[::1]:9464". @throws {Failure} For anything else. */
function listeningPlace(text: string): {
	readonly host: string;
	readonly port: number;
} {
	const [, inner, plain, digits = ""] =
		/^(?:(?:\[(.+)\]|([^:]+)):)?(\d{1,5})$/.exec(text) ?? [];
	const host = inner ?? plain ?? LOOPBACK;
	const port = Number(digits);
	if (digits === "" || port > 65_535 || isIP(host) === 0)
		throw new Failure(
			`--metrics-port needs a port such as 9464, or an address and a port such as [::1]:9464, not "${text}"`,
		);
	return { host, port };
}

/** Serves the last text that it was given, at /metrics. */
export class MetricsServer {
	readonly #server: Server;
	#text: string;

	private constructor(text: string) {
		this.#text = text;
		this.#server = createServer(({ method, url }, response) => {
			const [path] = (url ?? "").split("?");
			const isRead = method === "GET" || method === "HEAD";
			const status = !isRead ? 405 : path === "/metrics" ? 200 : 404;
			if (status !== 200) {
				response.writeHead(status, isRead ? {} : { allow: "GET, HEAD" }).end();
				return;
			}
			const body = Buffer.from(this.#text);
			response
				.writeHead(200, { "content-type": TYPE, "content-length": body.length })
				.end(method === "HEAD" ? undefined : body);
		});
	}

	/** Says on stderr where it listens: port 0 is any that is free. @throws {Failure} Where it cannot. */
	static async listen(place: string, text: string): Promise<MetricsServer> {
		const { host, port } = listeningPlace(place);
		const metrics = new MetricsServer(text);
		const server = metrics.#server;
		await new Promise<void>((resolve, reject) => {
			server.once("error", (error) =>
				reject(
					new Failure(`cannot listen on ${place}: ${systemReason(error)}`),
				),
			);
			server.listen(port, host, resolve);
		});
		const { port: own } = server.address() as AddressInfo;
		const name = host.includes(":") ? `[${host}]` : host;
		tell(`metrics are at http://${name}:${own}/metrics`);
		return metrics;
	}

	set(text: string): void {
		this.#text = text;
	}

	/** Answers nobody any more; a client that keeps its connection must not keep the process. */
	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}
}
