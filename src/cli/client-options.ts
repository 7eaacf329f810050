import { InvalidArgumentError, Option } from "commander";
import type { RobotsClientOptions } from "../client/options.ts";
import type { RobotsClient } from "../client/robots-client.ts";
import type { RobotsStore } from "../client/store.ts";
import type { Agent } from "../matching/agents.ts";
import {
	dialectOption,
	maxBytesOption,
	type ReadingOptions,
} from "./options.ts";
import { tell } from "./output.ts";

/** Options about how robots.txt files are fetched. */
export interface ClientOptions extends ReadingOptions {
	readonly store?: string;
	readonly userAgent?: string | undefined;
	readonly timeout: number;
	readonly concurrency: number;
	readonly allowPrivateNetwork?: boolean;
}

export function clientOptions(): Option[] {
	return [
		new Option(
			"-s, --store <place>",
			"keep what is fetched in this file (robots.sqlite; SQLite, Node 22.13 and later), in this folder (LMDB), or on a server (redis://host:6379)",
		),
		new Option(
			"--user-agent <text>",
			'how to introduce the crawler to servers: "ExampleBot/1.0 (+https://example.com/bot)"',
		),
		new Option("--timeout <seconds>", "for one robots.txt, redirects included")
			.argParser(seconds)
			.default(30),
		new Option("--concurrency <number>", "requests under way at a time")
			.argParser(atLeastOne)
			.default(50),
		new Option(
			"--allow-private-network",
			"connect to loopback and private addresses, too",
		),
		dialectOption(),
		maxBytesOption("bytes of a robots.txt that count (default: 512000)"),
	];
}

function seconds(text: string): number {
	const value = Number(text);
	if (!/^[\d.]+$/.test(text) || !(value >= 0.001 && value <= 86_400))
		throw new InvalidArgumentError(
			"It is no number of seconds from 0.001 to 86400.",
		);
	return value;
}

function atLeastOne(text: string): number {
	if (!/^\d{1,6}$/.test(text) || Number(text) < 1)
		throw new InvalidArgumentError("It is no number from 1 to 999999.");
	return Number(text);
}

/** A client as the options say, and what closes it and its store. The client's code is only loaded here, for the other commands' sake. */
export async function openClient(
	options: ClientOptions,
	agent: Agent,
): Promise<{ client: RobotsClient; close: () => Promise<void> }> {
	const { openStore } = await import("../client/open-store.ts");
	const { RobotsClient } = await import("../client/robots-client.ts");
	const store: RobotsStore | undefined =
		options.store === undefined ? undefined : await openStore(options.store);
	const settings: RobotsClientOptions = {
		agent,
		dialect: options.dialect,
		timeout: options.timeout * 1000,
		concurrency: options.concurrency,
		allowPrivateNetwork: options.allowPrivateNetwork ?? false,
		...(store && { store }),
		...(options.userAgent === undefined
			? {}
			: { userAgent: options.userAgent }),
		...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
	};
	const client = new RobotsClient(settings);
	client.once("storeError", ({ error }) =>
		tell(
			`warning: the store fails, and is done without: ${error instanceof Error ? error.message : error}`,
		),
	);
	return {
		client,
		async close() {
			await client.close();
			await store?.close();
		},
	};
}
