import { AGENT, type Case, CHUNK_ITEMS, total } from "./case.ts";
import { engineOf } from "./engine.ts";
import type { Library } from "./library.ts";
import { guardPeer, type Peer, robotsParserPeer } from "./peer.ts";
import { type Data, linesOf } from "./site.ts";

interface StringsOptions {
	readonly chunkItems?: number;
	readonly peers?: readonly Peer[];
}

/** Whole URLs as strings: in bulk, and one call for each URL as the peers have it. */
export function stringsCase(
	library: Library,
	data: Data,
	{
		chunkItems = CHUNK_ITEMS,
		peers = [robotsParserPeer, guardPeer],
	}: StringsOptions = {},
): Case {
	const dialect = "google";
	const jobs = data.sites.map((site) => {
		const { robots, urls } = site;
		return {
			urls,
			matcher: library.RobotsTxt.parse(robots, { dialect }).for(AGENT),
			peers: new Map(peers.map((peer) => [peer, peer.open(site)])),
			verdicts: new Uint8Array(urls.length),
			right: data.verdicts(site, { dialect }),
		};
	});
	type Job = (typeof jobs)[number];
	const size = ({ urls }: Job) => urls.length;
	const work = { name: "strings", jobs, size, chunkItems };
	const found = (verdicts: Uint8Array) => verdicts;
	const right = (job: Job) => job.right;
	return {
		name: "strings",
		why: "Full URLs as strings, as a crawler written in JavaScript has them.",
		items: total(jobs, size),
		unit: "URL",
		bytes: total(jobs, ({ urls }) => linesOf(urls).length),
		engines: [
			engineOf(work, {
				name: "robotrie matchMany",
				run: ({ matcher, urls }) => matcher.matchMany(urls),
				found,
				right,
			}),
			engineOf(work, {
				name: "robotrie isAllowed",
				run: ({ matcher, urls, verdicts }) => {
					for (let i = 0; i < urls.length; i++)
						verdicts[i] = Number(matcher.isAllowed(urls[i] as string));
					return verdicts;
				},
				found,
				right,
			}),
			...peers.map((peer) =>
				engineOf(work, {
					name: peer.name,
					run: (job) => {
						const { texts, isAllowed } = job.peers.get(peer) as ReturnType<
							Peer["open"]
						>;
						for (let i = 0; i < texts.length; i++)
							job.verdicts[i] = Number(isAllowed(texts[i] as string));
						return job.verdicts;
					},
					found,
					right,
					isPeer: true,
				}),
			),
		],
	};
}
