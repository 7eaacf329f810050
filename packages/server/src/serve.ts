/**
 * `serve`: opens a store, makes the service and listens, on loopback unless it is told otherwise. The command `robotrie serve` is this function.
 * What listens elsewhere has a token or asks for certificates, or does not start. The first SIGTERM or SIGINT lets what is in progress
 * end, the second one does not.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import { join } from "node:path";
import { openStore, type RobotsStore } from "@robotrie/client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RobotrieError } from "robotrie";
import { checkOptions, type OptionTable } from "#robotrie/common/arguments";
import {
	flagKind,
	list,
	number,
	objectKind,
	oneOf,
	textKind,
	wholeNumber,
} from "#robotrie/common/kinds";
import { optionalPackage } from "#robotrie/common/optional-package";
import { Refusal } from "./bounds.ts";
import {
	createService,
	type ServiceOptions,
	serviceOptions,
} from "./service.ts";

/** Options of `serve`. */
export interface ServeOptions
	extends Omit<ServiceOptions, "store" | "fastify" | "tracing"> {
	/** Default 8080; 0 takes any that is free. */
	readonly port?: number;
	/** Default "127.0.0.1". */
	readonly host?: string;
	/**
	 * Names that requests may have in their Host field, beside the address it listens on and, on loopback, its names. Default: any, but on loopback without
	 * a token or certificates only these.
	 */
	readonly hostNames?: readonly string[];
	/** The path of a Unix socket to listen on in place of a port. */
	readonly socket?: string;
	/** A folder, for SQLite where Node has it, or redis://host:6379. Default: the folder robotrie-data. Null keeps answers in memory. */
	readonly store?: string | null;
	/** What clients send as "Authorization: Bearer …". */
	readonly token?: string;
	/** Certificates in PEM; with `ca`, clients need one that it has signed. */
	readonly tls?: {
		/** The certificate, PEM. */
		readonly cert: string | Buffer;
		/** Its private key, PEM. */
		readonly key: string | Buffer;
		/** Certificates of the authorities that sign those of clients, PEM. With them a client without one is refused. */
		readonly ca?: string | Buffer;
	};
	/** Of the log on stdout, JSON lines: "info", "warn", "error", "silent" and others. Default "info". */
	readonly logLevel?: string;
	/** Milliseconds for what is in progress when the service is stopped. Default 30,000. */
	readonly drainTime?: number;
	/** Whether SIGTERM and SIGINT stop it. Default true. */
	readonly signals?: boolean;
}

/** A service that listens. */
export interface Running {
	/** "http://127.0.0.1:8080", or "unix:" and the path of the socket. */
	readonly address: string;
	/** Resolves when it has ended. */
	readonly ended: Promise<void>;
	/** Lets what is in progress end, for at most `drainTime`, and then closes everything. */
	close(): Promise<void>;
}

const { fastify: _, tracing: __, ...shared } = serviceOptions;
const serveOptions: OptionTable<ServeOptions> = {
	...shared,
	port: wholeNumber(0, 65_535),
	host: textKind,
	hostNames: list(textKind, "host names"),
	socket: textKind,
	store: {
		text: "a string or null",
		accepts: (value) => value === null || textKind.accepts(value),
	},
	token: textKind,
	tls: objectKind,
	logLevel: oneOf([
		"trace",
		"debug",
		"info",
		"warn",
		"error",
		"fatal",
		"silent",
	]),
	drainTime: number(0, 2 ** 31 - 1),
	signals: flagKind,
};

const DEFAULT_FOLDER = "robotrie-data";
/** Milliseconds between /readyz saying no and the end of listening, for load balancers: none looks more often. */
const DRAIN_NOTICE = 500;

/**
 * Starts the service and listens; resolves when it answers.
 * @example
 * const { address, close } = await serve({ port: 0, store: null, agent: "ExampleBot" });
 * await fetch(`${address}/healthz`);
 * await close();
 * @throws {RobotrieError} invalid-argument; store-unavailable, unsupported, missing-package; what listening throws.
 */
export async function serve(options: ServeOptions = {}): Promise<Running> {
	checkOptions("serve", options, serveOptions);
	const {
		store: place,
		host = "127.0.0.1",
		hostNames,
		port = 8080,
		socket,
		token,
		tls,
		logLevel = "info",
		drainTime = 30_000,
		signals = true,
		...service
	} = options;
	const isLocal = socket !== undefined || isLoopback(host);
	if (!isLocal && token === undefined && tls?.ca === undefined)
		throw new RobotrieError(
			"invalid-argument",
			`to listen on ${host}, give a token, or certificates with a CA for clients: anyone who reaches the service can have it fetch`,
		);
	if (token !== undefined && token.length < 16)
		throw new RobotrieError(
			"invalid-argument",
			"a token has at least 16 characters",
		);
	// After the options were checked, and before the service is made: nothing is opened for options that are refused.
	const tracing = await startTracing();
	const warnings: string[] = [];
	const store = await storeAt(place, (text) => warnings.push(text));
	const app = await createService({
		...service,
		...(store ? { store } : {}),
		tracing: tracing !== undefined,
		fastify: {
			logger: { level: logLevel },
			// Idle connections do not keep it from closing.
			forceCloseConnections: "idle",
			...(tls
				? {
						http2: true,
						https: {
							...tls,
							allowHTTP1: true,
							...(tls.ca
								? { requestCert: true, rejectUnauthorized: true }
								: {}),
						},
					}
				: {}),
		},
	}).catch(async (error) => {
		await store?.close();
		throw error;
	});
	const isLoopbackPort = socket === undefined && isLocal;
	const names =
		hostNames ??
		(isLoopbackPort && token === undefined && !tls?.ca ? [] : undefined);
	guard(app, token, names && [...names, host], isLoopbackPort);
	for (const warning of warnings) app.log.warn(warning);
	try {
		await app.listen(socket === undefined ? { host, port } : { path: socket });
	} catch (error) {
		await app.close();
		throw error;
	}
	const address = addressOf(app, tls !== undefined);
	let closing: Promise<void> | undefined;
	let end: () => void = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	const close = () => {
		closing ??= drained(app, drainTime).then(async () => {
			await tracing?.shutdown().catch(() => {});
			for (const name of SIGNALS) process.off(name, stop);
			end();
		});
		return closing;
	};
	const stop = (signal: NodeJS.Signals) => {
		// Somebody who asks twice does not want to wait for what is in progress.
		if (closing) process.exit(1);
		app.log.info({ signal }, "stopping");
		close();
	};
	if (signals) for (const name of SIGNALS) process.on(name, stop);
	return { address, ended, close };
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

async function drained(
	app: Awaited<ReturnType<typeof createService>>,
	time: number,
): Promise<void> {
	app.drain();
	await new Promise((resolve) =>
		setTimeout(resolve, Math.min(DRAIN_NOTICE, time)),
	);
	const timer = setTimeout(() => {
		if ("closeAllConnections" in app.server) app.server.closeAllConnections();
	}, time);
	await app.close();
	clearTimeout(timer);
}

/**
 * Who may ask: those with the token; and, where there is none, programs, but no pages of a browser. With names, requests have to name one of
 * them: a page can ask by a name of its own that leads here.
 */
function guard(
	app: FastifyInstance,
	token: string | undefined,
	names: readonly string[] | undefined,
	isLoopbackPort: boolean,
): void {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
	const known = names && new Set(names.map(nameOf));
	const check = (request: FastifyRequest) => {
		const { headers, url } = request.raw;
		// Load balancers ask these by address; they say nothing and do nothing.
		if (url === "/healthz" || url === "/readyz") return;
		const name = nameOf(request.host ?? "");
		if (known && !known.has(name) && !(isLoopbackPort && isLoopback(name)))
			throw new Refusal(
				403,
				"forbidden",
				`the service is not known by the name ${JSON.stringify(name.slice(0, 100))}`,
			);
		if (expected) {
			// Digests are of one length, so the comparison takes the same time whatever was sent.
			if (timingSafeEqual(digest(headers.authorization ?? ""), expected))
				return;
			throw new Refusal(
				401,
				"unauthorized",
				"send the service's token: Authorization: Bearer …",
			);
		}
		// Certificates and this machine's own address are what a browser has, too, whatever page it shows. It sends no Origin with an image or a link.
		if (headers.origin !== undefined || isOtherSite(headers["sec-fetch-site"]))
			throw new Refusal(
				403,
				"forbidden",
				"without a token only programs may ask, not pages in a browser",
			);
	};
	app.addHook("onRequest", (request, reply, done) => {
		try {
			check(request);
			done();
		} catch (error) {
			reply.header("www-authenticate", "Bearer");
			done(error as Error);
		}
	});
}

/** Whether a browser says that another site's page asks; only "none", of who types an address, and the service's own pages do not. */
function isOtherSite(sent: string | string[] | undefined): boolean {
	return sent !== undefined && sent !== "none" && sent !== "same-origin";
}

/** The host of a Host field, without its port. */
function nameOf(host: string): string {
	return host
		.replace(/:\d+$/, "")
		.replace(/^\[(.*)\]$/, "$1")
		.replace(/\.$/, "")
		.toLowerCase();
}

function isLoopback(host: string): boolean {
	return (
		host === "localhost" ||
		host === "::1" ||
		(isIP(host) === 4 && host.startsWith("127."))
	);
}

/** SQLite needs Node 22.13; before, LMDB does if it is installed, and otherwise memory. */
async function storeAt(
	place: string | null | undefined,
	warn: (text: string) => void,
): Promise<RobotsStore | undefined> {
	if (place === null) return undefined;
	const location = place ?? DEFAULT_FOLDER;
	if (/^rediss?:/i.test(location)) return openStore(location);
	if (process.getBuiltinModule("node:sqlite")) {
		await mkdir(location, { recursive: true });
		return openStore(`sqlite:${join(location, "robots.sqlite")}`);
	}
	try {
		return await openStore(location);
	} catch (error) {
		const isMissing =
			error instanceof RobotrieError && error.code === "missing-package";
		if (!isMissing || place !== undefined) throw error;
		warn(
			`answers are kept in memory only: Node ${process.version} has no SQLite (22.13 and later have), and the package lmdb is not installed`,
		);
		return undefined;
	}
}

function addressOf(app: FastifyInstance, isTls: boolean): string {
	const address = app.server.address() as AddressInfo | string;
	if (typeof address === "string") return `unix:${address}`;
	const host =
		address.family === "IPv6" ? `[${address.address}]` : address.address;
	return `${isTls ? "https" : "http"}://${host}:${address.port}`;
}

/** OpenTelemetry, if the environment says where spans go. It reads all its variables itself. */
async function startTracing(): Promise<
	{ shutdown(): Promise<void> } | undefined
> {
	const { env } = process;
	const isWanted =
		env.OTEL_SDK_DISABLED !== "true" &&
		env.OTEL_TRACES_EXPORTER !== "none" &&
		(env.OTEL_TRACES_EXPORTER ??
			env.OTEL_EXPORTER_OTLP_ENDPOINT ??
			env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined;
	if (!isWanted) return undefined;
	const { NodeSDK } = await optionalPackage(
		"@opentelemetry/sdk-node",
		"OpenTelemetry",
		(
			name,
		): Promise<{
			NodeSDK: new (options: {
				serviceName: string;
			}) => { start(): void; shutdown(): Promise<void> };
		}> => import(/* webpackIgnore: true */ /* @vite-ignore */ name),
	);
	const sdk = new NodeSDK({ serviceName: env.OTEL_SERVICE_NAME ?? "robotrie" });
	sdk.start();
	return sdk;
}
