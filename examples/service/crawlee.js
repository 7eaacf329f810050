// Crawlee with a robots service (robotrie serve): npm install @crawlee/cheerio && node crawlee.js https://example.com/
import { setTimeout as sleep } from "node:timers/promises";
import { CheerioCrawler, NonRetryableError } from "@crawlee/cheerio";

const AGENT = "ExampleBot";
const base = process.env.ROBOTRIE ?? "http://127.0.0.1:8080";
const token = process.env.ROBOTRIE_TOKEN;
const headers = token ? { authorization: `Bearer ${token}` } : {};

async function ask(path, query, method = "GET") {
	for (;;) {
		const answer = await fetch(
			`${base}${path}?${new URLSearchParams({ agent: AGENT, ...query })}`,
			{ method, headers },
		);
		if (answer.ok) return answer.json();
		if (answer.status !== 429 && answer.status !== 503)
			throw new Error(`${answer.status} ${await answer.text()}`);
		// Too much is in progress: the service says when to ask again.
		await sleep(1000 * Number(answer.headers.get("retry-after") ?? 1));
	}
}

const crawler = new CheerioCrawler({
	maxRequestsPerCrawl: 50,
	preNavigationHooks: [
		async ({ request: { url } }) => {
			const { allowed } = await ask("/allowed", { url });
			if (!allowed) throw new NonRetryableError("disallowed by robots.txt");
			// The visit is reserved: other crawlers of the service get later times.
			const { wait } = await ask("/pace", { origin: url }, "POST");
			await sleep(wait);
		},
	],
	async requestHandler({ request, enqueueLinks }) {
		console.log(`fetched ${request.url}`);
		await enqueueLinks();
	},
	failedRequestHandler: ({ request }, error) =>
		console.log(`${error.message} ${request.url}`),
});
await crawler.run(process.argv.slice(2));
