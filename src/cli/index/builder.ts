import { accessFor } from "../../access/access.ts";
import type { Redirect } from "../../access/outcome.ts";
import { parseUrl } from "../../common/parse-url.ts";
import { nextTurn } from "../../common/turn.ts";
import type { Agent } from "../../matching/agents.ts";
import { RobotsTxt } from "../../matching/robots-txt.ts";
import { dialectRules } from "../../robots-txt/dialect.ts";
import { snapshotChunks } from "../../sites/index-snapshot.ts";
import { MOST_BYTES, OriginTable } from "../../sites/origin-table.ts";
import { originOf } from "../../sites/scope.ts";
import { shardOfUrl } from "../../sites/shard.ts";
import type {
	CompiledSites,
	CompileSettings,
	Move,
	Target,
} from "./compile-sites.ts";

/** Redirects that are followed (RFC 9309 §2.3.1.2). */
const HOPS = 5;

/** What became of redirects. */
export interface Redirects {
	/** Those that took the answer recorded for their target. */
	readonly followed: number;
	/** Those whose target has no record, or that lead in a circle or over too many hops. */
	readonly unanswered: number;
}

/** Indexes that grow from compiled sites: for each agent one of as many shards as are wanted. */
export class IndexBuilder {
	readonly #settings: CompileSettings;
	/** Agent by agent, shard by shard. */
	readonly #tables: readonly (readonly OriginTable[])[];
	/** Origins whose last record is a redirect. */
	readonly #moves = new Map<string, Move>();
	/** Answers at other paths than /robots.txt. */
	readonly #targets = new Map<string, Target>();

	constructor(settings: CompileSettings) {
		this.#settings = settings;
		const { googleMatching } = dialectRules(settings.dialect);
		this.#tables = settings.agents.map(() =>
			Array.from({ length: settings.shards }, () =>
				OriginTable.inOwnMemory(MOST_BYTES, googleMatching),
			),
		);
	}

	/** Origins whose answer is known. */
	get origins(): number {
		return sumOf(this.#tables[0] ?? [], ({ size }) => size);
	}

	/** Nothing has been added, redirects included. */
	get isEmpty(): boolean {
		return this.origins === 0 && this.#moves.size === 0;
	}

	/** Different programs of the first agent, counted shard by shard. */
	get programs(): number {
		return sumOf(this.#tables[0] ?? [], ({ stats }) => stats.programs);
	}

	/** Takes the sites of a task; a later one of the same origin counts. */
	add({
		origins,
		shards,
		programs,
		ends,
		moves,
		targets,
	}: CompiledSites): void {
		for (const target of targets) this.#targets.set(target.url, target);
		let next = 0;
		let from = 0;
		origins.forEach((origin, i) => {
			const shard = shards[i] as number;
			const move = moves.get(i);
			if (move) {
				for (const tables of this.#tables) tables[shard]?.delete(origin);
				this.#moves.set(origin, move);
				return;
			}
			this.#moves.delete(origin);
			for (const tables of this.#tables) {
				const to = ends[next++] as number;
				tables[shard]?.set(origin, programs.subarray(from, to));
				from = to;
			}
		});
	}

	/** Gives every origin that is moved the answer of its target. Nothing may be added afterwards. */
	followRedirects(): Redirects {
		let followed = 0;
		for (const origin of this.#moves.keys())
			if (this.#follow(origin)) followed++;
		return { followed, unanswered: this.#moves.size - followed };
	}

	#follow(origin: string): boolean {
		const redirects: Redirect[] = [];
		let from = origin;
		let target: Target | undefined;
		for (let move = this.#moves.get(from); move; ) {
			redirects.push({ status: move.status, url: move.target });
			from = originOfRobots(move.target) ?? "";
			target = from ? undefined : this.#targets.get(withoutHash(move.target));
			if (redirects.length > HOPS) break;
			if (from) move = this.#moves.get(from);
			else move = target && "target" in target ? target : undefined;
		}
		const { shards } = this.#settings;
		const shard = shardOfOrigin(origin, shards);
		const there = shardOfOrigin(from, shards);
		const isFollowed = redirects.length <= HOPS;
		const programs = target && "programs" in target && target.programs;
		const found = Boolean(
			isFollowed && (from ? this.#tables[0]?.[there]?.has(from) : programs),
		);
		this.#tables.forEach((tables, i) => {
			const program = found
				? programs
					? programs[i]
					: tables[there]?.programOf(from)
				: this.#unanswered(origin, redirects, this.#settings.agents[i] ?? "");
			if (program) tables[shard]?.set(origin, program);
		});
		return found;
	}

	/** The program for redirects that lead to no recorded answer. */
	#unanswered(
		origin: string,
		redirects: readonly Redirect[],
		agent: Agent,
	): Uint8Array {
		const { dialect } = this.#settings;
		const { status } = redirects.at(-1) as Redirect;
		const url = `${origin}/robots.txt`;
		const { access } = accessFor({ url, status, redirects }, null, { dialect });
		return access === "allow-all"
			? RobotsTxt.parse("", { dialect }).compactFor(agent)
			: RobotsTxt.parse("User-agent: *\nDisallow: /", { dialect }).compactFor(
					"*",
				);
	}

	/** The snapshot of a shard, as `RobotsIndex.snapshot` gives it. */
	async *snapshot(
		agentNumber: number,
		shard: number,
	): AsyncGenerator<Uint8Array> {
		const table = this.#tables[agentNumber]?.[shard] as OriginTable;
		const agent = this.#settings.agents[agentNumber] as Agent;
		const capture = table.capture();
		try {
			const head = { dialect: this.#settings.dialect, agent };
			const { size, stats } = table;
			for (const chunk of snapshotChunks(capture, head, size, stats.programs)) {
				yield chunk;
				await nextTurn();
			}
		} finally {
			capture.end();
		}
	}

	/** Origins of a shard. */
	sizeOf(shard: number): number {
		return this.#tables[0]?.[shard]?.size ?? 0;
	}
}

/** The origin whose robots.txt a URL is. */
function originOfRobots(text: string): string | undefined {
	const url = parseUrl(text);
	if (!url?.host || url.pathname !== "/robots.txt" || url.search !== "")
		return undefined;
	return originOf(url);
}

/** A URL as it is asked for. */
function withoutHash(url: string): string {
	return url.replace(/#.*$/s, "");
}

function shardOfOrigin(origin: string, shards: number): number {
	const url = parseUrl(origin);
	return url ? shardOfUrl(url, shards) : 0;
}

function sumOf<Item>(
	items: readonly Item[],
	value: (item: Item) => number,
): number {
	return items.reduce((sum, item) => sum + value(item), 0);
}
