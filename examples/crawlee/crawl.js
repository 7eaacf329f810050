import { parseArgs } from "node:util";
import { CheerioCrawler } from "@crawlee/cheerio";
import { Configuration, HttpCrawler } from "@crawlee/http";
import { RobotsClient } from "@robotrie/client";
import { polite } from "./polite.js";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		"allow-private-network": { type: "boolean" },
		// Only the given pages, whatever they are: no links are followed.
		http: { type: "boolean" },
		// Seconds that it waits for sites which want to be left alone.
		wait: { type: "string", default: "10" },
	},
});
const AGENT = "ExampleBot";
const client = new RobotsClient({
	agent: AGENT,
	defaultDelay: 100,
	allowPrivateNetwork: values["allow-private-network"] ?? false,
});

const PoliteCrawler = polite(
	values.http ? HttpCrawler : CheerioCrawler,
	client,
	AGENT,
);
const crawler = new PoliteCrawler(
	{
		maxRequestsPerCrawl: 50,
		maxWait: 1000 * Number(values.wait),
		async requestHandler({ request, enqueueLinks }) {
			console.log(`fetched ${request.url}`);
			if (!values.http) await enqueueLinks();
		},
		onSkippedRequest: ({ url, reason }) => console.log(`${reason} ${url}`),
		onLater: ({ url, at }) =>
			console.log(`later ${url} ${new Date(at).toISOString()}`),
	},
	new Configuration({ persistStorage: false, logLevel: "WARNING" }),
);
await crawler.run(positionals);
await client.close();
