import { setImmediate as nextTurn } from "node:timers/promises";
import { Verdict } from "robotrie";
import type { Fetch } from "../src/index.ts";
import { rightVerdict } from "./scheduler-sites.ts";

/** Sites asked in one turn of the event loop, and URLs judged. */
const A_TURN = 8;
const JUDGED = 1000;

/** What the day needs of a client and an index, answered by the benchmark itself: what the day costs without robotrie. */
export class Control {
	readonly #fetch: Fetch;
	readonly #now: () => number;
	readonly #versionOf: (site: number) => number;
	/** When sites were asked, and for how many milliseconds their answers hold. */
	readonly #asked = new Map<number, { at: number; lifetime: number }>();

	/** `versionOf` tells by which version of its rules a site is judged. */
	constructor(
		fetch: Fetch,
		now: () => number,
		versionOf: (site: number) => number,
	) {
		this.#fetch = fetch;
		this.#now = now;
		this.#versionOf = versionOf;
	}

	set(): void {}

	peek(urls: readonly string[]): Uint8Array {
		return this.#judge(urls);
	}

	async prefetch(urls: readonly string[]): Promise<void> {
		await this.#ask(urls);
	}

	async matchMany(urls: readonly string[]): Promise<Uint8Array> {
		await this.#ask(urls);
		const verdicts = new Uint8Array(urls.length);
		for (let from = 0; from < urls.length; from += JUDGED) {
			if (from > 0) await nextTurn();
			verdicts.set(this.#judge(urls.slice(from, from + JUDGED)), from);
		}
		return verdicts;
	}

	async close(): Promise<void> {}

	/** Asks the sites whose answers have expired. */
	async #ask(urls: readonly string[]): Promise<void> {
		let asked = 0;
		for (const url of urls) {
			const { site } = pageOf(url);
			if (this.#holds(site)) continue;
			const response = await this.#fetch(`${new URL(url).origin}/robots.txt`, {
				method: "GET",
				headers: {},
				redirect: "manual",
				signal: new AbortController().signal,
			});
			const reader = response.body?.getReader();
			while (reader && !(await reader.read()).done);
			const seconds = /\d+/.exec(response.headers.get("cache-control") ?? "");
			const lifetime = 1000 * Number(seconds?.[0] ?? 0);
			this.#asked.set(site, { at: this.#now(), lifetime });
			if (++asked % A_TURN === 0) await nextTurn();
		}
	}

	/** Whether an answer is at hand that is neither too old nor from the future. */
	#holds(site: number): boolean {
		const asked = this.#asked.get(site);
		if (!asked) return false;
		const age = this.#now() - asked.at;
		return age > -60_000 && age < asked.lifetime;
	}

	#judge(urls: readonly string[]): Uint8Array {
		return Uint8Array.from(urls, (url) => {
			const { site, section } = pageOf(url);
			const version = this.#versionOf(site);
			return version < 0
				? Verdict.Unknown
				: rightVerdict(site, section, version);
		});
	}
}

function pageOf(url: string) {
	const [, site = "", section = ""] =
		/site-(\d+)(?:.*section-(\d+))?/.exec(url) ?? [];
	return { site: Number(site), section: Number(section) };
}
