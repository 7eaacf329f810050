import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { RobotsClient } from "@robotrie/client";
import { Frontier } from "./frontier.js";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { "allow-private-network": { type: "boolean" } },
});
const WORKERS = 8;
const MOST_PAGES = 100;

const client = new RobotsClient({
	agent: "ExampleBot",
	userAgent: "ExampleBot/1.0 (+https://example.com/bot)",
	// Milliseconds between two visits of a site that says nothing about it.
	defaultDelay: 100,
	allowPrivateNetwork: values["allow-private-network"] ?? false,
});
const frontier = new Frontier(client);
let pages = 0;

async function visit({ url, depth }) {
	const response = await fetch(url, { redirect: "manual" });
	const text = await response.text();
	pages++;
	console.log(`${response.status} ${url}`);
	const links = [...text.matchAll(/href="([^"]+)"/g)].map(
		([, href]) => new URL(href, url).href,
	);
	await frontier.add(links, depth + 1);
}

async function work() {
	while (pages < MOST_PAGES && !frontier.isDone) {
		const next = frontier.take();
		// Others are under way, and may find links.
		if (!next) await sleep(10);
		else {
			await sleep(Math.max(0, next.at - Date.now()));
			await visit(next).catch((error) =>
				console.error(`${next.url}: ${error}`),
			);
			await frontier.release(next);
		}
	}
}

await frontier.add(positionals, 0);
await Promise.all(Array.from({ length: WORKERS }, work));
console.log(`${pages} pages of ${client.stats().origins} sites`);
await client.close();
