/**
 * Options about requests for robots.txt files, and the client made of them. Commands that take the URL of a site in place of a file share
 * `requestOptions`; `fetch` and `crawl-check` have all of `clientOptions`.
 */
import type {
	RobotsClient,
	RobotsClientOptions,
	RobotsStore,
} from "@robotrie/client";
import { InvalidArgumentError, Option } from "commander";
import type { Agent, Dialect } from "robotrie";
import { readingFor } from "robotrie/internal";
import { parseUrl } from "#robotrie/common/arguments";
import {
	dialectOption,
	maxBytesOption,
	type ReadingOptions,
} from "../options/options.ts";
import { tell } from "../output/output.ts";

/**
 * Options about one request for a robots.txt. A command that takes a URL for a file makes exactly
 * one request, so nothing about many is here.
 */
export interface RequestOptions extends ReadingOptions {
	readonly userAgent?: string | undefined;
	readonly timeout: number;
	readonly allowPrivateNetwork?: boolean;
	/** Host names, `*` for all. */
	readonly serverErrorAsNotFound?: readonly string[];
	readonly forbiddenAsDisallow?: boolean;
	readonly proxy?: string;
	/** By name. */
	readonly header?: Readonly<Record<string, string>>;
}

/** Options about how robots.txt files are fetched. */
export interface ClientOptions extends RequestOptions {
	readonly dialect: Dialect;
	readonly store?: string | undefined;
	readonly concurrency: number;
}

const DEFAULT_CONCURRENCY = 50;
/** Seconds. */
const DEFAULT_TIMEOUT = 30;

/** Functions, not constants: commander's options carry values, and each command needs its own. */
export function requestOptions(): Option[] {
	return [
		new Option(
			"--user-agent <text>",
			'the User-Agent header to send: "ExampleBot/1.0 (+https://example.com/bot)"',
		),
		new Option(
			"--timeout <seconds>",
			"time for one robots.txt, redirects included",
		)
			.argParser(seconds)
			.default(DEFAULT_TIMEOUT),
		new Option(
			"--allow-private-network",
			"also connect to loopback and private addresses",
		),
		new Option(
			"--server-error-as-not-found <host>",
			"a host that answers 5xx for pages it does not have: its 5xx counts as 404; repeat it for more hosts, * for all",
		).argParser(collectHosts),
		new Option(
			"--forbidden-as-disallow",
			"401 and 403 disallow everything, in place of allowing it",
		),
		new Option(
			"--proxy <url>",
			"an HTTP proxy for all requests, which then decides what addresses to connect to: http://proxy.example:3128",
		).env("ROBOTRIE_PROXY"),
		new Option(
			"--header <field>",
			'a further header field to send: "From: bot@example.com"; repeat it for more',
		).argParser(collectFields),
	];
}

export function clientOptions(): Option[] {
	return [
		new Option(
			"-s, --store <place>",
			"keep fetched files here: an SQLite file (robots.sqlite, Node 22.13 and later), an LMDB folder, or redis://host:6379",
		),
		...requestOptions(),
		new Option("--concurrency <number>", "requests at a time")
			.argParser(atLeastOne)
			.default(DEFAULT_CONCURRENCY),
		dialectOption(),
		maxBytesOption(
			"bytes of robots.txt to read (default: 512000; with the google dialect 16 MiB)",
		),
	];
}

/** `*` is for sites of one owner that all answer wrongly. */
function collectHosts(
	text: string,
	before: readonly string[] | undefined,
): readonly string[] {
	const host = text === "*" ? text : parseUrl(`https://${text}`)?.hostname;
	// A port or a path here would be taken for part of the name.
	if (!host || (host !== text && /[/?#@:]/.test(text)))
		throw new InvalidArgumentError("Expected a host name, or *.");
	return [...(before ?? []), host];
}

function collectFields(
	text: string,
	before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
	const [, name, value] = /^([^\s:]+):\s*(.*)$/.exec(text) ?? [];
	if (name === undefined || !value)
		throw new InvalidArgumentError('Expected "Name: value".');
	return { ...before, [name]: value };
}

/** What the options about a request are to a client. */
export function requestSettings(options: Partial<RequestOptions>): Omit<
	RobotsClientOptions,
	"agent" | "timeout"
> & {
	readonly timeout: number;
} {
	const { userAgent, maxBytes, proxy, header } = options;
	const misconfigured = new Set(options.serverErrorAsNotFound);
	return {
		timeout: (options.timeout ?? DEFAULT_TIMEOUT) * 1000,
		allowPrivateNetwork: options.allowPrivateNetwork ?? false,
		serverErrorAsNotFound: (origin) =>
			misconfigured.has("*") || misconfigured.has(new URL(origin).hostname),
		forbiddenAsDisallow: options.forbiddenAsDisallow ?? false,
		...(userAgent === undefined ? {} : { userAgent }),
		...(maxBytes === undefined ? {} : { maxBytes }),
		...(proxy === undefined ? {} : { proxy }),
		...(header === undefined ? {} : { headers: header }),
	};
}

export function seconds(text: string): number {
	const value = Number(text);
	// One millisecond is a value for tests, a day is longer than any answer may take.
	if (!/^[\d.]+$/.test(text) || !(value >= 0.001 && value <= 86_400))
		throw new InvalidArgumentError(
			"Expected a number of seconds from 0.001 to 86400.",
		);
	return value;
}

/** At most six digits, as no machine has a million sockets. */
function atLeastOne(text: string): number {
	if (!/^\d{1,6}$/.test(text) || Number(text) < 1)
		throw new InvalidArgumentError("Expected a whole number from 1 to 999999.");
	return Number(text);
}

/**
 * A client as the options say, and what closes it and its store. The client's code is only loaded here, for the other commands' sake.
 * @param own What takes the place of these options.
 */
export async function openClient(
	options: Partial<RequestOptions & Omit<ClientOptions, "dialect">>,
	agent: Agent,
	own: Pick<ClientOptions, "userAgent" | "store"> &
		Pick<RobotsClientOptions, "minRetryDelay" | "dialect"> = {
		userAgent: options.userAgent,
		store: options.store,
	},
): Promise<{ client: RobotsClient; close: () => Promise<void> }> {
	const { openStore, RobotsClient } = await import("@robotrie/client");
	const store: RobotsStore | undefined =
		own.store === undefined ? undefined : await openStore(own.store);
	// The dialect decides which group and how much of a file counts; the store does not depend on it.
	const settings: RobotsClientOptions = {
		...requestSettings(options),
		agent,
		dialect:
			own.dialect ?? readingFor(options.dialect ?? "auto", agent).dialect,
		concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
		...(store && { store }),
		...(own.minRetryDelay === undefined
			? {}
			: { minRetryDelay: own.minRetryDelay }),
		...(own.userAgent === undefined ? {} : { userAgent: own.userAgent }),
	};
	const client = new RobotsClient(settings);
	// Once: a store that is gone fails for every site.
	client.once("storeError", ({ error }) =>
		tell(
			`warning: the store failed; going on without it: ${error instanceof Error ? error.message : error}`,
		),
	);
	return {
		// The client first, as it may still write to the store.
		client,
		async close() {
			await client.close();
			await store?.close();
		},
	};
}
