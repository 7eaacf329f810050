import { setTimeout as sleep } from "node:timers/promises";
import { RobotsClient } from "@robotrie/client";
import { LmdbStore } from "@robotrie/client/lmdb";
import { open } from "lmdb";

const [folder, ...seeds] = process.argv.slice(2);
/** Ends when nothing may be visited for so many milliseconds. */
const PATIENCE = 10_000;
/** Each URL that was found: what became of it, or, as a number, when to ask for it. */
const urls = open(`${folder}/urls`, {});
const store = await LmdbStore.open(`${folder}/robots`);
const client = new RobotsClient({
	agent: "ExampleBot",
	store,
	defaultDelay: 100,
	allowPrivateNetwork: process.env.PRIVATE === "yes",
});
const queue = new Map();
for (const { key, value } of urls.getRange())
	if (typeof value === "number") queue.set(key, value);

async function set(url, state) {
	await urls.put(url, state);
	if (typeof state === "number") queue.set(url, state);
}
const add = (url) => (urls.doesExist(url) ? undefined : set(url, 0));

async function download(url, { signal, report }) {
	const limit = AbortSignal.any([signal, AbortSignal.timeout(30_000)]);
	const response = await fetch(url, { redirect: "manual", signal: limit });
	report(response.status, response.headers);
	return { status: response.status, text: await response.text() };
}

async function visit(url) {
	const once = (visit) => download(url, visit);
	const { outcome, at, value } = await client.visit(url, once, { maxWait: 99 });
	// The site wants to be left alone: the next try tells until when.
	const isRefused = [429, 503].includes(value?.status);
	if (isRefused || outcome === "later") return set(url, at ?? Date.now());
	for (const [, href] of value?.text.matchAll(/href="([^"#]+)/g) ?? [])
		if (URL.canParse(href, url)) await add(new URL(href, url).href);
	await set(url, String(value?.status ?? outcome));
	console.log(value?.status ?? outcome, url);
}
for (const url of seeds) await add(url);
for (const running = new Set(); ; await Promise.race([...running, sleep(20)])) {
	const next = Math.min(...queue.values());
	if (running.size === 0 && next > Date.now() + PATIENCE) break;
	for (const [url, at] of queue) {
		if (running.size === 8 || at > Date.now()) continue;
		queue.delete(url);
		// What fails is tried again in a minute.
		const work = visit(url)
			.catch(() => set(url, Date.now() + 60_000))
			.finally(() => running.delete(work));
		running.add(work);
	}
}
for (const each of [client, store, urls]) await each.close();
