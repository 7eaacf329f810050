import TinyQueue from "tinyqueue";

/** URLs to visit: of each site the ones with the least depth first, sites in the order in which they may be visited. */
export class Frontier {
	#client;
	#seen = new Set();
	/** URLs by site. */
	#waiting = new Map();
	/** Sites with the time of their next visit; none that is being visited. */
	#due = new TinyQueue([], (a, b) => a.at - b.at);
	#taken = 0;

	constructor(client) {
		this.#client = client;
	}

	get isDone() {
		return this.#due.length === 0 && this.#taken === 0;
	}

	/** Adds the URLs that may be fetched. */
	async add(urls, depth) {
		const fresh = [...new Set(urls)].filter((url) => !this.#seen.has(url));
		for (const url of fresh) this.#seen.add(url);
		for (const url of await this.#client.filter(fresh)) {
			const site = new URL(url).origin;
			const waiting = this.#waiting.get(site);
			if (waiting) {
				waiting.push({ url, depth });
				continue;
			}
			this.#waiting.set(
				site,
				new TinyQueue([{ url, depth }], (a, b) => a.depth - b.depth),
			);
			await this.#schedule(site);
		}
	}

	/** The next URL and the time from which on it may be visited, to be released after the visit. Undefined if there is none. */
	take() {
		const next = this.#due.pop();
		if (!next) return undefined;
		this.#taken++;
		return { ...next, ...this.#waiting.get(next.site).pop() };
	}

	async release({ site }) {
		if (this.#waiting.get(site).length > 0) await this.#schedule(site);
		else this.#waiting.delete(site);
		this.#taken--;
	}

	/** Crawl-delay, Request-rate, Visit-time and Retry-After count. */
	async #schedule(site) {
		this.#due.push({ site, at: await this.#client.nextVisit(site) });
	}
}
