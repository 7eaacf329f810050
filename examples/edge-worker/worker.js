import { findCrawler, RobotsTxt } from "robotrie";
import { accessFor, rulesOf } from "robotrie/access";

/** What the site's robots.txt said when it was asked for last, for as long as that holds. */
let access = null;
/** Null while it cannot be had: then nothing is allowed for now, as RFC 9309 asks. */
let robots = null;

/** The rules of the site (env.SITE), or null. */
async function robotsOf(site) {
	if (access !== null && Date.now() < access.expires) return robots;
	const url = new URL("/robots.txt", site).href;
	const outcome = await fetch(url)
		.then(async (response) => ({
			status: response.status,
			headers: response.headers,
			body: new Uint8Array(await response.arrayBuffer()),
			url,
		}))
		.catch(({ message }) => ({ failure: { code: "connection", message } }));
	access = accessFor(outcome, access);
	const rules = rulesOf(access);
	const isLater = rules === "later" || rules === "disallow-all";
	robots = isLater ? null : RobotsTxt.parse(rules === "allow-all" ? "" : rules);
	return robots;
}

/**
 * Stands in front of a site: crawlers get 403 for what its robots.txt disallows, and 503 while that cannot be had; everything else is the
 * site's answer.
 */
export default {
	async fetch(request, { SITE }) {
		const { pathname, search } = new URL(request.url);
		const path = pathname + search;
		const agent = request.headers.get("user-agent") ?? "";
		if (findCrawler(agent)) {
			const robots = await robotsOf(SITE);
			// Not 403: the crawler is to come again.
			if (!robots) {
				const seconds = Math.ceil((access.expires - Date.now()) / 1000);
				const headers = { "retry-after": String(Math.max(1, seconds)) };
				return new Response(`${access.reason}\n`, { status: 503, headers });
			}
			const { allowed, reason } = robots.explain(path, agent);
			if (!allowed) return new Response(`${reason}\n`, { status: 403 });
		}
		return fetch(new URL(path, SITE), request);
	},
};
