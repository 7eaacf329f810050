// Crawlee with a robots service (robotrie serve): node service.js https://example.com/
import { setTimeout as sleep } from "node:timers/promises";
import { CheerioCrawler } from "@crawlee/cheerio";
import { Configuration } from "@crawlee/http";
import { polite } from "./polite.js";

const AGENT = "ExampleBot";
const base = process.env.ROBOTRIE ?? "http://127.0.0.1:8080";
const token = process.env.ROBOTRIE_TOKEN;
const headers = token ? { authorization: `Bearer ${token}` } : {};

/** What the service says of the visit of a page. */
async function ask(method, query, signal) {
	for (;;) {
		const answer = await fetch(
			`${base}/visits?${new URLSearchParams({ agent: AGENT, ...query })}`,
			{ method, headers, signal },
		);
		if (answer.ok) return method === "POST" ? answer.json() : undefined;
		const { code, message } = await answer.json();
		if (code === "invalid-url") return { verdict: "invalid", at: null };
		if (answer.status !== 429 && answer.status !== 503)
			throw new Error(`${answer.status} ${message}`);
		// Too much is in progress: the service says when to ask again.
		await sleep(1000 * Number(answer.headers.get("retry-after") ?? 1));
	}
}

/** As `visit` of RobotsClient: crawlers of the service share its visits. */
async function visit(url, download, { maxWait, signal }) {
	const { verdict, at, wait } = await ask("POST", { url, maxWait }, signal);
	if (verdict === "later") return { outcome: verdict, at: Date.now() + wait };
	if (verdict !== "allowed") return { outcome: "disallowed" };
	const ended = { url, at };
	const report = (status, fields) => {
		const retryAfter = fields["retry-after"];
		Object.assign(ended, { status }, retryAfter && { retryAfter });
	};
	try {
		await sleep(wait + 1, null, { signal });
		return { outcome: "visited", value: await download({ report }) };
	} finally {
		await ask(signal.aborted ? "DELETE" : "PUT", ended).catch(console.error);
	}
}

const crawler = new (polite(CheerioCrawler, { visit }, AGENT))(
	{
		maxRequestsPerCrawl: Number(process.env.PAGES ?? 50),
		maxWait: 1000 * Number(process.env.WAIT ?? 10),
		async requestHandler({ request, enqueueLinks }) {
			console.log(`fetched ${request.url}`);
			await enqueueLinks();
		},
		onSkippedRequest: ({ url }) =>
			console.log(`disallowed by robots.txt ${url}`),
		onLater: ({ url, at }) =>
			console.log(`later ${url} ${new Date(at).toISOString()}`),
	},
	new Configuration({ persistStorage: false, logLevel: "WARNING" }),
);
await crawler.run(process.argv.slice(2));
