import { findCrawler, RobotsTxt } from "robotrie";
import { accessFor } from "robotrie/access";

/** What the site's robots.txt said when it was asked for last, for as long as that holds. */
let access = null;
let robots = RobotsTxt.parse("");

/** The rules of the site (env.SITE). As RFC 9309 asks, nothing is allowed while they cannot be had. */
async function rulesOf(site) {
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
	if (access.access === "rules") robots = RobotsTxt.parse(access.copy.body);
	else
		robots = RobotsTxt.parse(
			access.access === "allow-all" ? "" : "User-agent: *\nDisallow: /\n",
		);
	return robots;
}

/** Stands in front of a site: crawlers get 403 for what its robots.txt disallows, everything else is the site's answer. */
export default {
	async fetch(request, { SITE }) {
		const { pathname, search } = new URL(request.url);
		const path = pathname + search;
		const agent = request.headers.get("user-agent") ?? "";
		if (findCrawler(agent)) {
			const { allowed, reason } = (await rulesOf(SITE)).explain(path, agent);
			if (!allowed) return new Response(`${reason}\n`, { status: 403 });
		}
		return fetch(new URL(path, SITE), request);
	},
};
