import { setTimeout as sleep } from "node:timers/promises";
import { RobotsTxtFile } from "@crawlee/utils";
import { robotsUrlFor } from "robotrie";

/** A crawler class of Crawlee that reads robots.txt with robotrie, and comes no faster than each site asks. */
export const polite = (Crawler, client, agent) =>
	class extends Crawler {
		constructor({ preNavigationHooks = [], ...options }, config) {
			const pace = async ({ request }) => {
				const at = await client.nextVisit(request.url);
				await sleep(Math.max(0, at - Date.now()));
			};
			super(
				{
					respectRobotsTxtFile: { userAgent: agent },
					...options,
					preNavigationHooks: [...preNavigationHooks, pace],
				},
				config,
			);
		}

		/** Crawlee asks it about each request, and about links before they are queued. */
		async getRobotsTxtFileForUrl(url) {
			const { robots, access } = await client.robots(url);
			const own = robotsUrlFor(url);
			return new RobotsTxtFile(own, {
				isAllowed(link, userAgent) {
					// Undefined for links to other sites, which have files of their own.
					if (robotsUrlFor(link) !== own) return undefined;
					return robots?.isAllowed(link, userAgent) ?? access === "allow-all";
				},
				getSitemaps: () => [...(robots?.sitemaps ?? [])],
			});
		}
	};
