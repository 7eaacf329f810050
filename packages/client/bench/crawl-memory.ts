import { Verdict } from "robotrie";
import { MemoryStore, RobotsClient, type RobotsStore } from "../src/index.ts";

/** Bytes that a client keeps for an origin. */
export interface OriginBytes {
	readonly origins: number;
	/** In memory, with a store that keeps nothing. All origins have the same rules, which are kept once. */
	readonly atHand: number;
	/** In a `MemoryStore`, besides. */
	readonly inStore: number;
	/** Of the robots.txt. */
	readonly file: number;
	readonly rules: number;
}

const RULES = 100;
const file = `User-agent: *\n${Array.from(
	{ length: RULES },
	(_, i) => `Disallow: /folder-${(i * 7919) % 1000}/page-${i}\n`,
).join("")}`;

const nothing: RobotsStore = {
	get: async () => undefined,
	set: async () => {},
	delete: async () => {},
	close: async () => {},
};

/**
 * Measures what an origin takes in memory: what `origins` take beyond a third of them, so that what a client takes by itself does not
 * count. `collect` runs the garbage collector.
 * @throws {Error} When an origin has no rules.
 */
export async function measureOrigins(
	collect: () => void,
	origins = 15_000,
): Promise<OriginBytes> {
	const urls = Array.from(
		{ length: origins },
		(_, i) => `https://www.site${i}.example/`,
	);
	const used = async () => {
		for (let turn = 0; turn < 5; turn++) {
			collect();
			// What waits for a finaliser is freed in the next turn.
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const measure = async (store: RobotsStore) => {
		const client = new RobotsClient({
			agent: "ExampleBot",
			store,
			fetch: async () => new Response(file),
		});
		const judge = async (some: readonly string[]) => {
			const verdicts = await client.matchMany(some);
			if (verdicts.some((one) => one !== Verdict.Allowed))
				throw new Error("an origin has no rules");
		};
		const few = Math.floor(origins / 3);
		await judge(urls.slice(0, few));
		const before = await used();
		await judge(urls.slice(few));
		const bytes = (await used()) - before;
		await client.close();
		return bytes / (origins - few);
	};
	const atHand = await measure(nothing);
	const inStore = (await measure(new MemoryStore())) - atHand;
	return { origins, atHand, inStore, file: file.length, rules: RULES };
}
