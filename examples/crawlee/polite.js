import { setTimeout as sleep } from "node:timers/promises";
import { RetryRequestError } from "@crawlee/http";
import { RobotsTxtFile } from "@crawlee/utils";
import { robotsUrlFor } from "robotrie";

const LONGEST_SLEEP = 2 ** 31 - 1;
/** Milliseconds after which a client is asked again that could not answer. */
const PAUSE = 5000;

/**
 * A crawler class of Crawlee that asks robotrie, and comes no faster than each site wants. Requests wait in a line per origin until
 * `client.visit` says that their turn has come, so that no time limit of Crawlee counts while they wait. `maxWait` (an hour): when nothing is
 * left to visit but sites that want to be left alone for longer, the crawler ends. What waits for them stays in the queue; `onLater` tells
 * of each.
 */
export const polite = (Crawler, client, agent) =>
	class extends Crawler {
		#maxWait;
		#onLater;
		/** Requests that wait, by origin; and until when the crawler need not be kept running for them. */
		#lines = new Map();
		/** Requests whose turn has come. */
		#ready = [];
		/** By unique key: how to tell of visits and end them, null before. */
		#taken = new Map();
		#stop = new AbortController();

		constructor(
			{ maxWait = 3_600_000, onLater, postNavigationHooks = [], ...options },
			config,
		) {
			const report = ({ request, response }) => {
				if (!response) return;
				// Those of browsers are asked, others have them.
				const status = response.statusCode ?? response.status();
				const { headers } = response;
				this.#taken
					.get(request.uniqueKey)
					?.report(status, response.status ? headers.call(response) : headers);
				if (status !== 429 && status !== 503) return;
				response.destroy?.();
				// Not one of the tries after which Crawlee gives a request up.
				throw new RetryRequestError(`${status}: it will be asked for later`);
			};
			super(
				{
					respectRobotsTxtFile: { userAgent: agent },
					...options,
					postNavigationHooks: [report, ...postNavigationHooks],
				},
				config,
			);
			this.#maxWait = maxWait;
			this.#onLater = onLater;
		}

		async run(...args) {
			this.#stop = new AbortController();
			try {
				return await super.run(...args);
			} finally {
				this.#stop.abort();
				for (const { at, requests } of this.#lines.values())
					for (const { url } of requests) this.#onLater?.({ url, at });
				this.#lines.clear();
				this.#taken.clear();
			}
		}

		async _fetchNextRequest() {
			while (this.#ready.length === 0) {
				const request = await super._fetchNextRequest();
				if (!request) return null;
				// Crawlee's queue hands a request out again when its lock expires, and when it has failed.
				const taken = this.#taken.get(request.uniqueKey);
				if (taken) taken.again = request;
				else if (taken === undefined) this.#wait(request);
			}
			return this.#ready.shift();
		}

		async _isTaskReadyFunction() {
			return this.#ready.length > 0 || super._isTaskReadyFunction();
		}

		/** Crawlee asks when no task is running. */
		async _defaultIsFinishedFunction() {
			if (await super._defaultIsFinishedFunction()) return true;
			if (await super._isTaskReadyFunction()) return false;
			const lines = [...this.#lines.values()];
			return lines.length > 0 && lines.every(({ at }) => at > 0);
		}

		/** Crawlee's own pace: there is one already. */
		delayRequest() {
			return false;
		}

		async _cleanupContext(context) {
			await super._cleanupContext(context);
			this.#taken.get(context.request.uniqueKey)?.end();
		}

		async handleSkippedRequest(skipped) {
			// The rules have changed since its turn came.
			for (const taken of this.#taken.values())
				if (skipped.reason === "robotsTxt" && taken?.url === skipped.url)
					taken.end();
			await super.handleSkippedRequest(skipped);
		}

		/** Crawlee asks it about links before they are queued. */
		async getRobotsTxtFileForUrl(url) {
			const own = robotsUrlFor(url);
			// The robots service does not give rules: links are judged when their turn comes.
			if (!client.robots || !own) return undefined;
			const { robots, access } = await client.robots(url);
			const { later } = await client.sort([url]);
			return new RobotsTxtFile(own, {
				isAllowed(link, userAgent) {
					// Undefined is allowed. Links to other sites have files of their own; what cannot be known yet is queued.
					if (robotsUrlFor(link) !== own || later.length > 0) return undefined;
					return robots?.isAllowed(link, userAgent) ?? access === "allow-all";
				},
				getSitemaps: () => [...(robots?.sitemaps ?? [])],
			});
		}

		#wait(request) {
			this.#taken.set(request.uniqueKey, null);
			const { origin } = new URL(request.url);
			const line = this.#lines.get(origin);
			if (line) return line.requests.push(request);
			const made = { requests: [request], at: 0 };
			this.#lines.set(origin, made);
			return this.#follow(origin, made, this.#stop.signal).catch((error) =>
				// The crawler has ended; what waits is still in the queue.
				this.log.debug(String(error)),
			);
		}

		/** Visits an origin's requests, one after another. */
		async #follow(origin, line, signal) {
			const { requests } = line;
			for (let request = requests[0]; request; request = requests[0]) {
				const begin = ({ report }) =>
					new Promise((end) => {
						const { url, uniqueKey } = request;
						this.#taken.set(uniqueKey, { url, report, end });
						this.#ready.push(requests.shift());
						this.autoscaledPool?.notify();
					});
				const maxWait = this.#maxWait;
				const visit = await client
					.visit(request.url, begin, { maxWait, signal })
					.catch((error) => {
						signal.throwIfAborted();
						this.log.warning(`${request.url}: ${error.message}`);
						return { outcome: "later", at: Date.now() + PAUSE };
					});
				const { outcome, at } = visit;
				if (at !== undefined) {
					// Timers may be early by a millisecond.
					const wait = Math.max(at - Date.now(), 0) + 1;
					if (wait > maxWait) line.at = at;
					await sleep(Math.min(wait, LONGEST_SLEEP), null, { signal });
					line.at = 0;
					continue;
				}
				if (outcome !== "visited") {
					requests.shift();
					await this.requestManager.markRequestHandled(request);
					await super.handleSkippedRequest({
						url: request.url,
						reason: "robotsTxt",
					});
				}
				const { again } = this.#taken.get(request.uniqueKey) ?? {};
				this.#taken.delete(request.uniqueKey);
				// It failed, and came back before its visit had ended.
				if (again && !request.handledAt) this.#wait(again);
			}
			this.#lines.delete(origin);
		}
	};
