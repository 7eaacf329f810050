/**
 * `robotrie serve`: the robots service of the package @robotrie/server, which is loaded if it is installed: the command line does not depend on
 * it. This file has the options; the service has its defaults and checks itself.
 */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { optionalPackage } from "#robotrie/common/optional-package";
import { systemReason } from "#sites/files/errors";
import {
	type ClientOptions,
	clientOptions,
	requestSettings,
} from "./fetch/client-options.ts";
import { agentOf, agentOption } from "./options/options.ts";
import { Failure, tell } from "./output/output.ts";

interface ServeOptions extends ClientOptions {
	readonly agent?: readonly string[];
	readonly port?: number;
	readonly host?: string;
	readonly hostName?: readonly string[];
	readonly socket?: string;
	readonly tokenFile?: string;
	readonly tlsCert?: string;
	readonly tlsKey?: string;
	readonly tlsClientCa?: string;
	readonly maxBody?: number;
	readonly maxWaiting?: number;
	readonly maxConnections?: number;
	readonly maxTime?: number;
	readonly logLevel?: string;
}

const whole =
	(least: number, most: number) =>
	(text: string): number => {
		const value = Number(text);
		if (!/^\d+$/.test(text) || value < least || value > most)
			throw new InvalidArgumentError(
				`Expected a whole number from ${least} to ${most}.`,
			);
		return value;
	};

export function addServe(program: Command): void {
	const command = program
		.command("serve")
		.description(
			"Answers over HTTP whether crawlers may fetch URLs: fetches each robots.txt it needs once, and keeps it by the rules of HTTP.\n\nNeeds the package @robotrie/server (npm install @robotrie/server). Listens on loopback unless --host says otherwise, which needs a token or certificates. GET /openapi.json describes the interface.",
		)
		.addOption(agentOption())
		.addOption(
			new Option(
				"--port <number>",
				"listen on this port; 0 means any free port",
			)
				.argParser(whole(0, 65_535))
				.default(8080),
		)
		.option("--host <address>", "listen on this address (default: 127.0.0.1)")
		.option(
			"--host-name <name>",
			"the host name that requests must use; repeat it for more names (default: any, without a token or certificates only loopback's)",
			(name: string, names: readonly string[] = []) => [...names, name],
		)
		.addOption(
			new Option(
				"--socket <path>",
				"listen on this Unix socket in place of a port",
			).conflicts("host"),
		);
	for (const option of clientOptions()) {
		if (option.long === "--store")
			option.description =
				'keep fetched files here: a folder (default: robotrie-data), or redis://host:6379, which several replicas share; "none": in memory';
		command.addOption(option);
	}
	command
		.option(
			"--token-file <file>",
			"a file with the token that clients must send (default: the variable ROBOTRIE_TOKEN)",
		)
		.option("--tls-cert <file>", "certificate, PEM")
		.option("--tls-key <file>", "its key, PEM")
		.option("--tls-client-ca <file>", "clients need a certificate of this CA")
		.addOption(
			new Option(
				"--max-body <bytes>",
				"bytes of a request (default: 16777216)",
			).argParser(whole(1, 2 ** 30)),
		)
		.addOption(
			new Option(
				"--max-waiting <number>",
				"requests that wait for robots.txt files at a time (default: 256)",
			).argParser(whole(1, 1_000_000)),
		)
		.addOption(
			new Option(
				"--max-connections <number>",
				"connections at a time (default: 16384)",
			).argParser(whole(1, 1_000_000)),
		)
		.addOption(
			new Option(
				"--max-time <milliseconds>",
				"time for one request (default: 60000)",
			).argParser(whole(1, 86_400_000)),
		)
		.addOption(
			new Option("--log-level <level>", "of the log, JSON lines on stdout")
				.choices(["trace", "debug", "info", "warn", "error", "silent"])
				.default("info"),
		)
		.addHelpText(
			"after",
			`
On SIGTERM or SIGINT it finishes the requests in progress; a second signal stops it at once.

Exit codes: 0 it was stopped; 2 wrong options, or it cannot listen or open its store.

Examples:
  robotrie serve --agent ExampleBot
  curl "http://127.0.0.1:8080/allowed?url=https://example.com/"
  curl --data-binary @urls.txt -H "Content-Type: text/plain" http://127.0.0.1:8080/match
  ROBOTRIE_TOKEN=$(cat token) robotrie serve --host 0.0.0.0 --store redis://redis:6379 --agent ExampleBot`,
		)
		.action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
	const { tlsCert, tlsKey, tlsClientCa } = options;
	if ((tlsCert === undefined) !== (tlsKey === undefined))
		throw new Failure("--tls-cert and --tls-key go together");
	if (tlsClientCa !== undefined && tlsCert === undefined)
		throw new Failure("--tls-client-ca needs --tls-cert and --tls-key");
	// Not an option's value: other users of the machine see the arguments of a process. A file mostly ends in a line feed.
	const token =
		options.tokenFile === undefined
			? process.env.ROBOTRIE_TOKEN
			: read(options.tokenFile).toString("utf8").trim();
	const service = await optionalPackage(
		"@robotrie/server",
		"robotrie serve",
		// Imported here, so that the package is looked for from the command line, not from the client.
		(name): Promise<typeof import("@robotrie/server")> => import(name),
	);
	const { store, dialect, host, socket } = options;
	try {
		const { address, ended } = await service.serve({
			// Only what was given: all defaults are the service's.
			...(options.agent && { agent: agentOf(options.agent) }),
			...(dialect && { dialect }),
			...(store === undefined
				? {}
				: { store: store === "none" ? null : store }),
			...(host === undefined ? {} : { host }),
			...(options.hostName && { hostNames: options.hostName }),
			...(socket === undefined ? {} : { socket }),
			...(options.port === undefined ? {} : { port: options.port }),
			...(options.maxBody === undefined ? {} : { maxBody: options.maxBody }),
			...(options.maxWaiting === undefined
				? {}
				: { maxWaiting: options.maxWaiting }),
			...(options.maxConnections === undefined
				? {}
				: { maxConnections: options.maxConnections }),
			...(options.maxTime === undefined ? {} : { maxTime: options.maxTime }),
			...(options.logLevel === undefined ? {} : { logLevel: options.logLevel }),
			...(token === undefined || token === "" ? {} : { token }),
			...(tlsCert !== undefined && tlsKey !== undefined
				? {
						tls: {
							cert: read(tlsCert),
							key: read(tlsKey),
							...(tlsClientCa === undefined ? {} : { ca: read(tlsClientCa) }),
						},
					}
				: {}),
			client: {
				...requestSettings(options),
				concurrency: options.concurrency,
			},
		});
		tell(`listening on ${address}`);
		await ended;
	} catch (error) {
		const reason = systemReason(error);
		// Other errors are the service's and have a sentence of their own.
		if (reason === undefined) throw error;
		throw new Failure(`cannot listen: ${reason}`);
	}
}

function read(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (error) {
		throw new Failure(`cannot read ${file}: ${systemReason(error)}`);
	}
}
